/* Reductions, scans and clustered reductions of sub-groups (OpenCL C 3.0, 6.15.19, and the
 * extensions subgroup_extended_types, _non_uniform_arithmetic, _clustered_reduce), all made from
 * the table of collectives.  Where all arrive and where some do, the same vector code serves. */
#include "lanes.h"

/* Which types an operation has, by the table's columns. */
#define TYPES_SMALL(X, ...) \
  X(char, __VA_ARGS__) X(uchar, __VA_ARGS__) X(short, __VA_ARGS__) X(ushort, __VA_ARGS__)
#define TYPES_INTEGERS(X, ...) \
  TYPES_SMALL(X, __VA_ARGS__) X(int, __VA_ARGS__) X(uint, __VA_ARGS__) X(long, __VA_ARGS__) \
  X(ulong, __VA_ARGS__)
#define TYPES_NUMBERS(X, ...) \
  TYPES_INTEGERS(X, __VA_ARGS__) X(half, __VA_ARGS__) X(float, __VA_ARGS__) X(double, __VA_ARGS__)
#define TYPES_LOGICAL(X, ...) X(int, __VA_ARGS__)

#define BODIES(T, op) \
  DEFINE_LANES_REDUCE(T, op, IDENTITY_##op(T)) \
  DEFINE_LANES_SCAN(T, op, IDENTITY_##op(T), inclusive) \
  DEFINE_LANES_SCAN(T, op, IDENTITY_##op(T), exclusive) \
  DEFINE_LANES_CLUSTER(T, op, IDENTITY_##op(T))
#define MPL_OPERATION(op, types, ...) TYPES_##types(BODIES, op)
#include "tables/operations.def"

#define FORMS(T, op, prefix) \
  MPL_INLINE T prefix##_reduce_##op(T x) { \
    return __mpl_lanes_reduce_##T(OPERAND_##op(x), lanes_reduce_##op##_##T); \
  } \
  MPL_INLINE T prefix##_scan_inclusive_##op(T x) { \
    return __mpl_lanes_scan_##T(OPERAND_##op(x), lanes_scan_inclusive_##op##_##T); \
  } \
  MPL_INLINE T prefix##_scan_exclusive_##op(T x) { \
    return __mpl_lanes_scan_##T(OPERAND_##op(x), lanes_scan_exclusive_##op##_##T); \
  }
#define CLUSTERED(T, op) \
  MPL_INLINE T sub_group_clustered_reduce_##op(T x, uint cluster) { \
    return __mpl_lanes_cluster_##T(OPERAND_##op(x), cluster, lanes_cluster_##op##_##T); \
  }
#define SUB_GROUP(op, types, ...) TYPES_##types(FORMS, op, sub_group)
MPL_EACH_CORE(SUB_GROUP, )
#define MPL_OPERATION(op, types, ...) \
  TYPES_##types(FORMS, op, sub_group_non_uniform) TYPES_##types(CLUSTERED, op)
#include "tables/operations.def"
