/* Extended bit operations (OpenCL C 3.1, 6.15.3.1).  A field is `count` bits from `offset` on; both
 * are the same for all components, and a field that leaves the type is undefined. */
#include "value.h"

#define FIELDS(n, T, S, U, bits) \
  MPL_VALUE T##n bitfield_insert(T##n base, T##n insert, uint offset, uint count) { \
    U mask = (U)(low_##U(count) << (offset & (bits - 1))); \
    U##n moved = MPL_AS(U, n, insert) << (U##n)(U)(offset & (bits - 1)); \
    U##n result = (MPL_AS(U, n, base) & (U##n)(U)~mask) | (moved & (U##n)mask); \
    return MPL_AS(T, n, result); \
  } \
  MPL_VALUE U##n bitfield_extract_unsigned(T##n base, uint offset, uint count) { \
    return (MPL_AS(U, n, base) >> (U##n)(U)(offset & (bits - 1))) & (U##n)low_##U(count); \
  } \
  MPL_VALUE S##n bitfield_extract_signed(T##n base, uint offset, uint count) { \
    U##n top = MPL_AS(U, n, base) << (U##n)(U)((bits - offset - count) & (bits - 1)); \
    S##n result = MPL_AS(S, n, top) >> (S##n)(S)((bits - count) & (bits - 1)); \
    return result & (S##n)(S)low_any_##U(count); \
  }
/* `count` ones; all, or none if it is 0. */
#define LOW(U, bits) \
  MPL_HELPER U low_##U(uint count) { return count ? (U)((U)~(U)0 >> (bits - count)) : (U)0; } \
  MPL_HELPER U low_any_##U(uint count) { return count ? (U)~(U)0 : (U)0; }
LOW(uchar, 8) LOW(ushort, 16) LOW(uint, 32) LOW(ulong, 64)

#define REVERSE(T, U, bits) \
  MPL_VALUE T bit_reverse(T x) { return (T)__builtin_bitreverse##bits((U)x); }
#define REVERSE_VECTOR(n, T) \
  MPL_VALUE T##n bit_reverse(T##n x) { return __builtin_elementwise_bitreverse(x); }

#define ALL(T, S, U, W, bits, ...) \
  MPL_WIDTHS(FIELDS, T, S, U, bits) REVERSE(T, U, bits) MPL_VECTOR_WIDTHS(REVERSE_VECTOR, T)
MPL_SIGNED_TYPES(ALL)
MPL_UNSIGNED_TYPES(ALL)
