/* fmod, remainder and remquo (OpenCL C 3.0, 6.15.2), which are exact. */
#include "math.h"

/* A number by its mantissa, from 1 up to 2, and exponent. */
#define SPLIT(T, U, mantissa, bias) \
  MPL_HELPER T mantissa_of(T x, int *exponent) { \
    bool small = x < mpl_number((U)1 << mantissa); \
    U bits = mpl_bits(small ? x * (T)0x1p64 : x), field = bits >> mantissa; \
    *exponent = (int)field - (small ? bias + 64 : bias); \
    return mpl_number(bits - ((field - bias) << mantissa)); \
  } \
  MPL_HELPER T power_of_two(T kind, int n) { return mpl_number((U)(n + bias) << mantissa); }
SPLIT(float, uint, 23, 127)
SPLIT(double, ulong, 52, 1023)

/* Where the quotient is below `most`, its integer is off by one at most, and what is left exact.
 * Elsewhere it is a long division, `step` bits at a time. */
#define REMAINDERS(T, most, step, largest) \
  MPL_HELPER T long_division(T x, T y, uint *quotient) { \
    int above, below; \
    T rest = mantissa_of(x, &above), divisor = mantissa_of(y, &below), inverse = (T)1 / divisor; \
    bool more = rest >= divisor; \
    uint q = more; \
    rest -= more ? divisor : 0; \
    for (int left = above - below; left > 0; left -= step) { \
      int n = __builtin_elementwise_min(left, step); \
      rest *= power_of_two(x, n); \
      T digit = __builtin_elementwise_rint(rest * inverse); \
      rest = mpl_exact(-digit, divisor, rest); \
      bool under = rest < 0; \
      rest += under ? divisor : 0; \
      q = (n < 32 ? q << n : 0) + (uint)(ulong)digit - under; \
    } \
    *quotient = q; \
    return rest * power_of_two(x, below / 2) * power_of_two(x, below - below / 2); \
  } \
  MPL_HELPER bool is_long(T x, T y, T quotient) { \
    return !(quotient < most) | (!__mpl_fused() & (y > largest) & (y < (T)INFINITY)); \
  } \
  MPL_HELPER bool is_defined(T x, T y) { return (x < (T)INFINITY) & (y > 0); } \
  MPL_VALUE T fmod(T a, T b) { \
    T x = mpl_abs(a), y = mpl_abs(b), q = __builtin_elementwise_trunc(x / y); \
    T rest = mpl_exact(-q, y, x); \
    rest += rest < 0 ? y : 0; \
    rest = y == (T)INFINITY ? x : rest; \
    if (is_long(x, y, q)) { \
      uint quotient; \
      rest = long_division(x, y, &quotient); \
      rest = is_defined(x, y) ? rest : (T)NAN; \
    } \
    return mpl_signed(rest, a); \
  } \
  /* Of |a| and |b|: the quotient rounded to even, and what is left. */ \
  MPL_HELPER T nearest(T x, T y, uint *quotient) { \
    T q = __builtin_elementwise_rint(x / y), rest = mpl_exact(-q, y, x), size = mpl_abs(rest); \
    bool over = size + size > y; \
    uint n = (uint)(int)q + (over ? rest < 0 ? -1u : 1u : 0u); \
    rest -= over ? mpl_signed(y, rest) : 0; \
    rest = y == (T)INFINITY ? x : rest; \
    if (is_long(x, y, q)) { \
      rest = long_division(x, y, &n); \
      T other = y - rest; \
      bool up = (rest > other) | ((rest == other) & (n & 1)); \
      rest = up ? -other : rest; \
      n += up; \
      rest = is_defined(x, y) ? rest : (T)NAN; \
      n = is_defined(x, y) ? n : 0; \
    } \
    *quotient = n; \
    return rest; \
  } \
  MPL_VALUE T remainder(T a, T b) { \
    uint n; \
    T rest = nearest(mpl_abs(a), mpl_abs(b), &n); \
    return mpl_flip(rest, mpl_bits(a) >> (sizeof(T) * 8 - 1)); \
  } \
  MPL_HELPER T divide(T a, T b, int *quotient) { \
    uint n; \
    T rest = nearest(mpl_abs(a), mpl_abs(b), &n); \
    bool negative = (mpl_bits(a) ^ mpl_bits(b)) >> (sizeof(T) * 8 - 1); \
    *quotient = (int)(negative ? -(n & 127) : n & 127); \
    return mpl_flip(rest, mpl_bits(a) >> (sizeof(T) * 8 - 1)); \
  }
REMAINDERS(float, 0x1p22f, 20, INFINITY)
REMAINDERS(double, 0x1p31, 49, 0x1p990)

MPL_HELPER half divide(half a, half b, int *quotient) {
  return (half)divide((float)a, (float)b, quotient);
}
#define DIVIDE_PARTS(T, n, m) \
  MPL_HELPER T##n divide(T##n a, T##n b, int##n *quotient) { \
    int##m low, high; \
    T##m first = divide(a.lo, b.lo, &low), second = divide(a.hi, b.hi, &high); \
    *quotient = (int##n)(low, high); \
    return (T##n)(first, second); \
  }
#define REMQUO(n, T, space) \
  MPL_WRITES T##n remquo(T##n a, T##n b, space int##n *p) { \
    int##n quotient; \
    T##n rest = divide(a, b, &quotient); \
    *p = quotient; \
    return rest; \
  }
#define ALL(T, ...) \
  DIVIDE_PARTS(T, 2, ) DIVIDE_PARTS(T, 4, 2) DIVIDE_PARTS(T, 8, 4) DIVIDE_PARTS(T, 16, 8) \
  MPL_HELPER T##3 divide(T##3 a, T##3 b, int##3 *quotient) { \
    int4 q; \
    T##4 rest = divide((T##4)(a, 1), (T##4)(b, 1), &q); \
    *quotient = q.xyz; \
    return rest.xyz; \
  } \
  MPL_WIDTHS(REMQUO, T, global) MPL_WIDTHS(REMQUO, T, local) \
  MPL_WIDTHS(REMQUO, T, private) MPL_WIDTHS(REMQUO, T, generic)
MPL_FLOAT_TYPES(ALL)

MPL_MATH_2(fmod) MPL_MATH_2(remainder)
MPL_VECTORS_2(double, fmod, double, double) MPL_VECTORS_2(double, remainder, double, double)
