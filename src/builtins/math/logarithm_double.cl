/* Logarithms and inverse hyperbolic functions of double (OpenCL C 3.0, 6.15.2). */
#include "logarithm_double.h"

MPL_VALUE double log(double a) {
  double k, f = mpl_any_fraction(a, &k);
  return mpl_log_else(a, k * MPL_LOG_2_D + mpl_log_of_fraction(f));
}
MPL_VALUE double log2(double a) {
  double k, f = mpl_any_fraction(a, &k);
  return mpl_log_else(a, mpl_log_of_fraction(f) * 0x1.71547652b82fep0 + k);
}
MPL_VALUE double log10(double a) {
  double k, f = mpl_any_fraction(a, &k);
  return mpl_log_else(a, k * 0x1.34413509f79ffp-2 + mpl_log_of_fraction(f) * 0x1.bcb7b1526e50ep-2);
}

/* 2^-k, or 0. */
MPL_HELPER double power_below(double k) {
  return mpl_number(mpl_bits(0x1p52 + __builtin_elementwise_max(1023 - k, 0.0)) << 52);
}
/* 2^`more` times (1 + x): what 1 + x loses is added to the fraction. */
MPL_HELPER double log_above_one(double x, double more) {
  double u = 1.0 + x, lost = __builtin_elementwise_max(x, 1.0) - u, k;
  lost += __builtin_elementwise_min(x, 1.0);
  double f = mpl_fraction(u, &k);
  f += lost * power_below(k);
  return (k + more) * MPL_LOG_2_D + mpl_log_of_fraction(f);
}
MPL_VALUE double log1p(double a) {
  double result = log_above_one(a, 0);
  result = ((mpl_bits(a) >= 0x7ff0000000000000) & !(a < 0)) ? a : result;
  result = a < -1 ? (double)NAN : result;
  result = a == -1 ? -(double)INFINITY : result;
  return a == 0 ? a : result;
}

#define FAR 0x1p500
MPL_VALUE double asinh(double a) {
  double x = mpl_abs(a), square = x * x;
  bool far = x > FAR;
  double above = x + square / (1.0 + __builtin_elementwise_sqrt(1.0 + square));
  double result = log_above_one(far ? x : above, far ? 1 : 0);
  return mpl_signed(x < INFINITY ? result : x, a);
}
MPL_VALUE double acosh(double a) {
  double x = a - 1.0;
  bool far = a > FAR;
  double above = x + __builtin_elementwise_sqrt(x * (a + 1.0));
  double result = log_above_one(far ? a : above, far ? 1 : 0);
  result = a < INFINITY ? result : a;
  return a < 1 ? (double)NAN : result;
}
MPL_VALUE double atanh(double a) {
  double x = mpl_abs(a);
  double result = 0.5 * log_above_one((x + x) / (1.0 - x), 0);
  result = x == 1 ? (double)INFINITY : result;
  return mpl_signed(x <= 1 ? result : (double)NAN, a);
}

#define VECTORS(name) MPL_VECTORS_1(double, name, double)
VECTORS(log) VECTORS(log2) VECTORS(log10) VECTORS(log1p) VECTORS(asinh) VECTORS(acosh) VECTORS(atanh)
