/* Circular functions of double (OpenCL C 3.0, 6.15.2), as those of float (trig.h).  Angles so large
 * that the multiple of pi/2 is not known exactly are libm's. */
#include "libm/libm.h"
#include "math.h"

#define HUGE_ANGLE 0x1p30

MPL_HELPER double rest_of_quarter(double x, ulong *quarters) {
  double sum = x * 0x1.45f306dc9c883p-1 + MPL_ROUNDER_double, n = sum - MPL_ROUNDER_double;
  double rest = mpl_exact(n, -0x1.921fb54442d18p0, x);
  *quarters = mpl_bits(sum);
  rest = mpl_exact(n, -0x1.1a62633145c06p-54, rest);
  return n * -0x1.c1cd129024e09p-107 + rest;
}
MPL_HELPER double sine_of_rest(double x) {
  double z = x * x;
  double p = MPL_POLY_6(z, 0x1.5df017d05c7a3p-33, -0x1.ae5fba874df94p-26, 0x1.71de37415b82ep-19,
                        -0x1.a01a019e37554p-13, 0x1.1111111110a09p-7, -0x1.5555555555554p-3);
  return x * (z * p + 0.0) + x;
}
MPL_HELPER double cosine_of_rest(double x) {
  double z = x * x;
  double p = MPL_POLY_6(z, -0x1.9062961039ca5p-37, 0x1.1eeb409ac5e4fp-29, -0x1.27e4f9ed31633p-22,
                        0x1.a01a019f28771p-16, -0x1.6c16c16c16892p-10, 0x1.5555555555555p-5);
  return z * (z * p - 0.5) + 1.0;
}
#define COMMON(x) (mpl_abs(x) < HUGE_ANGLE)
MPL_VALUE double sin(double a) {
  ulong q;
  double rest = rest_of_quarter(a, &q);
  double sine = mpl_flip(q & 1 ? cosine_of_rest(rest) : sine_of_rest(rest), q >> 1);
  if (MPL_RARELY(!COMMON(a))) sine = mpl_libm_sin(a);
  return sine;
}
MPL_VALUE double cos(double a) {
  ulong q;
  double rest = rest_of_quarter(a, &q);
  double cosine = mpl_flip(q & 1 ? sine_of_rest(rest) : cosine_of_rest(rest), q ^ q >> 1);
  if (MPL_RARELY(!COMMON(a))) cosine = mpl_libm_cos(a);
  return cosine;
}
MPL_VALUE double tan(double a) {
  ulong q;
  double rest = rest_of_quarter(a, &q), sine = sine_of_rest(rest), cosine = cosine_of_rest(rest);
  double tangent = (q & 1 ? -cosine : sine) / (q & 1 ? sine : cosine);
  if (MPL_RARELY(!COMMON(a))) tangent = mpl_libm_tan(a);
  return tangent;
}

MPL_VECTORS_1(double, sin, double) MPL_VECTORS_1(double, cos, double)
MPL_VECTORS_1(double, tan, double)
#define SINCOS(n, space) \
  MPL_WRITES double##n sincos(double##n a, space double##n *p) { \
    *p = cos(a); \
    return sin(a); \
  }
MPL_WIDTHS(SINCOS, global) MPL_WIDTHS(SINCOS, local)
MPL_WIDTHS(SINCOS, private) MPL_WIDTHS(SINCOS, generic)
