/* Shuffles and rotations (the extensions subgroup_shuffle, subgroup_shuffle_relative and
 * subgroup_rotate). */
#include "permute.h"

#define KINDS(T) \
  DEFINE_PERMUTE(T, shuffle) DEFINE_PERMUTE(T, shuffle_xor) DEFINE_PERMUTE(T, shuffle_up) \
  DEFINE_PERMUTE(T, shuffle_down)
KINDS(uchar)
KINDS(ushort)
KINDS(uint)
KINDS(ulong)

/* A cluster's size does nothing to a rotation inside it; it goes to the compiler to be checked. */
#define DEFINE_CHECK(T) \
  MPL_COMBINE void lanes_check_##T(private T *x, uint size, ulong active, uint cluster) {}
DEFINE_CHECK(uchar)
DEFINE_CHECK(ushort)
DEFINE_CHECK(uint)
DEFINE_CHECK(ulong)

/* Where lane `id` takes its operand from in a rotation by `distance` inside its cluster. */
static uint rotated_in(uint cluster, uint distance) {
  uint id = __mpl_lane_id(), inside = cluster - 1;
  return (id & ~inside) | ((id + distance) & inside);
}

#define MOVE(T, bits, kind) \
  MPL_INLINE T sub_group_##kind(T x, uint with) { \
    return __builtin_astype(__mpl_lanes_permute_##bits(__builtin_astype(x, bits), with, \
                                                       lanes_##kind##_##bits), T); \
  }
/* A rotation is a shuffle down that runs on at the other end, as ours does. */
#define ROTATE(T, bits) \
  MPL_INLINE T sub_group_rotate(T x, int distance) { \
    return __builtin_astype(__mpl_lanes_permute_##bits(__builtin_astype(x, bits), (uint)distance, \
                                                       lanes_shuffle_down_##bits), T); \
  } \
  MPL_INLINE T sub_group_clustered_rotate(T x, int distance, uint cluster) { \
    bits b = __mpl_lanes_cluster_##bits(__builtin_astype(x, bits), cluster, lanes_check_##bits); \
    uint from = rotated_in(cluster, (uint)distance); \
    return __builtin_astype(__mpl_lanes_permute_##bits(b, from, lanes_shuffle_##bits), T); \
  }
#define FAMILY(T, bits) \
  MOVE(T, bits, shuffle) MOVE(T, bits, shuffle_xor) MOVE(T, bits, shuffle_up) \
  MOVE(T, bits, shuffle_down) ROTATE(T, bits)
FAMILY(char, uchar)
FAMILY(uchar, uchar)
FAMILY(short, ushort)
FAMILY(ushort, ushort)
FAMILY(int, uint)
FAMILY(uint, uint)
FAMILY(long, ulong)
FAMILY(ulong, ulong)
FAMILY(half, ushort)
FAMILY(float, uint)
FAMILY(double, ulong)
