/* Relational functions (OpenCL C 3.0, 6.15.6): a scalar answers 0 or 1, an element 0 or -1. */
#include "value.h"

/* R: the integer type of the answer's elements. */
#define COMPARE(n, T, R) \
  MPL_VALUE R##n isequal(T##n a, T##n b) { return a == b; } \
  MPL_VALUE R##n isnotequal(T##n a, T##n b) { return a != b; } \
  MPL_VALUE R##n isgreater(T##n a, T##n b) { return a > b; } \
  MPL_VALUE R##n isgreaterequal(T##n a, T##n b) { return a >= b; } \
  MPL_VALUE R##n isless(T##n a, T##n b) { return a < b; } \
  MPL_VALUE R##n islessequal(T##n a, T##n b) { return a <= b; } \
  MPL_VALUE R##n islessgreater(T##n a, T##n b) { return (a < b) | (a > b); } \
  MPL_VALUE R##n isordered(T##n a, T##n b) { return (a == a) & (b == b); } \
  MPL_VALUE R##n isunordered(T##n a, T##n b) { return (a != a) | (b != b); } \
  MPL_VALUE R##n isnan(T##n a) { return a != a; } \
  MPL_VALUE R##n isinf(T##n a) { return __builtin_elementwise_abs(a) == (T##n)INFINITY; } \
  MPL_VALUE R##n isfinite(T##n a) { return __builtin_elementwise_abs(a) < (T##n)INFINITY; }

/* I: the integer type of T's size. */
#define CLASSIFY(n, T, R, I, smallest) \
  MPL_VALUE R##n isnormal(T##n a) { \
    T##n x = __builtin_elementwise_abs(a); \
    return (x >= (T##n)smallest) & (x < (T##n)INFINITY); \
  }
#define SIGNBIT_SCALAR(T, I) MPL_VALUE int signbit(T a) { return __builtin_astype(a, I) < 0; }
#define SIGNBIT(n, T, I) \
  MPL_VALUE I##n signbit(T##n a) { return __builtin_astype(a, I##n) < (I##n)0; }

#define RELATIONAL(T, I, smallest) \
  COMPARE(, T, int) MPL_VECTOR_WIDTHS(COMPARE, T, I) \
  CLASSIFY(, T, int, I, smallest) MPL_VECTOR_WIDTHS(CLASSIFY, T, I, I, smallest) \
  SIGNBIT_SCALAR(T, I) MPL_VECTOR_WIDTHS(SIGNBIT, T, I)
RELATIONAL(half, short, 0x1p-14h)
RELATIONAL(float, int, FLT_MIN)
RELATIONAL(double, long, DBL_MIN)

/* any and all look at the sign bits: of all elements ored or anded. */
#define SIGNS(T) \
  MPL_VALUE int any(T a) { return a < 0; } \
  MPL_VALUE int all(T a) { return a < 0; } \
  MPL_VECTOR_WIDTHS(SIGNS_OF_VECTOR, T)
#define SIGNS_OF_VECTOR(n, T) \
  MPL_VALUE int any(T##n a) { return __builtin_reduce_or(a) < 0; } \
  MPL_VALUE int all(T##n a) { return __builtin_reduce_and(a) < 0; }
SIGNS(char) SIGNS(short) SIGNS(int) SIGNS(long)

#define BITSELECT(n, T, U) \
  MPL_VALUE T##n bitselect(T##n a, T##n b, T##n c) { \
    U##n x = MPL_AS(U, n, a), y = MPL_AS(U, n, b), mask = MPL_AS(U, n, c); \
    U##n mixed = (x & ~mask) | (y & mask); \
    return MPL_AS(T, n, mixed); \
  }
/* A scalar condition is true if not 0, an element if its highest bit is set. */
#define SELECT_SCALAR(T, C) \
  MPL_VALUE T select(T a, T b, C c) { return c ? b : a; }
#define SELECT(n, T, S, C) \
  MPL_VALUE T##n select(T##n a, T##n b, C##n c) { return MPL_AS(S, n, c) < (S##n)0 ? b : a; }
#define CHOOSE(T, S, U) \
  MPL_WIDTHS(BITSELECT, T, U) SELECT_SCALAR(T, S) SELECT_SCALAR(T, U) \
  MPL_VECTOR_WIDTHS(SELECT, T, S, S) MPL_VECTOR_WIDTHS(SELECT, T, S, U)
#define CHOOSE_INTEGER(T, S, U, ...) CHOOSE(T, S, U)
MPL_SIGNED_TYPES(CHOOSE_INTEGER)
MPL_UNSIGNED_TYPES(CHOOSE_INTEGER)
CHOOSE(half, short, ushort)
CHOOSE(float, int, uint)
CHOOSE(double, long, ulong)
