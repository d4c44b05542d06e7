/* Logarithms of double: x = 2^k (1 + f), f from -1/4 to 1/2, log(1 + f) = 2 atanh(f / (2 + f)). */
#ifndef MPL_BUILTINS_LOGARITHM_DOUBLE_H
#define MPL_BUILTINS_LOGARITHM_DOUBLE_H

#include "math.h"

/* Of a normal number.  Exponents are unsigned until they are numbers, because few processors shift
 * or convert signed 64-bit integers in vectors. */
MPL_HELPER double mpl_fraction(double x, double *exponent) {
  ulong bits = mpl_bits(x), above = bits + 0x0018000000000000; /* 2^(k+1024), so that it is one */
  *exponent = mpl_number((above >> 52) | mpl_bits(0x1p52)) - (0x1p52 + 1024);
  return mpl_number(bits - (above & 0xfff0000000000000) + 0x4000000000000000) - 1.0;
}
#ifndef __AVX512F__
MPL_HELPER double mpl_any_fraction(double x, double *exponent) {
  bool small = x < 0x1p-1022;
  double k, f = mpl_fraction(small ? x * 0x1p64 : x, &k);
  *exponent = small ? k - 64 : k;
  return f;
}
MPL_HELPER double mpl_log_else(double x, double result) {
  result = mpl_bits(x) >= 0x7ff0000000000000 ? x : result;
  result = x < 0 ? (double)NAN : result;
  return x == 0 ? -(double)INFINITY : result;
}
#endif
MPL_HELPER double mpl_log_of_fraction(double f) {
  double s = f / (2.0 + f), z = s * s, half_square = 0.5 * f * f;
  double p = MPL_POLY_8(z, 0x1.16dc3664952cep-3, 0x1.0e830f2b5893ep-3, 0x1.3b2a5978148e3p-3,
                        0x1.745ca83eed97cp-3, 0x1.c71c72ef63ab5p-3, 0x1.24924923ce1fcp-2,
                        0x1.9999999999ffep-2, 0x1.5555555555555p-1);
  return f - (half_square - s * (half_square + z * p));
}
#define MPL_LOG_2_D 0x1.62e42fefa39efp-1

/* log2 of |x| to some 58 bits, in two parts: k + s (2 / log 2 + z q), where s = f / (2 + f), z = s^2. */
MPL_HELPER double mpl_log2_parts(double x, double *low) {
  double k, f = mpl_any_fraction(x, &k), below = 2.0 + f, inverse = 1.0 / below, s = f * inverse;
  double s_low = mpl_exact(-s, f, f - 2 * s) * inverse; /* f and 2 s are near: no rounding */
  double z = s * s, z_low = mpl_exact(s, s, -z) + 2 * s * s_low;
  double square = z * z;
  double q = MPL_PAIRS_4(z, square, 0x1.98f799796f862p-3, 0x1.853cb5a7c387bp-3,
                         0x1.c6c070de4114fp-3, 0x1.0c99f116505bdp-2) * (square * square) +
             MPL_PAIRS_4(z, square, 0x1.484b15db45c7bp-2, 0x1.a61762a3c8cb0p-2,
                         0x1.2776c50efb93bp-1, 0x1.ec709dc3a03f4p-1);
  double part = z * q, part_low = mpl_exact(z, q, -part) + z_low * q;
  double slope = 0x1.71547652b82fep1 + part;
  double slope_low = ((0x1.71547652b82fep1 - slope) + part) + (0x1.777d0ffda0d24p-55 + part_low);
  double high = s * slope, all = k + high;
  *low = ((k - all) + high) + (mpl_exact(s, slope, -high) + (s * slope_low + s_low * slope));
  return all;
}

#endif
