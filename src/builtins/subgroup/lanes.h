/* Vector code for one collective over the operands of a sub-group.
 *
 * `size` is a constant where these are inlined, and so is `active` as long as control flow does not
 * diverge: what depends on them is written straight out, one vector after another, and folds.
 * There are no loops to unroll and no addresses to compute; operands never need to lie in memory.
 * They are combined in an order that depends on size and active only, so that floating-point
 * results repeat. */
#ifndef MPL_BUILTINS_LANES_H
#define MPL_BUILTINS_LANES_H

#include "group/group.h"

#define MPL_COMBINE static __attribute__((always_inline, unused))

/* The type that a lane is computed in (group.h says why halves are floats), and the signed integers
 * whose truth selects a lane, there and in memory. */
#define WIDE_char int
#define WIDE_uchar uint
#define WIDE_short int
#define WIDE_ushort uint
#define WIDE_int int
#define WIDE_uint uint
#define WIDE_long long
#define WIDE_ulong ulong
#define WIDE_half float
#define WIDE_float float
#define WIDE_double double
#define CHOICE_int int
#define CHOICE_uint int
#define CHOICE_float int
#define CHOICE_long long
#define CHOICE_ulong long
#define CHOICE_double long
#define HELD_char char
#define HELD_uchar char
#define HELD_short short
#define HELD_ushort short
#define HELD_half short
#define HELD_int int
#define HELD_uint int
#define HELD_float int
#define HELD_long long
#define HELD_ulong long
#define HELD_double long

/* A minimum or maximum of floats depends on the order of its operands: zeros, NaNs. */
#define IS_FLOATING_char 0
#define IS_FLOATING_uchar 0
#define IS_FLOATING_short 0
#define IS_FLOATING_ushort 0
#define IS_FLOATING_int 0
#define IS_FLOATING_uint 0
#define IS_FLOATING_long 0
#define IS_FLOATING_ulong 0
#define IS_FLOATING_half 1
#define IS_FLOATING_float 1
#define IS_FLOATING_double 1

/* Vectors are of `lanes` lanes: 16 of up to 4 bytes, 8 of 8 bytes or in a sub-group of 8.
 * EACH(lanes, X, ...) is X(i, ...) of every vector i of a sub-group. */
#define EACH(lanes, ...) EACH_##lanes(__VA_ARGS__)
#define EACH_16(X, ...) \
  X(0, __VA_ARGS__) \
  if (size > 16) { X(1, __VA_ARGS__) } \
  if (size > 32) { X(2, __VA_ARGS__) X(3, __VA_ARGS__) }
#define EACH_8(X, ...) \
  X(0, __VA_ARGS__) \
  if (size > 8) { X(1, __VA_ARGS__) } \
  if (size > 16) { X(2, __VA_ARGS__) X(3, __VA_ARGS__) } \
  if (size > 32) { X(4, __VA_ARGS__) X(5, __VA_ARGS__) X(6, __VA_ARGS__) X(7, __VA_ARGS__) }
#define MOST_VECTORS 8

/* The types of a function on T. */
#define LANES_TYPES(T, lanes) \
  typedef PASTE(T, lanes) operands __attribute__((unused)); \
  typedef PASTE(WIDE_##T, lanes) vector; \
  typedef PASTE(PASTE(CHOICE_, WIDE_##T), lanes) choice; \
  typedef PASTE(HELD_##T, lanes) held __attribute__((unused)); \
  const choice bits __attribute__((unused)) = (choice)(PASTE(LANE_BITS_, lanes));
#define LANE_BITS_8 1, 2, 4, 8, 16, 32, 64, 128
#define LANE_BITS_16 LANE_BITS_8, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768
#define ACTIVE(i, lanes) (((choice)(uint)(active >> (i) * lanes) & bits) != 0)

/* The first lane that takes part; where none does, any. */
#define FIRST_OF(active) __builtin_ctzl((active) | (ulong)1 << (size - 1))

/* v[i]: operands, in place of those that take no part one that changes nothing. */
#define LOAD(i, lanes) v[i] = ACTIVE(i, lanes) ? __builtin_convertvector(in[i], vector) : nothing;
#define OPERANDS(T, lanes, none) \
  LANES_TYPES(T, lanes) \
  const vector nothing = (vector)(none); \
  vector v[MOST_VECTORS]; \
  EACH(lanes, LOAD, lanes)

/* Results, where something takes part. */
#define STORE(i, lanes, result) \
  in[i] = __builtin_convertvector(ACTIVE(i, lanes), held) \
              ? __builtin_convertvector(result, operands) \
              : in[i];

/* The bits of lanes that are true: of ints that are 0 or -1. */
typedef float v4sf __attribute__((__vector_size__(16)));
typedef float v8sf __attribute__((__vector_size__(32)));
typedef int v16si __attribute__((__vector_size__(64)));
#if defined(__AVX__)
#define TRUTHS_8(t) ((uint)__builtin_ia32_movmskps256(__builtin_astype(t, v8sf)))
#elif defined(__SSE2__)
#define TRUTHS_4(t) ((uint)__builtin_ia32_movmskps(__builtin_astype(t, v4sf)))
#define TRUTHS_8(t) (TRUTHS_4((t).lo) | TRUTHS_4((t).hi) << 4)
#else
#define TRUTHS_8(t) FOLD_8(((t) & (int8)(LANE_BITS_8)), or)
#endif
#if defined(__AVX512F__)
#define TRUTHS_16(t) \
  ((uint)__builtin_ia32_cmpd512_mask(__builtin_astype(t, v16si), \
                                     __builtin_astype((int16)0, v16si), 4, (ushort)-1))
#else
#define TRUTHS_16(t) (TRUTHS_8((t).lo) | TRUTHS_8((t).hi) << 8)
#endif

/* A function for every size: sub-groups of 8 fill half a vector of up to 4 bytes a lane. */
#define BY_SIZE(T, name, ...) PASTE(BY_SIZE_, WIDE_##T)(name, __VA_ARGS__)
#define BY_SIZE_NARROW(name, ...) (size == 8 ? name##_8(__VA_ARGS__) : name##_16(__VA_ARGS__))
#define BY_SIZE_int BY_SIZE_NARROW
#define BY_SIZE_uint BY_SIZE_NARROW
#define BY_SIZE_float BY_SIZE_NARROW
#define BY_SIZE_long(name, ...) name##_8(__VA_ARGS__)
#define BY_SIZE_ulong BY_SIZE_long
#define BY_SIZE_double BY_SIZE_long
#define DEFINE_BY_SIZE(T, ...) PASTE(DEFINE_BY_SIZE_, WIDE_##T)(T, __VA_ARGS__)
#define DEFINE_NARROW(T, define, ...) \
  define(T, 8, ##__VA_ARGS__) define(T, 16, ##__VA_ARGS__)
#define DEFINE_WIDE(T, define, ...) define(T, 8, ##__VA_ARGS__)
#define DEFINE_BY_SIZE_int DEFINE_NARROW
#define DEFINE_BY_SIZE_uint DEFINE_NARROW
#define DEFINE_BY_SIZE_float DEFINE_NARROW
#define DEFINE_BY_SIZE_long DEFINE_WIDE
#define DEFINE_BY_SIZE_ulong DEFINE_WIDE
#define DEFINE_BY_SIZE_double DEFINE_WIDE

/* reduce: vectors into one, pair by pair, then its lanes. */
#define MERGE(to, from, op) v[to] = COMBINE_##op(v[to], v[from]);
#define DEFINE_LANES_REDUCE_OF(T, lanes, op, none) \
  MPL_COMBINE T lanes_reduce_##op##_##T##_##lanes(const private T *x, uint size, ulong active) { \
    const private PASTE(T, lanes) *in = (const private PASTE(T, lanes) *)x; \
    OPERANDS(T, lanes, none) \
    if (size > 4 * lanes) { MERGE(0, 4, op) MERGE(1, 5, op) MERGE(2, 6, op) MERGE(3, 7, op) } \
    if (size > 2 * lanes) { MERGE(0, 2, op) MERGE(1, 3, op) } \
    if (size > lanes) { MERGE(0, 1, op) } \
    return (T)__extension__ PASTE(FOLD_, lanes)(v[0], op); \
  }
#define DEFINE_LANES_REDUCE(T, op, none) \
  DEFINE_BY_SIZE(T, DEFINE_LANES_REDUCE_OF, op, none) \
  MPL_COMBINE T lanes_reduce_##op##_##T(const private T *x, uint size, ulong active) { \
    return BY_SIZE(T, lanes_reduce_##op##_##T, x, size, active); \
  }

/* Scans: each vector by log steps, then what stands before it into all its lanes, by log steps
 * again. */
#define SCAN_LANES_STEP(i, op, shift, k) v[i] = COMBINE_##op(shift(v[i], nothing, k), v[i]);
#define SCAN_LANES_8(i, op) \
  SCAN_LANES_STEP(i, op, SHIFT_8, 1) SCAN_LANES_STEP(i, op, SHIFT_8, 2) \
  SCAN_LANES_STEP(i, op, SHIFT_8, 4)
#define SCAN_LANES_16(i, op) \
  SCAN_LANES_STEP(i, op, SHIFT_16, 1) SCAN_LANES_STEP(i, op, SHIFT_16, 2) \
  SCAN_LANES_STEP(i, op, SHIFT_16, 4) SCAN_LANES_STEP(i, op, SHIFT_16, 8)
#define SCAN_VECTORS(lanes, op) \
  SCAN_LANES_##lanes(0, op) \
  if (size > lanes) { SCAN_LANES_##lanes(1, op) CARRY(1, 0, lanes, op) } \
  if (size > 2 * lanes) { \
    SCAN_LANES_##lanes(2, op) SCAN_LANES_##lanes(3, op) \
    CARRY(3, 2, lanes, op) CARRY(2, 1, lanes, op) CARRY(3, 1, lanes, op) \
  } \
  if (size > 4 * lanes) { \
    SCAN_LANES_##lanes(4, op) SCAN_LANES_##lanes(5, op) \
    SCAN_LANES_##lanes(6, op) SCAN_LANES_##lanes(7, op) \
    CARRY(5, 4, lanes, op) CARRY(7, 6, lanes, op) CARRY(6, 5, lanes, op) CARRY(7, 5, lanes, op) \
    CARRY(4, 3, lanes, op) CARRY(5, 3, lanes, op) CARRY(6, 3, lanes, op) CARRY(7, 3, lanes, op) \
  }
#define CARRY(to, from, lanes, op) v[to] = COMBINE_##op((vector)(LAST_##lanes(v[from])), v[to]);
#define LAST_8(v) v.s7
#define LAST_16(v) v.sf
#define STORE_inclusive(i, lanes) STORE(i, lanes, v[i])
#define STORE_exclusive(i, lanes) STORE(i, lanes, SHIFT_##lanes(v[i], left, 1)) left = v[i];
#define DEFINE_LANES_SCAN_OF(T, lanes, op, none, form) \
  MPL_COMBINE void lanes_scan_##form##_##op##_##T##_##lanes(private T *x, uint size, \
                                                            ulong active) { \
    private PASTE(T, lanes) *in = (private PASTE(T, lanes) *)x; \
    OPERANDS(T, lanes, none) \
    SCAN_VECTORS(lanes, op) \
    vector left = nothing; \
    EACH(lanes, STORE_##form, lanes) \
    (void)left; \
  }
#define DEFINE_LANES_SCAN(T, op, none, form) \
  DEFINE_BY_SIZE(T, DEFINE_LANES_SCAN_OF, op, none, form) \
  MPL_COMBINE void lanes_scan_##form##_##op##_##T(private T *x, uint size, ulong active) { \
    BY_SIZE(T, lanes_scan_##form##_##op##_##T, x, size, active); \
  }

/* PERMUTED(v, of, k): lane i gets lane of(i, k). */
#define PERMUTED_8(v, of, k) \
  __builtin_shufflevector(v, v, of(0, k), of(1, k), of(2, k), of(3, k), of(4, k), of(5, k), \
                          of(6, k), of(7, k))
#define PERMUTED_16(v, of, k) \
  __builtin_shufflevector(v, v, of(0, k), of(1, k), of(2, k), of(3, k), of(4, k), of(5, k), \
                          of(6, k), of(7, k), of(8, k), of(9, k), of(10, k), of(11, k), of(12, k), \
                          of(13, k), of(14, k), of(15, k))
#define OTHER(i, k) ((i) ^ (k))
#define LOWER(i, k) ((i) & ~(k))
#define UPPER(i, k) ((i) | (k))

/* clustered: each lane with the one whose id differs in one bit, then in the next, so that all of a
 * cluster have the result.  It is the same bit by bit: where the order of two operands counts, the
 * lower lane's is first for both. */
#define CLUSTER_STEP(i, lanes, op, k) \
  v[i] = ordered ? COMBINE_##op(PERMUTED_##lanes(v[i], LOWER, k), \
                                PERMUTED_##lanes(v[i], UPPER, k)) \
                 : COMBINE_##op(v[i], PERMUTED_##lanes(v[i], OTHER, k));
#define CLUSTER_PAIR(lower, upper, op) v[lower] = v[upper] = COMBINE_##op(v[lower], v[upper]);
#define CLUSTER_LANES_8(i, op) \
  if (cluster > 1) { CLUSTER_STEP(i, 8, op, 1) } \
  if (cluster > 2) { CLUSTER_STEP(i, 8, op, 2) } \
  if (cluster > 4) { CLUSTER_STEP(i, 8, op, 4) }
#define CLUSTER_LANES_16(i, op) \
  if (cluster > 1) { CLUSTER_STEP(i, 16, op, 1) } \
  if (cluster > 2) { CLUSTER_STEP(i, 16, op, 2) } \
  if (cluster > 4) { CLUSTER_STEP(i, 16, op, 4) } \
  if (cluster > 8) { CLUSTER_STEP(i, 16, op, 8) }
#define CLUSTER_VECTORS(lanes, op) \
  CLUSTER_LANES_##lanes(0, op) \
  if (size > lanes) { CLUSTER_LANES_##lanes(1, op) } \
  if (size > 2 * lanes) { CLUSTER_LANES_##lanes(2, op) CLUSTER_LANES_##lanes(3, op) } \
  if (size > 4 * lanes) { \
    CLUSTER_LANES_##lanes(4, op) CLUSTER_LANES_##lanes(5, op) \
    CLUSTER_LANES_##lanes(6, op) CLUSTER_LANES_##lanes(7, op) \
  } \
  if (size > lanes && cluster > lanes) { \
    CLUSTER_PAIR(0, 1, op) \
    if (size > 2 * lanes) { CLUSTER_PAIR(2, 3, op) } \
    if (size > 4 * lanes) { CLUSTER_PAIR(4, 5, op) CLUSTER_PAIR(6, 7, op) } \
  } \
  if (size > 2 * lanes && cluster > 2 * lanes) { \
    CLUSTER_PAIR(0, 2, op) CLUSTER_PAIR(1, 3, op) \
    if (size > 4 * lanes) { CLUSTER_PAIR(4, 6, op) CLUSTER_PAIR(5, 7, op) } \
  } \
  if (size > 4 * lanes && cluster > 4 * lanes) { \
    CLUSTER_PAIR(0, 4, op) CLUSTER_PAIR(1, 5, op) CLUSTER_PAIR(2, 6, op) CLUSTER_PAIR(3, 7, op) \
  }
#define DEFINE_LANES_CLUSTER_OF(T, lanes, op, none) \
  MPL_COMBINE void lanes_cluster_##op##_##T##_##lanes(private T *x, uint size, ulong active, \
                                                      uint cluster) { \
    enum { ordered = IS_FLOATING_##T && ORDERED_##op }; \
    private PASTE(T, lanes) *in = (private PASTE(T, lanes) *)x; \
    OPERANDS(T, lanes, none) \
    CLUSTER_VECTORS(lanes, op) \
    EACH(lanes, STORE_inclusive, lanes) \
  }
#define DEFINE_LANES_CLUSTER(T, op, none) \
  DEFINE_BY_SIZE(T, DEFINE_LANES_CLUSTER_OF, op, none) \
  MPL_COMBINE void lanes_cluster_##op##_##T(private T *x, uint size, ulong active, uint cluster) { \
    BY_SIZE(T, lanes_cluster_##op##_##T, x, size, active, cluster); \
  }

#endif
