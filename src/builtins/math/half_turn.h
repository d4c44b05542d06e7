/* The sine of pi x, |x| <= 1/2, and what brings other x there. */
#ifndef MPL_BUILTINS_HALF_TURN_H
#define MPL_BUILTINS_HALF_TURN_H

#include "math.h"

MPL_HELPER float mpl_sine_of_part(float x) {
  float z = x * x;
  return x * MPL_POLY_5(z, 0x1.407998p-4f, -0x1.328004p-1f, 0x1.466b26p1f, -0x1.4abbd8p2f,
                        0x1.921fb6p1f);
}
MPL_HELPER double mpl_sine_of_part(double x) {
  double z = x * x;
  return x * MPL_POLY_9(z, 0x1.9d462020fcc78p-21, -0x1.6f7acdb8f658p-16, 0x1.e8f3675ee37ddp-12,
                        -0x1.e3074dfaf87afp-8, 0x1.5078348551854p-4, -0x1.32d2cce627c86p-1,
                        0x1.466bc6775aa7dp1, -0x1.4abbce625be52p2, 0x1.921fb54442d18p1);
}

#define MPL_HALF_TURNS(T) \
  MPL_HELPER T mpl_off_even(T a) { return a - 2 * __builtin_elementwise_rint(a * (T)0.5); } \
  /* Of pi times -1 to 1. */ \
  MPL_HELPER T mpl_sine_of_turn(T part) { \
    return mpl_sine_of_part(mpl_abs(part) > (T)0.5 ? mpl_signed((T)1, part) - part : part); \
  }
MPL_HALF_TURNS(float)
MPL_HALF_TURNS(double)

#endif
