/* convert_T to half, float and double (OpenCL C 3.0, 6.4.3), from all types. */
#include "round.h"

#define DEFAULT(n, D, S) \
  MPL_VALUE D##n convert_##D##n(S##n a) { return MPL_CONVERT(D, n, a); } \
  MPL_VALUE D##n convert_##D##n##_rte(S##n a) { return MPL_CONVERT(D, n, a); }
#define EXACT(n, D, S) \
  DEFAULT(n, D, S) \
  MPL_VALUE D##n convert_##D##n##_rtz(S##n a) { return MPL_CONVERT(D, n, a); } \
  MPL_VALUE D##n convert_##D##n##_rtp(S##n a) { return MPL_CONVERT(D, n, a); } \
  MPL_VALUE D##n convert_##D##n##_rtn(S##n a) { return MPL_CONVERT(D, n, a); }

/* From integers that D may not hold: the magnitude's low bits that have no place in D's mantissa
 * are cut off, what remains converts exactly, and a step away from 0 is added where the mode asks
 * for it.  `limit` is the largest magnitude that D has, 0 for all. */
#define BITS_float uint
#define BITS_double ulong
#define BITS_half ushort
#define FROM_INTEGER(D, S, mantissa, limit) \
  MPL_HELPER D truncated(D unused, S a, bool up, bool down) { \
    bool negative = a < 0; \
    ulong magnitude = negative ? -(ulong)a : (ulong)a; \
    int excess = 64 - mantissa - __builtin_clzg(magnitude, 64); \
    ulong kept = magnitude >> (excess > 0 ? excess : 0) << (excess > 0 ? excess : 0); \
    kept = limit && kept > (ulong)limit ? (ulong)limit : kept; \
    bool away = kept != magnitude && (negative ? down : up); \
    BITS_##D bits = __builtin_astype((D)kept, BITS_##D) + away; \
    D result = __builtin_astype(bits, D); \
    return negative ? -result : result; \
  } \
  MPL_VALUE D convert_##D##_rtz(S a) { return truncated((D)0, a, false, false); } \
  MPL_VALUE D convert_##D##_rtp(S a) { return truncated((D)0, a, true, false); } \
  MPL_VALUE D convert_##D##_rtn(S a) { return truncated((D)0, a, false, true); } \
  FROM_INTEGER_VECTORS(D, S) MPL_WIDTHS(DEFAULT, D, S)
#define FROM_INTEGER_VECTORS(D, S) \
  VECTORS(D, convert_##D, _rtz, S) VECTORS(D, convert_##D, _rtp, S) VECTORS(D, convert_##D, _rtn, S)
#define VECTORS(D, f, mode, S) \
  MPL_VALUE D##2 f##2##mode(S##2 a) { return (D##2)(f##mode(a.s0), f##mode(a.s1)); } \
  MPL_VALUE D##3 f##3##mode(S##3 a) { \
    return (D##3)(f##mode(a.s0), f##mode(a.s1), f##mode(a.s2)); \
  } \
  MPL_VALUE D##4 f##4##mode(S##4 a) { return (D##4)(f##2##mode(a.lo), f##2##mode(a.hi)); } \
  MPL_VALUE D##8 f##8##mode(S##8 a) { return (D##8)(f##4##mode(a.lo), f##4##mode(a.hi)); } \
  MPL_VALUE D##16 f##16##mode(S##16 a) { return (D##16)(f##8##mode(a.lo), f##8##mode(a.hi)); }

MPL_WIDTHS(EXACT, half, char) MPL_WIDTHS(EXACT, half, uchar)
FROM_INTEGER(half, short, 11, 65504) FROM_INTEGER(half, ushort, 11, 65504)
FROM_INTEGER(half, int, 11, 65504) FROM_INTEGER(half, uint, 11, 65504)
FROM_INTEGER(half, long, 11, 65504) FROM_INTEGER(half, ulong, 11, 65504)
MPL_WIDTHS(EXACT, float, char) MPL_WIDTHS(EXACT, float, uchar)
MPL_WIDTHS(EXACT, float, short) MPL_WIDTHS(EXACT, float, ushort)
FROM_INTEGER(float, int, 24, 0) FROM_INTEGER(float, uint, 24, 0)
FROM_INTEGER(float, long, 24, 0) FROM_INTEGER(float, ulong, 24, 0)
MPL_WIDTHS(EXACT, double, char) MPL_WIDTHS(EXACT, double, uchar)
MPL_WIDTHS(EXACT, double, short) MPL_WIDTHS(EXACT, double, ushort)
MPL_WIDTHS(EXACT, double, int) MPL_WIDTHS(EXACT, double, uint)
FROM_INTEGER(double, long, 53, 0) FROM_INTEGER(double, ulong, 53, 0)

MPL_WIDTHS(EXACT, half, half) MPL_WIDTHS(EXACT, float, half) MPL_WIDTHS(EXACT, double, half)
MPL_WIDTHS(EXACT, float, float) MPL_WIDTHS(EXACT, double, float) MPL_WIDTHS(EXACT, double, double)

#define NARROWING(D, S) \
  MPL_VALUE D convert_##D(S a) { return D##_rte(a); } \
  MPL_VALUE D convert_##D##_rte(S a) { return D##_rte(a); } \
  MPL_VALUE D convert_##D##_rtz(S a) { return D##_rtz(a); } \
  MPL_VALUE D convert_##D##_rtp(S a) { return D##_rtp(a); } \
  MPL_VALUE D convert_##D##_rtn(S a) { return D##_rtn(a); } \
  FROM_INTEGER_VECTORS(D, S)
NARROWING(half, float)
NARROWING(half, double)
NARROWING(float, double)
MPL_VECTOR_WIDTHS(DEFAULT, half, float)
MPL_VECTOR_WIDTHS(DEFAULT, float, double)
VECTORS(half, convert_half, , double)
VECTORS(half, convert_half, _rte, double)
