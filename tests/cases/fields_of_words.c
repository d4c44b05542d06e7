/* Fields that make a word together: of 1 and 2 bytes, signed or not, some of them, written in part or under a
 * condition, beside a field that has no value. */
#ifdef __OPENCL_VERSION__
kernel void bytes(global uchar *out, global const uchar *in) {
  size_t at = get_global_linear_id();
  uchar4 v = ((global const uchar4 *)in)[at];
  uint4 wide = convert_uint4(v) * (uint4)(3, 5, 7, 11);
  float4 real = convert_float4(v) * 0.25f;
  ((global uchar4 *)out)[2 * at] = convert_uchar4_sat(wide >> 2);
  ((global uchar4 *)out)[2 * at + 1] = convert_uchar4(real) + v.wzyx;
}
kernel void signed_bytes(global char *out, global const char *in) {
  size_t at = get_global_linear_id();
  char4 v = ((global const char4 *)in)[at];
  int4 wide = convert_int4(v);
  ((global char4 *)out)[at] = convert_char4_sat(wide * wide - 300) ^ hadd(v, v.yzwx);
}
kernel void shorts(global short *out, global const short *in) {
  size_t at = get_global_linear_id();
  short2 v = ((global const short2 *)in)[at];
  int sum = v.x + v.y;
  ((global short2 *)out)[at] = sum < 0 ? v.yx : (short2)(sum >> 1, mul_hi(v.x, v.y));
}
kernel void halves(global half *out, global const half *in) {
  size_t at = get_global_linear_id();
  float x = vload_half(2 * at, in), y = vload_half(2 * at + 1, in);
  vstore_half(y - x, 2 * at, out);
  vstore_half(x + y, 2 * at + 1, out);
}
kernel void some(global uchar *out, global const uchar *in) {
  size_t at = get_global_linear_id();
  global uchar4 *to = (global uchar4 *)out;
  uchar4 v = ((global const uchar4 *)in)[at], partly;
  to[at] = 9;
  if (v.y & 1) to[at] = v.wzyx + (uchar4)(1, 2, 3, 4);
  else if (v.z & 2) to[at].xz = v.yw;
  if (v.w & 4) {
    partly.y = v.x;
    to[at] = partly;
    to[at].xzw = v.zyx;
  }
}
#else
#include "run/case.h"

static uchar byte_of(int value) { return (uchar)(value < 0 ? 0 : value > 255 ? 255 : value); }
static char char_of(int value) { return (char)(value < -128 ? -128 : value > 127 ? 127 : value); }

CASE(bytes, uchar, uchar, .in_per_item = 4, .out_per_item = 8) {
  static const int by[] = {3, 5, 7, 11};
  EACH(i) for (int k = 0; k < 4; k++) {
    out[8 * i + (size_t)k] = byte_of(in[4 * i + (size_t)k] * by[k] >> 2);
    out[8 * i + 4 + (size_t)k] = (uchar)(in[4 * i + (size_t)k] / 4 + in[4 * i + 3 - (size_t)k]);
  }
}
CASE(signed_bytes, char, char, .in_per_item = 4, .out_per_item = 4) {
  EACH(i) for (size_t k = 0; k < 4; k++) {
    int v = in[4 * i + k], next = in[4 * i + (k + 1) % 4];
    out[4 * i + k] = (char)(char_of(v * v - 300) ^ ((v + next) >> 1));
  }
}
CASE(shorts, short, short, .in_per_item = 2, .out_per_item = 2) {
  EACH(i) {
    int x = in[2 * i], y = in[2 * i + 1];
    out[2 * i] = (short)(x + y < 0 ? y : (x + y) >> 1);
    out[2 * i + 1] = (short)(x + y < 0 ? x : x * y >> 16);
  }
}
CASE(halves, half, half, .in_per_item = 2, .out_per_item = 2, .small = true) {
  EACH(i) {
    out[2 * i] = (half)((float)in[2 * i + 1] - (float)in[2 * i]);
    out[2 * i + 1] = (half)((float)in[2 * i] + (float)in[2 * i + 1]);
  }
}
CASE(some, uchar, uchar, .in_per_item = 4, .out_per_item = 4) {
  EACH(i) {
    const uchar *v = in + 4 * i;
    uchar *to = out + 4 * i;
    for (int k = 0; k < 4; k++) to[k] = 9;
    if (v[1] & 1) {
      for (int k = 0; k < 4; k++) to[k] = (uchar)(v[3 - k] + k + 1);
    } else if (v[2] & 2) {
      to[0] = v[1];
      to[2] = v[3];
    }
    if (v[3] & 4) to[0] = v[2], to[1] = v[0], to[2] = v[1], to[3] = v[0];
  }
}
#endif
