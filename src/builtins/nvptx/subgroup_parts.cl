/* Sub-groups on a GPU, the functions that some of the work-items may call: votes, ballots,
 * reductions, scans, clusters, shuffles, rotations (the extensions subgroup_non_uniform_vote,
 * _ballot, _non_uniform_arithmetic, _clustered_reduce, _shuffle, _shuffle_relative, _rotate), made
 * from the table of collectives.  Those that take part are the lanes that arrive together, which the
 * compiler knows (compiler/gpu/masks.c).  Masks are of the processor's 32 lanes. */
#define OF_SUB_GROUPS
#include "group/identities.h"
#include "primitives.h"
#include "tables/operations.h"

uint __mpl_gpu_active(void) MPL_LANES; /* the same, where it is not the same for all 32 */
NV uint taking_part(void) {
  return LANES == 32 ? (uint)__mpl_lanes_active() : __mpl_gpu_active();
}
NV uint first_of(uint lanes) { return (uint)__builtin_ctz(lanes); }
NV uint last_of(uint lanes) { return 31 - (uint)__builtin_clz(lanes); }

NV uint own_lane(void) { return first_lane() + __mpl_lane_id(); }

MPL_INLINE int sub_group_elect(void) { return own_lane() == first_of(taking_part()); }
NV int all_among(uint m, int x) {
  return LANES == 32 ? __nvvm_vote_all_sync(m, x != 0) : !ballot_among(m, !x);
}
MPL_INLINE int sub_group_non_uniform_all(int x) { return all_among(taking_part(), x); }
MPL_INLINE int sub_group_non_uniform_any(int x) {
  return LANES == 32 ? __nvvm_vote_any_sync(taking_part(), x != 0)
                     : ballot_among(taking_part(), x) != 0;
}
MPL_INLINE uint4 sub_group_ballot(int x) {
  return (uint4)(ballot_among(taking_part(), x), 0, 0, 0);
}

/* --- Arithmetic: every lane with the one before it among `mine`, the lanes of m that it combines
 * with, then with the one two before, and so on: an order that depends on the set only. --- */

/* The lane before, or NONE. */
#define NONE 32u
NV uint lane_before(uint mine) {
  uint below = mine & __nvvm_read_ptx_sreg_lanemask_lt();
  return below ? last_of(below) : NONE;
}

/* In A, where numbers wrap. */
#define DEFINE_AMONG(T, A, op) \
  NV A scan_##op##_##T(A x, uint m, uint mine, const uint most) { \
    uint from = lane_before(mine); \
    _Pragma("unroll") for (uint width = 1; width < most; width *= 2) { \
      A y = among_##A(m, x, from); \
      uint before = among_uint(m, from, from); \
      if (from != NONE) { \
        x = COMBINE_##op(y, x); \
        from = before; \
      } \
    } \
    return x; \
  }
#define DEFINE_FORMS(T, A, op, total) \
  DEFINE_AMONG(T, A, op) \
  MPL_INLINE T sub_group_non_uniform_scan_inclusive_##op(T x) { \
    uint m = taking_part(); \
    return (T)scan_##op##_##T((A)OPERAND_##op(x), m, m, LANES); \
  } \
  MPL_INLINE T sub_group_non_uniform_scan_exclusive_##op(T x) { \
    uint m = taking_part(), before = lane_before(m); \
    A y = scan_##op##_##T((A)OPERAND_##op(x), m, m, LANES); \
    y = among_##A(m, y, before); \
    return before == NONE ? (T)(IDENTITY_##op(T)) : (T)y; \
  } \
  MPL_INLINE T sub_group_non_uniform_reduce_##op(T x) { \
    uint m = taking_part(); \
    A y = (A)OPERAND_##op(x); \
    return (T)total(op, T, A, y, m); \
  } \
  MPL_INLINE T sub_group_clustered_reduce_##op(T x, uint cluster) { \
    uint m = taking_part(), own = own_lane() & ~(cluster - 1); \
    uint mine = m & (EVERYONE >> (32 - cluster)) << own; \
    A y = scan_##op##_##T((A)OPERAND_##op(x), m, mine, cluster); \
    return (T)among_##A(m, y, last_of(mine)); \
  }

/* A total by the scan, whose last lane has it; of 32-bit integers the processor has some, which it
 * does for one set of lanes after another. */
#define BY_SCAN(op, T, A, x, m) among_##A(m, scan_##op##_##T(x, m, m, LANES), last_of(m))
#define BY_REDUX(redux, op, T, A, x, m) (LANES == 32 ? redux(x, m) : BY_SCAN(op, T, A, x, m))
#define REDUX(op, A, B, instruction) \
  NV A redux_##op##_##A(A x, uint m) { \
    return (A)__nvvm_redux_sync_##instruction((B)x, (int)m); \
  }
REDUX(add, uint, int, add) REDUX(and, uint, int, and) REDUX(or, uint, int, or)
REDUX(xor, uint, int, xor) REDUX(min, int, int, min) REDUX(max, int, int, max)
REDUX(min, uint, uint, umin) REDUX(max, uint, uint, umax)

/* What the last column of operations.def makes of an operation: what its numbers are combined in,
 * bits in unsigned integers, which wrap, what is ordered by its sign in signed ones; and how a total
 * of 32 bits comes about. */
#define OPCODE(name) wraps, TOTAL_##name
#define LESSER ordered, TOTAL_LESSER
#define GREATER ordered, TOTAL_GREATER
#define LIBRARY wraps, BY_SCAN
#define TOTAL_Add(op, T, A, x, m) BY_REDUX(redux_add_##A, op, T, A, x, m)
#define TOTAL_And(op, T, A, x, m) BY_REDUX(redux_and_##A, op, T, A, x, m)
#define TOTAL_Or(op, T, A, x, m) BY_REDUX(redux_or_##A, op, T, A, x, m)
#define TOTAL_Xor(op, T, A, x, m) BY_REDUX(redux_xor_##A, op, T, A, x, m)
#define TOTAL_Mul BY_SCAN
#define TOTAL_LESSER(op, T, A, x, m) BY_REDUX(redux_min_##A, op, T, A, x, m)
#define TOTAL_GREATER(op, T, A, x, m) BY_REDUX(redux_max_##A, op, T, A, x, m)
#define FORMS_wraps(T, op, S, U, total) DEFINE_FORMS(T, U, op, total)
#define FORMS_ordered(T, op, S, U, total) DEFINE_FORMS(T, S, op, total)
#define TYPES_INTEGERS(op, how, total) \
  FORMS_##how(char, op, int, uint, total) FORMS_##how(uchar, op, uint, uint, total) \
  FORMS_##how(short, op, int, uint, total) FORMS_##how(ushort, op, uint, uint, total) \
  FORMS_##how(int, op, int, uint, total) FORMS_##how(uint, op, uint, uint, total) \
  FORMS_##how(long, op, long, ulong, BY_SCAN) FORMS_##how(ulong, op, ulong, ulong, BY_SCAN)
#define TYPES_NUMBERS(op, how, total) \
  TYPES_INTEGERS(op, how, total) FORMS_##how(half, op, float, float, BY_SCAN) \
  FORMS_##how(float, op, float, float, BY_SCAN) FORMS_##how(double, op, double, double, BY_SCAN)
#define TYPES_LOGICAL(op, how, total) FORMS_##how(int, op, int, uint, total)
#define EXPANDED(types, ...) types(__VA_ARGS__)
#define MPL_OPERATION(op, types, identity, feature, order, combined, llvm) \
  EXPANDED(TYPES_##types, op, llvm)
#include "tables/operations.def"

/* --- Moves --- */

NV uint rotated_in(uint cluster, uint distance) {
  uint id = __mpl_lane_id(), inside = cluster - 1;
  return (id & ~inside) | ((id + distance) & inside);
}

#define FROM_LANE(T) \
  MPL_INLINE int sub_group_non_uniform_all_equal(T x) { \
    uint m = taking_part(); \
    return all_among(m, x == among_##T(m, x, first_of(m))); \
  } \
  MPL_INLINE T sub_group_broadcast_first(T x) { \
    uint m = taking_part(); \
    return among_##T(m, x, first_of(m)); \
  } \
  MPL_INLINE T sub_group_non_uniform_broadcast(T x, uint id) { \
    return among_##T(taking_part(), x, id); \
  } \
  MPL_INLINE T sub_group_shuffle(T x, uint id) { return among_##T(taking_part(), x, id); } \
  MPL_INLINE T sub_group_shuffle_xor(T x, uint mask) { \
    return among_##T(taking_part(), x, __mpl_lane_id() ^ mask); \
  } \
  MPL_INLINE T sub_group_shuffle_up(T x, uint by) { \
    return among_##T(taking_part(), x, __mpl_lane_id() - by); \
  } \
  MPL_INLINE T sub_group_shuffle_down(T x, uint by) { \
    return among_##T(taking_part(), x, __mpl_lane_id() + by); \
  } \
  MPL_INLINE T sub_group_rotate(T x, int by) { \
    return among_##T(taking_part(), x, __mpl_lane_id() + (uint)by); \
  } \
  MPL_INLINE T sub_group_clustered_rotate(T x, int by, uint cluster) { \
    return among_##T(taking_part(), x, rotated_in(cluster, (uint)by)); \
  }

#define VECTOR_FROM_LANE(T, n, ...) \
  MPL_INLINE T##n sub_group_non_uniform_broadcast(T##n x, uint id) { \
    uint m = taking_part(); \
    return (T##n)(__VA_ARGS__); \
  }
#define PART(T, i) among_##T(m, x.s##i, id)
#define MPL_SUB_GROUP_TYPE(T, llvm, kind, set) \
  FROM_LANE(T) VECTOR_FROM_LANE(T, 2, PARTS_2(PART, T)) VECTOR_FROM_LANE(T, 3, PARTS_3(PART, T)) \
  VECTOR_FROM_LANE(T, 4, PARTS_4(PART, T)) VECTOR_FROM_LANE(T, 8, PARTS_8(PART, T)) \
  VECTOR_FROM_LANE(T, 16, PARTS_16(PART, T))
#include "tables/collectives.def"
