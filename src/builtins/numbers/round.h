/* Narrowing of floating point in a given direction, shared by conversions and vstore_half.
 *
 * The nearest number is found first; if it lies on the wrong side of the operand, the next one in
 * the bit pattern is taken.  Zero keeps the operand's sign and infinity is next to the largest
 * number, so no case is special; comparisons with NaN are false. */
#ifndef MPL_BUILTINS_ROUND_H
#define MPL_BUILTINS_ROUND_H

#include "value.h"

/* double to half goes through a float that was rounded to odd, so that the second rounding sees
 * which side of a tie the operand was on. */
MPL_HELPER float float_rounded_to_odd(double a) {
  float nearest = (float)a;
  uint bits = __builtin_astype(nearest, uint);
  bits -= __builtin_elementwise_abs((double)nearest) > __builtin_elementwise_abs(a);
  bits |= (double)nearest != a && a == a;
  return __builtin_astype(bits, float);
}
MPL_HELPER half nearest_half(float a) { return (half)a; }
MPL_HELPER half nearest_half(double a) { return (half)float_rounded_to_odd(a); }
MPL_HELPER float nearest_float(double a) { return (float)a; }
MPL_HELPER float nearest_float(half a) { return a; }
MPL_HELPER double nearest_double(half a) { return (double)(float)a; }
MPL_HELPER double nearest_double(float a) { return a; }

#define MPL_NARROW(D, I, S) \
  MPL_HELPER D D##_rte(S a) { return nearest_##D(a); } \
  MPL_HELPER D D##_rtz(S a) { \
    D x = nearest_##D(a); \
    S y = nearest_##S(x); \
    return __builtin_astype((I)(__builtin_astype(x, I) - \
                                (__builtin_elementwise_abs(y) > __builtin_elementwise_abs(a))), D); \
  } \
  MPL_HELPER D D##_rtp(S a) { \
    D x = nearest_##D(a); \
    I step = __builtin_astype(x, I) < 0 ? -1 : 1; \
    return __builtin_astype((I)(__builtin_astype(x, I) + (nearest_##S(x) < a ? step : 0)), D); \
  } \
  MPL_HELPER D D##_rtn(S a) { \
    D x = nearest_##D(a); \
    I step = __builtin_astype(x, I) < 0 ? -1 : 1; \
    return __builtin_astype((I)(__builtin_astype(x, I) - (nearest_##S(x) > a ? step : 0)), D); \
  }
MPL_NARROW(half, short, float)
MPL_NARROW(half, short, double)
MPL_NARROW(float, int, double)

#endif
