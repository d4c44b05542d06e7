/* Some or all fields of structures of two to four, of 1 to 8 bytes, to the very end of a buffer; sums of bytes that
 * are cut to a byte again; numbers of any bits, rounded and converted with saturation. */
#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void weights(global uchar *out, global const uchar *in) {
  size_t at = get_global_linear_id();
  uchar4 p = ((global const uchar4 *)in)[at];
  out[6 * at] = (77 * p.x + 150 * p.y + 29 * p.z) >> 8;
  out[6 * at + 1] = (p.x - p.y) >> 1;
  out[6 * at + 2] = (p.y + p.z + 1) >> 1;
  out[6 * at + 3] = min(p.x + p.z, 255) ^ max(p.x * 3 - 40, 0);
  out[6 * at + 4] = (p.x * p.y * p.z) >> 4;
  out[6 * at + 5] = ((p.z << 3) | (p.x >> 2)) + (p.x > p.y ? p.y * 5 : p.z - 7);
}
kernel void shorts(global ushort *out, global const ushort *in) {
  size_t at = get_global_linear_id();
  out[3 * at] = in[4 * at + 2] - in[4 * at + 1];
  out[3 * at + 1] = in[4 * at + 1] * in[4 * at + 2];
  out[3 * at + 2] = (in[4 * at + 1] + in[4 * at + 2]) >> 1;
}
kernel void complexes(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  int2 a = ((global const int2 *)in)[2 * at], b = ((global const int2 *)in)[2 * at + 1];
  ((global int2 *)out)[at] = (int2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
kernel void longs(global long *out, global const long *in) {
  size_t at = get_global_linear_id();
  out[3 * at + 2] = in[3 * at] + in[3 * at + 2];
  out[3 * at] = in[3 * at + 1];
  out[3 * at + 1] = in[3 * at + 2] - in[3 * at + 1];
}
kernel void converted(global int *out, global const uint *in) {
  size_t at = get_global_linear_id();
  float x = as_float(in[at]);
  double y = as_double((ulong)in[at] << 32 | 0x80000001u);
  half z = as_half((ushort)in[at]);
  global int *to = out + 14 * at;
  to[0] = convert_int_sat(x);
  to[1] = convert_int_sat_rte(x);
  to[2] = convert_uint_sat_rtp(x);
  to[3] = convert_int_sat_rtn(x);
  to[4] = convert_uchar_sat_rte(x);
  to[5] = convert_short_sat_rtz(x);
  to[6] = convert_ushort_sat_rtn(z);
  to[7] = convert_char_sat(z);
  to[8] = convert_int_sat_rtp(y);
  to[9] = (int)(convert_long_sat_rte(y) >> 16);
  to[10] = (int)(convert_ulong_sat(x) >> 20);
  to[11] = convert_uint_sat_rte(z);
  float4 v = (float4)(x, -x, x * 0x1p-20f, -x * 0x1p-90f);
  int4 all = convert_int4_sat_rte(v) ^ convert_int4_sat_rtn(v);
  to[12] = all.x + 3 * all.y + 5 * all.z + 7 * all.w;
  to[13] = convert_uchar3_sat_rtp(v.zyx).x;
}
#else
#include <math.h>
#include <string.h>

#include "run/case.h"

CASE(weights, uchar, uchar, .in_per_item = 4, .out_per_item = 6) {
  EACH(i) {
    int x = in[4 * i], y = in[4 * i + 1], z = in[4 * i + 2];
    uchar *to = out + 6 * i;
    to[0] = (uchar)((77 * x + 150 * y + 29 * z) >> 8);
    to[1] = (uchar)((x - y) >> 1);
    to[2] = (uchar)((y + z + 1) >> 1);
    to[3] = (uchar)((x + z < 255 ? x + z : 255) ^ (x * 3 > 40 ? x * 3 - 40 : 0));
    to[4] = (uchar)((x * y * z) >> 4);
    to[5] = (uchar)(((z << 3) | (x >> 2)) + (x > y ? y * 5 : z - 7));
  }
}
CASE(shorts, ushort, ushort, .in_per_item = 4, .out_per_item = 3) {
  EACH(i) {
    uint a = in[4 * i + 1], b = in[4 * i + 2];
    out[3 * i] = (ushort)(b - a);
    out[3 * i + 1] = (ushort)(a * b);
    out[3 * i + 2] = (ushort)((a + b) >> 1);
  }
}
CASE(complexes, int, int, .in_per_item = 4, .out_per_item = 2) {
  EACH(i) {
    const uint *v = (const uint *)in + 4 * i;
    out[2 * i] = (int)(v[0] * v[2] - v[1] * v[3]);
    out[2 * i + 1] = (int)(v[0] * v[3] + v[1] * v[2]);
  }
}
CASE(longs, long, long, .in_per_item = 3, .out_per_item = 3) {
  EACH(i) {
    const ulong *v = (const ulong *)in + 3 * i;
    out[3 * i] = (long)v[1];
    out[3 * i + 1] = (long)(v[2] - v[1]);
    out[3 * i + 2] = (long)(v[0] + v[2]);
  }
}

enum { TOWARDS_ZERO, NEAREST, UP, DOWN };
static double rounded(double x, int how) {
  return how == NEAREST ? rint(x) : how == UP ? ceil(x) : how == DOWN ? floor(x) : trunc(x);
}
static long limited(double x, int how, double low, double high) { /* high: the first that is too large */
  x = rounded(x, how);
  return isnan(x) ? 0 : x < low ? (long)low : x >= high ? (high == 0x1p63 ? INT64_MAX : (long)high - 1) : (long)x;
}
static int int_of(double x, int how) { return (int)limited(x, how, -0x1p31, 0x1p31); }

CASE(converted, uint, int, .in_per_item = 1, .out_per_item = 14) {
  EACH(i) {
    float x, parts[4];
    double y;
    half z;
    ulong bits = (ulong)in[i] << 32 | 0x80000001u;
    ushort low = (ushort)in[i];
    int *to = out + 14 * i, by[] = {1, 3, 5, 7}, sum = 0;
    memcpy(&x, &in[i], sizeof x);
    memcpy(&y, &bits, sizeof y);
    memcpy(&z, &low, sizeof z);
    to[0] = int_of(x, TOWARDS_ZERO);
    to[1] = int_of(x, NEAREST);
    to[2] = (int)(uint)limited(x, UP, 0, 0x1p32);
    to[3] = int_of(x, DOWN);
    to[4] = (int)limited(x, NEAREST, 0, 256);
    to[5] = (int)limited(x, TOWARDS_ZERO, -32768, 32768);
    to[6] = (int)limited((float)z, DOWN, 0, 65536);
    to[7] = (int)limited((float)z, TOWARDS_ZERO, -128, 128);
    to[8] = int_of(y, UP);
    to[9] = (int)(limited(y, NEAREST, -0x1p63, 0x1p63) >> 16);
    double whole = trunc(x);
    ulong all = isnan(x) || whole < 0 ? 0 : whole >= 0x1p64 ? UINT64_MAX : (ulong)whole;
    to[10] = (int)(all >> 20);
    to[11] = (int)(uint)limited((float)z, NEAREST, 0, 0x1p32);
    parts[0] = x, parts[1] = -x, parts[2] = x * 0x1p-20f, parts[3] = -x * 0x1p-90f;
    for (int k = 0; k < 4; k++)
      sum = (int)((uint)sum + (uint)by[k] * (uint)(int_of(parts[k], NEAREST) ^ int_of(parts[k], DOWN)));
    to[12] = sum;
    to[13] = (int)limited(parts[2], UP, 0, 256);
  }
}
#endif
