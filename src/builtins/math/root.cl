/* Cube root and length of float and half (OpenCL C 3.0, 6.15.2). */
#include "math.h"

/* x = 2^(3 q) m, m from 1/2 to 4.  1 / cbrt(m) by a polynomial, one step of Newton for it and, with
 * an exact residue, one for the root. */
MPL_VALUE float cbrt(float a) {
  float x = mpl_abs(a);
  bool small = x < 0x1p-126f;
  uint bits = mpl_bits(small ? x * 0x1p24f : x), e = bits >> 23, q = (e * 171) >> 9, rest = e - 3 * q;
  float f = mpl_number((bits & 0x7fffff) | 0x3f800000);
  float m = mpl_number((bits & 0x7fffff) | (rest + 126) << 23);
  float inverse = MPL_POLY_5(f, 0x1.d47154p-6f, -0x1.c519b2p-3f, 0x1.641702p-1f, -0x1.2c4234p0f,
                             0x1.ab85acp0f);
  inverse *= rest == 0 ? 0x1.428a3p0f : rest == 1 ? 1.0f : 0x1.965feap-1f;
  float near = m * (inverse * inverse);
  inverse += inverse * ((1.0f - near * inverse) * 0x1.555556p-2f);
  float square = inverse * inverse, root = m * square;
  float residue = mpl_exact(root * root, root, -m);
  root -= residue * square * 0x1.555556p-2f;
  root *= mpl_number((q + (small ? 77 : 85)) << 23);
  return ((a == 0) | !(x < INFINITY)) ? a : mpl_signed(root, a);
}

/* Scaled by a power of two near the larger, so that squares neither overflow nor vanish. */
MPL_VALUE float hypot(float a, float b) {
  float x = mpl_abs(a), y = mpl_abs(b);
  uint scale = mpl_bits(__builtin_elementwise_max(x, y)) & 0x7f800000;
  scale = __builtin_elementwise_min(__builtin_elementwise_max(scale, 0x00800000u), 0x7e000000u);
  float inverse = mpl_number(0x7f000000 - scale);
  x *= inverse;
  y *= inverse;
  float length = __builtin_elementwise_sqrt(x * x + y * y) * mpl_number(scale);
  return ((x == INFINITY) | (y == INFINITY)) ? INFINITY : length;
}

MPL_MATH_1(cbrt) MPL_MATH_2(hypot)
