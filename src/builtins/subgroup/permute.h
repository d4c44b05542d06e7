/* Operands of a sub-group that change places: shuffles, rotations (lanes.h says what is constant).
 *
 * Types are moved as unsigned integers of their size, bit by bit; small ones in wider lanes.  A
 * source that is out of range or takes no part gives any lane's value. */
#ifndef MPL_BUILTINS_PERMUTE_H
#define MPL_BUILTINS_PERMUTE_H

#include "lanes.h"

/* The unsigned integer that stands for T. */
#define BITS_char uchar
#define BITS_uchar uchar
#define BITS_short ushort
#define BITS_ushort ushort
#define BITS_int uint
#define BITS_uint uint
#define BITS_long ulong
#define BITS_ulong ulong
#define BITS_half ushort
#define BITS_float uint
#define BITS_double ulong

/* Where lane `id` takes its operand from, by the function's second operand. */
#define SOURCE_shuffle(id, with) (with)
#define SOURCE_shuffle_xor(id, with) ((id) ^ (with))
#define SOURCE_shuffle_up(id, with) ((id) - (with))
#define SOURCE_shuffle_down(id, with) ((id) + (with))

/* Lanes from one register or from two, by as many low bits of each index as that needs. */
#if defined(__AVX512F__)
typedef int v8si __attribute__((__vector_size__(32)));
typedef long v8di __attribute__((__vector_size__(64)));
#define TO(T, v) __builtin_astype(v, T)
#define FROM_ONE_uint8(a, at) TO(uint8, __builtin_ia32_permvarsi256(TO(v8si, a), TO(v8si, at)))
#define FROM_ONE_uint16(a, at) TO(uint16, __builtin_ia32_permvarsi512(TO(v16si, a), TO(v16si, at)))
#define FROM_ONE_ulong8(a, at) TO(ulong8, __builtin_ia32_permvardi512(TO(v8di, a), TO(v8di, at)))
#define FROM_TWO_uint16(a, b, at) \
  TO(uint16, __builtin_ia32_vpermi2vard512(TO(v16si, a), TO(v16si, at), TO(v16si, b)))
#define FROM_TWO_ulong8(a, b, at) \
  TO(ulong8, __builtin_ia32_vpermi2varq512(TO(v8di, a), TO(v8di, at), TO(v8di, b)))
#else
/* Lane by lane.  The back end finds AVX2's instruction in that too, after long looking: a shuffle of 16
 * lanes is 130 instructions until then. */
MPL_COMBINE uint8 each_uint8(uint8 a, uint8 at) {
  at &= 7;
  return (uint8)(a[at.s0], a[at.s1], a[at.s2], a[at.s3], a[at.s4], a[at.s5], a[at.s6], a[at.s7]);
}
MPL_COMBINE ulong4 each_ulong4(ulong4 a, ulong4 at) {
  at &= 3;
  return (ulong4)(a[at.s0], a[at.s1], a[at.s2], a[at.s3]);
}
#if defined(__AVX__)
/* library.c: has the processor AVX2, and its instruction then */
bool __mpl_has_permute(void) __attribute__((const));
uint8 __mpl_permute(uint8 a, uint8 at) __attribute__((const));
MPL_COMBINE uint8 from_one_uint8(uint8 a, uint8 at) {
  return __mpl_has_permute() ? __mpl_permute(a, at) : each_uint8(a, at);
}
/* Its halves come from where those of `a` are. */
MPL_COMBINE ulong4 from_one_ulong4(ulong4 a, ulong4 at) {
  if (!__mpl_has_permute()) return each_ulong4(a, at);
  const ulong4 low = (at & 3) << 1, halves = low | low << 32 | (ulong4)(1UL << 32);
  return __builtin_astype(__mpl_permute(__builtin_astype(a, uint8), __builtin_astype(halves, uint8)), ulong4);
}
#else
#define from_one_uint8(a, at) each_uint8(a, at)
#define from_one_ulong4(a, at) each_ulong4(a, at)
#endif
MPL_COMBINE uint8 from_two_uint8(uint8 a, uint8 b, uint8 at) {
  return (at & 8) != 0 ? from_one_uint8(b, at) : from_one_uint8(a, at);
}
MPL_COMBINE ulong4 from_two_ulong4(ulong4 a, ulong4 b, ulong4 at) {
  return (at & 4) != 0 ? from_one_ulong4(b, at) : from_one_ulong4(a, at);
}
#define FROM_ONE_uint8(a, at) from_one_uint8(a, at)
#define FROM_ONE_uint16(a, at) \
  ((uint16)(from_two_uint8((a).lo, (a).hi, (at).lo), from_two_uint8((a).lo, (a).hi, (at).hi)))
#define FROM_ONE_ulong8(a, at) \
  ((ulong8)(from_two_ulong4((a).lo, (a).hi, (at).lo), from_two_ulong4((a).lo, (a).hi, (at).hi)))
#define FROM_TWO_uint16(a, b, at) \
  (((at) & 16) != 0 ? FROM_ONE_uint16(b, at) : FROM_ONE_uint16(a, at))
#define FROM_TWO_ulong8(a, b, at) \
  (((at) & 8) != 0 ? FROM_ONE_ulong8(b, at) : FROM_ONE_ulong8(a, at))
#endif

/* The same from all vectors of a sub-group: the higher bits of an index choose among pairs. */
#define PAIR(T, lanes, i) FROM_TWO_##T##lanes(v[i], v[i + 1], at)
#define TAKEN_uint_8 FROM_ONE_uint8(v[0], at)
#define TAKEN_uint_16 \
  (size <= 16   ? FROM_ONE_uint16(v[0], at) \
   : size <= 32 ? PAIR(uint, 16, 0) \
                : ((at & 32) != 0 ? PAIR(uint, 16, 2) : PAIR(uint, 16, 0)))
#define TAKEN_ulong_8 \
  (size <= 8    ? FROM_ONE_ulong8(v[0], at) \
   : size <= 16 ? PAIR(ulong, 8, 0) \
   : size <= 32 ? ((at & 16) != 0 ? PAIR(ulong, 8, 2) : PAIR(ulong, 8, 0)) \
                : ((at & 32) != 0 ? ((at & 16) != 0 ? PAIR(ulong, 8, 6) : PAIR(ulong, 8, 4)) \
                                  : ((at & 16) != 0 ? PAIR(ulong, 8, 2) : PAIR(ulong, 8, 0))))
#define TAKEN(T, lanes) PASTE(PASTE(TAKEN_, WIDE_##T), _##lanes)

/* v[i]: operands as they are; `at`: where those of one vector come from. */
#define MOVED(i, lanes) v[i] = __builtin_convertvector(in[i], vector);
#define TAKE(i, T, lanes, kind) \
  { \
    const vector ids __attribute__((unused)) = (vector)(PASTE(LANE_IDS_, lanes)) + (i) * lanes; \
    const vector at = SOURCE_##kind(ids, __builtin_convertvector(second[i], vector)); \
    STORE(i, lanes, (TAKEN(T, lanes))) \
  }
#define DEFINE_PERMUTE_OF(T, lanes, kind) \
  MPL_COMBINE void lanes_##kind##_##T##_##lanes(private T *x, private const uint *with, uint size, \
                                                ulong active) { \
    LANES_TYPES(T, lanes) \
    private operands *in = (private operands *)x; \
    private const PASTE(uint, lanes) *second = (private const PASTE(uint, lanes) *)with; \
    vector v[MOST_VECTORS]; \
    EACH(lanes, MOVED, lanes) \
    EACH(lanes, TAKE, T, lanes, kind) \
  }
/* One lane's, by a permutation too: through memory it comes later. */
#define DEFINE_PICK_OF(T, lanes) \
  MPL_COMBINE T lanes_pick_##T##_##lanes(private const T *x, uint size, uint id) { \
    LANES_TYPES(T, lanes) \
    private const operands *in = (private const operands *)x; \
    const vector at = (vector)id; \
    vector v[MOST_VECTORS]; \
    EACH(lanes, MOVED, lanes) \
    return (T)(TAKEN(T, lanes).s0); \
  }
#define DEFINE_PICK(T) \
  DEFINE_BY_SIZE(T, DEFINE_PICK_OF) \
  MPL_COMBINE T lanes_pick_##T(private const T *x, uint size, uint id) { \
    return BY_SIZE(T, lanes_pick_##T, x, size, id); \
  }

#define DEFINE_PERMUTE(T, kind) \
  DEFINE_BY_SIZE(T, DEFINE_PERMUTE_OF, kind) \
  MPL_COMBINE void lanes_##kind##_##T(private T *x, private const uint *with, uint size, \
                                      ulong active) { \
    BY_SIZE(T, lanes_##kind##_##T, x, with, size, active); \
  }

#endif
