/* Logarithms and inverse hyperbolic functions of float and half (OpenCL C 3.0, 6.15.2). */
#include "logarithm.h"

MPL_VALUE float log(float a) {
  float k, f = mpl_any_fraction(a, &k);
  return mpl_log_else(a, k * MPL_LOG_2 + mpl_log_of_fraction(f));
}
MPL_VALUE float log2(float a) {
  float k, f = mpl_any_fraction(a, &k);
  float p = MPL_POLY_9(f, 0x1.42e7aep-4f, -0x1.66977ep-3f, 0x1.bb6c16p-3f, -0x1.f0ec2p-3f,
                       0x1.2713b6p-2f, -0x1.713b68p-2f, 0x1.ec71e6p-2f, -0x1.715496p-1f,
                       0x1.715476p0f);
  return mpl_log_else(a, f * p + k);
}
MPL_VALUE float log10(float a) {
  float k, f = mpl_any_fraction(a, &k);
  float p = MPL_POLY_9(f, 0x1.727a3ep-6f, -0x1.a5739ep-5f, 0x1.09d28ap-4f, -0x1.2baff4p-4f,
                       0x1.637d9ap-4f, -0x1.bc962p-4f, 0x1.287a58p-3f, -0x1.bcb7dap-3f,
                       0x1.bcb7b2p-2f);
  return mpl_log_else(a, k * 0x1.344136p-2f + f * p);
}

/* 2^`more` times (1 + x): what 1 + x loses is added to the fraction. */
MPL_HELPER float log_above_one(float x, float more) {
  float u = 1.0f + x, lost = __builtin_elementwise_max(x, 1.0f) - u;
  int k;
  lost += __builtin_elementwise_min(x, 1.0f);
  float f = mpl_fraction(u, &k);
  f += lost * mpl_number((uint)__builtin_elementwise_max(127 - k, 0) << 23);
  return ((float)k + more) * MPL_LOG_2 + mpl_log_of_fraction(f);
}
MPL_VALUE float log1p(float a) {
  float result = log_above_one(a, 0);
  result = mpl_bits(a) >= 0x7f800000 && !(a < 0) ? a : result;
  result = a < -1 ? NAN : result;
  result = a == -1 ? -INFINITY : result;
  return a == 0 ? a : result;
}

/* Of numbers so large that the 1 under the root does not count: log(2 x). */
#define FAR 0x1p60f
MPL_VALUE float asinh(float a) {
  float x = mpl_abs(a), square = x * x;
  bool far = x > FAR;
  float above = x + square / (1.0f + __builtin_elementwise_sqrt(1.0f + square));
  float result = log_above_one(far ? x : above, far ? 1 : 0);
  return mpl_signed(x < INFINITY ? result : x, a);
}
MPL_VALUE float acosh(float a) {
  float x = a - 1.0f;
  bool far = a > FAR;
  float above = x + __builtin_elementwise_sqrt(x * (a + 1.0f));
  float result = log_above_one(far ? a : above, far ? 1 : 0);
  result = a < INFINITY ? result : a;
  return a < 1 ? NAN : result;
}
MPL_VALUE float atanh(float a) {
  float x = mpl_abs(a);
  float result = 0.5f * log_above_one((x + x) / (1.0f - x), 0);
  result = x == 1 ? INFINITY : result;
  return mpl_signed(x <= 1 ? result : NAN, a);
}

MPL_MATH_1(log) MPL_MATH_1(log2) MPL_MATH_1(log10) MPL_MATH_1(log1p)
MPL_MATH_1(asinh) MPL_MATH_1(acosh) MPL_MATH_1(atanh)
