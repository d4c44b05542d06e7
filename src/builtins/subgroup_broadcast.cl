/* Broadcasts in sub-groups (OpenCL C 3.0, 6.15.19, subgroup_extended_types, subgroup_ballot). */
#include "lanes.h"

#define BROADCAST(T) \
  MPL_INLINE T sub_group_broadcast(T x, uint id) { return __mpl_lanes_broadcast_##T(x, id); } \
  MPL_INLINE T sub_group_non_uniform_broadcast(T x, uint id) { return __mpl_lanes_broadcast_##T(x, id); }

/* The first that takes part is the one whose bit is lowest. */
#define FIRST(T) \
  MPL_COMBINE T lanes_first_##T(const private T *x, uint size, ulong active) { \
    return x[__builtin_ctzl(active)]; \
  } \
  MPL_INLINE T sub_group_broadcast_first(T x) { return __mpl_lanes_reduce_##T(x, lanes_first_##T); }

#define MPL_SUB_GROUP_TYPE(T, llvm, kind, set) \
  FIRST(T) BROADCAST(T) BROADCAST(T##2) BROADCAST(T##3) BROADCAST(T##4) BROADCAST(T##8) BROADCAST(T##16)
#include "collectives.def"
