/* native_ and half_ forms of exponentials, powers, logarithms and circular functions (OpenCL C 3.0,
 * 6.15.2.2).  half_ ones may be off by 8192 ULP.  These are off by some 2^-18 of an exponential or a
 * logarithm, by as much for each doubling of a power, and by 2^-24 of an angle; zeros, infinities and
 * NaN are as the full functions'.  For circular half_ ones that is too much beside a zero. */
#include "exponential.h"
#include "half_turn.h"
#include "logarithm.h"

MPL_HELPER float two_to_the(float x) {
  x = mpl_within(x, 160);
  float sum = x + MPL_TWO_STEPS, r = x - (sum - MPL_TWO_STEPS);
  return mpl_scaled(MPL_POLY_5(r, 0x1.3a03c8p-7f, 0x1.c9fc74p-5f, 0x1.ec0374p-3f, 0x1.62e12cp-1f, 1.0f),
                    sum);
}
/* `times` the logarithm to base 2. */
MPL_HELPER float logarithm(float x, float times) {
  float k, f = mpl_any_fraction(x, &k);
  float p = MPL_POLY_7(f, 0x1.ea1246p-4f, -0x1.f0ac72p-3f, 0x1.3171e8p-2f, -0x1.723f28p-2f,
                       0x1.ec290cp-2f, -0x1.7151e2p-1f, 0x1.71548cp0f);
  return mpl_log_else(x, (f * p + k) * times);
}

/* The sine of pi times x / pi + `more`, which is less than a half away from a whole number. */
MPL_HELPER float sine_of_turns(float x, float more) {
  float sum = (x * 0x1.45f306p-2f + more) + MPL_ROUNDER_float;
  float part = x * 0x1.45f306p-2f - ((sum - MPL_ROUNDER_float) - more);
  return mpl_flip(mpl_sine_of_part(mpl_within(part, 0.5f)), mpl_bits(sum));
}

/* A GPU has instructions for the native forms. */
#ifdef __NVPTX__
#define NATIVE_exp(a)   __nvvm_ex2_approx_f((a) * 0x1.715476p0f)
#define NATIVE_exp2(a)  __nvvm_ex2_approx_f(a)
#define NATIVE_exp10(a) __nvvm_ex2_approx_f((a) * 0x1.a934fp1f)
#define NATIVE_log(a)   (__nvvm_lg2_approx_f(a) * MPL_LOG_2)
#define NATIVE_log2(a)  __nvvm_lg2_approx_f(a)
#define NATIVE_log10(a) (__nvvm_lg2_approx_f(a) * 0x1.344136p-2f)
#define NATIVE(name, a, value) NATIVE_##name(a)
#else
#define NATIVE(name, a, value) value
#endif
#define FAST(name, value) \
  MPL_VALUE float native_##name(float a) { return NATIVE(name, a, value); } \
  MPL_VALUE float half_##name(float a) { return value; } \
  MPL_VECTORS_1(float, native_##name, float) MPL_VECTORS_1(float, half_##name, float)
FAST(exp, two_to_the(a * 0x1.715476p0f))
FAST(exp2, two_to_the(a))
FAST(exp10, two_to_the(a * 0x1.a934fp1f))
FAST(log, logarithm(a, MPL_LOG_2))
FAST(log2, logarithm(a, 1))
FAST(log10, logarithm(a, 0x1.344136p-2f))

#define FAST_POWR(kind) \
  MPL_VALUE float kind##_powr(float a, float b) { return kind##_exp2(b * kind##_log2(a)); } \
  MPL_VECTORS_2(float, kind##_powr, float, float)
FAST_POWR(native)
FAST_POWR(half)

#ifdef __NVPTX__
MPL_VALUE float native_sin(float a) { return __nvvm_sin_approx_f(a); }
MPL_VALUE float native_cos(float a) { return __nvvm_cos_approx_f(a); }
#else
MPL_VALUE float native_sin(float a) { return sine_of_turns(a, 0); }
MPL_VALUE float native_cos(float a) { return sine_of_turns(a, 0.5f); }
#endif
MPL_VALUE float native_tan(float a) { return native_sin(a) / native_cos(a); }
MPL_VECTORS_1(float, native_sin, float) MPL_VECTORS_1(float, native_cos, float)
MPL_VECTORS_1(float, native_tan, float)
#define FULL(n, name) \
  MPL_VALUE float##n half_##name(float##n a) { return name(a); }
MPL_WIDTHS(FULL, sin) MPL_WIDTHS(FULL, cos) MPL_WIDTHS(FULL, tan)
