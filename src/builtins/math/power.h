/* What powers and roots are where the base is not a positive number, or the exponent none (7.5.1 and
 * C99, F.9.4.4), for float and double: fix_... get what follows from |x|. */
#ifndef MPL_BUILTINS_POWER_H
#define MPL_BUILTINS_POWER_H

#include "math.h"

#define MPL_POWER_RULES(T, U, largest, sign) \
  /* positive, and neither infinite nor NaN */ \
  MPL_HELPER bool mpl_is_plain(T x) { return mpl_bits(x) - 1 < largest; } \
  MPL_HELPER T mpl_zero_or_infinity(T x, bool infinite) { return infinite ? (T)INFINITY : (T)0; } \
  MPL_HELPER bool mpl_is_whole(T y) { return __builtin_elementwise_rint(y) == y; } \
  MPL_HELPER T mpl_fix_pow(T x, T y, T result) { \
    T size = mpl_abs(x); \
    bool whole = mpl_is_whole(y), odd = whole & !mpl_is_whole(y * (T)0.5), out = size == 0; \
    bool far = mpl_abs(y) == (T)INFINITY, edge = out | (size == (T)INFINITY); \
    result = edge ? mpl_zero_or_infinity(x, (y < 0) == out) : result; \
    result = far ? mpl_zero_or_infinity(x, (y > 0) == (size > 1)) : result; \
    result = ((size == 1) & far) ? (T)1 : result; \
    result = mpl_flip(result, odd ? mpl_bits(x) >> sign : 0); \
    result = ((x < 0) & (size != (T)INFINITY) & !whole) ? (T)NAN : result; \
    result = ((x != x) | (y != y)) ? (T)NAN : result; \
    return ((x == 1) | (y == 0)) ? (T)1 : result; \
  } \
  /* not a number wherever the limit is not one */ \
  MPL_HELPER T mpl_fix_powr(T x, T y, T result) { \
    T size = mpl_abs(x); \
    bool out = size == 0, far = mpl_abs(y) == (T)INFINITY, edge = out | (size == (T)INFINITY); \
    result = edge ? mpl_zero_or_infinity(x, (y < 0) == out) : result; \
    result = far ? mpl_zero_or_infinity(x, (y > 0) == (size > 1)) : result; \
    bool none = (x < 0) | (x != x) | (y != y) | (edge & (y == 0)) | ((size == 1) & far); \
    return none ? (T)NAN : result; \
  } \
  /* of a whole exponent, or a whole root */ \
  MPL_HELPER T mpl_fix_whole(T x, int n, T result) { \
    T size = mpl_abs(x); \
    bool out = size == 0, edge = out | (size == (T)INFINITY); \
    result = edge ? mpl_zero_or_infinity(x, (n < 0) == out) : result; \
    result = mpl_flip(result, mpl_bits(x) >> sign & (U)n); \
    return x != x ? (T)NAN : result; \
  }
MPL_POWER_RULES(float, uint, 0x7f7fffff, 31)
MPL_POWER_RULES(double, ulong, 0x7fefffffffffffff, 63)

/* The functions, by `power`(|x|, y) and `power`(|x|, y, what y lacks). */
#define MPL_POWERS(T, power) \
  MPL_VALUE T pow(T a, T b) { \
    T result = power(mpl_abs(a), b); \
    if (MPL_RARELY(!(mpl_is_plain(a) & (mpl_abs(b) < (T)INFINITY)))) \
      result = mpl_fix_pow(a, b, result); \
    return result; \
  } \
  MPL_VALUE T powr(T a, T b) { \
    T result = power(mpl_abs(a), b); \
    if (MPL_RARELY(!(mpl_is_plain(a) & (mpl_abs(b) < (T)INFINITY)))) \
      result = mpl_fix_powr(a, b, result); \
    return result; \
  } \
  MPL_VALUE T pown(T a, int n) { \
    T y = (T)n, low = ((T)(n & ~255) - y) + (T)(n & 255); \
    T result = power(mpl_abs(a), y, low); \
    if (MPL_RARELY(!mpl_is_plain(a))) result = n == 0 ? (T)1 : mpl_fix_whole(a, n, result); \
    return result; \
  } \
  MPL_VALUE T rootn(T a, int n) { \
    T whole = (T)n, y = 1 / whole, low = mpl_exact(-y, whole, (T)1) * y; \
    T result = power(mpl_abs(a), y, low); \
    if (MPL_RARELY(!mpl_is_plain(a))) { \
      result = mpl_fix_whole(a, n, result); \
      result = ((a < 0) & !(n & 1)) ? (T)NAN : result; \
    } \
    return n == 0 ? (T)NAN : result; \
  } \
  MPL_VECTORS_2(T, pow, T, T) MPL_VECTORS_2(T, powr, T, T) \
  MPL_VECTORS_2(T, pown, T, int) MPL_VECTORS_2(T, rootn, T, int)

#endif
