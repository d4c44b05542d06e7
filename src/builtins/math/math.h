/* What the math functions share.  They are straight code on one element, so that widening makes
 * vector code of them; a branch leads to what is rare.  Each is right whether a * b + c is rounded
 * once or twice; where that matters, it says so by mpl_exact.  Polynomials are minimax ones, with
 * coefficients rounded one after the other (Brisebarre and Chevillard, "Efficient polynomial
 * L-infinity approximations", ARITH 2007). */
#ifndef MPL_BUILTINS_MATH_H
#define MPL_BUILTINS_MATH_H

#include "../value.h"

#pragma STDC FP_CONTRACT ON

/* Does the processor multiply and add with one rounding?  The linker knows (library.c). */
bool __mpl_fused(void) __attribute__((const));

/* a * b + c with an exact product. */
MPL_HELPER float mpl_exact(float a, float b, float c) {
  return __mpl_fused() ? __builtin_elementwise_fma(a, b, c) : (float)((double)a * b + c);
}

/* Dekker, "A floating-point technique for extending the available precision" (1971). */
MPL_HELPER double mpl_upper_half(double a) {
  double shifted = a * 0x1.0000002p27;
  return shifted - (shifted - a);
}
MPL_HELPER double mpl_exact(double a, double b, double c) {
  if (__mpl_fused()) return __builtin_elementwise_fma(a, b, c);
  double product = a * b, ah = mpl_upper_half(a), bh = mpl_upper_half(b), al = a - ah, bl = b - bh;
  double rest = ((ah * bh - product) + ah * bl + al * bh) + al * bl;
  double sum = product + c, virtual = sum - product;
  rest += (product - (sum - virtual)) + (c - virtual);
  return rest == 0 ? sum : sum + rest; /* -0 stays */
}

/* Instructions of AVX-512 (tables/target_math.def).  mpl_scale is x 2^n, n an integer.  A number is
 * its mantissa, from 3/4 up to 3/2, times 2 to its exponent, infinities and zeros with an infinite
 * one; negative numbers have none.  The raw one goes with mantissas from 1 up to 2.  mpl_estimate is
 * 1 / sqrt(x), off by up to 2^-14. */
#ifdef __AVX512F__
#define MPL_INSTRUCTION(name, T, ...) \
  T mpl_##name(__VA_ARGS__) \
    __asm__("__mpl_" #name "_" #T) __attribute__((overloadable, const));
#define MPL_INSTRUCTIONS(T) \
  MPL_INSTRUCTION(scale, T, T x, T n) MPL_INSTRUCTION(mantissa, T, T x) \
  MPL_INSTRUCTION(raw_exponent, T, T x) MPL_INSTRUCTION(estimate, T, T x) \
  MPL_HELPER T mpl_any_fraction(T x, T *exponent) { \
    T m = mpl_mantissa(x); \
    *exponent = mpl_raw_exponent(x) + (m < 1 ? (T)1 : (T)0); \
    return m - 1; \
  } \
  MPL_HELPER T mpl_log_else(T x, T result) { return result; }
MPL_INSTRUCTIONS(float)
MPL_INSTRUCTIONS(double)
#elif defined(__AVX__) /* off by up to 3 * 2^-13; as of 0, of what is too small to be normal */
float mpl_estimate(float x) __asm__("__mpl_estimate_avx_float") __attribute__((overloadable, const));
#endif

/* Then there is something else to do, and few work-items do it.  GPUs vote at no branch. */
#ifdef __NVPTX__
#define MPL_RARELY(condition) (condition)
#else
#define MPL_RARELY(condition) __builtin_expect(!!(condition), 0)
#endif

MPL_HELPER uint mpl_bits(float a) { return __builtin_astype(a, uint); }
MPL_HELPER ulong mpl_bits(double a) { return __builtin_astype(a, ulong); }
MPL_HELPER float mpl_number(uint bits) { return __builtin_astype(bits, float); }
MPL_HELPER double mpl_number(ulong bits) { return __builtin_astype(bits, double); }
MPL_HELPER float mpl_abs(float a) { return __builtin_elementwise_abs(a); }
MPL_HELPER double mpl_abs(double a) { return __builtin_elementwise_abs(a); }
/* With the sign of b. */
MPL_HELPER float mpl_signed(float a, float b) { return __builtin_elementwise_copysign(a, b); }
MPL_HELPER double mpl_signed(double a, double b) { return __builtin_elementwise_copysign(a, b); }
/* `a` negated if the lowest bit of `odd` is set. */
MPL_HELPER float mpl_flip(float a, uint odd) { return mpl_number(mpl_bits(a) ^ odd << 31); }
MPL_HELPER double mpl_flip(double a, ulong odd) { return mpl_number(mpl_bits(a) ^ odd << 63); }

/* Added to a number of moderate size they round it; the sum's lowest bits are the integer then. */
#define MPL_ROUNDER_float  0x1.8p23f
#define MPL_ROUNDER_double 0x1.8p52

/* Polynomials in x by Horner's rule, highest coefficient first. */
#define MPL_POLY_2(x, a, b)                   ((a) * (x) + (b))
#define MPL_POLY_3(x, a, b, c)                (MPL_POLY_2(x, a, b) * (x) + (c))
#define MPL_POLY_4(x, a, b, c, d)             (MPL_POLY_3(x, a, b, c) * (x) + (d))
#define MPL_POLY_5(x, a, b, c, d, e)          (MPL_POLY_4(x, a, b, c, d) * (x) + (e))
#define MPL_POLY_6(x, a, b, c, d, e, f)       (MPL_POLY_5(x, a, b, c, d, e) * (x) + (f))
#define MPL_POLY_7(x, a, b, c, d, e, f, g)    (MPL_POLY_6(x, a, b, c, d, e, f) * (x) + (g))
#define MPL_POLY_8(x, a, b, c, d, e, f, g, h) (MPL_POLY_7(x, a, b, c, d, e, f, g) * (x) + (h))
#define MPL_POLY_9(x, a, b, c, d, e, f, g, h, i) \
  (MPL_POLY_8(x, a, b, c, d, e, f, g, h) * (x) + (i))
#define MPL_POLY_10(x, a, b, c, d, e, f, g, h, i, j) \
  (MPL_POLY_9(x, a, b, c, d, e, f, g, h, i) * (x) + (j))

#define MPL_POLY_11(x, a, b, c, d, e, f, g, h, i, j, k) \
  (MPL_POLY_10(x, a, b, c, d, e, f, g, h, i, j) * (x) + (k))
#define MPL_POLY_12(x, a, b, c, d, e, f, g, h, i, j, k, l) \
  (MPL_POLY_11(x, a, b, c, d, e, f, g, h, i, j, k) * (x) + (l))

/* The same of four coefficients in two halves, which do not wait for one another. */
#define MPL_PAIRS_4(x, square, a, b, c, d) (MPL_POLY_2(x, a, b) * (square) + MPL_POLY_2(x, c, d))

/* From the scalar form of float: half's, by way of float, and all vectors of both. */
#define MPL_MATH_1(name) \
  MPL_VALUE half name(half a) { return (half)name((float)a); } \
  MPL_VECTORS_1(float, name, float) MPL_VECTORS_1(half, name, half)
#define MPL_MATH_2(name) \
  MPL_VALUE half name(half a, half b) { return (half)name((float)a, (float)b); } \
  MPL_VECTORS_2(float, name, float, float) MPL_VECTORS_2(half, name, half, half)
#endif
