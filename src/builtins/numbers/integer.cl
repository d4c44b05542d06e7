/* Integer functions (OpenCL C 3.0, 6.15.3), for the eight types and six widths. */
#include "value.h"

/* Written on whole vectors.  The shifts of rotate are LLVM's pattern of a funnel shift. */
#define ON_VECTORS(n, T, S, U, bits) \
  MPL_VALUE U##n abs_diff(T##n a, T##n b) { \
    U##n x = MPL_AS(U, n, a), y = MPL_AS(U, n, b); \
    return a > b ? x - y : y - x; \
  } \
  MPL_VALUE T##n hadd(T##n a, T##n b) { return (a >> (T)1) + (b >> (T)1) + (a & b & (T)1); } \
  MPL_VALUE T##n rhadd(T##n a, T##n b) { return (a >> (T)1) + (b >> (T)1) + ((a | b) & (T)1); } \
  MPL_VALUE T##n max(T##n a, T##n b) { return __builtin_elementwise_max(a, b); } \
  MPL_VALUE T##n min(T##n a, T##n b) { return __builtin_elementwise_min(a, b); } \
  MPL_VALUE T##n clamp(T##n a, T##n low, T##n high) { \
    return __builtin_elementwise_min(__builtin_elementwise_max(a, low), high); \
  } \
  MPL_VALUE T##n rotate(T##n a, T##n b) { \
    U##n x = MPL_AS(U, n, a), y = MPL_AS(U, n, b); \
    U##n turned = (x << (y & (U)(bits - 1))) | (x >> (-y & (U)(bits - 1))); \
    return MPL_AS(T, n, turned); \
  }
#define SATURATING(n, T) \
  MPL_VALUE T##n add_sat(T##n a, T##n b) { return __builtin_elementwise_add_sat(a, b); } \
  MPL_VALUE T##n sub_sat(T##n a, T##n b) { return __builtin_elementwise_sub_sat(a, b); }
/* Small scalars are promoted to int before they reach a builtin of clang. */
#define SATURATING_SMALL(T, lowest, highest) \
  MPL_HELPER T saturated_##T(int a) { \
    return __builtin_elementwise_min(__builtin_elementwise_max(a, lowest), highest); \
  } \
  MPL_VALUE T add_sat(T a, T b) { return saturated_##T(a + b); } \
  MPL_VALUE T sub_sat(T a, T b) { return saturated_##T(a - b); }
#define WITH_SCALAR(n, T) \
  MPL_VALUE T##n max(T##n a, T b) { return __builtin_elementwise_max(a, (T##n)b); } \
  MPL_VALUE T##n min(T##n a, T b) { return __builtin_elementwise_min(a, (T##n)b); } \
  MPL_VALUE T##n clamp(T##n a, T low, T high) { \
    return __builtin_elementwise_min(__builtin_elementwise_max(a, (T##n)low), (T##n)high); \
  }
#define ABS_SIGNED(n, T, U) \
  MPL_VALUE U##n abs(T##n a) { \
    T##n x = __builtin_elementwise_abs(a); \
    return MPL_AS(U, n, x); \
  }
#define ABS_UNSIGNED(n, T) \
  MPL_VALUE T##n abs(T##n a) { return a; }

/* Written on scalars. */
#define COUNTS(T, U, bits) \
  MPL_VALUE T clz(T a) { return __builtin_clzg((U)a, bits); } \
  MPL_VALUE T ctz(T a) { return __builtin_ctzg((U)a, bits); } \
  MPL_VALUE T popcount(T a) { return __builtin_popcountg((U)a); } \
  MPL_VECTORS_1(T, clz, T) MPL_VECTORS_1(T, ctz, T) MPL_VECTORS_1(T, popcount, T)

/* a * b + c in twice the width: the sum of a product and one more operand always fits. */
#define PRODUCTS(T, W, bits, lowest, highest) \
  MPL_VALUE T mul_hi(T a, T b) { return ((W)a * (W)b) >> bits; } \
  MPL_VALUE T mad_hi(T a, T b, T c) { return (T)(((W)a * (W)b) >> bits) + c; } \
  MPL_VALUE T mad_sat(T a, T b, T c) { \
    W sum = (W)a * (W)b + (W)c; \
    return sum > (W)highest ? (T)highest : sum < (W)lowest ? (T)lowest : (T)sum; \
  } \
  MPL_VECTORS_2(T, mul_hi, T, T) MPL_VECTORS_3(T, mad_hi, T, T, T) MPL_VECTORS_3(T, mad_sat, T, T, T)

#define COMMON(T, S, U, W, bits, lowest, highest) \
  MPL_WIDTHS(ON_VECTORS, T, S, U, bits) MPL_VECTOR_WIDTHS(SATURATING, T) \
  MPL_VECTOR_WIDTHS(WITH_SCALAR, T) \
  COUNTS(T, U, bits) PRODUCTS(T, W, bits, lowest, highest)
MPL_SIGNED_TYPES(COMMON)
MPL_UNSIGNED_TYPES(COMMON)
SATURATING_SMALL(char, CHAR_MIN, CHAR_MAX) SATURATING_SMALL(uchar, 0, UCHAR_MAX)
SATURATING_SMALL(short, SHRT_MIN, SHRT_MAX) SATURATING_SMALL(ushort, 0, USHRT_MAX)
SATURATING(, int) SATURATING(, uint) SATURATING(, long) SATURATING(, ulong)
#define SIGNED(T, S, U, ...) MPL_WIDTHS(ABS_SIGNED, T, U)
MPL_SIGNED_TYPES(SIGNED)
#define UNSIGNED(T, ...) MPL_WIDTHS(ABS_UNSIGNED, T)
MPL_UNSIGNED_TYPES(UNSIGNED)

/* The operands of the 24-bit forms fit in 24 bits, or the result is undefined. */
#define MUL24(n, T) \
  MPL_VALUE T##n mul24(T##n a, T##n b) { return a * b; } \
  MPL_VALUE T##n mad24(T##n a, T##n b, T##n c) { return a * b + c; }
MPL_WIDTHS(MUL24, int)
MPL_WIDTHS(MUL24, uint)

#define UPSAMPLE(n, T, W, U, bits) \
  MPL_VALUE W##n upsample(T##n high, U##n low) { \
    return (MPL_CONVERT(W, n, high) << (W)bits) | MPL_CONVERT(W, n, low); \
  }
MPL_WIDTHS(UPSAMPLE, char, short, uchar, 8)
MPL_WIDTHS(UPSAMPLE, uchar, ushort, uchar, 8)
MPL_WIDTHS(UPSAMPLE, short, int, ushort, 16)
MPL_WIDTHS(UPSAMPLE, ushort, uint, ushort, 16)
MPL_WIDTHS(UPSAMPLE, int, long, uint, 32)
MPL_WIDTHS(UPSAMPLE, uint, ulong, uint, 32)
