/* Vector code for one collective over the operands of a whole group.
 *
 * Vectors of 64 bytes, log-step inside a vector, carry between vectors; on CPUs with narrower
 * registers the back end splits them.  Everything is combined in an order that depends on the
 * number of operands only, so that floating-point results repeat. */
#ifndef MPL_BUILTINS_GROUP_H
#define MPL_BUILTINS_GROUP_H

#include "sync.h"
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* The vector types: lanes, and the integer vector whose truth selects a lane. */
#define LANES_int 16
#define LANES_uint 16
#define LANES_float 16
#define LANES_long 8
#define LANES_ulong 8
#define LANES_double 8
#define LANES_half 16
#define VECTOR_int int16
#define VECTOR_uint uint16
#define VECTOR_float float16
#define VECTOR_long long8
#define VECTOR_ulong ulong8
#define VECTOR_double double8
#define VECTOR_half half16
#define TRUTH_int int16
#define TRUTH_uint int16
#define TRUTH_float int16
#define TRUTH_long long8
#define TRUTH_ulong long8
#define TRUTH_double long8
#define TRUTH_half short16
#define LANE_IDS_16 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define LANE_IDS_8 0, 1, 2, 3, 4, 5, 6, 7

/* Identities. */
#define ZERO_OF(T) ((T)0)
#define ONE_OF(T) ((T)1)
#define ONES_OF(T) ((T)~0L)
#define HIGHEST_OF(T) HIGHEST_##T
#define LOWEST_OF(T) LOWEST_##T
#define HIGHEST_int INT_MAX
#define LOWEST_int INT_MIN
#define HIGHEST_uint UINT_MAX
#define LOWEST_uint 0u
#define HIGHEST_long LONG_MAX
#define LOWEST_long LONG_MIN
#define HIGHEST_ulong ULONG_MAX
#define LOWEST_ulong 0ul
#define HIGHEST_float INFINITY
#define LOWEST_float (-INFINITY)
#define HIGHEST_double ((double)INFINITY)
#define LOWEST_double (-(double)INFINITY)
#define HIGHEST_half ((half)INFINITY)
#define LOWEST_half (-(half)INFINITY)

/* Combining two vectors, or two scalars. */
#define COMBINE_add(a, b) ((a) + (b))
#define COMBINE_mul(a, b) ((a) * (b))
#define COMBINE_and(a, b) ((a) & (b))
#define COMBINE_or(a, b) ((a) | (b))
#define COMBINE_xor(a, b) ((a) ^ (b))
#define COMBINE_min(a, b) ((b) < (a) ? (b) : (a))
#define COMBINE_max(a, b) ((a) < (b) ? (b) : (a))
#define COMBINE_logical_and(a, b) ((a) & (b)) /* operands are 0 or 1 by then */
#define COMBINE_logical_or(a, b) ((a) | (b))
#define COMBINE_logical_xor(a, b) ((a) ^ (b))

/* SHIFT(v, fill, k): lane i gets lane i-k of v, the first k lanes the last k lanes of fill. */
#define S(i, k, n) ((i) < (k) ? 2 * (n) - (k) + (i) : (i) - (k))
#define SHIFT_8(v, f, k) \
  __builtin_shufflevector(v, f, S(0, k, 8), S(1, k, 8), S(2, k, 8), S(3, k, 8), S(4, k, 8), \
                          S(5, k, 8), S(6, k, 8), S(7, k, 8))
#define SHIFT_16(v, f, k) \
  __builtin_shufflevector(v, f, S(0, k, 16), S(1, k, 16), S(2, k, 16), S(3, k, 16), S(4, k, 16), \
                          S(5, k, 16), S(6, k, 16), S(7, k, 16), S(8, k, 16), S(9, k, 16), \
                          S(10, k, 16), S(11, k, 16), S(12, k, 16), S(13, k, 16), S(14, k, 16), \
                          S(15, k, 16))
#define LAST_8(v) __builtin_shufflevector(v, v, 7, 7, 7, 7, 7, 7, 7, 7)
#define LAST_16(v) __builtin_shufflevector(v, v, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15)

/* Log steps inside one vector. */
#define STEP(n, v, none, op, k) v = COMBINE_##op(SHIFT_##n(v, none, k), v)
#define SCAN_8(v, none, op) \
  STEP(8, v, none, op, 1); STEP(8, v, none, op, 2); STEP(8, v, none, op, 4)
#define SCAN_16(v, none, op) \
  STEP(16, v, none, op, 1); STEP(16, v, none, op, 2); STEP(16, v, none, op, 4); STEP(16, v, none, op, 8)
#define FOLD_8(v, op) \
  __extension__({ __typeof__(v.lo) a4 = COMBINE_##op(v.lo, v.hi); \
     __typeof__(a4.lo) a2 = COMBINE_##op(a4.lo, a4.hi); COMBINE_##op(a2.lo, a2.hi); })
#define FOLD_16(v, op) \
  __extension__({ __typeof__(v.lo) a8 = COMBINE_##op(v.lo, v.hi); FOLD_8(a8, op); })

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

/* reduce: four accumulators, then one vector at a time, then the part of a vector. */
#define DEFINE_REDUCE(T, op, none) \
  static T reduce_##op##_##T(const private T *x, ulong n) { \
    typedef VECTOR_##T vector; \
    const ulong lanes = LANES_##T; \
    const vector nothing = (vector)none; \
    vector a = nothing, b = nothing, c = nothing, d = nothing; \
    ulong i = 0; \
    for (; i + 4 * lanes <= n; i += 4 * lanes) { \
      a = COMBINE_##op(a, *(const private vector *)(x + i)); \
      b = COMBINE_##op(b, *(const private vector *)(x + i + lanes)); \
      c = COMBINE_##op(c, *(const private vector *)(x + i + 2 * lanes)); \
      d = COMBINE_##op(d, *(const private vector *)(x + i + 3 * lanes)); \
    } \
    for (; i + lanes <= n; i += lanes) a = COMBINE_##op(a, *(const private vector *)(x + i)); \
    if (i < n) { \
      TRUTH_##T in = ((TRUTH_##T)(PASTE(LANE_IDS_, LANES_##T)) < (__typeof__(((TRUTH_##T)0).x))(n - i)); \
      b = COMBINE_##op(b, in ? *(const private vector *)(x + i) : nothing); \
    } \
    a = COMBINE_##op(COMBINE_##op(a, b), COMBINE_##op(c, d)); \
    return PASTE(FOLD_, LANES_##T)(a, op); \
  }

/* scans, in place; what lies between n and the next multiple of the vector may change. */
#define DEFINE_SCANS(T, op, none) \
  static void scan_inclusive_##op##_##T(private T *x, ulong n) { \
    typedef VECTOR_##T vector; \
    const vector nothing = (vector)none; \
    vector carry = nothing; \
    for (ulong i = 0, vectors = (n + LANES_##T - 1) / LANES_##T; i < vectors; i++) { \
      vector v = ((private vector *)x)[i]; \
      PASTE(SCAN_, LANES_##T)(v, nothing, op); \
      ((private vector *)x)[i] = COMBINE_##op(carry, v); \
      carry = COMBINE_##op(carry, PASTE(LAST_, LANES_##T)(v)); \
    } \
  } \
  static void scan_exclusive_##op##_##T(private T *x, ulong n) { \
    typedef VECTOR_##T vector; \
    const vector nothing = (vector)none; \
    vector carry = nothing; \
    for (ulong i = 0, vectors = (n + LANES_##T - 1) / LANES_##T; i < vectors; i++) { \
      vector v = ((private vector *)x)[i]; \
      PASTE(SCAN_, LANES_##T)(v, nothing, op); \
      ((private vector *)x)[i] = COMBINE_##op(carry, PASTE(SHIFT_, LANES_##T)(v, nothing, 1)); \
      carry = COMBINE_##op(carry, PASTE(LAST_, LANES_##T)(v)); \
    } \
  }

#endif
