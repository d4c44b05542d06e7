/* Inverse circular functions of double (OpenCL C 3.0, 6.15.2). */
#include "math.h"

#define PI          0x1.921fb54442d18p1
#define HALF_PI     0x1.921fb54442d18p0
#define ONE_OVER_PI 0x1.45f306dc9c883p-2

/* The angle of a slope of height / width, neither negative: of what it is beyond 0, pi/4 or pi/2, at
 * most pi/8. */
MPL_HELPER double angle_of(double height, double width) {
  bool over = height > width * 0x1.a827999fcef32p-2, steep = height > width * 0x1.3504f333f9de6p1;
  double above = steep ? -width : over ? height - width : height;
  double below = steep ? height : over ? height + width : width;
  double base = steep ? HALF_PI : over ? HALF_PI / 2 : 0.0;
  double t = above / below, z = t * t;
  double p = MPL_POLY_11(z, -0x1.39f38ad44b60cp-6, 0x1.41495cefb3d36p-5, -0x1.a090d1950c069p-5,
                         0x1.dfe49b2919857p-5, -0x1.10fa5ee9ab218p-4, 0x1.3b126143b5cb6p-4,
                         -0x1.745d0b153ffadp-4, 0x1.c71c7184c32bfp-4, -0x1.24924924355d5p-3,
                         0x1.999999999933dp-3, -0x1.5555555555555p-2);
  return base + (t * (z * p) + t);
}
MPL_VALUE double atan(double a) { return mpl_signed(angle_of(mpl_abs(a), 1), a); }
MPL_VALUE double atan2(double y, double x) {
  double height = mpl_abs(y), width = mpl_abs(x);
  double larger = __builtin_elementwise_max(height, width);
  /* Sums must not overflow, nor may the bounds of an angle be rounded as denormal numbers are. */
  double scale = larger > 0x1p1000 ? 0x1p-100 : larger < 0x1p-900 ? 0x1p100 : 1.0;
  double angle = angle_of(height * scale, width * scale);
  double diagonal = height > 0 ? HALF_PI / 2 : 0.0; /* infinities; zeros */
  angle = height == width ? diagonal : angle;
  angle = (long)mpl_bits(x) < 0 ? PI - angle : angle;
  return mpl_signed(angle, y);
}

/* asin(x) where x is up to 1/2; elsewhere asin(sqrt((1 - x) / 2)), of which pi/2 is twice as far. */
MPL_HELPER double half_asin(double x, bool over) {
  double z = over ? 0.5 - 0.5 * x : x * x, s = over ? __builtin_elementwise_sqrt(z) : x;
  double p = MPL_POLY_12(z, 0x1.d72b2bc82217dp-6, -0x1.e6aaa8a0c7f26p-7, 0x1.1d1894083ee6p-6,
                         0x1.65a9c4dfb9fd4p-8, 0x1.52420b04b6379p-7, 0x1.782651caa5ddfp-7,
                         0x1.c9cf076747444p-7, 0x1.1c4d35cf95419p-6, 0x1.6e8bb1c8209a2p-6,
                         0x1.f1c71c1db0623p-6, 0x1.6db6db6e31f13p-5, 0x1.3333333332ecap-4);
  return s * (z * (p * z + 0x1.5555555555556p-3)) + s;
}
MPL_VALUE double asin(double a) {
  double x = mpl_abs(a);
  bool over = x > 0.5;
  double angle = half_asin(x, over);
  return mpl_signed(over ? HALF_PI - 2 * angle : angle, a);
}
MPL_VALUE double acos(double a) {
  double x = mpl_abs(a);
  bool over = x > 0.5;
  double angle = half_asin(x, over), both = angle + angle;
  return over ? (a < 0 ? PI - both : both) : HALF_PI - mpl_signed(angle, a);
}

MPL_VALUE double atanpi(double a) { return atan(a) * ONE_OVER_PI; }
MPL_VALUE double asinpi(double a) { return asin(a) * ONE_OVER_PI; }
MPL_VALUE double acospi(double a) { return acos(a) * ONE_OVER_PI; }
MPL_VALUE double atan2pi(double y, double x) { return atan2(y, x) * ONE_OVER_PI; }

#define VECTORS(name) MPL_VECTORS_1(double, name, double)
VECTORS(asin) VECTORS(acos) VECTORS(atan) VECTORS(asinpi) VECTORS(acospi) VECTORS(atanpi)
MPL_VECTORS_2(double, atan2, double, double) MPL_VECTORS_2(double, atan2pi, double, double)
