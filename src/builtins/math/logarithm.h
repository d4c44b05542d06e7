/* Logarithms of float: x = 2^k (1 + f), f from -1/3 to 1/3. */
#ifndef MPL_BUILTINS_LOGARITHM_H
#define MPL_BUILTINS_LOGARITHM_H

#include "math.h"

/* Of a normal number. */
MPL_HELPER float mpl_fraction(float x, int *exponent) {
  uint bits = mpl_bits(x), above = bits - 0x3f2aaaab;
  *exponent = (int)above >> 23;
  return mpl_number(bits - (above & 0xff800000)) - 1.0f;
}
/* Of subnormal ones too. */
MPL_HELPER float mpl_any_fraction(float x, float *exponent) {
  bool small = x < 0x1p-126f;
  int k;
  float f = mpl_fraction(small ? x * 0x1p32f : x, &k);
  *exponent = (float)(small ? k - 32 : k);
  return f;
}

/* log(1 + f), and log(x) if `result` is that where x is a positive number. */
MPL_HELPER float mpl_log_of_fraction(float f) {
  float p = MPL_POLY_9(f, -0x1.087e8p-3f, 0x1.19b5a6p-3f, -0x1.f30748p-4f, 0x1.1fd5fp-3f,
                       -0x1.559bf4p-3f, 0x1.99bfe6p-3f, -0x1.ffff0cp-3f, 0x1.55552cp-2f, -0.5f);
  return f * f * p + f;
}
MPL_HELPER float mpl_log_else(float x, float result) {
  result = mpl_bits(x) >= 0x7f800000 ? x : result;
  result = x < 0 ? NAN : result;
  return x == 0 ? -INFINITY : result;
}
#define MPL_LOG_2 0x1.62e43p-1f

#endif
