/* Gamma functions of float, double and half (OpenCL C 3.0, 6.15.2).
 *
 * tgamma by Lanczos' form, "A precision approximation of the gamma function" (1964), of x >= 1:
 * w^(x - 1/2) e^-w N(x) / D(x), where w = x - 1/2 + g and D(x) = x (x + 1) (x + 2) ...
 * lgamma by a quotient from 1 to 3, and beyond by Stirling's series, whose rest is a polynomial. */
#include "exponential.h"
#include "exponential_double.h"
#include "half_turn.h"
#include "logarithm.h"
#include "logarithm_double.h"

MPL_HELPER float lanczos_above(float x) {
  return MPL_POLY_4(x, 0x1.40d932p1f, 0x1.2b1fccp4f, 0x1.73d5a4p5f, 0x1.343236p5f);
}
MPL_HELPER float lanczos_below(float x) { return x * MPL_POLY_3(x, 1.0f, 3.0f, 2.0f); }
MPL_HELPER double lanczos_above(double x) {
  return MPL_POLY_11(x, 0x1.40d931ff62705p1, 0x1.3ba053af0fabcp7, 0x1.164a968d44b92p12,
                     0x1.21ac5de34e036p16, 0x1.8a453b51f4d7p19, 0x1.6eac433453ec9p22,
                     0x1.d805398bf05d4p24, 0x1.9f52bb508ba6cp26, 0x1.de2a34d715158p27,
                     0x1.45473f1c30b42p28, 0x1.8d2fa863352dcp27);
}
MPL_HELPER double lanczos_below(double x) {
  return x * MPL_POLY_10(x, 1.0, 45.0, 870.0, 9450.0, 63273.0, 269325.0, 723680.0, 1172700.0,
                         1026576.0, 362880.0);
}

/* lgamma(1 + t) is t (t - 1) times this, t from 0 to 2. */
MPL_HELPER float between_roots(float t) {
  return MPL_POLY_4(t, 0x1.5d113ap-10f, 0x1.be5366p-4f, 0x1.20694ap-1f, 0x1.2788cep-1f) /
         MPL_POLY_4(t, 0x1.605494p-5f, 0x1.078b6ap-1f, 0x1.669958p0f, 1.0f);
}
MPL_HELPER double between_roots(double t) {
  return MPL_POLY_9(t, 0x1.4c0bf4f546525p-23, 0x1.b0cebd7564047p-14, 0x1.2f7213768d2afp-8,
                    0x1.0f2e927faa9d5p-4, 0x1.ab8bc5250afb7p-2, 0x1.529bb473e316ep0,
                    0x1.17e053ec459aap1, 0x1.cbbeba362b2d8p0, 0x1.2788cfc6fb619p-1) /
         MPL_POLY_9(t, 0x1.9e6da5be1423p-16, 0x1.c9ccc78425767p-10, 0x1.280ca663cf9f7p-5,
                    0x1.4bc09ae2a40ecp-2, 0x1.7a23415784892p0, 0x1.d60b5ccb251b2p1,
                    0x1.415c4a1907c9cp2, 0x1.c4a116161a19fp1, 1.0);
}
/* What Stirling's formula lacks, times x, of 1 / x^2, x >= 3. */
MPL_HELPER float stirling_rest(float v) {
  return MPL_POLY_4(v, -0x1.dc80acp-12f, 0x1.9b6b2p-11f, -0x1.6c1054p-9f, 0x1.555556p-4f);
}
MPL_HELPER double stirling_rest(double v) {
  return MPL_POLY_12(v, -0x1.42593bb194f7fp0, 0x1.0953f9741a393p0, -0x1.a6f12d5188a14p-2,
                     0x1.cbf798b08a1f9p-4, -0x1.a8a2710d0e078p-6, 0x1.9aabfe0fc1803p-8,
                     -0x1.f5a098f4b0985p-10, 0x1.b94839822688dp-11, -0x1.3813661cb38fp-11,
                     0x1.a01a01781723cp-11, -0x1.6c16c16c10e31p-9, 0x1.5555555555555p-4);
}
MPL_HELPER float log_of(float x) {
  float k, f = mpl_any_fraction(x, &k);
  return mpl_log_else(x, k * MPL_LOG_2 + mpl_log_of_fraction(f));
}
MPL_HELPER double log_of(double x) {
  double k, f = mpl_any_fraction(x, &k);
  return mpl_log_else(x, k * MPL_LOG_2_D + mpl_log_of_fraction(f));
}

#define PI 0x1.921fb54442d18p1
/* `g`; 1 / log 2 in two parts; `most`, where all results are infinite or 0. */
#define GAMMAS(T, g, e_high, e_low, most) \
  /* The binary logarithm of w^(x - 1/2) e^-w, in two parts. */ \
  MPL_HELPER T lanczos_power(T x, T *low) { \
    T w = x + (T)(g - 0.5), y = x - (T)0.5, log_low, log = mpl_log2_parts(w, &log_low); \
    T up = y * log, down = -w * e_high, sum = up + down, virtual = sum - up; \
    T rest = (up - (sum - virtual)) + (down - virtual); \
    rest += mpl_exact(y, log, -up) + mpl_exact(-w, e_high, -down); \
    *low = rest + (y * log_low - w * e_low); \
    return sum; \
  } \
  MPL_VALUE T tgamma(T a) { \
    T y = mpl_abs(a), x = y < 1 ? y + 1 : y, low; \
    x = x > most ? most : x; \
    T power = lanczos_power(x, &low), sine = mpl_sine_of_turn(mpl_off_even(y)); \
    T above = lanczos_above(x), below = lanczos_below(x); \
    bool negative = a < 0; \
    /* Gamma(x) = Gamma(1 + x) / x, Gamma(-x) = -pi / (x Gamma(x) sin(pi x)); 1 / x near 0 */ \
    T divisor = (negative ? sine * above : below) * (negative == (y < 1) ? mpl_signed((T)1, a) : a); \
    bool tiny = y < (T)0x1p-60; \
    T factor = (tiny ? 1 : negative ? (T)PI * below : above) / (tiny ? a : divisor); \
    power = tiny ? 0 : negative ? -power : power; \
    T result = mpl_times_power(factor, power, negative ? -low : low); \
    return (negative & (sine == 0)) ? (T)NAN : result; \
  } \
  /* Of |a|: of 1 + |a| less log |a| below 1. */ \
  MPL_HELPER T log_gamma(T y, T log) { \
    T t = y < 1 ? y : y - 1, inverse = 1 / y; \
    T near = t * (t - 1) * between_roots(t); \
    near += y < 1 ? -log : 0; \
    T far = (y - (T)0.5) * (log - 1) + \
            (inverse * stirling_rest(inverse * inverse) + (T)(0x1.d67f1c864beb5p-1 - 0.5)); \
    return y < 3 ? near : far; \
  } \
  MPL_VALUE T lgamma(T a) { \
    T y = mpl_abs(a), log = log_of(y), result = log_gamma(y, log); \
    if (a < 0) { \
      T sine = mpl_abs(mpl_sine_of_turn(mpl_off_even(y))); \
      result = ((T)0x1.250d048e7a1bdp0 - log_of(sine)) - (result + log); \
      result = y < (T)0x1p-60 ? -log : sine > 0 ? result : (T)INFINITY; \
    } \
    return result; \
  } \
  /* -1 between -1 and 0, -3 and -2, ..., and of -0 */ \
  MPL_HELPER int gamma_sign(T a) { \
    T whole = __builtin_elementwise_floor(a); \
    bool odd = (whole != a) & (mpl_off_even(whole) != 0) & (a < 0); \
    return odd | ((a == 0) & (mpl_bits(a) != 0)) ? -1 : 1; \
  }
GAMMAS(float, 3, 0x1.715476p0f, 0x1.4ae0cp-26f, 48)
GAMMAS(double, 6, 0x1.71547652b82fep0, 0x1.777d0ffda0d24p-56, 190)

MPL_HELPER int gamma_sign(half a) { return gamma_sign((float)a); }
MPL_MATH_1(tgamma) MPL_MATH_1(lgamma)
MPL_VECTORS_1(double, tgamma, double) MPL_VECTORS_1(double, lgamma, double)
#define LGAMMA_R(n, T, space) \
  MPL_WRITES T##n lgamma_r(T##n a, space int##n *p) { \
    *p = gamma_sign(a); \
    return lgamma(a); \
  }
#define ALL(T, ...) \
  MPL_VECTORS_1(int, gamma_sign, T) \
  MPL_WIDTHS(LGAMMA_R, T, global) MPL_WIDTHS(LGAMMA_R, T, local) \
  MPL_WIDTHS(LGAMMA_R, T, private) MPL_WIDTHS(LGAMMA_R, T, generic)
MPL_FLOAT_TYPES(ALL)
