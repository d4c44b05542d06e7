/* Bytes: products, also where only some work-items have one; numbers of a byte or two that wrap from one work-item to
 * the next; elements by numbers that differ by a constant; division by one number. */
#ifdef __OPENCL_VERSION__
kernel void products(global uchar *out, global const uchar *in) {
  size_t at = get_global_linear_id();
  uchar a = in[2 * at], b = in[2 * at + 1], c = a * b;
  if (a & 1) {
    b = in[2 * at] + 3;
    for (int k = 0; k < (a & 7); k++) c = c * b + a;
  }
  out[at] = c;
}

kernel void wrapping(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  uchar low = at;
  char also = at * 3;
  ushort two = at * 997;
  out[at] = low + also * 256 + in[at] * two;
}

kernel void numbered(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  int k = at * 4, a = in[k + 3], b = in[k + 1], c = in[k], d = in[k + 2];
  out[4 * at + 2] = a, out[4 * at] = b, out[4 * at + 3] = c, out[4 * at + 1] = d;
}

kernel void divided(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  int n = get_work_dim() == 1 ? -1 : 1 - 4 * (int)get_work_dim(), a = in[at];
  if (a == (int)0x80000000) a++;
  out[2 * at] = a / n;
  out[2 * at + 1] = a % n;
}
#else
#include "run/case.h"

CASE(products, uchar, uchar, .in_per_item = 2) {
  EACH(i) {
    uchar a = in[2 * i], b = (uchar)(a + 3), c = (uchar)(a * in[2 * i + 1]);
    for (int k = 0; a & 1 && k < (a & 7); k++) c = (uchar)(c * b + a);
    out[i] = c;
  }
}

CASE(wrapping, int, int) {
  EACH(i) {
    size_t at = g->at[i];
    out[i] = add((int)(uchar)at + 256 * (signed char)(uchar)(at * 3), mul(in[i], (ushort)(at * 997)));
  }
}

CASE(numbered, int, int, .in_per_item = 4, .out_per_item = 4) {
  EACH(i) {
    const int *from = in + 4 * i;
    out[4 * i + 2] = from[3], out[4 * i] = from[1], out[4 * i + 3] = from[0], out[4 * i + 1] = from[2];
  }
}

CASE(divided, int, int, .out_per_item = 2) {
  int n = g->shape->dims == 1 ? -1 : 1 - 4 * (int)g->shape->dims;
  EACH(i) {
    int a = in[i] == (-2147483647 - 1) ? -2147483647 : in[i];
    out[2 * i] = a / n, out[2 * i + 1] = a % n;
  }
}
#endif
