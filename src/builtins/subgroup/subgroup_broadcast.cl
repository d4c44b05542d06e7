/* Broadcasts in sub-groups (OpenCL C 3.0, 6.15.19, subgroup_extended_types, subgroup_ballot). */
#include "permute.h"

DEFINE_PICK(uchar)
DEFINE_PICK(ushort)
DEFINE_PICK(uint)
DEFINE_PICK(ulong)

/* The first that takes part is the one whose bit is lowest. */
#define SCALAR(T, bits) \
  MPL_COMBINE T lanes_first_##T(const private T *x, uint size, ulong active) { \
    return x[FIRST_OF(active)]; \
  } \
  MPL_COMBINE T lanes_from_##T(const private T *x, uint size, uint id) { \
    return __builtin_astype(PASTE(lanes_pick_, bits)((const private bits *)x, size, id), T); \
  } \
  MPL_INLINE T sub_group_broadcast_first(T x) { \
    return __mpl_lanes_reduce_##T(x, lanes_first_##T); \
  } \
  MPL_INLINE T sub_group_broadcast(T x, uint id) { \
    return __mpl_lanes_broadcast_##T(x, id, lanes_from_##T); \
  } \
  MPL_INLINE T sub_group_non_uniform_broadcast(T x, uint id) { return sub_group_broadcast(x, id); }
#define VECTOR(T) \
  MPL_INLINE T sub_group_broadcast(T x, uint id) { return __mpl_lanes_broadcast_##T(x, id); } \
  MPL_INLINE T sub_group_non_uniform_broadcast(T x, uint id) { \
    return __mpl_lanes_broadcast_##T(x, id); \
  }

#define MPL_SUB_GROUP_TYPE(T, llvm, kind, set) \
  SCALAR(T, BITS_##T) VECTOR(T##2) VECTOR(T##3) VECTOR(T##4) VECTOR(T##8) VECTOR(T##16)
#include "tables/collectives.def"
