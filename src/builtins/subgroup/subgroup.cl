/* Sub-groups: their queries and barrier (OpenCL C 3.0, 6.15.19), votes and ballots (the extensions
 * subgroup_non_uniform_vote and subgroup_ballot; ballot.cl looks at them).  A ballot has no more than
 * 64 bits here. */
#include "lanes.h"

/* All groups of a launch but the last ones have its local size. */
MPL_COMBINE uint sub_groups(const uint64_t *size) {
  return (uint)((size[0] * size[1] * size[2] + __mpl_lanes_size() - 1) / __mpl_lanes_size());
}
MPL_INLINE uint get_sub_group_size(void) { return __mpl_lanes_here(); }
MPL_INLINE uint get_max_sub_group_size(void) { return __mpl_lanes_size(); }
MPL_INLINE uint get_num_sub_groups(void) { return sub_groups(__mpl_group()->size); }
MPL_INLINE uint get_enqueued_num_sub_groups(void) { return sub_groups(__mpl_launch()->local_size); }
MPL_INLINE uint get_sub_group_id(void) { return __mpl_lanes_group_id(); }
MPL_INLINE uint get_sub_group_local_id(void) { return __mpl_lane_id(); }

/* A sub-group runs on one thread: program order makes every memory effect visible. */
MPL_INLINE void sub_group_barrier(cl_mem_fence_flags flags) { __mpl_lanes_barrier(); }
MPL_INLINE void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  __mpl_lanes_barrier();
}

/* Bits of the lanes where `test` of v, the lanes' values, is true; of those that take part. */
#define GATHER(i, lanes, test) \
  { \
    vector v = __builtin_convertvector(in[i], vector); \
    const truths t = __builtin_convertvector(test(v), truths); \
    found |= (ulong)PASTE(TRUTHS_, lanes)(t) << (i) * lanes; \
  }
#define IS_TRUE(v) (v != 0)
#define IS_EQUAL(v) (v == (vector)first)
#define DEFINE_GATHER(T, lanes, what) \
  MPL_COMBINE ulong lanes_##what##_##T##_##lanes(const private T *x, uint size, ulong active) { \
    LANES_TYPES(T, lanes) \
    typedef PASTE(int, lanes) truths; \
    const private operands *in = (const private operands *)x; \
    const WIDE_##T first __attribute__((unused)) = x[FIRST_OF(active)]; \
    ulong found = 0; \
    EACH(lanes, GATHER, lanes, IS_##what) \
    return found & active; \
  }

DEFINE_BY_SIZE(int, DEFINE_GATHER, TRUE)
MPL_COMBINE ulong lanes_ballot(const private int *x, uint size, ulong active) {
  return BY_SIZE(int, lanes_TRUE_int, x, size, active);
}
MPL_COMBINE int lanes_any(const private int *x, uint size, ulong active) {
  return lanes_ballot(x, size, active) != 0;
}
MPL_COMBINE int lanes_all(const private int *x, uint size, ulong active) {
  return lanes_ballot(x, size, active) == active;
}
MPL_INLINE int sub_group_any(int x) { return __mpl_lanes_reduce_truth_int(x, lanes_any); }
MPL_INLINE int sub_group_all(int x) { return __mpl_lanes_reduce_truth_int(x, lanes_all); }
MPL_INLINE int sub_group_non_uniform_any(int x) { return sub_group_any(x); }
MPL_INLINE int sub_group_non_uniform_all(int x) { return sub_group_all(x); }
MPL_INLINE int sub_group_elect(void) {
  return __mpl_lane_id() == __builtin_ctzl(__mpl_lanes_active());
}

/* Equal as ==: not for a NaN, which is no number's equal (subgroup_non_uniform_vote). */
#define DEFINE_ALL_EQUAL(T) \
  DEFINE_BY_SIZE(T, DEFINE_GATHER, EQUAL) \
  MPL_COMBINE int lanes_all_equal_##T(const private T *x, uint size, ulong active) { \
    return BY_SIZE(T, lanes_EQUAL_##T, x, size, active) == active; \
  } \
  MPL_INLINE int sub_group_non_uniform_all_equal(T x) { \
    return __mpl_lanes_reduce_truth_##T(x, lanes_all_equal_##T); \
  }
#define MPL_SUB_GROUP_TYPE(T, llvm, kind, set) DEFINE_ALL_EQUAL(T)
#include "tables/collectives.def"

MPL_INLINE uint4 sub_group_ballot(int x) {
  ulong bits = __mpl_lanes_reduce_bits(x, lanes_ballot);
  return (uint4)((uint)bits, (uint)(bits >> 32), 0, 0);
}
