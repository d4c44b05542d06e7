/* Neighbouring fields under a condition: all of a vector's, some of a structure's, of 1, 2, 4 and 8 bytes. */
#ifdef __OPENCL_VERSION__
struct mixed { int a, b, c, kind; long d; };

kernel void vectors_if(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  global int4 *to = (global int4 *)out;
  int4 v = 0;
  to[at] = 5;
  if (in[4 * at] & 1) {
    v = ((global const int4 *)in)[at];
    to[at] = v.wzyx + 1;
  } else if (in[4 * at] & 2) {
    to[at].y = in[4 * at + 3];
    to[at].w = in[4 * at + 1] ^ v.x;
  }
}

kernel void bytes_if(global uchar *out, global const uchar *in) {
  size_t at = get_global_linear_id();
  global uchar4 *to = (global uchar4 *)out;
  global const uchar4 *from = (global const uchar4 *)in;
  to[at] = (uchar4)(1, 2, 3, 4);
  if (from[at].x > 100) to[at] = from[at].wzyx;
  for (int i = 0; i < (from[at].y & 3); i++) to[at].xz += from[at].zw;
  if (from[at].w & 1) to[at].w = from[at].x + from[at].w;
}

kernel void shorts_if(global short *out, global const short *in) {
  size_t at = get_global_linear_id();
  global const short2 *from = (global const short2 *)in;
  short8 v = 7;
  if (from[4 * at].x & 1) v = ((global const short8 *)in)[at];
  if (from[4 * at + 1].y & 1) v.s35 = from[4 * at + 2];
  if (v.s0 & 2) ((global short8 *)out)[at] = v + (short8)(0, 1, 2, 3, 4, 5, 6, 7);
  else ((global short8 *)out)[at] = -v;
}

kernel void structures_if(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  global struct mixed *to = (global struct mixed *)out;
  global const struct mixed *from = (global const struct mixed *)in;
  to[at].a = to[at].b = to[at].c = to[at].kind = 1;
  to[at].d = 9;
  if (from[at].kind & 1) {
    to[at].a = from[at].a + from[at].c;
    to[at].c = from[at].b ^ (int)from[at].d;
  }
  if (from[at].kind & 2) to[at].d = from[at].d + from[at].a;
}

constant uchar digits[16] = {'0', '1', '2', '3', '4', '5', '6', '7',
                              '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

kernel void threes(global uchar *out, global const uchar *in) {
  int at = get_global_linear_id();
  uint v = in[3 * at] << 16 | in[3 * at + 1] << 8 | in[3 * at + 2];
  for (int k = 0; k < 2; k++) out[6 * at + k] = digits[v >> (20 - 4 * k) & 15];
  out[6 * at + 2] = digits[v >> 12 & 15];
  if (v & 1) return;
  out[6 * at + 3] = digits[v >> 8 & 15];
  out[6 * at + 4] = digits[v >> 4 & 15];
  out[6 * at + 5] = digits[v & 15];
}
/* Arrays that are one, and that are neighbours: what is read there was written before. */
kernel void near_arrays(global uchar *out, global const uchar *in, int behind, int none) {
  size_t at = get_global_linear_id();
  global uchar *one = out + behind, *other = out + none;
  for (int k = 0; k < 4; k++) out[4 * at + k] = in[4 * at + k];
  for (int k = 0; k < 3; k++) other[4 * at + k] = out[4 * at + k] * 5 + 3;
  for (int k = 0; k < 3; k++) one[4 * at + k] = out[4 * at + k] * 3 + 1;
}
#else
#include "run/case.h"

CASE(vectors_if, int, int, .in_per_item = 4, .out_per_item = 4) {
  EACH(i) {
    const int *from = in + 4 * i;
    int *to = out + 4 * i;
    for (int k = 0; k < 4; k++) to[k] = from[0] & 1 ? add(from[3 - k], 1) : 5;
    if ((from[0] & 3) == 2) to[1] = from[3], to[3] = from[1];
  }
}

CASE(bytes_if, uchar, uchar, .in_per_item = 4, .out_per_item = 4) {
  EACH(i) {
    const uchar *from = in + 4 * i;
    uchar *to = out + 4 * i;
    for (int k = 0; k < 4; k++) to[k] = from[0] > 100 ? from[3 - k] : (uchar)(k + 1);
    to[0] = (uchar)(to[0] + (from[1] & 3) * from[2]);
    to[2] = (uchar)(to[2] + (from[1] & 3) * from[3]);
    if (from[3] & 1) to[3] = (uchar)(from[0] + from[3]);
  }
}

CASE(shorts_if, short, short, .in_per_item = 8, .out_per_item = 8) {
  EACH(i) {
    const short *from = in + 8 * i;
    short v[8];
    for (int k = 0; k < 8; k++) v[k] = from[0] & 1 ? from[k] : 7;
    if (from[3] & 1) v[3] = from[4], v[5] = from[5];
    for (int k = 0; k < 8; k++) out[8 * i + k] = (short)(v[0] & 2 ? v[k] + k : -v[k]);
  }
}

CASE(threes, uchar, uchar, .in_per_item = 3, .out_per_item = 6) {
  EACH(i) {
    const uchar *from = in + 3 * i;
    uint v = (uint)from[0] << 16 | (uint)from[1] << 8 | from[2];
    for (int k = 0; k < (v & 1 ? 3 : 6); k++)
      out[6 * i + k] = (uchar) "0123456789abcdef"[v >> (20 - 4 * k) & 15];
  }
}

CASE(near_arrays, uchar, uchar, .in_per_item = 4, .out_per_item = 4, .args = 2, .arg = {1, 0}) {
  EACH(i) {
    uchar *to = out + 4 * i;
    memcpy(to, in + 4 * i, 4);
    for (int k = 0; k < 3; k++) to[k] = (uchar)(to[k] * 5 + 3);
    for (int k = 0; k < 3; k++) to[k + 1] = (uchar)(to[k] * 3 + 1);
  }
}

struct mixed { int a, b, c, kind; long d; };
CASE(structures_if, int, int, .in_per_item = 6, .out_per_item = 6) {
  EACH(i) {
    struct mixed f, t = {1, 1, 1, 1, 9};
    memcpy(&f, in + 6 * i, sizeof f);
    if (f.kind & 1) t.a = add(f.a, f.c), t.c = f.b ^ (int)f.d;
    if (f.kind & 2) t.d = (long)((ulong)f.d + (ulong)(long)f.a);
    memcpy(out + 6 * i, &t, sizeof t);
  }
}
#endif
