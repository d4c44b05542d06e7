/* Circular functions of float and half (OpenCL C 3.0, 6.15.2). */
#include "trig.h"

MPL_VALUE float sin(float a) { return mpl_sine(a); }
MPL_VALUE float cos(float a) { return mpl_cosine(a); }
MPL_VALUE float tan(float a) { return mpl_tangent(a); }

/* The circular functions of pi x: the sine of a part of at most 1/2, which is exact. */
MPL_HELPER float sine_of_part(float x) {
  float z = x * x;
  return x * MPL_POLY_5(z, 0x1.407998p-4f, -0x1.328004p-1f, 0x1.466b26p1f, -0x1.4abbd8p2f,
                        0x1.921fb6p1f);
}
MPL_HELPER float off_even(float a) { return a - 2 * __builtin_elementwise_rint(a * 0.5f); }
MPL_VALUE float sinpi(float a) {
  float part = off_even(mpl_abs(a)), size = mpl_abs(part);
  float sine = sine_of_part(size > 0.5f ? mpl_signed(1, part) - part : part);
  return mpl_flip(sine, mpl_bits(a) >> 31);
}
MPL_VALUE float cospi(float a) { return sine_of_part(0.5f - mpl_abs(off_even(mpl_abs(a)))); }
MPL_VALUE float tanpi(float a) {
  float part = off_even(mpl_abs(a)), size = mpl_abs(part);
  float sine = sine_of_part(size > 0.5f ? mpl_signed(1, part) - part : part);
  return mpl_flip(sine / sine_of_part(0.5f - size), mpl_bits(a) >> 31);
}

MPL_MATH_1(sin) MPL_MATH_1(cos) MPL_MATH_1(tan)
MPL_MATH_1(sinpi) MPL_MATH_1(cospi) MPL_MATH_1(tanpi)
MPL_FAST(sin) MPL_FAST(cos) MPL_FAST(tan)

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
