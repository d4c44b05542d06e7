/* Powers of e, 2 and 10 in double, as those in float (exponential.h). */
#ifndef MPL_BUILTINS_EXPONENTIAL_DOUBLE_H
#define MPL_BUILTINS_EXPONENTIAL_DOUBLE_H

#include "math.h"

MPL_HELPER double mpl_within(double x, double limit) { /* NaN stays */
  x = x > limit ? limit : x;
  return x < -limit ? -limit : x;
}
#ifdef __AVX512F__
#define MPL_TWO_STEPS_D MPL_ROUNDER_double
MPL_HELPER double mpl_scaled(double x, double sum) { return mpl_scale(x, sum - MPL_ROUNDER_double); }
#else
#define MPL_TWO_STEPS_D (MPL_ROUNDER_double + 2046)
MPL_HELPER double mpl_scaled(double x, double sum) {
  ulong both = mpl_bits(sum), one = both >> 1;
  return x * mpl_number(one << 52) * mpl_number((both - one) << 52);
}
#endif

/* The first part has 41 bits. */
#define MPL_LOG_E_HIGH_D  0x1.62e42fefa4p-1
#define MPL_LOG_E_LOW_D   -0x1.8432a1b0e2634p-43
#define MPL_LOG_10_HIGH_D 0x1.34413509f8p-2
#define MPL_LOG_10_LOW_D  -0x1.80433b83b532ap-44
#define MPL_LESS_D(x, n, log) (((x) - (n) * log##_HIGH_D) - (n) * log##_LOW_D)

/* e^r - 1 - r, over r^2 */
#define MPL_EXP_POLY_D(r) \
  MPL_POLY_10(r, 0x1.af628bc1ed0f9p-26, 0x1.2892a3e41f69bp-22, 0x1.71ddf72531798p-19, \
              0x1.a019b80d6948p-16, 0x1.a01a01afd4ae9p-13, 0x1.6c16c178d46fdp-10, \
              0x1.111111110f8bp-7, 0x1.5555555553c81p-5, 0x1.5555555555558p-3, 0x1.0000000000001p-1)

/* 2^(x + low), |x| < 2000, times a factor. */
MPL_HELPER double mpl_times_power(double factor, double x, double low) {
  double sum = x + MPL_TWO_STEPS_D, r = (x - (sum - MPL_TWO_STEPS_D)) + low;
  double square = r * r, fourth = square * square;
  double p = (0x1.ec5fd4289b1eap-32 * square +
              MPL_POLY_2(r, 0x1.e608384ab43dbp-28, 0x1.b5233c417cdf4p-24)) *
                 fourth +
             MPL_PAIRS_4(r, square, 0x1.62bfd3659ea98p-20, 0x1.ffcbfd453c72bp-17,
                         0x1.43091309d4af3p-13, 0x1.5d87fe7874ecbp-10);
  p = p * fourth + MPL_PAIRS_4(r, square, 0x1.3b2ab6fba1c0fp-7, 0x1.c6b08d704a1d2p-5,
                               0x1.ebfbdff82c599p-3, 0x1.62e42fefa39efp-1);
  p = p * r + 1.0;
  return mpl_scaled(p * factor, sum);
}
MPL_HELPER double mpl_power_of_two(double x, double low) {
  return mpl_times_power(1, x, low);
}

#endif
