/* Exponential and hyperbolic functions of float and half (OpenCL C 3.0, 6.15.2). */
#include "exponential.h"

MPL_VALUE float exp(float a) { return mpl_exp(a); }
MPL_VALUE float exp2(float a) { return mpl_power_of_two(mpl_within(a, 160), 0); }
MPL_VALUE float exp10(float a) {
  float x = mpl_within(a, 50);
  float sum = x * 0x1.a934fp1f + MPL_TWO_STEPS, n = sum - MPL_TWO_STEPS;
  float r = MPL_LESS(x, n, MPL_LOG_10);
  float p = MPL_POLY_7(r, 0x1.a8e724p-3f, 0x1.156316p-1f, 0x1.2bd778p0f, 0x1.046fa6p1f,
                       0x1.53524cp1f, 0x1.26bb1cp1f, 1.0f);
  return mpl_scaled(p, sum);
}

/* 2 (2^(n-1) (e^r - 1) + (2^(n-1) - 1/2)): 2^128 would overflow. */
MPL_VALUE float expm1(float a) {
  float x = a > 89 ? 89 : a;
  x = x < -18 ? -18 : x;
  float sum = x * 0x1.715476p0f + (MPL_ROUNDER_float + 126), n = sum - (MPL_ROUNDER_float + 126);
  float r = MPL_LESS(x, n, MPL_LOG_E), scale = mpl_number(mpl_bits(sum) << 23);
  float p = MPL_POLY_5(r, 0x1.6d4ea6p-10f, 0x1.120c8ep-7f, 0x1.5554e8p-5f, 0x1.5554dcp-3f, 0.5f);
  float result = scale * (r * r * p + r) + (scale - 0.5f);
  return mpl_signed(result + result, a);
}

/* |x| = n log 2 + r.  With `up` = 2^(n-2) and `down` = 2^(-n-2), a quarter of e^|x| is
 * up (cosh r + sinh r), and of e^-|x| it is down (cosh r - sinh r). */
struct hyperbolic {
  float up, down, sinh, rise; /* of r: cosh r = 1 + rise */
};
MPL_HELPER struct hyperbolic hyperbolic(float x) {
  float sum = x * 0x1.715476p0f + (MPL_ROUNDER_float + 125), n = sum - (MPL_ROUNDER_float + 125);
  float r = MPL_LESS(x, n, MPL_LOG_E), z = r * r;
  int up = (int)(mpl_bits(sum) << 23), down = 0x7d000000 - up; /* exponents add up to -4 */
  return (struct hyperbolic){
      .up = mpl_number((uint)up),
      .down = mpl_number((uint)__builtin_elementwise_max(down, 0)),
      .sinh = r * z * MPL_POLY_3(z, 0x1.a35d7p-13f, 0x1.110f8ap-7f, 0x1.555556p-3f) + r,
      .rise = z * MPL_POLY_3(z, 0x1.6d30d2p-10f, 0x1.5555p-5f, 0.5f)};
}
MPL_HELPER float half_sinh(const struct hyperbolic *h) {
  float sum = h->up + h->down, difference = h->up - h->down;
  return difference + (sum * h->sinh + difference * h->rise);
}
MPL_HELPER float half_cosh(const struct hyperbolic *h) {
  float sum = h->up + h->down, difference = h->up - h->down;
  return sum + (sum * h->rise + difference * h->sinh);
}
MPL_HELPER float size_below(float a, float limit) {
  float size = mpl_abs(a);
  return size > limit ? limit : size;
}
MPL_VALUE float sinh(float a) {
  struct hyperbolic h = hyperbolic(size_below(a, 89.5f));
  return mpl_signed(2 * half_sinh(&h), a);
}
MPL_VALUE float cosh(float a) {
  struct hyperbolic h = hyperbolic(size_below(a, 89.5f));
  return 2 * half_cosh(&h);
}
/* sinh / cosh, or 1 less what e^-x contributes, which loses less where |x| is large. */
MPL_VALUE float tanh(float a) {
  struct hyperbolic h = hyperbolic(size_below(a, 10));
  bool near = h.up == 0.25f;
  float up = h.up * (h.rise + h.sinh) + h.up, down = h.down * (h.rise - h.sinh) + h.down;
  float result = (near ? h.sinh : -2 * down) / (near ? h.rise + 1.0f : up + down);
  return mpl_signed(near ? result : result + 1.0f, a);
}

MPL_MATH_1(exp) MPL_MATH_1(exp2) MPL_MATH_1(exp10) MPL_MATH_1(expm1)
MPL_MATH_1(sinh) MPL_MATH_1(cosh) MPL_MATH_1(tanh)
