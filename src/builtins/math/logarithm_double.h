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

/* log2 of |x| to some 64 bits, in two parts: k + 2 / log 2 * s (1 + s^2 / 3 + s^4 q), where
 * s = f / (2 + f). */
MPL_HELPER double mpl_log2_parts(double x, double *low) {
  double k, f = mpl_any_fraction(x, &k), below = 2.0 + f, inverse = 1.0 / below, s = f * inverse;
  double s_low = (mpl_exact(-s, below, f) - s * (f - (below - 2.0))) * inverse;
  double z = s * s, z_low = mpl_exact(s, s, -z) + 2 * s * s_low;
  double q = MPL_POLY_7(z, 0x1.11ad1d84b7f33p-4, 0x1.0f372b63699bep-4, 0x1.3b20cfd416dfap-4,
                        0x1.745ce7c6f0b9dp-4, 0x1.c71c7218cf0e7p-4, 0x1.2492492477f52p-3,
                        0x1.99999999999c6p-3);
  double third = z * 0x1.5555555555555p-2, rest = z * z * q;
  double third_low =
      mpl_exact(z, 0x1.5555555555555p-2, -third) + (z * 0x1.5555555555555p-56 + z_low * 0x1.5555555555555p-2);
  double part = third + rest, part_low = ((third - part) + rest) + third_low;
  double more = s * part, more_low = mpl_exact(s, part, -more) + (s * part_low + s_low * part);
  double sum = s + more, sum_low = ((s - sum) + more) + (s_low + more_low);
  double high = sum * 0x1.71547652b82fep1;
  double high_low = mpl_exact(sum, 0x1.71547652b82fep1, -high) +
                    (sum * 0x1.777d0ffda0d24p-55 + sum_low * 0x1.71547652b82fep1);
  double all = k + high;
  *low = ((k - all) + high) + high_low;
  return all;
}

#endif
