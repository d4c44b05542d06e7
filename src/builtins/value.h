/* What the value functions of the built-in library share: attributes and the ways to write a
 * function once for all types and widths.
 *
 * A width is the tail of a type's name: nothing, 2, 3, 4, 8, 16.  Vector forms are either one
 * expression on whole vectors (MPL_WIDTHS) or put together from scalar results in registers
 * (MPL_VECTORS_n), never through memory: work-item loops can then be vectorised across work-items,
 * and straight code by the SLP vectoriser. */
#ifndef MPL_BUILTINS_VALUE_H
#define MPL_BUILTINS_VALUE_H

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* A function of its arguments only, the library's own or not; one that reads through a pointer;
 * one that writes. */
#define MPL_VALUE __attribute__((overloadable, const, always_inline))
#define MPL_HELPER static __attribute__((overloadable, const, always_inline, unused))
#define MPL_READS __attribute__((overloadable, pure, always_inline))
#define MPL_WRITES __attribute__((overloadable, always_inline))

#define MPL_VECTOR_WIDTHS(X, ...) \
  X(2, __VA_ARGS__) X(3, __VA_ARGS__) X(4, __VA_ARGS__) X(8, __VA_ARGS__) X(16, __VA_ARGS__)
#define MPL_WIDTHS(X, ...) X(, __VA_ARGS__) MPL_VECTOR_WIDTHS(X, __VA_ARGS__)

#define MPL_INTEGER_TYPES(X, ...) \
  X(char, __VA_ARGS__) X(uchar, __VA_ARGS__) X(short, __VA_ARGS__) X(ushort, __VA_ARGS__) \
  X(int, __VA_ARGS__) X(uint, __VA_ARGS__) X(long, __VA_ARGS__) X(ulong, __VA_ARGS__)
#define MPL_FLOAT_TYPES(X, ...) X(half, __VA_ARGS__) X(float, __VA_ARGS__) X(double, __VA_ARGS__)
#define MPL_TYPES(X, ...) MPL_INTEGER_TYPES(X, __VA_ARGS__) MPL_FLOAT_TYPES(X, __VA_ARGS__)

/* Vector forms of f, which returns R, from its scalar form. */
#define MPL_VECTORS_1(R, f, A) \
  MPL_VALUE R##2 f(A##2 a) { return (R##2)(f(a.s0), f(a.s1)); } \
  MPL_VALUE R##3 f(A##3 a) { return (R##3)(f(a.s0), f(a.s1), f(a.s2)); } \
  MPL_VALUE R##4 f(A##4 a) { return (R##4)(f(a.lo), f(a.hi)); } \
  MPL_VALUE R##8 f(A##8 a) { return (R##8)(f(a.lo), f(a.hi)); } \
  MPL_VALUE R##16 f(A##16 a) { return (R##16)(f(a.lo), f(a.hi)); }
#define MPL_VECTORS_2(R, f, A, B) \
  MPL_VALUE R##2 f(A##2 a, B##2 b) { return (R##2)(f(a.s0, b.s0), f(a.s1, b.s1)); } \
  MPL_VALUE R##3 f(A##3 a, B##3 b) { return (R##3)(f(a.s0, b.s0), f(a.s1, b.s1), f(a.s2, b.s2)); } \
  MPL_VALUE R##4 f(A##4 a, B##4 b) { return (R##4)(f(a.lo, b.lo), f(a.hi, b.hi)); } \
  MPL_VALUE R##8 f(A##8 a, B##8 b) { return (R##8)(f(a.lo, b.lo), f(a.hi, b.hi)); } \
  MPL_VALUE R##16 f(A##16 a, B##16 b) { return (R##16)(f(a.lo, b.lo), f(a.hi, b.hi)); }
#define MPL_VECTORS_3(R, f, A, B, C) \
  MPL_VALUE R##2 f(A##2 a, B##2 b, C##2 c) { \
    return (R##2)(f(a.s0, b.s0, c.s0), f(a.s1, b.s1, c.s1)); \
  } \
  MPL_VALUE R##3 f(A##3 a, B##3 b, C##3 c) { \
    return (R##3)(f(a.s0, b.s0, c.s0), f(a.s1, b.s1, c.s1), f(a.s2, b.s2, c.s2)); \
  } \
  MPL_VALUE R##4 f(A##4 a, B##4 b, C##4 c) { return (R##4)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); } \
  MPL_VALUE R##8 f(A##8 a, B##8 b, C##8 c) { return (R##8)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); } \
  MPL_VALUE R##16 f(A##16 a, B##16 b, C##16 c) { \
    return (R##16)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); \
  }

/* as_T and conversion to T, for a width n that may be empty. */
#define MPL_AS(T, n, x) __builtin_astype(x, T##n)
#define MPL_CONVERT(T, n, x) MPL_CONVERT_##n(T, x)
#define MPL_CONVERT_(T, x) ((T)(x))
#define MPL_CONVERT_2(T, x) __builtin_convertvector(x, T##2)
#define MPL_CONVERT_3(T, x) __builtin_convertvector(x, T##3)
#define MPL_CONVERT_4(T, x) __builtin_convertvector(x, T##4)
#define MPL_CONVERT_8(T, x) __builtin_convertvector(x, T##8)
#define MPL_CONVERT_16(T, x) __builtin_convertvector(x, T##16)

/* The integer types: X(type, signed, unsigned, twice as wide, bits, lowest, highest). */
#define MPL_SIGNED_TYPES(X) \
  X(char, char, uchar, short, 8, CHAR_MIN, CHAR_MAX) \
  X(short, short, ushort, int, 16, SHRT_MIN, SHRT_MAX) \
  X(int, int, uint, long, 32, INT_MIN, INT_MAX) \
  X(long, long, ulong, mpl_wide_long, 64, LONG_MIN, LONG_MAX)
#define MPL_UNSIGNED_TYPES(X) \
  X(uchar, char, uchar, ushort, 8, 0, UCHAR_MAX) \
  X(ushort, short, ushort, uint, 16, 0, USHRT_MAX) \
  X(uint, int, uint, ulong, 32, 0, UINT_MAX) \
  X(ulong, long, ulong, mpl_wide_ulong, 64, 0, ULONG_MAX)
typedef _BitInt(128) mpl_wide_long;
typedef unsigned _BitInt(128) mpl_wide_ulong;

#endif
