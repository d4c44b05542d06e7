/* Circular functions of float and half (OpenCL C 3.0, 6.15.2). */
#include "half_turn.h"
#include "trig.h"

MPL_VALUE float sin(float a) { return mpl_sine(a); }
MPL_VALUE float cos(float a) { return mpl_cosine(a); }
MPL_VALUE float tan(float a) { return mpl_tangent(a); }

/* Of pi x. */
#define HALF_TURNS(T) \
  MPL_VALUE T sinpi(T a) { \
    T sine = mpl_sine_of_turn(mpl_off_even(mpl_abs(a))); \
    return mpl_flip(sine, mpl_bits(a) >> (sizeof(T) * 8 - 1)); \
  } \
  MPL_VALUE T cospi(T a) { \
    return mpl_sine_of_part((T)0.5 - mpl_abs(mpl_off_even(mpl_abs(a)))); \
  } \
  MPL_VALUE T tanpi(T a) { \
    T part = mpl_off_even(mpl_abs(a)), sine = mpl_sine_of_turn(part); \
    T tangent = sine / mpl_sine_of_part((T)0.5 - mpl_abs(part)); \
    return mpl_flip(tangent, mpl_bits(a) >> (sizeof(T) * 8 - 1)); \
  }
HALF_TURNS(float)
HALF_TURNS(double)

MPL_MATH_1(sin) MPL_MATH_1(cos) MPL_MATH_1(tan)
MPL_MATH_1(sinpi) MPL_MATH_1(cospi) MPL_MATH_1(tanpi)
MPL_VECTORS_1(double, sinpi, double) MPL_VECTORS_1(double, cospi, double)
MPL_VECTORS_1(double, tanpi, double)

#define SINCOS(n, T, space) \
  MPL_WRITES T##n sincos(T##n a, space T##n *p) { \
    *p = cos(a); \
    return sin(a); \
  }
#define SPACES(T) \
  MPL_WIDTHS(SINCOS, T, global) MPL_WIDTHS(SINCOS, T, local) \
  MPL_WIDTHS(SINCOS, T, private) MPL_WIDTHS(SINCOS, T, generic)
SPACES(float)
SPACES(half)
