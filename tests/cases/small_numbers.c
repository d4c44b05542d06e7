/* Bytes and half-words as floats, wherever they are in a word or a vector, as they are and multiplied; floats as bytes
 * and half-words, limited or rounded in each way, with ties, zeros of both signs, infinities and NaN. */
#ifdef __OPENCL_VERSION__
kernel void bytes_of_word(global float *out, global const uint *in) {
  size_t at = get_global_linear_id();
  uint x = in[at];
  float4 parts = (float4)(x & 255, x >> 8 & 255, x >> 16 & 255, x >> 24);
  vstore4(parts, 2 * at, out);
  vstore4(parts * (float4)(1.0f / 255, 0.5f, 3, -1.5f), 2 * at + 1, out);
}
kernel void halves_of_word(global float *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint x = in[at];
  vstore4((float4)(x & 65535, (x >> 8 & 65535) * 0.1f, in[at] >> 16, in[at] >> 24), at, out);
}
kernel void elements(global float *out, global const uint *in) {
  size_t at = get_global_linear_id();
  char4 c = ((global const char4 *)in)[at];
  uchar4 u = ((global const uchar4 *)in)[at];
  vstore4(convert_float4(c) * 0.7f, 3 * at, out);
  vstore4(convert_float4(u) * 0.7f, 3 * at + 1, out);
  vstore4((float4)(convert_float2(as_short2(c)), convert_float2(as_ushort2(u)) * 0.01f), 3 * at + 2, out);
}
kernel void alone(global float *out, global const char *in) {
  out[get_global_linear_id()] = in[get_global_linear_id()];
}
kernel void alone_short(global float *out, global const short *in) {
  out[get_global_linear_id()] = in[get_global_linear_id()] * 3.0f;
}
kernel void side_by_side(global int *out, global const char *in) {
  size_t at = get_global_linear_id();
  global const uchar *u = (global const uchar *)in + at * 7;
  int sum = 0;
  for (int k = 0; k < 7; k++) sum = sum * 3 + in[at * 7 + k];
  out[2 * at] = sum;
  out[2 * at + 1] = u[1] * u[2] - u[3] * u[4] + u[1];
}
float odd_number(int in) {
  float x = (in >> 4) % 4096 * 0.125f;
  switch (in & 15) {
  case 0: return NAN;
  case 1: return INFINITY;
  case 2: return -INFINITY;
  case 3: return -0.0f;
  case 4: return x * 1e30f;
  default: return x;
  }
}
kernel void saturated(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  float x = odd_number(in[at]);
  vstore4(convert_int4(convert_uchar4_sat_rte((float4)(x, -x, x * 0.5f, x + 100))), 4 * at, out);
  vstore4(convert_int4(convert_char4_sat_rte((float4)(x, -x, x * 0.5f, x + 100))), 4 * at + 1, out);
  vstore4((int4)(convert_uchar_sat(x), convert_uchar_sat_rtp(x), convert_uchar_sat_rtn(x), convert_char_sat(x)),
          4 * at + 2, out);
  vstore4((int4)(convert_short_sat_rte(x * 256), convert_ushort_sat_rte(x * 256), convert_short_sat_rtn(x),
                 convert_ushort_sat_rtz(x)), 4 * at + 3, out);
}
kernel void limited(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  float x = in[at] % 8192 * 0.0625f;
  vstore4((int4)((uchar)clamp(x, 0.0f, 255.0f), (int)rint(fmin(fmax(x, -100.5f), 100.5f)),
                 (uint)(clamp(x, 0.0f, 1.0f) * 255.0f), (int)rint(x * 1000)), 2 * at, out);
  float y = x > 0 ? x : 0, z = y < 99.5f ? y : 99.5f, w = fmin(x, 3.5f), v = fmax(x, -2.5f);
  vstore4((int4)((int)rint(z), (int)z, (int)rint(w), (int)v), 2 * at + 1, out);
}
#else
#include <math.h>

#include "run/case.h"

static float byte_of(uint x, int k) { return (float)(x >> 8 * k & 255); }

CASE(bytes_of_word, uint, float, .out_per_item = 8) {
  static const float by[4] = {1.0f / 255, 0.5f, 3, -1.5f};
  EACH(i) for (int k = 0; k < 4; k++) {
    out[8 * i + k] = byte_of(in[i], k);
    out[8 * i + 4 + k] = byte_of(in[i], k) * by[k];
  }
}
CASE(halves_of_word, int, float, .out_per_item = 4) {
  EACH(i) {
    uint x = (uint)in[i];
    out[4 * i] = (float)(x % 65536);
    out[4 * i + 1] = (float)(x / 256 % 65536) * 0.1f;
    out[4 * i + 2] = (float)(short)(x / 65536);
    out[4 * i + 3] = (float)(signed char)(x / 16777216);
  }
}
CASE(elements, uint, float, .out_per_item = 12) {
  EACH(i) {
    for (int k = 0; k < 4; k++) {
      out[12 * i + k] = (float)(signed char)(uchar)byte_of(in[i], k) * 0.7f;
      out[12 * i + 4 + k] = byte_of(in[i], k) * 0.7f;
    }
    for (int k = 0; k < 2; k++) {
      out[12 * i + 8 + k] = (float)(short)(in[i] >> 16 * k);
      out[12 * i + 10 + k] = (float)(in[i] >> 16 * k & 65535) * 0.01f;
    }
  }
}
CASE(alone, char, float) { EACH(i) out[i] = (signed char)in[i]; }
CASE(alone_short, short, float) { EACH(i) out[i] = in[i] * 3.0f; }
CASE(side_by_side, char, int, .in_per_item = 7, .out_per_item = 2) {
  EACH(i) {
    out[2 * i] = 0;
    for (int k = 0; k < 7; k++) out[2 * i] = out[2 * i] * 3 + (signed char)in[7 * i + k];
    const uchar *u = (const uchar *)in + 7 * i;
    out[2 * i + 1] = u[1] * u[2] - u[3] * u[4] + u[1];
  }
}

static int limit(double x, double least, double most) {
  return isnan(x) ? 0 : (int)fmin(fmax(x, least), most);
}
static float odd_number(int in) {
  static const float odd[] = {NAN, INFINITY, -INFINITY, -0.0f};
  float x = (float)((in >> 4) % 4096) * 0.125f;
  return (in & 15) < 4 ? odd[in & 15] : (in & 15) == 4 ? x * 1e30f : x;
}
CASE(saturated, int, int, .out_per_item = 16) {
  EACH(i) {
    float x = odd_number(in[i]), four[] = {x, -x, x * 0.5f, x + 100};
    for (int k = 0; k < 4; k++) {
      out[16 * i + k] = limit(rint(four[k]), 0, 255);
      out[16 * i + 4 + k] = limit(rint(four[k]), -128, 127);
    }
    out[16 * i + 8] = limit(x, 0, 255);
    out[16 * i + 9] = limit(ceil(x), 0, 255);
    out[16 * i + 10] = limit(floor(x), 0, 255);
    out[16 * i + 11] = limit(x, -128, 127);
    out[16 * i + 12] = limit(rint(x * 256), -32768, 32767);
    out[16 * i + 13] = limit(rint(x * 256), 0, 65535);
    out[16 * i + 14] = limit(floor(x), -32768, 32767);
    out[16 * i + 15] = limit(x, 0, 65535);
  }
}
CASE(limited, int, int, .out_per_item = 8) {
  EACH(i) {
    double x = in[i] % 8192 * 0.0625, y = fmin(fmax(x, 0), 99.5);
    out[8 * i] = limit(x, 0, 255);
    out[8 * i + 1] = (int)rint(fmin(fmax(x, -100.5), 100.5));
    out[8 * i + 2] = (int)(fmin(fmax(x, 0), 1) * 255);
    out[8 * i + 3] = (int)rint(x * 1000);
    out[8 * i + 4] = (int)rint(y);
    out[8 * i + 5] = (int)y;
    out[8 * i + 6] = (int)rint(fmin(x, 3.5));
    out[8 * i + 7] = (int)fmax(x, -2.5);
  }
}
#endif
