/* Logarithms of float: x = 2^k (1 + f), f from -1/4 to 1/2. */
#ifndef MPL_BUILTINS_LOGARITHM_H
#define MPL_BUILTINS_LOGARITHM_H

#include "math.h"

/* Of a normal number. */
MPL_HELPER float mpl_fraction(float x, int *exponent) {
  uint bits = mpl_bits(x), above = bits - 0x3f400000;
  *exponent = (int)above >> 23;
  return mpl_number(bits - (above & 0xff800000)) - 1.0f;
}
#ifndef __AVX512F__
/* Of subnormal ones too. */
MPL_HELPER float mpl_any_fraction(float x, float *exponent) {
  bool small = x < 0x1p-126f;
  int k;
  float f = mpl_fraction(small ? x * 0x1p32f : x, &k);
  *exponent = (float)(small ? k - 32 : k);
  return f;
}
/* log(x), if `result` is that where x is a positive number. */
MPL_HELPER float mpl_log_else(float x, float result) {
  result = mpl_bits(x) >= 0x7f800000 ? x : result;
  result = x < 0 ? NAN : result;
  return x == 0 ? -INFINITY : result;
}
#endif

/* log(1 + f) */
MPL_HELPER float mpl_log_of_fraction(float f) {
  float p = MPL_POLY_9(f, -0x1.928ba2p-5f, 0x1.ba3f34p-4f, -0x1.0d452cp-3f, 0x1.275b46p-3f,
                       -0x1.54defp-3f, 0x1.997a94p-3f, -0x1.00009cp-2f, 0x1.55557cp-2f, -0.5f);
  return f * f * p + f;
}
#define MPL_LOG_2 0x1.62e43p-1f

/* log2 of |x| to some 30 bits, in two parts: k + (f - f^2/2) / log 2 + f^3 q. */
MPL_HELPER float mpl_log2_parts(float x, float *low) {
  float k, f = mpl_any_fraction(x, &k), square = f * f;
  float q = MPL_POLY_9(f, 0x1.fab274p-5f, -0x1.1a72a4p-3f, 0x1.5919b2p-3f, -0x1.75786ep-3f,
                       0x1.a5966ap-3f, -0x1.ec43fcp-3f, 0x1.277734p-2f, -0x1.7154aep-2f,
                       0x1.ec709ep-2f);
  float one = f * 0x1.715476p0f, two = square * -0x1.715476p-1f, near = one + two;
  float rest = (one - near) + two;
  rest += mpl_exact(f, 0x1.715476p0f, -one) + mpl_exact(square, -0x1.715476p-1f, -two);
  rest += mpl_exact(f, f, -square) * -0x1.715476p-1f + (f - 0.5f * square) * 0x1.4ae0cp-26f;
  rest += f * square * q;
  float log = near + rest, sum = k + log;
  *low = ((k - sum) + log) + ((near - log) + rest);
  return sum;
}

#endif
