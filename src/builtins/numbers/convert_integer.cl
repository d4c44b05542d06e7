/* convert_T to integer types (OpenCL C 3.0, 6.4.3), from all types. */
#include "value.h"

/* From integers: the rounding mode says nothing.  D's limits are applied where S goes beyond them;
 * the comparisons are of constants, in a type that holds both sides. */
#define FROM_INTEGER(n, D, d_low, d_high, S, s_low, s_high) \
  MPL_VALUE D##n convert_##D##n(S##n a) { return MPL_CONVERT(D, n, a); } \
  MPL_VALUE D##n convert_##D##n##_sat(S##n a) { \
    if ((long)(s_low) < (long)(d_low)) a = __builtin_elementwise_max(a, (S##n)(S)(d_low)); \
    if ((ulong)(s_high) > (ulong)(d_high)) a = __builtin_elementwise_min(a, (S##n)(S)(d_high)); \
    return MPL_CONVERT(D, n, a); \
  } \
  SAME(n, D, S, _rte) SAME(n, D, S, _rtz) SAME(n, D, S, _rtp) SAME(n, D, S, _rtn)
#define SAME(n, D, S, mode) \
  MPL_VALUE D##n convert_##D##n##mode(S##n a) { return convert_##D##n(a); } \
  MPL_VALUE D##n convert_##D##n##_sat##mode(S##n a) { return convert_##D##n##_sat(a); }

/* From floating point: rounded, then converted. */
#define ROUND_(a) __builtin_elementwise_trunc(a)
#define ROUND__rtz(a) __builtin_elementwise_trunc(a)
#define ROUND__rte(a) __builtin_elementwise_rint(a)
#define ROUND__rtp(a) __builtin_elementwise_ceil(a)
#define ROUND__rtn(a) __builtin_elementwise_floor(a)

#define FROM_FLOAT(n, D, low, high, S, W, LIMIT) \
  MPL_VALUE D##n convert_##D##n(S##n a) { return MPL_CONVERT(D, n, a); } \
  MPL_VALUE D##n convert_##D##n##_rtz(S##n a) { return MPL_CONVERT(D, n, a); } \
  ROUNDED(n, D, S, _rte) ROUNDED(n, D, S, _rtp) ROUNDED(n, D, S, _rtn) \
  SATURATED(n, D, low, high, S, W, LIMIT, ) SATURATED(n, D, low, high, S, W, LIMIT, _rtz) \
  SATURATED(n, D, low, high, S, W, LIMIT, _rte) SATURATED(n, D, low, high, S, W, LIMIT, _rtp) \
  SATURATED(n, D, low, high, S, W, LIMIT, _rtn)
#define ROUNDED(n, D, S, mode) \
  MPL_VALUE D##n convert_##D##n##mode(S##n a) { return MPL_CONVERT(D, n, ROUND_##mode(a)); }

/* Saturation happens in W.  CLAMP: W holds D's limits exactly.  CHOOSE: W is as wide as D, and the
 * highest D rounds up to the power of two that is the first number too large.  Not a number
 * becomes 0.  What D does not hold is never converted: that is poison, and a vector's choice, which is
 * made of ands and ors, hands it on. */
#define SATURATED(n, D, low, high, S, W, LIMIT, mode) \
  MPL_VALUE D##n convert_##D##n##_sat##mode(S##n a) { \
    W##n x = MPL_CONVERT(W, n, ROUND_##mode(a)); \
    LIMIT(n, D, low, high, W) \
  }
#define CLAMP(n, D, low, high, W) \
  x = x < (W##n)(W)(low) ? (W##n)(W)(low) : x; \
  x = x > (W##n)(W)(high) ? (W##n)(W)(high) : x; \
  x = x != x ? (W##n)0 : x; \
  return MPL_CONVERT(D, n, x);
#define CHOOSE(n, D, low, high, W) \
  D##n y = MPL_CONVERT(D, n, x >= (W##n)(W)(low) && x < (W##n)(W)(high) ? x : (W##n)0); \
  y = x < (W##n)(W)(low) ? (D##n)(D)(low) : y; \
  return x >= (W##n)(W)(high) ? (D##n)(D)(high) : y;

/* On a GPU the limits come first: what is between them is rounded and converted by one sum
 * (compiler/gpu/float_to_small.c).  The larger of a number and not a number is the number. */
#ifdef __NVPTX__
#undef ROUND_
#undef ROUND__rtz
#undef SATURATED
#define ROUND_(a) (a)
#define ROUND__rtz(a) (a)
#define SATURATED(n, D, low, high, S, W, LIMIT, mode) \
  MPL_VALUE D##n convert_##D##n##_sat##mode(S##n a) { LIMIT##_FIRST(n, D, low, high, W, mode) }
#define CLAMP_FIRST(n, D, low, high, W, mode) \
  W##n x = MPL_CONVERT(W, n, a), y = __builtin_elementwise_max(x, (W##n)(W)(low)); \
  y = __builtin_elementwise_min(y, (W##n)(W)(high)); \
  if (low) y = x != x ? (W##n)0 : y; \
  return MPL_CONVERT(D, n, ROUND_##mode(y));
#define CHOOSE_FIRST(n, D, low, high, W, mode) \
  W##n x = MPL_CONVERT(W, n, ROUND_##mode(a)); \
  CHOOSE(n, D, low, high, W)
#endif

/* AArch64's conversions round towards zero, saturate, and make 0 of what is not a number. */
#ifdef __aarch64__
#undef ROUND_
#undef ROUND__rtz
#undef SATURATED
#define ROUND_(a) (a)
#define ROUND__rtz(a) (a)
#define SATURATED(n, D, low, high, S, W, LIMIT, mode) SATURATED_##n(D, S, mode)
#define SATURATED_(D, S, mode) \
  MPL_VALUE D convert_##D##_sat##mode(S a) { return mpl_saturated_##D(ROUND_##mode(a)); }
#define SATURATED_2(D, S, mode) OF_PARTS(2, , D, S, mode, a.s0, a.s1)
#define SATURATED_3(D, S, mode) OF_PARTS(3, , D, S, mode, a.s0, a.s1, convert_##D##_sat##mode(a.s2))
#define SATURATED_4(D, S, mode) OF_PARTS(4, 2, D, S, mode, a.lo, a.hi)
#define SATURATED_8(D, S, mode) OF_PARTS(8, 4, D, S, mode, a.lo, a.hi)
#define SATURATED_16(D, S, mode) OF_PARTS(16, 8, D, S, mode, a.lo, a.hi)
#define OF_PARTS(n, part, D, S, mode, first, ...) \
  OF_PARTS_(n, D, S, mode, convert_##D##part##_sat##mode, first, __VA_ARGS__)
#define OF_PARTS_(n, D, S, mode, f, first, second, ...) \
  MPL_VALUE D##n convert_##D##n##_sat##mode(S##n a) { \
    return (D##n)(f(first), f(second) __VA_OPT__(,) __VA_ARGS__); \
  }
#define INTRINSIC(D, to, S, from) \
  D mpl_saturated_##D(S) __asm__("llvm.fpto" to ".f" from) __attribute__((overloadable, const));
#define INTRINSICS(D, to) INTRINSIC(D, to, half, "16") INTRINSIC(D, to, float, "32") INTRINSIC(D, to, double, "64")
INTRINSICS(char, "si.sat.i8") INTRINSICS(uchar, "ui.sat.i8")
INTRINSICS(short, "si.sat.i16") INTRINSICS(ushort, "ui.sat.i16")
INTRINSICS(int, "si.sat.i32") INTRINSICS(uint, "ui.sat.i32")
INTRINSICS(long, "si.sat.i64") INTRINSICS(ulong, "ui.sat.i64")
#endif

#define WIDTHS_FROM_INTEGER(S, s_low, s_high, D, d_low, d_high) \
  MPL_WIDTHS(FROM_INTEGER, D, d_low, d_high, S, s_low, s_high)
#define FROM_INTEGERS(...) \
  WIDTHS_FROM_INTEGER(char, CHAR_MIN, CHAR_MAX, __VA_ARGS__) \
  WIDTHS_FROM_INTEGER(uchar, 0, UCHAR_MAX, __VA_ARGS__) \
  WIDTHS_FROM_INTEGER(short, SHRT_MIN, SHRT_MAX, __VA_ARGS__) \
  WIDTHS_FROM_INTEGER(ushort, 0, USHRT_MAX, __VA_ARGS__) \
  WIDTHS_FROM_INTEGER(int, INT_MIN, INT_MAX, __VA_ARGS__) \
  WIDTHS_FROM_INTEGER(uint, 0, UINT_MAX, __VA_ARGS__) \
  WIDTHS_FROM_INTEGER(long, LONG_MIN, LONG_MAX, __VA_ARGS__) \
  WIDTHS_FROM_INTEGER(ulong, 0, ULONG_MAX, __VA_ARGS__)

/* W_half, W_float, W_double and how to limit there. */
#define TO(D, low, high, W_half, L_half, W_float, L_float, W_double, L_double) \
  FROM_INTEGERS(D, low, high) \
  MPL_WIDTHS(FROM_FLOAT, D, low, high, half, W_half, L_half) \
  MPL_WIDTHS(FROM_FLOAT, D, low, high, float, W_float, L_float) \
  MPL_WIDTHS(FROM_FLOAT, D, low, high, double, W_double, L_double)
TO(char, CHAR_MIN, CHAR_MAX, float, CLAMP, float, CLAMP, double, CLAMP)
TO(uchar, 0, UCHAR_MAX, float, CLAMP, float, CLAMP, double, CLAMP)
TO(short, SHRT_MIN, SHRT_MAX, float, CLAMP, float, CLAMP, double, CLAMP)
TO(ushort, 0, USHRT_MAX, float, CLAMP, float, CLAMP, double, CLAMP)
TO(int, INT_MIN, INT_MAX, float, CHOOSE, float, CHOOSE, double, CLAMP)
TO(uint, 0, UINT_MAX, float, CHOOSE, float, CHOOSE, double, CLAMP)
TO(long, LONG_MIN, LONG_MAX, double, CHOOSE, double, CHOOSE, double, CHOOSE)
TO(ulong, 0, ULONG_MAX, double, CHOOSE, double, CHOOSE, double, CHOOSE)
