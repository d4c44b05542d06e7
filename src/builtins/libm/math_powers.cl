/* Math functions (OpenCL C 3.0, 6.15.2) that the C library lacks: powers with integer or positive
 * operands, roots, and the circular functions of multiples of pi. */
#include "libm.h"

/* powr (7.5.1): pow of a non-negative base, but not a number wherever the limit is not one. */
#define POWR(T) \
  MPL_VALUE T powr(T a, T b) { \
    T magnitude = __builtin_elementwise_abs(a); \
    bool flat = b == 0 && (magnitude == 0 || magnitude == (T)INFINITY); \
    bool open = a == 1 && __builtin_elementwise_abs(b) == (T)INFINITY; \
    T power = mpl_libm_pow(magnitude, b); \
    return a < 0 || a != a || b != b || flat || open ? (T)NAN : power; \
  }
POWR(float)
POWR(double)
MPL_VALUE half powr(half a, half b) { return (half)powr((float)a, (float)b); }

/* An int does not fit in a float exactly; in a double it does. */
MPL_VALUE double pown(double a, int n) { return mpl_libm_pow(a, (double)n); }
MPL_VALUE float pown(float a, int n) { return (float)pown((double)a, n); }
MPL_VALUE half pown(half a, int n) { return (half)(float)pown((double)(float)a, n); }

/* The root is a power of 1/n.  For double the rounding error of 1/n is put back to first order:
 * a^(h + l) = a^h (1 + l log a), since |l log a| < 2^-43. */
MPL_HELPER double root(double a, int n) {
  double inverse = 1.0 / n;
  return mpl_libm_pow(a, inverse);
}
MPL_HELPER double accurate_root(double a, int n) {
  double inverse = 1.0 / n, rest = __builtin_elementwise_fma(-inverse, (double)n, 1.0) * inverse;
  double power = mpl_libm_pow(a, inverse);
  double corrected = power + power * (rest * mpl_libm_log(a));
  return a > 0 && a < (double)INFINITY && power < (double)INFINITY ? corrected : power;
}
#define ROOTN(T, root) \
  MPL_VALUE T rootn(T a, int n) { \
    T magnitude = (T)root((double)__builtin_elementwise_abs(a), n); \
    T result = n & 1 ? __builtin_elementwise_copysign(magnitude, a) : magnitude; \
    return n == 0 || (a < 0 && !(n & 1)) ? (T)NAN : result; \
  }
ROOTN(float, root)
ROOTN(double, accurate_root)
MPL_VALUE half rootn(half a, int n) { return (half)rootn((float)a, n); }

#define POWERS(T, ...) \
  MPL_VECTORS_2(T, powr, T, T) MPL_VECTORS_2(T, pown, T, int) MPL_VECTORS_2(T, rootn, T, int)
MPL_FLOAT_TYPES(POWERS)

/* a = whole + part, |part| <= 1/2, both exact.  The cosine near 1/2 is a sine of what is missing to
 * 1/2, so that it keeps its relative accuracy. */
#define CIRCULAR(T) \
  MPL_HELPER T sine_of_part(T part) { return mpl_libm_sin(part * (T)M_PI); } \
  MPL_HELPER T part_of(T a) { return a - __builtin_elementwise_rint(a); } \
  MPL_HELPER bool is_odd(T a) { \
    T twice = __builtin_elementwise_rint(a) * (T)0.5; \
    return twice != __builtin_elementwise_floor(twice); \
  } \
  MPL_VALUE T sinpi(T a) { \
    T part = part_of(a), sine = sine_of_part(part); \
    T zero = __builtin_elementwise_copysign((T)0, a); \
    return part == 0 ? zero : is_odd(a) ? -sine : sine; \
  } \
  MPL_VALUE T cospi(T a) { \
    T part = __builtin_elementwise_abs(part_of(a)); \
    T cosine = sine_of_part((T)0.5 - part); \
    return part == (T)0.5 ? (T)0 : is_odd(a) ? -cosine : cosine; \
  } \
  MPL_VALUE T tanpi(T a) { \
    T part = part_of(a); \
    T tangent = sine_of_part(part) / sine_of_part((T)0.5 - __builtin_elementwise_abs(part)); \
    T zero = __builtin_elementwise_copysign((T)0, a); \
    return part == 0 ? (is_odd(a) ? -zero : zero) : tangent; \
  }
CIRCULAR(float)
CIRCULAR(double)
#define CIRCULAR_HALF(name) \
  MPL_VALUE half name(half a) { return (half)name((float)a); }
CIRCULAR_HALF(sinpi) CIRCULAR_HALF(cospi) CIRCULAR_HALF(tanpi)
#define CIRCULAR_VECTORS(T, ...) \
  MPL_VECTORS_1(T, sinpi, T) MPL_VECTORS_1(T, cospi, T) MPL_VECTORS_1(T, tanpi, T)
MPL_FLOAT_TYPES(CIRCULAR_VECTORS)

#define FAST_POWR(n, ...) \
  MPL_VALUE float##n half_powr(float##n a, float##n b) { return powr(a, b); } \
  MPL_VALUE float##n native_powr(float##n a, float##n b) { return powr(a, b); }
MPL_WIDTHS(FAST_POWR, )
