/* Sub-groups on a GPU, the functions that all work-items of one call together: queries and barrier
 * (OpenCL C 3.0, 6.15.19), votes, reductions, scans, broadcasts, made from the table of collectives.
 * They are the 32 lanes of the processor, or 8 or 16 side by side where the kernel requires that;
 * the last of a work-group may be short. */
#define OF_SUB_GROUPS
#include "group.h"

MPL_INLINE uint get_sub_group_size(void) { return __mpl_lanes_here(); }
MPL_INLINE uint get_max_sub_group_size(void) { return __mpl_lanes_size(); }
MPL_INLINE uint get_sub_group_id(void) { return __mpl_lanes_group_id(); }
MPL_INLINE uint get_sub_group_local_id(void) { return __mpl_lane_id(); }
NV uint sub_groups_of(const uint64_t *size) {
  return (uint)((size[0] * size[1] * size[2] + __mpl_lanes_size() - 1) / __mpl_lanes_size());
}
MPL_INLINE uint get_num_sub_groups(void) { return sub_groups_of(__mpl_group()->size); }
MPL_INLINE uint get_enqueued_num_sub_groups(void) {
  return sub_groups_of(__mpl_launch()->local_size);
}

/* Where lanes meet memory is in order for them, local and global, and compilers have to know. */
MPL_INLINE void sub_group_barrier(cl_mem_fence_flags flags) {
  meet_lanes();
  order_lanes();
}
MPL_INLINE void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  sub_group_barrier(flags);
}

MPL_INLINE int sub_group_all(int x) {
  meet_lanes();
  return all_of_lanes(x);
}
MPL_INLINE int sub_group_any(int x) {
  meet_lanes();
  return any_of_lanes(x);
}

/* A scan's steps. */
#define UPWARDS(step, x) \
  x = step(x, 1); \
  x = step(x, 2); \
  x = step(x, 4); \
  if (LANES > 8) x = step(x, 8); \
  if (LANES > 16) x = step(x, 16);

/* A reduction's: the first lane has the result. */
#define DOWNWARDS(step, x, last) \
  if (LANES > 16) x = step(x, 16, last); \
  if (LANES > 8) x = step(x, 8, last); \
  x = step(x, 4, last); \
  x = step(x, 2, last); \
  x = step(x, 1, last);

/* One step for all 32 lanes; for parts of them the processor would do it once for each. */
#define LANES_TOTAL(op, A) \
  NV A lanes_total_##op##_##A(A x) { \
    uint last = __mpl_lanes_here() - 1; \
    if (LANES == 32) return total_##op##_##A(x); \
    DOWNWARDS(down_##op##_##A, x, last) \
    return from_##A(x, 0); \
  }
LANES_TOTAL(add, int) LANES_TOTAL(min, int) LANES_TOTAL(max, int)
LANES_TOTAL(min, uint) LANES_TOTAL(max, uint)
LANES_TOTAL(add, long) LANES_TOTAL(min, long) LANES_TOTAL(max, long)
LANES_TOTAL(min, ulong) LANES_TOTAL(max, ulong)

/* Integers: exclusive results are those of the lane below, the first one's `none`. */
#define EXACT_LANES(op, T, A, none) \
  MPL_INLINE T sub_group_reduce_##op(T x) { \
    meet_lanes(); \
    return (T)lanes_total_##op##_##A((A)x); \
  } \
  NV A lanes_scan_##op##_##T(A x) { \
    meet_lanes(); \
    UPWARDS(up_##op##_##A, x) \
    return x; \
  } \
  MPL_INLINE T sub_group_scan_inclusive_##op(T x) { return (T)lanes_scan_##op##_##T((A)x); } \
  MPL_INLINE T sub_group_scan_exclusive_##op(T x) { \
    return (T)previous_##A(lanes_scan_##op##_##T((A)x), (A)(none)); \
  }
#define INTEGER(T, A, A_add, lowest, highest) \
  EXACT_LANES(add, T, A_add, 0) EXACT_LANES(min, T, A, highest) EXACT_LANES(max, T, A, lowest)
INTEGER(char, int, int, CHAR_MIN, CHAR_MAX)
INTEGER(uchar, uint, int, 0, UCHAR_MAX)
INTEGER(short, int, int, SHRT_MIN, SHRT_MAX)
INTEGER(ushort, uint, int, 0, USHRT_MAX)
INTEGER(int, int, int, INT_MIN, INT_MAX)
INTEGER(uint, uint, int, 0, UINT_MAX)
INTEGER(long, long, long, LONG_MIN, LONG_MAX)
INTEGER(ulong, ulong, long, 0, ULONG_MAX)

/* Sums of floating point: a tree, and a scan's steps. */
#define SUM_LANES(T, A) \
  MPL_INLINE T sub_group_reduce_add(T x) { \
    uint last = __mpl_lanes_here() - 1; \
    meet_lanes(); \
    A y = (A)x; \
    DOWNWARDS(down_add_##A, y, last) \
    return (T)from_##A(y, 0); \
  } \
  NV A lanes_scan_add_##T(A x) { \
    meet_lanes(); \
    UPWARDS(up_add_##A, x) \
    return x; \
  } \
  MPL_INLINE T sub_group_scan_inclusive_add(T x) { return (T)lanes_scan_add_##T((A)x); } \
  MPL_INLINE T sub_group_scan_exclusive_add(T x) { \
    return (T)previous_##A(lanes_scan_add_##T((A)x), (A)0); \
  }
SUM_LANES(half, float) SUM_LANES(float, float) SUM_LANES(double, double)

/* Their minima and maxima: of keys in the same order. */
#define KEYED_LANES(op, T, A, none) \
  MPL_INLINE T sub_group_reduce_##op(T x) { \
    meet_lanes(); \
    return unkey_##T(lanes_total_##op##_##A(key_##T(x))); \
  } \
  NV A lanes_scan_##op##_##T(T x) { \
    A key = key_##T(x); \
    meet_lanes(); \
    UPWARDS(up_##op##_##A, key) \
    return key; \
  } \
  MPL_INLINE T sub_group_scan_inclusive_##op(T x) { return unkey_##T(lanes_scan_##op##_##T(x)); } \
  MPL_INLINE T sub_group_scan_exclusive_##op(T x) { \
    return unkey_##T(previous_##A(lanes_scan_##op##_##T(x), key_##T((T)(none)))); \
  }
#define KEYED(T, A) KEYED_LANES(min, T, A, INFINITY) KEYED_LANES(max, T, A, -INFINITY)
KEYED(half, int) KEYED(float, int) KEYED(double, long)

#define BROADCAST_VECTOR(T, n, ...) \
  MPL_INLINE T##n sub_group_broadcast(T##n x, uint id) { \
    meet_lanes(); \
    return (T##n)(__VA_ARGS__); \
  }
#define PART(T, i) from_##T(x.s##i, id)
#define MPL_SUB_GROUP_TYPE(T, llvm, kind, set) \
  MPL_INLINE T sub_group_broadcast(T x, uint id) { \
    meet_lanes(); \
    return from_##T(x, id); \
  } \
  BROADCAST_VECTOR(T, 2, PARTS_2(PART, T)) BROADCAST_VECTOR(T, 3, PARTS_3(PART, T)) \
  BROADCAST_VECTOR(T, 4, PARTS_4(PART, T)) BROADCAST_VECTOR(T, 8, PARTS_8(PART, T)) \
  BROADCAST_VECTOR(T, 16, PARTS_16(PART, T))
#include "tables/collectives.def"
