/* Error functions of float, double and half (OpenCL C 3.0, 6.15.2): erf of small double x by a
 * polynomial in x^2; erfc as e^(-x^2) / (x + k) times one in (x - k) / (x + k). */
#include "exponential.h"
#include "exponential_double.h"

/* erf(x) / x, of x^2 <= 1 */
MPL_HELPER double near_erf(double z) {
  return MPL_POLY_12(z, -0x1.ac9585a44fe29p-31, 0x1.d76af6ca49787p-27, -0x1.5c131500d3f88p-23,
                     0x1.b981d78881a5dp-20, -0x1.f4ca838adb73bp-17, 0x1.f9a2be4f731a1p-14,
                     -0x1.c02db0665e53dp-11, 0x1.565bccfa44156p-8, -0x1.b82ce31203772p-6,
                     0x1.ce2f21a040f66p-4, -0x1.812746b0379c1p-2, 0x1.20dd750429b6dp0);
}

/* erfc(x) of x >= 0.  What x^2 lacks is taken off the exponent too. */
MPL_HELPER float right_erfc(float x) {
  x = x > 10.2f ? 10.2f : x;
  float u = 1.0f / (x + 2.0f), t = (x - 2.0f) * u, square = x * x;
  float p = MPL_POLY_9(t, -0x1.ea3b3ep-12f, -0x1.916656p-11f, 0x1.86804p-9f, 0x1.a66e6ap-8f,
                       -0x1.5ff448p-6f, -0x1.2a7e3p-5f, 0x1.1e2d2cp-2f, -0x1.5fd38cp-1f,
                       0x1.058672p0f);
  float sum = MPL_TWO_STEPS - square * 0x1.715476p0f;
  float r = MPL_LESS(-square, sum - MPL_TWO_STEPS, MPL_LOG_E) - mpl_exact(x, x, -square);
  float q = MPL_POLY_5(r, 0x1.6d4ea6p-10f, 0x1.120c8ep-7f, 0x1.5554e8p-5f, 0x1.5554dcp-3f, 0.5f);
  return mpl_scaled((r * r * q + r + 1.0f) * (p * u), sum);
}
MPL_HELPER double right_erfc(double x) {
  x = x > 27.3 ? 27.3 : x;
  double u = 1.0 / (x + 4.0), t = (x - 4.0) * u, square = x * x;
  double p = MPL_POLY_12(t, -0x1.c4a8c44b65374p-29, -0x1.03a8cfa1ad2d1p-26, 0x1.5fd1e20dd9acdp-27,
                         0x1.1283ff3cb1edcp-23, -0x1.72a0e1cbb6988p-24, -0x1.c9ba48eab13d1p-21,
                         0x1.801d3c9dd52adp-20, 0x1.3b5eb370563d2p-18, -0x1.3c79a01538b26p-16,
                         -0x1.e832ea1fff0cep-19, 0x1.72cdf4f792608p-13, -0x1.dd281e17aeec8p-12);
  p = MPL_POLY_11(t, p, -0x1.269b5713cb346p-12, 0x1.908f46bf8115ep-8, -0x1.b00c052af1b69p-6,
                  0x1.38dbd2c9778e3p-4, -0x1.645fd8a4bcd9bp-3, 0x1.52cac2370e51ap-2,
                  -0x1.14eacb1ad0351p-1, 0x1.8be202d26c748p-1, -0x1.f3fe31ecb49bfp-1,
                  0x1.18932bf08e154p0);
  double sum = MPL_TWO_STEPS_D - square * 0x1.71547652b82fep0;
  double r = MPL_LESS_D(-square, sum - MPL_TWO_STEPS_D, MPL_LOG_E) - mpl_exact(x, x, -square);
  return mpl_scaled((r * r * MPL_EXP_POLY_D(r) + r + 1.0) * (p * u), sum);
}

/* x times a quotient of polynomials in x^2, off by up to 6 ULP. */
MPL_VALUE float erf(float a) {
  float x = mpl_abs(a), z = x * x;
  float p = MPL_POLY_7(z, 0x1.546c7ep-26f, -0x1.06720cp-19f, 0x1.2ad446p-13f, 0x1.e9c868p-9f,
                       0x1.9f3eb8p-5f, 0x1.9b3fd2p-3f, 0x1.20dd74p0f);
  float q = MPL_POLY_5(z, 0x1.f95c2p-11f, 0x1.d8bd14p-7f, 0x1.d88536p-4f, 0x1.05c7e4p-1f, 1.0f);
  float y = x * p / q;
  y = y > 1.0f ? 1.0f : y;
  return mpl_signed(x > 3.93f ? 1.0f : y, a);
}
/* As right_erfc, where that is to be taken from 1: 1 <= x, and x <= 6 where it matters. */
MPL_VALUE double erf(double a) {
  double x = mpl_abs(a), y = x > 6 ? 6 : x, u = 1.0 / (y + 3.0), t = (y - 3.0) * u;
  double p = MPL_POLY_8(t, 0x1.4a1c5239e549fp-20, -0x1.49c90f00d8374p-18, -0x1.1c897bb498998p-16,
                        0x1.003a9890788d3p-15, 0x1.c2dccfd25a4d4p-14, -0x1.223fdd487611ap-12,
                        -0x1.1f784d94d37f9p-11, 0x1.8dae4b18cc6e7p-9);
  p = MPL_POLY_8(t, p, -0x1.3dd3e964287b8p-10, -0x1.b78993ea9d4cbp-6, 0x1.e995f11b3a19fp-4,
                 -0x1.3deb214158c9cp-2, 0x1.2e326945de24ap-1, -0x1.c44c471baa3a4p-1,
                 0x1.12f21ddd9f5e2p0);
  double sum = (MPL_ROUNDER_double + 1023) - y * y * 0x1.71547652b82fep0;
  double r = MPL_LESS_D(-y * y, sum - (MPL_ROUNDER_double + 1023), MPL_LOG_E);
  double power = (r * r * MPL_EXP_POLY_D(r) + r + 1.0) * mpl_number(mpl_bits(sum) << 52);
  return x < 1 ? a * near_erf(a * a) : mpl_signed(1.0 - power * (p * u), a);
}

#define ERFC(T) \
  MPL_VALUE T erfc(T a) { \
    T right = right_erfc(mpl_abs(a)); \
    return a < 0 ? 2 - right : right; \
  }
ERFC(float)
ERFC(double)

MPL_MATH_1(erf) MPL_MATH_1(erfc)
MPL_VECTORS_1(double, erf, double) MPL_VECTORS_1(double, erfc, double)
