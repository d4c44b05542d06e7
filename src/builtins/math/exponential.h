/* Powers of e, 2 and 10 in float: 2^n times a polynomial in what is left, at most half a step. */
#ifndef MPL_BUILTINS_EXPONENTIAL_H
#define MPL_BUILTINS_EXPONENTIAL_H

#include "math.h"

MPL_HELPER float mpl_within(float x, float limit) { /* NaN stays */
  x = x > limit ? limit : x;
  return x < -limit ? -limit : x;
}

/* A sum with this has n + 2 * 127 in its lowest bits: the exponent fields of two factors whose
 * product is 2^n, which neither overflows nor rounds before the result does. */
#ifdef __AVX512F__
#define MPL_TWO_STEPS MPL_ROUNDER_float
MPL_HELPER float mpl_scaled(float x, float sum) { return mpl_scale(x, sum - MPL_ROUNDER_float); }
#else
#define MPL_TWO_STEPS (MPL_ROUNDER_float + 254)
MPL_HELPER float mpl_scaled(float x, float sum) {
  uint both = mpl_bits(sum), one = both >> 1;
  return x * mpl_number(one << 23) * mpl_number((both - one) << 23);
}
#endif

/* x minus n times a logarithm of 2, in two parts of which the first has 15 bits. */
#define MPL_LOG_E_HIGH  0x1.62e4p-1f
#define MPL_LOG_E_LOW   0x1.7f7d1cp-20f
#define MPL_LOG_10_HIGH 0x1.344p-2f
#define MPL_LOG_10_LOW  0x1.3509f8p-18f
#define MPL_LESS(x, n, log) (((x) - (n) * log##_HIGH) - (n) * log##_LOW)

/* 2^(x + low), |x| < 200, times a factor. */
MPL_HELPER float mpl_times_power(float factor, float x, float low) {
  float sum = x + MPL_TWO_STEPS, r = (x - (sum - MPL_TWO_STEPS)) + low;
  float p = MPL_POLY_7(r, 0x1.442776p-13f, 0x1.5ef75ap-10f, 0x1.3b2a46p-7f, 0x1.c6af9ap-5f,
                       0x1.ebfbep-3f, 0x1.62e43p-1f, 1.0f);
  return mpl_scaled(p * factor, sum);
}
MPL_HELPER float mpl_power_of_two(float x, float low) {
  return mpl_times_power(1, x, low);
}
MPL_HELPER float mpl_exp(float x) {
  x = mpl_within(x, 110);
  float sum = x * 0x1.715476p0f + MPL_TWO_STEPS, n = sum - MPL_TWO_STEPS;
  float r = MPL_LESS(x, n, MPL_LOG_E);
  float p = MPL_POLY_5(r, 0x1.6d4ea6p-10f, 0x1.120c8ep-7f, 0x1.5554e8p-5f, 0x1.5554dcp-3f, 0.5f);
  return mpl_scaled(r * r * p + r + 1.0f, sum);
}

#endif
