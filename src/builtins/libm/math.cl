/* Math functions (OpenCL C 3.0, 6.15.2) that the C library or an LLVM intrinsic has, or that follow
 * from those in a line or two.  Accuracy: table of section 7.4; glibc's are within 1 to 9 ULP.  half
 * goes through float. */
#include "libm.h"
#include "numbers/round.h"

/* One instruction, or an intrinsic that becomes one: on whole vectors. */
#define INSTRUCTIONS(n, T) \
  MPL_VALUE T##n ceil(T##n a) { return __builtin_elementwise_ceil(a); } \
  MPL_VALUE T##n fabs(T##n a) { return __builtin_elementwise_abs(a); } \
  MPL_VALUE T##n floor(T##n a) { return __builtin_elementwise_floor(a); } \
  MPL_VALUE T##n rint(T##n a) { return __builtin_elementwise_rint(a); } \
  MPL_VALUE T##n round(T##n a) { return __builtin_elementwise_round(a); } \
  MPL_VALUE T##n trunc(T##n a) { return __builtin_elementwise_trunc(a); } \
  MPL_VALUE T##n sqrt(T##n a) { return __builtin_elementwise_sqrt(a); } \
  MPL_VALUE T##n copysign(T##n a, T##n b) { return __builtin_elementwise_copysign(a, b); } \
  MPL_VALUE T##n fmax(T##n a, T##n b) { return __builtin_elementwise_max(a, b); } \
  MPL_VALUE T##n fmin(T##n a, T##n b) { return __builtin_elementwise_min(a, b); } \
  MPL_VALUE T##n fdim(T##n a, T##n b) { return a <= b ? (T##n)0 : a - b; } \
  MPL_VALUE T##n maxmag(T##n a, T##n b) { \
    T##n x = __builtin_elementwise_abs(a), y = __builtin_elementwise_abs(b); \
    return x > y ? a : x < y ? b : __builtin_elementwise_max(a, b); \
  } \
  MPL_VALUE T##n minmag(T##n a, T##n b) { \
    T##n x = __builtin_elementwise_abs(a), y = __builtin_elementwise_abs(b); \
    return x < y ? a : x > y ? b : __builtin_elementwise_min(a, b); \
  }
#define INSTRUCTIONS_OF(T, ...) \
  MPL_WIDTHS(INSTRUCTIONS, T) MPL_VECTOR_WIDTHS(AGAINST_SCALAR, T)
#define AGAINST_SCALAR(n, T) \
  MPL_VALUE T##n fmax(T##n a, T b) { return __builtin_elementwise_max(a, (T##n)b); } \
  MPL_VALUE T##n fmin(T##n a, T b) { return __builtin_elementwise_min(a, (T##n)b); }
MPL_FLOAT_TYPES(INSTRUCTIONS_OF)

/* Mad may round between its operations or not, fma never. */
#define FUSED(n, T) \
  MPL_VALUE T##n fma(T##n a, T##n b, T##n c) { return __builtin_elementwise_fma(a, b, c); } \
  MPL_VALUE T##n mad(T##n a, T##n b, T##n c) { \
    _Pragma("clang fp contract(on)") return a * b + c; \
  }
MPL_WIDTHS(FUSED, float)
MPL_WIDTHS(FUSED, double)
#define INVERSE_ROOT(n, T) \
  MPL_VALUE T##n rsqrt(T##n a) { return (T##n)1 / __builtin_elementwise_sqrt(a); }
MPL_WIDTHS(INVERSE_ROOT, float)
MPL_WIDTHS(INVERSE_ROOT, double)

#ifdef __NVPTX__ /* one instruction, of two halves at a time */
MPL_WIDTHS(FUSED, half)
#else
/* The product of two halves and its sum with a third are exact in double: their bits span at most
 * 22 and 51 places (above 2^16 the result is infinite anyway). */
MPL_VALUE half fma(half a, half b, half c) {
  return half_rte((double)(float)a * (double)(float)b + (double)(float)c);
}
MPL_VALUE half mad(half a, half b, half c) { return (half)((float)a * (float)b + (float)c); }
MPL_VECTORS_3(half, fma, half, half, half)
MPL_VECTORS_3(half, mad, half, half, half)
#endif
MPL_VALUE half rsqrt(half a) { return (half)(1.0f / __builtin_elementwise_sqrt((float)a)); }
MPL_VECTORS_1(half, rsqrt, half)

/* The forms for float and double, from `expression` in T; half's in float; and their vectors. */
#define UNARY(name, expression) \
  UNARY_OF(float, name, expression) UNARY_OF(double, name, expression) \
  MPL_VALUE half name(half a) { return (half)name((float)a); } \
  MPL_VECTORS_1(half, name, half)
#define UNARY_OF(T, name, expression) \
  MPL_VALUE T name(T a) { return expression; } \
  MPL_VECTORS_1(T, name, T)
#define BINARY(name, expression) \
  BINARY_OF(float, name, expression) BINARY_OF(double, name, expression) \
  MPL_VALUE half name(half a, half b) { return (half)name((float)a, (float)b); } \
  MPL_VECTORS_2(half, name, half, half)
#define BINARY_OF(T, name, expression) \
  MPL_VALUE T name(T a, T b) { return expression; } \
  MPL_VECTORS_2(T, name, T, T)

#define LIBM_1(name) UNARY(name, mpl_libm_##name(a))
LIBM_1(acos) LIBM_1(acosh) LIBM_1(asin) LIBM_1(asinh) LIBM_1(atan) LIBM_1(atanh) LIBM_1(cosh)
LIBM_1(erf) LIBM_1(erfc) LIBM_1(exp10) LIBM_1(exp2) LIBM_1(expm1) LIBM_1(lgamma) LIBM_1(log10)
LIBM_1(log1p) LIBM_1(log2) LIBM_1(sinh) LIBM_1(tanh) LIBM_1(tgamma)

/* glibc's double cbrt is off by up to 3.7 ULP, 2 are allowed: one Newton step with the residue in
 * twice the precision.  Small operands are scaled, or the residue would be lost. */
MPL_HELPER double accurate_cbrt(double a) {
  bool small = __builtin_elementwise_abs(a) < 0x1p-800;
  double x = small ? a * 0x1p240 : a, root = mpl_libm_cbrt(x);
  double square = root * root, rest = __builtin_elementwise_fma(root, root, -square);
  double residue = __builtin_elementwise_fma(-root, square, x) - root * rest;
  double better = root + residue / (3 * square);
  better = small ? better * 0x1p-80 : better;
  return a == 0 || !(__builtin_elementwise_abs(a) < (double)INFINITY) ? root : better;
}
/* Its float form for SSE and AVX2 is off by 2.3. */
MPL_HELPER float accurate_cbrtf(float a) {
  float root = mpl_libm_cbrt(a);
  double x = root, square = x * x;
  float better = (float)(x + (a - square * x) / (3 * square));
  return a == 0 || !(__builtin_elementwise_abs(a) < INFINITY) ? root : better;
}
UNARY_OF(float, cbrt, accurate_cbrtf(a))
UNARY_OF(double, cbrt, accurate_cbrt(a))
UNARY_OF(half, cbrt, (half)mpl_libm_cbrt((float)a))

#define LIBM_2(name) BINARY(name, mpl_libm_##name(a, b))
LIBM_2(atan2) LIBM_2(fmod) LIBM_2(hypot) LIBM_2(remainder)

/* What libmvec has and LLVM knows of: vectors stay vectors of 4 floats, 2 or 4 doubles, which become
 * one call if no loop is vectorised around them.  Other widths are made of those. */
#define AS_VECTORS(X, ...) \
  AS_FLOATS(X, __VA_ARGS__) AS_DOUBLES(X, __VA_ARGS__) AS_HALVES(X, __VA_ARGS__)
#define AS_FLOATS(X, ...) \
  X##_SCALAR(float, __VA_ARGS__) X##_SAME(4, float, __VA_ARGS__) \
  X##_PART(2, float, 4, lo, __VA_ARGS__) X##_PART(3, float, 4, xyz, __VA_ARGS__) \
  X##_TWICE(8, float, __VA_ARGS__) X##_TWICE(16, float, __VA_ARGS__)
#define AS_DOUBLES(X, ...) \
  X##_SCALAR(double, __VA_ARGS__) X##_SAME(2, double, __VA_ARGS__) X##_TWICE(4, double, __VA_ARGS__) \
  X##_PART(3, double, 4, xyz, __VA_ARGS__) \
  X##_TWICE(8, double, __VA_ARGS__) X##_TWICE(16, double, __VA_ARGS__)
#define AS_HALVES(X, ...) MPL_WIDTHS(X##_HALF, __VA_ARGS__)
#define WIDENED_2(T, a) ((T##4)(a, 0, 0))
#define WIDENED_3(T, a) ((T##4)(a, 0))

#define ONE_SCALAR(T, name) \
  MPL_VALUE T name(T a) { return mpl_libm_##name(a); }
#define ONE_SAME(n, T, name) \
  MPL_VALUE T##n name(T##n a) { return __builtin_elementwise_##name(a); }
#define ONE_PART(n, T, m, part, name) \
  MPL_VALUE T##n name(T##n a) { return name(WIDENED_##n(T, a)).part; }
#define ONE_TWICE(n, T, name) MPL_VALUE T##n name(T##n a) { return (T##n)(name(a.lo), name(a.hi)); }
#define ONE_HALF(n, name) \
  MPL_VALUE half##n name(half##n a) { return MPL_CONVERT(half, n, name(MPL_CONVERT(float, n, a))); }
#define TWO_SCALAR(T, name) \
  MPL_VALUE T name(T a, T b) { return mpl_libm_##name(a, b); }
#define TWO_SAME(n, T, name) \
  MPL_VALUE T##n name(T##n a, T##n b) { return __builtin_elementwise_##name(a, b); }
#define TWO_PART(n, T, m, part, name) \
  MPL_VALUE T##n name(T##n a, T##n b) { return name(WIDENED_##n(T, a), WIDENED_##n(T, b)).part; }
#define TWO_TWICE(n, T, name) \
  MPL_VALUE T##n name(T##n a, T##n b) { return (T##n)(name(a.lo, b.lo), name(a.hi, b.hi)); }
#define TWO_HALF(n, name) \
  MPL_VALUE half##n name(half##n a, half##n b) { \
    return MPL_CONVERT(half, n, name(MPL_CONVERT(float, n, a), MPL_CONVERT(float, n, b))); \
  }
AS_VECTORS(ONE, cos)
AS_VECTORS(ONE, exp)
AS_DOUBLES(ONE, log) /* of float and half: math_log.cl */
AS_VECTORS(ONE, sin)
AS_VECTORS(ONE, tan)
AS_VECTORS(TWO, pow)

/* Over pi. */
#define ONE_OVER_PI 0.31830988618379067154
#define OVER_PI(name) \
  UNARY_OF(float, name##pi, mpl_libm_##name(a) * (float)ONE_OVER_PI) \
  UNARY_OF(double, name##pi, mpl_libm_##name(a) * ONE_OVER_PI) \
  UNARY_OF(half, name##pi, (half)name##pi((float)a))
OVER_PI(acos) OVER_PI(asin) OVER_PI(atan)
BINARY_OF(float, atan2pi, mpl_libm_atan2(a, b) * (float)ONE_OVER_PI)
BINARY_OF(double, atan2pi, mpl_libm_atan2(a, b) * ONE_OVER_PI)
BINARY_OF(half, atan2pi, (half)atan2pi((float)a, (float)b))

#undef UNARY_OF
#undef BINARY_OF
/* half_ and native_ forms (6.15.2.2): any accuracy will do; the full one costs no more when
 * vectorised. */
#define FAST_1(n, name) \
  MPL_VALUE float##n half_##name(float##n a) { return name(a); } \
  MPL_VALUE float##n native_##name(float##n a) { return name(a); }
#define FAST(name) MPL_WIDTHS(FAST_1, name)
FAST(cos) FAST(exp) FAST(exp2) FAST(exp10) FAST(log2) FAST(log10) FAST(rsqrt) FAST(sin)
FAST(sqrt) FAST(tan)
#define FAST_OPERATORS(n, ...) \
  MPL_VALUE float##n half_divide(float##n a, float##n b) { return a / b; } \
  MPL_VALUE float##n native_divide(float##n a, float##n b) { return a / b; } \
  MPL_VALUE float##n half_recip(float##n a) { return 1.0f / a; } \
  MPL_VALUE float##n native_recip(float##n a) { return 1.0f / a; }
MPL_WIDTHS(FAST_OPERATORS, )
