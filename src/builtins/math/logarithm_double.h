/* Logarithms of double: x = 2^k (1 + f), f from -1/3 to 1/3, log(1 + f) = 2 atanh(f / (2 + f)). */
#ifndef MPL_BUILTINS_LOGARITHM_DOUBLE_H
#define MPL_BUILTINS_LOGARITHM_DOUBLE_H

#include "math.h"

/* Of a normal number.  Exponents are unsigned until they are numbers, because few processors shift
 * or convert signed 64-bit integers in vectors. */
MPL_HELPER double mpl_fraction(double x, double *exponent) {
  ulong bits = mpl_bits(x), above = bits + 0x001aaaaaaaaaaaab; /* 2^(k+1024), so that it is one */
  *exponent = mpl_number((above >> 52) | mpl_bits(0x1p52)) - (0x1p52 + 1024);
  return mpl_number(bits - (above & 0xfff0000000000000) + 0x4000000000000000) - 1.0;
}
MPL_HELPER double mpl_any_fraction(double x, double *exponent) {
  bool small = x < 0x1p-1022;
  double k, f = mpl_fraction(small ? x * 0x1p64 : x, &k);
  *exponent = small ? k - 64 : k;
  return f;
}
MPL_HELPER double mpl_log_of_fraction(double f) {
  double s = f / (2.0 + f), z = s * s, half_square = 0.5 * f * f;
  double p = MPL_POLY_8(z, 0x1.16dc3664952cep-3, 0x1.0e830f2b5893ep-3, 0x1.3b2a5978148e3p-3,
                        0x1.745ca83eed97cp-3, 0x1.c71c72ef63ab5p-3, 0x1.24924923ce1fcp-2,
                        0x1.9999999999ffep-2, 0x1.5555555555555p-1);
  return f - (half_square - s * (half_square + z * p));
}
MPL_HELPER double mpl_log_else(double x, double result) {
  result = mpl_bits(x) >= 0x7ff0000000000000 ? x : result;
  result = x < 0 ? (double)NAN : result;
  return x == 0 ? -(double)INFINITY : result;
}
#define MPL_LOG_2_D 0x1.62e42fefa39efp-1

#endif
