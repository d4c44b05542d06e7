/* Collectives of a work-group on a GPU: each sub-group combines its operands and stores one result;
 * all meet, once; every sub-group combines the results itself.
 *
 * The results lie in one of two halves of scratch memory, which alternate.  Two are enough: whoever
 * writes a half again has passed the meeting of the collective between, which all reach only after
 * they have read that half.
 *
 * In large groups one sub-group combines all operands of some operations (group_staged.h).
 *
 * Operands are combined in an order that depends on the local size only.  Any local size is right;
 * where it is no multiple of 32, the last sub-group is short. */
#ifndef MPL_NVPTX_GROUP_H
#define MPL_NVPTX_GROUP_H

#include "group/identities.h"
#include "primitives.h"
#include "tables/operations.h"

struct team {
  uint id, lane, which, items, teams, phase; /* local linear id, lane and number of its sub-group */
  local char *scratch;
};

NV uint items_of_group(void) { return __mpl_gpu_size_0() * __mpl_gpu_size_1() * __mpl_gpu_size_2(); }

/* Once for each collective. */
NV struct team team_of(void) {
  const uint x = __mpl_gpu_size_0(), y = __mpl_gpu_size_1();
  struct team t;
  t.scratch = __mpl_gpu_scratch();
  t.phase = *__mpl_gpu_phase();
  *__mpl_gpu_phase() = t.phase ^ 256; /* also if it is not used: so it is known, in a row of calls */
  t.id = __nvvm_read_ptx_sreg_tid_x() +
         x * (__nvvm_read_ptx_sreg_tid_y() + y * __nvvm_read_ptx_sreg_tid_z());
  t.items = items_of_group();
  t.lane = t.id & 31;
  t.which = t.id >> 5;
  t.teams = (t.items + 31) >> 5;
  return t;
}

#define SLOTS(t, T) ((local T *)((t)->scratch + (t)->phase))
/* The result, where one sub-group combines for all. */
#define FINAL(t, T) ((local T *)((t)->scratch + 512 + (t)->phase / 16))
NV bool is_whole(const struct team *t) { return !(t->items & 31); }
NV uint lanes_here(const struct team *t) {
  return t->which + 1 == t->teams && !is_whole(t) ? t->items & 31 : 32;
}
/* Results of so few sub-groups are read as vectors, at most two, without shuffles. */
NV bool is_small(const struct team *t, uint most) {
  return t->teams <= most && (t->teams == 2 || t->teams == 4 || t->teams == 8);
}
#define MOST_SMALL_add 8
#define MOST_SMALL_min 4
#define MOST_SMALL_max 4
#define MOST_SMALL_and 4
#define MOST_SMALL_or 4
#define MOST_SMALL_xor 4
enum { MOST_SMALL_SCAN = 2, MOST_SMALL_FLOAT = 4, ONE_FOR_ALL = 16 /* sub-groups */ };

#include "group_staged.h"

/* --- Integers of 64 bits by instructions of 32 --- */

/* The sum of 32 numbers of 27 bits has no more than 32. */
NV long total_add_long(long x) {
  uint low = total_add_uint((uint)x & 0x7ffffff), middle = total_add_uint((uint)(x >> 27) & 0x7ffffff);
  uint high = total_add_uint((uint)((ulong)x >> 54));
  return (long)((ulong)low + ((ulong)middle << 27) + ((ulong)high << 54));
}
/* The high half decides, then the low halves of those that have it. */
#define TOTAL_EXTREME(op, T, H, none) \
  NV T total_##op##_##T(T x) { \
    H high = (H)(x >> 32), best = total_##op##_##H(high); \
    uint low = total_##op##_uint(high == best ? (uint)x : none); \
    return (T)((ulong)(uint)best << 32 | low); \
  }
TOTAL_EXTREME(max, long, int, 0u) TOTAL_EXTREME(min, long, int, ~0u)
TOTAL_EXTREME(max, ulong, uint, 0u) TOTAL_EXTREME(min, ulong, uint, ~0u)
#define TOTAL_BITS(op) \
  NV long total_##op##_long(long x) { \
    uint low = (uint)total_##op##_int((int)x), high = (uint)total_##op##_int((int)(x >> 32)); \
    return (long)((ulong)high << 32 | low); \
  }
TOTAL_BITS(and) TOTAL_BITS(or) TOTAL_BITS(xor)

/* --- Integers: a sub-group's total is one step, in all of its lanes --- */

/* The totals of the first `count` sub-groups. */
#define GATHER(op, T, none) \
  NV T gather_##op##_##T(const struct team *t, uint count) { \
    const local T *totals = SLOTS(t, T); \
    T x = t->lane < count ? totals[t->lane] : (T)(none); \
    if (!is_whole(t)) { /* fewer lanes than sub-groups, perhaps */ \
      for (uint here = lanes_here(t), i = t->lane + here; i < count; i += here) { \
        T y = totals[i]; \
        x = COMBINE_##op(x, y); \
      } \
      meet_lanes(); \
    } \
    return total_##op##_##T(x); \
  }
#define FOUR(op, T) \
  NV T four_##op##_##T(T##4 v) { \
    T a = COMBINE_##op(v.x, v.y), b = COMBINE_##op(v.z, v.w); \
    return COMBINE_##op(a, b); \
  }
/* Of all; and of those before the own one. */
#define SMALL(op, T, none) \
  FOUR(op, T) \
  NV T small_##op##_##T(const struct team *t) { \
    const local T##4 *totals = (const local T##4 *)SLOTS(t, T); \
    if (t->teams == 2) { \
      T##2 v = *(const local T##2 *)totals; \
      return COMBINE_##op(v.x, v.y); \
    } \
    T a = four_##op##_##T(totals[0]); \
    if (t->teams == 4) return a; \
    T b = four_##op##_##T(totals[1]); \
    return COMBINE_##op(a, b); \
  } \
  NV T small_before_##op##_##T(const struct team *t) { \
    const local T##4 *totals = (const local T##4 *)SLOTS(t, T); \
    uint own = t->which; \
    if (t->teams == 2) { \
      T v = *(const local T *)totals; \
      return own > 0 ? v : (T)(none); \
    } \
    T##4 v = totals[0]; \
    v.x = own > 0 ? v.x : (T)(none); \
    v.y = own > 1 ? v.y : (T)(none); \
    v.z = own > 2 ? v.z : (T)(none); \
    v.w = own > 3 ? v.w : (T)(none); \
    return four_##op##_##T(v); \
  }
/* An operand with all before the own sub-group, of two or four: as a tree, since all wait for it. */
#define SMALL_SCAN(op, T, none) \
  NV T small_scan_##op##_##T(const struct team *t, T x) { \
    const local T *totals = SLOTS(t, T); \
    uint own = t->which; \
    T a = get_##T(totals, own > 0, (T)(none)); \
    if (t->teams == 2) return COMBINE_##op(a, x); \
    T b = get_##T(totals + 1, own > 1, (T)(none)), c = get_##T(totals + 2, own > 2, (T)(none)); \
    a = COMBINE_##op(a, b); \
    c = COMBINE_##op(c, x); \
    return COMBINE_##op(a, c); \
  }
#define REDUCE(op, T) \
  NV T group_reduce_##op##_##T(T x) { \
    struct team own = team_of(), *t = &own; \
    meet_lanes(); \
    if (sizeof(T) == 8 && is_staged(t, STAGED_##op)) return staged_reduce_##op##_##T(t, x); \
    x = total_##op##_##T(x); \
    if (t->teams == 1) return x; \
    put_##T(SLOTS(t, T) + t->which, x, t->lane == 0); \
    meet(); \
    x = is_small(t, MOST_SMALL_##op) ? small_##op##_##T(t) : gather_##op##_##T(t, t->teams); \
    return x; \
  }
/* Totals are handed on before they are scanned, and the scan's steps overlap the meeting.  Of 64 bits
 * in few sub-groups a total costs more than the scan, whose last lane has it too. */
#define SCAN(op, T, none, from_inclusive) \
  NV T group_scan_##op##_##T(T x, const bool exclusive) { \
    struct team own = team_of(), *t = &own; \
    meet_lanes(); \
    if (sizeof(T) == 8 && is_staged(t, 8, 16)) return staged_scan_##op##_##T(t, x, exclusive); \
    T before = (T)(none), y = x; \
    const bool by_scan = sizeof(T) == 8 && t->teams <= 4 && is_whole(t); \
    if (t->teams > 1 && !by_scan) \
      put_##T(SLOTS(t, T) + t->which, total_##op##_##T(x), t->lane == 0); \
    y = up_##op##_##T(y, 1); \
    if (t->teams > 1 && !by_scan) meet(); \
    if (t->teams > 1 && !by_scan) \
      before = is_small(t, MOST_SMALL_SCAN) ? small_before_##op##_##T(t) \
                                            : gather_##op##_##T(t, t->which); \
    y = up_##op##_##T(y, 2); \
    y = up_##op##_##T(y, 4); \
    y = up_##op##_##T(y, 8); \
    y = up_##op##_##T(y, 16); \
    if (t->teams > 1 && by_scan) { \
      put_##T(SLOTS(t, T) + t->which, y, t->lane == 31); \
      meet(); \
    } \
    if (exclusive) y = from_inclusive; \
    if (by_scan && is_small(t, 4)) return small_scan_##op##_##T(t, y); \
    if (t->teams > 1 && by_scan) before = gather_##op##_##T(t, t->which); \
    return COMBINE_##op(before, y); \
  }
#define EXACT(op, T, none, from_inclusive) \
  GATHER(op, T, none) SMALL(op, T, none) SMALL_SCAN(op, T, none) REDUCE(op, T) \
  SCAN(op, T, none, from_inclusive)
#define EXACT_32(op, T, none, from_inclusive) \
  NV T staged_reduce_##op##_##T(const struct team *t, T x) { return x; } \
  NV T staged_scan_##op##_##T(const struct team *t, T x, const bool exclusive) { return x; } \
  EXACT(op, T, none, from_inclusive)
#define EXACT_64(op, T, none, from_inclusive) \
  CHUNK_8(op, T) STAGED_REDUCE(op, T, total_##op##_##T) STAGED_SCAN(op, T, none) \
  EXACT(op, T, none, from_inclusive)
EXACT_32(add, int, 0, (int)((uint)y - (uint)x))
EXACT_64(add, long, 0, (long)((ulong)y - (ulong)x))
EXACT_32(xor, int, 0, y ^ x)
EXACT_64(xor, long, 0, y ^ x)
EXACT_32(and, int, -1, previous_int(y, -1))
EXACT_64(and, long, -1, previous_long(y, -1))
EXACT_32(or, int, 0, previous_int(y, 0))
EXACT_64(or, long, 0, previous_long(y, 0))
EXACT_32(min, int, INT_MAX, previous_int(y, INT_MAX))
EXACT_32(max, int, INT_MIN, previous_int(y, INT_MIN))
EXACT_32(min, uint, UINT_MAX, previous_uint(y, UINT_MAX))
EXACT_32(max, uint, 0, previous_uint(y, 0))
EXACT_64(min, long, LONG_MAX, previous_long(y, LONG_MAX))
EXACT_64(max, long, LONG_MIN, previous_long(y, LONG_MIN))
EXACT_64(min, ulong, ULONG_MAX, previous_ulong(y, ULONG_MAX))
EXACT_64(max, ulong, 0, previous_ulong(y, 0))

/* --- What takes five steps: sums of floating point, products --- */

/* The results of the first `count` sub-groups, one after another.  All work-items look at all. */
#define SERIAL(op, T, none) \
  NV T serial_##op##_##T(const struct team *t, uint count) { \
    T x = none; \
    for (uint i = 0; i < t->teams; i++) { \
      T y = SLOTS(t, T)[i]; \
      x = i < count ? COMBINE_##op(x, y) : x; \
    } \
    return x; \
  }
/* Four results in a lane, then lanes with one another. */
#define QUADS(op, T, none) \
  NV bool has_quads_##op##_##T(const struct team *t) { \
    return is_whole(t) && t->teams >= 4 && !(t->teams & (t->teams - 1)); \
  } \
  NV T butterfly_##op##_##T(const struct team *t, T x) { \
    T y; \
    if (t->teams >= 8) y = other_##T(x, 1), x = COMBINE_##op(x, y); \
    if (t->teams >= 16) y = other_##T(x, 2), x = COMBINE_##op(x, y); \
    if (t->teams >= 32) y = other_##T(x, 4), x = COMBINE_##op(x, y); \
    return x; \
  } \
  NV T quads_##op##_##T(const struct team *t) { \
    if (t->teams == 2) { \
      T a = SLOTS(t, T)[0], b = SLOTS(t, T)[1]; \
      return COMBINE_##op(a, b); \
    } \
    if (!has_quads_##op##_##T(t)) return serial_##op##_##T(t, t->teams); \
    T##4 v = ((const local T##4 *)SLOTS(t, T))[t->lane & (t->teams / 4 - 1)]; \
    return butterfly_##op##_##T(t, four_##op##_##T(v)); \
  } \
  NV T quads_before_##op##_##T(const struct team *t) { \
    if (t->teams == 2) { \
      T first = SLOTS(t, T)[0]; \
      return t->which ? first : (T)(none); \
    } \
    if (!has_quads_##op##_##T(t)) return serial_##op##_##T(t, t->which); \
    uint quad = t->lane & (t->teams / 4 - 1); \
    int before = (int)t->which - 4 * (int)quad; \
    T##4 v = ((const local T##4 *)SLOTS(t, T))[quad]; \
    v.x = before > 0 ? v.x : (T)(none); \
    v.y = before > 1 ? v.y : (T)(none); \
    v.z = before > 2 ? v.z : (T)(none); \
    v.w = before > 3 ? v.w : (T)(none); \
    return butterfly_##op##_##T(t, four_##op##_##T(v)); \
  }
/* From 16 sub-groups on one combines for all: that every one does costs more than to meet again. */
#define STEPS_REDUCE(name, op, T) \
  NV T name(T x) { \
    struct team own = team_of(), *t = &own; \
    meet_lanes(); \
    if (is_staged(t, 4, MOST_TEAMS)) return staged_reduce_##op##_##T(t, x); \
    uint last = lanes_here(t) - 1; \
    x = down_##op##_##T(x, 16, last); \
    x = down_##op##_##T(x, 8, last); \
    x = down_##op##_##T(x, 4, last); \
    x = down_##op##_##T(x, 2, last); \
    x = down_##op##_##T(x, 1, last); \
    put_##T(SLOTS(t, T) + t->which, x, t->lane == 0); \
    meet(); \
    if (t->teams >= ONE_FOR_ALL && is_whole(t)) { \
      if (t->which == 0) { \
        T all = quads_##op##_##T(t); \
        put_##T(FINAL(t, T), all, t->lane == 0); \
      } \
      meet(); \
      x = *FINAL(t, T); \
    } else if (t->teams == 1) { \
      x = *SLOTS(t, T); \
    } else { \
      x = is_small(t, MOST_SMALL_FLOAT) && is_whole(t) ? small_##op##_##T(t) : quads_##op##_##T(t); \
    } \
    return x; \
  }
#define STEPS_SCAN(op, T, none, stages) \
  NV T group_scan_##op##_##T(T x, const bool exclusive) { \
    struct team own = team_of(), *t = &own; \
    meet_lanes(); \
    if (is_staged(t, stages, 16)) return staged_scan_##op##_##T(t, x, exclusive); \
    T lanes_before = none, with = x; \
    if (sizeof(T) == 8 || !exclusive) { \
      with = up_##op##_##T(with, 1); \
      with = up_##op##_##T(with, 2); \
      with = up_##op##_##T(with, 4); \
      with = up_##op##_##T(with, 8); \
      with = up_##op##_##T(with, 16); \
      if (exclusive) lanes_before = previous_##T(with, (T)(none)); \
    } else { /* a second operation is less than a sixth step */ \
      lanes_before = previous_##T(with, (T)(none)); \
      with = COMBINE_##op(lanes_before, with); \
      both_##op##_##T(&lanes_before, &with, 2); \
      both_##op##_##T(&lanes_before, &with, 4); \
      both_##op##_##T(&lanes_before, &with, 8); \
      both_##op##_##T(&lanes_before, &with, 16); \
    } \
    x = exclusive ? lanes_before : with; \
    if (t->teams == 1) return x; \
    put_##T(SLOTS(t, T) + t->which, with, t->lane == 31); \
    meet(); \
    T before = is_small(t, MOST_SMALL_FLOAT) && is_whole(t) ? small_before_##op##_##T(t) \
                                                            : quads_before_##op##_##T(t); \
    return COMBINE_##op(before, x); \
  }
/* `stages`: from how many sub-groups on scans are staged.  In eight, an exclusive scan of 32 bits gains
 * 1.42 times the throughput for 1.12 times the latency, which an inclusive one cannot spare. */
#define BY_STEPS_AS(reduce, total, bytes, op, T, none, stages) \
  SERIAL(op, T, none) SMALL(op, T, none) QUADS(op, T, none) CHUNK_##bytes(op, T) STEPS_TOTAL(op, T) \
  STAGED_REDUCE(op, T, total) STAGED_SCAN(op, T, none) STEPS_REDUCE(reduce, op, T) \
  STEPS_SCAN(op, T, none, stages)
#define BY_STEPS_4(op, T, none) \
  BY_STEPS_AS(group_reduce_##op##_##T, steps_total_##op##_##T, 4, op, T, none, (exclusive ? 8 : 16))
#define BY_STEPS_8(op, T, none) \
  BY_STEPS_AS(group_reduce_##op##_##T, steps_total_##op##_##T, 8, op, T, none, 8)
NV double total_add_double(double x);
BY_STEPS_4(add, float, 0)
BY_STEPS_AS(reduce_add_double_by_steps, total_add_double, 8, add, double, 0, 8)
BY_STEPS_4(mul, float, 1) BY_STEPS_8(mul, double, 1) BY_STEPS_4(mul, int, 1) BY_STEPS_8(mul, long, 1)

/* A total by matrices takes what two or three of ten shuffles do, but long. */
NV double total_add_double(double x) {
  return __mpl_gpu_matrices() ? total_by_matrices(x) : steps_total_add_double(x);
}
NV double gather_by_matrices(const struct team *t) {
  return total_by_matrices(t->lane < t->teams ? SLOTS(t, double)[t->lane] : -0.0);
}
NV double group_reduce_add_double(double x) {
  enum { ONE_FOR_ALL_BY_MATRICES = 8 };
  if (!__mpl_gpu_matrices() || items_of_group() & 31) return reduce_add_double_by_steps(x);
  struct team own = team_of(), *t = &own;
  meet_lanes();
  if (is_staged(t, 4, MOST_TEAMS)) return staged_reduce_add_double(t, x);
  x = total_by_matrices(x);
  if (t->teams == 1) return x;
  put_double(SLOTS(t, double) + t->which, x, t->lane == 0);
  meet();
  if (t->teams >= ONE_FOR_ALL_BY_MATRICES) {
    if (t->which == 0) {
      double all = gather_by_matrices(t);
      put_double(FINAL(t, double), all, t->lane == 0);
    }
    meet();
    x = *FINAL(t, double);
  } else {
    x = is_small(t, MOST_SMALL_FLOAT) ? small_add_double(t) : gather_by_matrices(t);
  }
  return x;
}

/* --- Operations of integers that no specification has, by what their row of the table says --- */

#define OWN_STEPS(op, T, bytes) \
  NV T up_##op##_##T(T x, const uint d) { \
    uint lane = __nvvm_read_ptx_sreg_laneid(); \
    T y = from_##T(x, (lane - d) & 31); \
    return lane >= d ? COMBINE_##op(y, x) : x; \
  } \
  NV T down_##op##_##T(T x, const uint d, uint last) { \
    uint lane = __nvvm_read_ptx_sreg_laneid(); \
    T y = from_##T(x, (lane + d) & 31); \
    return lane + d <= last ? COMBINE_##op(x, y) : x; \
  } \
  NV void both_##op##_##T(T *before, T *with, const uint d) { \
    uint lane = __nvvm_read_ptx_sreg_laneid(); \
    T y = from_##T(*with, (lane - d) & 31); \
    *before = lane >= d ? COMBINE_##op(y, *before) : *before; \
    *with = lane >= d ? COMBINE_##op(y, *with) : *with; \
  } \
  BY_STEPS_##bytes(op, T, IDENTITY_##op(T))
#define OWN_INTEGERS(op, types, ...) \
  OWN_STEPS(op, int, 4) OWN_STEPS(op, uint, 4) OWN_STEPS(op, long, 8) OWN_STEPS(op, ulong, 8)
MPL_EACH_OWN(OWN_INTEGERS, )

/* --- The other types by these --- */

/* Integers in the order of floating-point numbers.  A NaN is below or above all. */
NV int key_float(float x) { int i = as_int(x); return i ^ (i >> 31 & INT_MAX); }
NV float unkey_float(int i) { return as_float(i ^ (i >> 31 & INT_MAX)); }
NV long key_double(double x) { long i = as_long(x); return i ^ (i >> 63 & LONG_MAX); }
NV double unkey_double(long i) { return as_double(i ^ (i >> 63 & LONG_MAX)); }
NV int key_half(half x) { int i = as_short(x); return i ^ (i >> 15 & SHRT_MAX); }
NV half unkey_half(int i) { return as_half((short)(i ^ (i >> 15 & SHRT_MAX))); }

/* The operation on T is that on A, of converted operands.  Half sums are rounded once, at the end. */
#define VIA(op, T, A, into, out) \
  NV T group_reduce_##op##_##T(T x) { return out(group_reduce_##op##_##A(into(x))); } \
  NV T group_scan_##op##_##T(T x, const bool exclusive) { \
    return out(group_scan_##op##_##A(into(x), exclusive)); \
  }
VIA(add, uint, int, (int), (uint)) VIA(mul, uint, int, (int), (uint)) VIA(and, uint, int, (int), (uint))
VIA(or, uint, int, (int), (uint)) VIA(xor, uint, int, (int), (uint))
VIA(add, ulong, long, (long), (ulong)) VIA(mul, ulong, long, (long), (ulong))
VIA(and, ulong, long, (long), (ulong)) VIA(or, ulong, long, (long), (ulong))
VIA(xor, ulong, long, (long), (ulong))
VIA(add, half, float, (float), (half)) VIA(mul, half, float, (float), (half))

/* Where nothing is, an exclusive minimum is infinity, which is not the highest key. */
#define VIA_KEY(op, T, A, worst, none) \
  NV T group_reduce_##op##_##T(T x) { return unkey_##T(group_reduce_##op##_##A(key_##T(x))); } \
  NV T group_scan_##op##_##T(T x, const bool exclusive) { \
    A key = group_scan_##op##_##A(key_##T(x), exclusive); \
    return exclusive && key == worst ? (T)(none) : unkey_##T(key); \
  }
VIA_KEY(min, float, int, INT_MAX, INFINITY) VIA_KEY(max, float, int, INT_MIN, -INFINITY)
VIA_KEY(min, half, int, INT_MAX, INFINITY) VIA_KEY(max, half, int, INT_MIN, -INFINITY)
VIA_KEY(min, double, long, LONG_MAX, (double)INFINITY)
VIA_KEY(max, double, long, LONG_MIN, -(double)INFINITY)

/* Truths.  An exclusive scan begins with the identity, whose other bits are no truth. */
NV int group_reduce_logical_and_int(int x) { return all_of_group(x); }
NV int group_reduce_logical_or_int(int x) { return any_of_group(x); }
NV int group_reduce_logical_xor_int(int x) { return count_of_group(x) & 1; }
#define TRUTHS(op) \
  NV int group_scan_logical_##op##_int(int x, const bool exclusive) { \
    return group_scan_##op##_int(x, exclusive) & 1; \
  }
TRUTHS(and) TRUTHS(or) TRUTHS(xor)

#define BROADCAST(T) \
  NV T group_broadcast_##T(T x, uint from) { \
    struct team own = team_of(), *t = &own; \
    put_##T(SLOTS(t, T), x, t->id == from); \
    meet(); \
    x = *SLOTS(t, T); \
    return x; \
  }
BROADCAST(int) BROADCAST(uint) BROADCAST(long) BROADCAST(ulong)
BROADCAST(half) BROADCAST(float) BROADCAST(double)

#endif
