/* Exponential and hyperbolic functions of double (OpenCL C 3.0, 6.15.2). */
#include "exponential_double.h"

MPL_VALUE double exp(double a) {
  double x = mpl_within(a, 760), sum = x * 0x1.71547652b82fep0 + MPL_TWO_STEPS_D;
  double r = MPL_LESS_D(x, sum - MPL_TWO_STEPS_D, MPL_LOG_E);
  return mpl_scaled(r * r * MPL_EXP_POLY_D(r) + r + 1.0, sum);
}
MPL_VALUE double exp2(double a) { return mpl_power_of_two(mpl_within(a, 1100), 0); }
MPL_VALUE double exp10(double a) {
  double x = mpl_within(a, 330), sum = x * 0x1.a934f0979a371p1 + MPL_TWO_STEPS_D;
  double r = MPL_LESS_D(x, sum - MPL_TWO_STEPS_D, MPL_LOG_10);
  double p = MPL_POLY_12(r, 0x1.f5675d636d149p-13, 0x1.2f6a4a24efb8dp-10, 0x1.489adb3e41408p-8,
                         0x1.411667b557753p-6, 0x1.16e4de9525ec7p-4, 0x1.a7ed709bf755dp-3,
                         0x1.1429ffd237e51p-1, 0x1.2bd7609fd6704p0, 0x1.0470591de2affp1,
                         0x1.53524c73cea7p1, 0x1.26bb1bbb55516p1, 1.0);
  return mpl_scaled(p, sum);
}

MPL_VALUE double expm1(double a) {
  double x = a > 709.9 ? 709.9 : a;
  x = x < -38 ? -38 : x;
  double sum = x * 0x1.71547652b82fep0 + (MPL_ROUNDER_double + 1022);
  double r = MPL_LESS_D(x, sum - (MPL_ROUNDER_double + 1022), MPL_LOG_E);
  double scale = mpl_number(mpl_bits(sum) << 52);
  double result = scale * (r * r * MPL_EXP_POLY_D(r) + r) + (scale - 0.5);
  return mpl_signed(result + result, a);
}

struct hyperbolic {
  double up, down, sinh, rise;
};
MPL_HELPER struct hyperbolic hyperbolic(double x) {
  double sum = x * 0x1.71547652b82fep0 + (MPL_ROUNDER_double + 1021);
  double r = MPL_LESS_D(x, sum - (MPL_ROUNDER_double + 1021), MPL_LOG_E), z = r * r;
  long up = (long)(mpl_bits(sum) << 52), down = 0x7fa0000000000000 - up;
  return (struct hyperbolic){
      .up = mpl_number((ulong)up),
      .down = mpl_number((ulong)__builtin_elementwise_max(down, 0l)),
      .sinh = r * z * MPL_POLY_5(z, 0x1.af3fe9014faeap-26, 0x1.71de09e08789dp-19,
                                 0x1.a01a01a918841p-13, 0x1.11111111106f3p-7, 0x1.5555555555556p-3) + r,
      .rise = z * MPL_POLY_6(z, 0x1.1f797321f498ap-29, 0x1.27e4d7d3987f7p-22, 0x1.a01a01a82cbdp-16,
                             0x1.6c16c16c15fddp-10, 0x1.5555555555556p-5, 0.5)};
}
MPL_HELPER double half_sinh(const struct hyperbolic *h) {
  double sum = h->up + h->down, difference = h->up - h->down;
  return difference + (sum * h->sinh + difference * h->rise);
}
MPL_HELPER double half_cosh(const struct hyperbolic *h) {
  double sum = h->up + h->down, difference = h->up - h->down;
  return sum + (sum * h->rise + difference * h->sinh);
}
MPL_HELPER double size_below(double a, double limit) {
  double size = mpl_abs(a);
  return size > limit ? limit : size;
}
MPL_VALUE double sinh(double a) {
  struct hyperbolic h = hyperbolic(size_below(a, 710.6));
  return mpl_signed(2 * half_sinh(&h), a);
}
MPL_VALUE double cosh(double a) {
  struct hyperbolic h = hyperbolic(size_below(a, 710.6));
  return 2 * half_cosh(&h);
}
MPL_VALUE double tanh(double a) {
  struct hyperbolic h = hyperbolic(size_below(a, 20));
  bool near = h.up == 0.25;
  double up = h.up * (h.rise + h.sinh) + h.up, down = h.down * (h.rise - h.sinh) + h.down;
  double result = (near ? h.sinh : -2 * down) / (near ? h.rise + 1.0 : up + down);
  return mpl_signed(near ? result : result + 1.0, a);
}

#define VECTORS(name) MPL_VECTORS_1(double, name, double)
VECTORS(exp) VECTORS(exp2) VECTORS(exp10) VECTORS(expm1) VECTORS(sinh) VECTORS(cosh) VECTORS(tanh)
