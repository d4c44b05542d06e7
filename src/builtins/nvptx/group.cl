/* The work-group functions on a GPU (OpenCL C 3.0, 6.15.15, and cl_khr_work_group_uniform_arithmetic),
 * made from the tables of collectives and operations. */
#include "group.h"

#define GROUP_reduce(T, op, x) group_reduce_##op##_##T(x)
#define GROUP_scan_inclusive(T, op, x) group_scan_##op##_##T(x, false)
#define GROUP_scan_exclusive(T, op, x) group_scan_##op##_##T(x, true)
#define MPL_EACH_WORK_FORM(T, form, op) \
  MPL_INLINE T work_group_##form##_##op(T x) { return GROUP_##form(T, op, OPERAND_##op(x)); }
#include "tables/each_collective.h"

#define MPL_VOTE(name, op) \
  MPL_INLINE int work_group_##name(int x) { return group_reduce_##op##_int(x != 0); }
#include "tables/collectives.def"

#define MPL_GROUP_TYPE(T, llvm, kind) \
  MPL_INLINE T work_group_broadcast(T a, size_t x) { return group_broadcast_##T(a, (uint)x); } \
  MPL_INLINE T work_group_broadcast(T a, size_t x, size_t y) { \
    return group_broadcast_##T(a, (uint)y * __mpl_gpu_size_0() + (uint)x); \
  } \
  MPL_INLINE T work_group_broadcast(T a, size_t x, size_t y, size_t z) { \
    uint row = (uint)z * __mpl_gpu_size_1() + (uint)y; \
    return group_broadcast_##T(a, row * __mpl_gpu_size_0() + (uint)x); \
  }
#include "tables/collectives.def"
