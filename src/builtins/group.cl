/* The work-group functions (OpenCL C 3.0, 6.15.15, and cl_khr_work_group_uniform_arithmetic), all
 * made from the table of collectives. */
#include "group.h"

/* Which types an operation has: NUMBERS(X, op, none) and so on call X for each of them. */
#define INTEGERS(X, op, none) X(int, op, none) X(uint, op, none) X(long, op, none) X(ulong, op, none)
#define NUMBERS(X, op, none) INTEGERS(X, op, none) X(half, op, none) X(float, op, none) X(double, op, none)
#define LOGICAL(X, op, none) X(int, op, none)

/* Logical operations are over truths. */
#define OPERAND_NUMBERS(x) (x)
#define OPERAND_INTEGERS(x) (x)
#define OPERAND_LOGICAL(x) ((x) != 0)

#define BODIES(T, op, none) DEFINE_REDUCE(T, op, none##_OF(T)) DEFINE_SCANS(T, op, none##_OF(T))
#define MPL_OPERATION(op, types, identity, feature) types(BODIES, op, identity)
#include "tables/collectives.def"

#define FUNCTIONS(T, op, types) \
  MPL_INLINE T work_group_reduce_##op(T x) { \
    return __mpl_sync_reduce_##T(OPERAND_##types(x), reduce_##op##_##T); \
  } \
  MPL_INLINE T work_group_scan_inclusive_##op(T x) { \
    return __mpl_sync_scan_##T(OPERAND_##types(x), scan_inclusive_##op##_##T); \
  } \
  MPL_INLINE T work_group_scan_exclusive_##op(T x) { \
    return __mpl_sync_scan_##T(OPERAND_##types(x), scan_exclusive_##op##_##T); \
  }
#define MPL_OPERATION(op, types, identity, feature) types(FUNCTIONS, op, types)
#include "tables/collectives.def"

#define MPL_VOTE(name, op) \
  MPL_INLINE int work_group_##name(int x) { return __mpl_sync_reduce_int(x != 0, reduce_##op##_int); }
#include "tables/collectives.def"

#define MPL_GROUP_TYPE(T, llvm, kind) \
  MPL_INLINE T work_group_broadcast(T a, size_t x) { return __mpl_sync_broadcast_##T(a, x); } \
  MPL_INLINE T work_group_broadcast(T a, size_t x, size_t y) { \
    return __mpl_sync_broadcast_##T(a, y * __mpl_group()->size[0] + x); \
  } \
  MPL_INLINE T work_group_broadcast(T a, size_t x, size_t y, size_t z) { \
    const private struct mpl_group *g = __mpl_group(); \
    return __mpl_sync_broadcast_##T(a, (z * g->size[1] + y) * g->size[0] + x); \
  }
#include "tables/collectives.def"
