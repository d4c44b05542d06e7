/* log of float (OpenCL C 3.0, 6.15.2; 3 ULP): libmvec's is off by up to 3.01.
 *
 * a = 2^k (1 + f), f from -1/3 to 1/3, and log(1 + f) = f - f^2/2 + f^3 P(f) with a minimax P (Remez,
 * relative error of the whole 9e-10).  On whole vectors and without a branch, so that it vectorises
 * for every processor; off by less than 1 ULP where multiplication and addition are fused. */
#include "value.h"

#define CHOOSE(condition, yes, no) ((condition) ? (yes) : (no))
#define LOG(n, ...) \
  MPL_VALUE float##n log(float##n a) { \
    _Pragma("clang fp contract(on)") \
    int##n small = a < 0x1p-126f; \
    float##n x = CHOOSE(small, a * 0x1p32f, a); \
    int##n bits = MPL_AS(int, n, x), k = (bits - 0x3f2aaaab) >> 23; \
    int##n fraction = bits - (k << 23); \
    float##n f = MPL_AS(float, n, fraction) - 1.0f; \
    float##n exponent = MPL_CONVERT(float, n, k) - CHOOSE(small, (float##n)32, (float##n)0); \
    float##n p = 0x1.ebcfdp-4f; \
    p = p * f - 0x1.071120p-3f; \
    p = p * f + 0x1.b87e6ap-4f; \
    p = p * f - 0x1.f389fep-4f; \
    p = p * f + 0x1.24f48cp-3f; \
    p = p * f - 0x1.559908p-3f; \
    p = p * f + 0x1.99977ep-3f; \
    p = p * f - 0x1.ffff0ep-3f; \
    p = p * f + 0x1.555556p-2f; \
    p = p * f - 0.5f; \
    float##n result = exponent * 0x1.62e43p-1f + (p * (f * f) + f); \
    result = CHOOSE(a == INFINITY, a, result); \
    result = CHOOSE(a < 0.0f, (float##n)NAN, result); \
    result = CHOOSE(a == 0.0f, (float##n)-INFINITY, result); \
    return CHOOSE(a != a, a, result); \
  } \
  MPL_VALUE half##n log(half##n a) { return MPL_CONVERT(half, n, log(MPL_CONVERT(float, n, a))); } \
  MPL_VALUE float##n half_log(float##n a) { return log(a); } \
  MPL_VALUE float##n native_log(float##n a) { return log(a); }
MPL_WIDTHS(LOG, )
