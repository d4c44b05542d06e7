/* Vector code for one collective over the operands of a whole group.
 *
 * Vectors of 64 bytes; on CPUs with narrower registers the back end splits them.  Operands are
 * combined in an order that depends on their number only, so that floating-point results repeat. */
#ifndef MPL_BUILTINS_GROUP_H
#define MPL_BUILTINS_GROUP_H

#include "identities.h"
#include "tables/operations.h"
#include "sync.h"
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* The vector types: lanes, the vector that is computed with, and the integer vector whose truth
 * selects a lane.  In memory are lanes of the type itself; halves are computed with as floats,
 * which most CPUs need anyway, and rounded once, at the end. */
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
#define VECTOR_half float16
#define TRUTH_int int16
#define TRUTH_uint int16
#define TRUTH_float int16
#define TRUTH_long long8
#define TRUTH_ulong long8
#define TRUTH_double long8
#define TRUTH_half int16
#define LANE_IDS_16 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define LANE_IDS_8 0, 1, 2, 3, 4, 5, 6, 7

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

/* The types of a function on T: `operands` are a vector as it lies in memory. */
#define TYPES(T) \
  typedef VECTOR_##T vector; \
  typedef T operands __attribute__((ext_vector_type(LANES_##T)));
#define LOADED(x) __builtin_convertvector(x, vector)
#define STORED(v) __builtin_convertvector(v, operands)

/* All lanes into one.  Vectors to the end: their lanes wrap, where two ints must not overflow. */
#define FOLD_2(v, op) (COMBINE_##op(v, v.yx).x)
#define FOLD_4(v, op) ({ __typeof__(v.lo) v2 = COMBINE_##op(v.lo, v.hi); FOLD_2(v2, op); })
#define FOLD_8(v, op) ({ __typeof__(v.lo) v4 = COMBINE_##op(v.lo, v.hi); FOLD_4(v4, op); })
#define FOLD_16(v, op) ({ __typeof__(v.lo) v8 = COMBINE_##op(v.lo, v.hi); FOLD_8(v8, op); })

/* reduce: four accumulators, then one vector at a time, then the part of a vector. */
#define DEFINE_REDUCE(T, op, none) \
  static T reduce_##op##_##T(const private T *x, ulong n) { \
    TYPES(T) \
    const private operands *in = (const private operands *)x; \
    const vector nothing = (vector)(none); \
    vector a = nothing, b = nothing, c = nothing, d = nothing; \
    ulong count = n / LANES_##T, rest = n % LANES_##T, i = 0; \
    for (; i + 4 <= count; i += 4) { \
      a = COMBINE_##op(a, LOADED(in[i])); \
      b = COMBINE_##op(b, LOADED(in[i + 1])); \
      c = COMBINE_##op(c, LOADED(in[i + 2])); \
      d = COMBINE_##op(d, LOADED(in[i + 3])); \
    } \
    for (; i < count; i++) a = COMBINE_##op(a, LOADED(in[i])); \
    if (rest) { \
      TRUTH_##T ids = (TRUTH_##T)(PASTE(LANE_IDS_, LANES_##T)), end = rest; \
      b = COMBINE_##op(b, ids < end ? LOADED(in[i]) : nothing); \
    } \
    a = COMBINE_##op(COMBINE_##op(a, b), COMBINE_##op(c, d)); \
    return (T)__extension__ PASTE(FOLD_, LANES_##T)(a, op); \
  }

/* SHIFT(v, left, k): lane i gets lane i-k of v, the first k lanes the last k lanes of left. */
#define FROM(i, k, n) ((i) < (k) ? 2 * (n) - (k) + (i) : (i) - (k))
#define SHIFT_8(v, left, k) \
  __builtin_shufflevector(v, left, FROM(0, k, 8), FROM(1, k, 8), FROM(2, k, 8), FROM(3, k, 8), \
                          FROM(4, k, 8), FROM(5, k, 8), FROM(6, k, 8), FROM(7, k, 8))
#define SHIFT_16(v, left, k) \
  __builtin_shufflevector(v, left, FROM(0, k, 16), FROM(1, k, 16), FROM(2, k, 16), FROM(3, k, 16), \
                          FROM(4, k, 16), FROM(5, k, 16), FROM(6, k, 16), FROM(7, k, 16), \
                          FROM(8, k, 16), FROM(9, k, 16), FROM(10, k, 16), FROM(11, k, 16), \
                          FROM(12, k, 16), FROM(13, k, 16), FROM(14, k, 16), FROM(15, k, 16))

/* Scans: log steps that run on over the ends of vectors.
 *
 * After the step by k, each lane of v holds the combination of the 2k operands that end there (for
 * exclusive scans, just before there); the step takes what lies to the left of the vector from
 * left<k>, which is v of before that step, one vector earlier.  In the end these are as many operands
 * as a vector has lanes, so that only the scan one vector earlier is missing, lane by lane.  No carry
 * has to be taken out of the last lane and spread over the next vector, and no lane to be filled:
 * either costs as much as a step. */
#define SCAN_FIRST_inclusive(op, shift, x, left) COMBINE_##op(shift(x, left, 1), x)
#define SCAN_FIRST_exclusive(op, shift, x, left) COMBINE_##op(shift(x, left, 2), shift(x, left, 1))
#define SCAN_STEP(op, shift, k) \
  { \
    vector longer = COMBINE_##op(shift(v, left##k, k), v); \
    left##k = v; \
    v = longer; \
  }
#define SCAN_STEPS_8(op) SCAN_STEP(op, SHIFT_8, 2) SCAN_STEP(op, SHIFT_8, 4)
#define SCAN_STEPS_16(op) \
  SCAN_STEP(op, SHIFT_16, 2) SCAN_STEP(op, SHIFT_16, 4) SCAN_STEP(op, SHIFT_16, 8)

/* In place, four vectors in each iteration: what lies between n and the next multiple of that changes too. */
#define DEFINE_SCAN(T, op, none, form) \
  static void scan_##form##_##op##_##T(private T *x, ulong n) { \
    TYPES(T) \
    private operands *in = (private operands *)x; \
    const vector nothing = (vector)(none); \
    vector left1 = nothing, left2 = nothing, left4 = nothing, left8 = nothing, scan = nothing; \
    ulong count = (n + 4 * LANES_##T - 1) / (4 * LANES_##T) * 4; \
    _Pragma("unroll 4") for (ulong i = 0; i < count; i++) { \
      vector next = LOADED(in[i]); \
      vector v = SCAN_FIRST_##form(op, PASTE(SHIFT_, LANES_##T), next, left1); \
      left1 = next; \
      PASTE(SCAN_STEPS_, LANES_##T)(op) \
      scan = COMBINE_##op(scan, v); \
      in[i] = STORED(scan); \
    } \
    (void)left8; \
  }

#endif
