/* The work-group functions (OpenCL C 3.0, 6.15.15, and cl_khr_work_group_uniform_arithmetic), all
 * made from the tables of collectives and operations. */
#include "group.h"

#define DEFINE_reduce(T, op) DEFINE_REDUCE(T, op, IDENTITY_##op(T))
#define DEFINE_scan_inclusive(T, op) DEFINE_SCAN(T, op, IDENTITY_##op(T), inclusive)
#define DEFINE_scan_exclusive(T, op) DEFINE_SCAN(T, op, IDENTITY_##op(T), exclusive)
#define MPL_EACH_WORK_FORM(T, form, op) DEFINE_##form(T, op)
#include "tables/each_collective.h"

#define SYNC_reduce(T) __mpl_sync_reduce_##T
#define SYNC_scan_inclusive(T) __mpl_sync_scan_##T
#define SYNC_scan_exclusive(T) __mpl_sync_scan_##T
#define MPL_EACH_WORK_FORM(T, form, op) \
  MPL_INLINE T work_group_##form##_##op(T x) { \
    return SYNC_##form(T)(OPERAND_##op(x), form##_##op##_##T); \
  }
#include "tables/each_collective.h"

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
