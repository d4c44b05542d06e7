/* Math functions (OpenCL C 3.0, 6.15.2) that look at the parts of a floating-point number: exponent,
 * mantissa, integral part, quotient. */
#include "libm.h"

/* How each type is laid out: X(T, its integer type, unsigned, mantissa bits, exponent bias, the
 * power of two that makes every subnormal number normal). */
#define LAYOUTS(X) \
  X(float, int, uint, 23, 127, 64) \
  X(double, long, ulong, 52, 1023, 64)

#define POWER_OF_TWO(T, U, mantissa, bias, n) \
  __builtin_astype((U)((U)((n) + bias) << mantissa), T)

#define PARTS(T, I, U, mantissa, bias, lift) \
  MPL_HELPER bool is_special(T a) { \
    return a == 0 || !(__builtin_elementwise_abs(a) < (T)INFINITY); \
  } \
  MPL_HELPER T lifted(T a) { \
    bool tiny = __builtin_elementwise_abs(a) < POWER_OF_TWO(T, U, mantissa, bias, 1 - bias); \
    return tiny ? a * POWER_OF_TWO(T, U, mantissa, bias, lift) : a; \
  } \
  MPL_HELPER int exponent(T a) { \
    bool tiny = __builtin_elementwise_abs(a) < POWER_OF_TWO(T, U, mantissa, bias, 1 - bias); \
    int field = (int)(__builtin_astype(lifted(a), U) >> mantissa) & (2 * bias + 1); \
    return field - bias - (tiny ? lift : 0); \
  } \
  MPL_HELPER int frexp_exponent(T a) { return is_special(a) ? 0 : exponent(a) + 1; } \
  MPL_HELPER T frexp_mantissa(T a) { \
    U field = (U)(2 * bias + 1) << mantissa; \
    U bits = (__builtin_astype(lifted(a), U) & ~field) | (U)(bias - 1) << mantissa; \
    return is_special(a) ? a : __builtin_astype(bits, T); \
  } \
  MPL_VALUE int ilogb(T a) { \
    int special = a == 0 ? FP_ILOGB0 : a != a ? FP_ILOGBNAN : INT_MAX; \
    return is_special(a) ? special : exponent(a); \
  } \
  MPL_VALUE T logb(T a) { \
    T special = a == 0 ? -(T)INFINITY : a * a; \
    return is_special(a) ? special : (T)exponent(a); \
  }
LAYOUTS(PARTS)
MPL_HELPER int frexp_exponent(half a) { return frexp_exponent((float)a); }
MPL_HELPER half frexp_mantissa(half a) { return (half)frexp_mantissa((float)a); }
MPL_VALUE int ilogb(half a) { return ilogb((float)a); }
MPL_VALUE half logb(half a) { return (half)logb((float)a); }
#define PARTS_OF_VECTORS(T, ...) \
  MPL_VECTORS_1(int, frexp_exponent, T) MPL_VECTORS_1(T, frexp_mantissa, T) \
  MPL_VECTORS_1(int, ilogb, T) MPL_VECTORS_1(T, logb, T)
MPL_FLOAT_TYPES(PARTS_OF_VECTORS)

/* ldexp rounds once.  float: a double holds every float times 2^n for |n| up to 300, more is no
 * different.  double: steps that bring n into the range of one factor come first, and the downward
 * ones stop 53 places short so that only the last multiplication can round. */
MPL_VALUE float ldexp(float a, int n) {
  n = n > 300 ? 300 : n < -300 ? -300 : n;
  return (float)((double)a * POWER_OF_TWO(double, ulong, 52, 1023, (long)n));
}
MPL_HELPER double ldexp_step(double a, int n) {
  return n > 1023 ? a * 0x1p1023 : n < -1022 ? a * 0x1p-969 : a;
}
MPL_HELPER int ldexp_rest(int n) { return n > 1023 ? n - 1023 : n < -1022 ? n + 969 : n; }
MPL_VALUE double ldexp(double a, int n) {
  a = ldexp_step(a, n);
  n = ldexp_rest(n);
  a = ldexp_step(a, n);
  n = ldexp_rest(n);
  n = n > 1023 ? 1023 : n < -1022 ? -1022 : n;
  return a * POWER_OF_TWO(double, ulong, 52, 1023, (long)n);
}
MPL_VALUE half ldexp(half a, int n) { return (half)ldexp((float)a, n); }

/* Comparisons in W and choices between bits: LLVM takes most of a minute for a vector of 48 halves that are compared and
 * chosen from on a processor that only converts them. */
#define NEXTAFTER(T, W, U) \
  MPL_VALUE T nextafter(T a, T b) { \
    U x = __builtin_astype(a, U), y = __builtin_astype(b, U), sign = (U)1 << (sizeof(T) * 8 - 1); \
    W from = a, to = b; \
    U toward = (from < to) == (from > 0) ? x + 1 : x - 1; \
    toward = from == 0 ? (y & sign) | 1 : toward; \
    toward = from != from ? x : to != to || from == to ? y : toward; \
    return __builtin_astype(toward, T); \
  } \
  MPL_VECTORS_2(T, nextafter, T, T)
NEXTAFTER(half, float, ushort)
NEXTAFTER(float, float, uint)
NEXTAFTER(double, double, ulong)

#define LDEXP_SAME(n, T) \
  MPL_VALUE T##n ldexp(T##n a, int k) { return ldexp(a, (int##n)k); }
#define LDEXP_VECTORS(T, ...) MPL_VECTORS_2(T, ldexp, T, int) MPL_VECTOR_WIDTHS(LDEXP_SAME, T)
MPL_FLOAT_TYPES(LDEXP_VECTORS)

#define NAN_OF(n, T, U, quiet, payload) \
  MPL_VALUE T##n nan(U##n code) { \
    U##n bits = (code & (U)payload) | (U)quiet; \
    return MPL_AS(T, n, bits); \
  }
MPL_WIDTHS(NAN_OF, half, ushort, 0x7e00, 0x1ff)
MPL_WIDTHS(NAN_OF, float, uint, 0x7fc00000, 0x3fffff)
MPL_WIDTHS(NAN_OF, double, ulong, 0x7ff8000000000000, 0x7ffffffffffff)

/* The low 7 bits of the quotient that belongs to remainder(): long division from 64 |b| down, each
 * subtraction exact, then the rounding to nearest even of what is left. */
#define QUOTIENT_STEP(i) \
  divisor = y * (1 << i); \
  if (x >= divisor) x -= divisor, q += 1 << i;
#define QUOTIENT(T, U) \
  MPL_HELPER int quotient(T a, T b) { \
    T x = __builtin_elementwise_abs(a), y = __builtin_elementwise_abs(b), divisor; \
    bool defined = x < (T)INFINITY && y > 0; \
    int q = 0; \
    x = mpl_libm_fmod(x, y * 128); \
    QUOTIENT_STEP(6) QUOTIENT_STEP(5) QUOTIENT_STEP(4) QUOTIENT_STEP(3) \
    QUOTIENT_STEP(2) QUOTIENT_STEP(1) QUOTIENT_STEP(0) \
    T rest = y - x; \
    q += x > rest || (x == rest && (q & 1)); \
    q &= 127; \
    bool negative = (__builtin_astype(a, U) ^ __builtin_astype(b, U)) >> (sizeof(T) * 8 - 1); \
    return !defined ? 0 : negative ? -q : q; \
  }
QUOTIENT(float, uint)
QUOTIENT(double, ulong)
MPL_HELPER int quotient(half a, half b) { return quotient((float)a, (float)b); }
MPL_HELPER float remainder_of(float a, float b) { return mpl_libm_remainder(a, b); }
MPL_HELPER double remainder_of(double a, double b) { return mpl_libm_remainder(a, b); }
MPL_HELPER half remainder_of(half a, half b) {
  return (half)mpl_libm_remainder((float)a, (float)b);
}

/* The sign of gamma(a): negative between -1 and 0, -3 and -2, ... */
#define GAMMA(T) \
  MPL_HELPER int gamma_sign(T a) { \
    T whole = __builtin_elementwise_floor(a), half_whole = whole * (T)0.5; \
    bool odd = half_whole != __builtin_elementwise_floor(half_whole); \
    bool negative_zero = a == 0 && 1 / a < 0; \
    return (a < 0 && whole != a && odd) || negative_zero ? -1 : 1; \
  }
GAMMA(float)
GAMMA(double)
MPL_HELPER int gamma_sign(half a) { return gamma_sign((float)a); }
MPL_HELPER float gamma_log(float a) { return mpl_libm_lgamma(a); }
MPL_HELPER double gamma_log(double a) { return mpl_libm_lgamma(a); }
MPL_HELPER half gamma_log(half a) { return (half)mpl_libm_lgamma((float)a); }

#define VECTORS(T, ...) \
  MPL_VECTORS_2(int, quotient, T, T) MPL_VECTORS_2(T, remainder_of, T, T) \
  MPL_VECTORS_1(int, gamma_sign, T) MPL_VECTORS_1(T, gamma_log, T)
MPL_FLOAT_TYPES(VECTORS)

/* Whole and fraction, on vectors; `below_one` is the largest number less than 1. */
#define FRACTION(n, T, below_one) \
  MPL_HELPER T##n fraction(T##n a) { \
    T##n f = a - __builtin_elementwise_floor(a); \
    f = f > (T##n)below_one ? (T##n)below_one : f; \
    T##n zero = __builtin_elementwise_copysign((T##n)0, a); \
    f = __builtin_elementwise_abs(a) == (T##n)INFINITY ? zero : f; \
    return a == (T##n)0 ? a : f; \
  } \
  MPL_HELPER T##n after_point(T##n a) { \
    T##n f = a - __builtin_elementwise_trunc(a); \
    f = __builtin_elementwise_abs(a) == (T##n)INFINITY ? (T##n)0 : f; \
    return __builtin_elementwise_copysign(f, a); \
  }
MPL_WIDTHS(FRACTION, half, 0x1.ffcp-1h)
MPL_WIDTHS(FRACTION, float, 0x1.fffffep-1f)
MPL_WIDTHS(FRACTION, double, 0x1.fffffffffffffp-1)

/* Sine and cosine, of halves in float. */
#define SINE(n, T) \
  MPL_HELPER T##n sine(T##n a) { return __builtin_elementwise_sin(a); } \
  MPL_HELPER T##n cosine(T##n a) { return __builtin_elementwise_cos(a); }
MPL_HELPER float sine(float a) { return mpl_libm_sin(a); }
MPL_HELPER float cosine(float a) { return mpl_libm_cos(a); }
MPL_HELPER double sine(double a) { return mpl_libm_sin(a); }
MPL_HELPER double cosine(double a) { return mpl_libm_cos(a); }
MPL_VECTOR_WIDTHS(SINE, float)
MPL_VECTOR_WIDTHS(SINE, double)
#define SINE_HALF(n, ...) \
  MPL_HELPER half##n sine(half##n a) { \
    return MPL_CONVERT(half, n, sine(MPL_CONVERT(float, n, a))); \
  } \
  MPL_HELPER half##n cosine(half##n a) { \
    return MPL_CONVERT(half, n, cosine(MPL_CONVERT(float, n, a))); \
  }
MPL_WIDTHS(SINE_HALF, )

/* The forms that also write through a pointer, in each address space. */
#define POINTERS(n, T, space) \
  MPL_WRITES T##n fract(T##n a, space T##n *p) { \
    *p = __builtin_elementwise_floor(a); \
    return fraction(a); \
  } \
  MPL_WRITES T##n modf(T##n a, space T##n *p) { \
    *p = __builtin_elementwise_trunc(a); \
    return after_point(a); \
  } \
  MPL_WRITES T##n sincos(T##n a, space T##n *p) { \
    *p = cosine(a); \
    return sine(a); \
  } \
  MPL_WRITES T##n frexp(T##n a, space int##n *p) { \
    *p = frexp_exponent(a); \
    return frexp_mantissa(a); \
  } \
  MPL_WRITES T##n remquo(T##n a, T##n b, space int##n *p) { \
    *p = quotient(a, b); \
    return remainder_of(a, b); \
  } \
  MPL_WRITES T##n lgamma_r(T##n a, space int##n *p) { \
    *p = gamma_sign(a); \
    return gamma_log(a); \
  }
#define SPACES(T, ...) \
  MPL_WIDTHS(POINTERS, T, global) MPL_WIDTHS(POINTERS, T, local) \
  MPL_WIDTHS(POINTERS, T, private) MPL_WIDTHS(POINTERS, T, generic)
MPL_FLOAT_TYPES(SPACES)
