/* Shuffles and rotations (the extensions subgroup_shuffle, subgroup_shuffle_relative and
 * subgroup_rotate). */
#include "permute.h"

/* lanes_check: a cluster's size does nothing to operands that rotate inside it; it goes to the
 * compiler to be checked. */
#define BODIES(T) \
  DEFINE_PERMUTE(T, shuffle) DEFINE_PERMUTE(T, shuffle_xor) DEFINE_PERMUTE(T, shuffle_up) \
  DEFINE_PERMUTE(T, shuffle_down) \
  MPL_COMBINE void lanes_check_##T(private T *x, uint size, ulong active, uint cluster) {}
BODIES(uchar)
BODIES(ushort)
BODIES(uint)
BODIES(ulong)

/* Where lane `id` takes its operand from in a rotation by `distance` inside its cluster. */
static uint rotated_in(uint cluster, uint distance) {
  uint id = __mpl_lane_id(), inside = cluster - 1;
  return (id & ~inside) | ((id + distance) & inside);
}

#define AS(T, x) __builtin_astype(x, T)
#define PERMUTED(T, bits, x, with, kind) \
  AS(T, PASTE(__mpl_lanes_permute_, bits)(AS(bits, x), with, PASTE(lanes_##kind##_, bits)))
#define MOVE(T, bits, kind) \
  MPL_INLINE T sub_group_##kind(T x, uint with) { return PERMUTED(T, bits, x, with, kind); }
/* A rotation is a shuffle down that runs on at the other end, as ours does. */
#define ROTATE(T, bits) \
  MPL_INLINE T sub_group_rotate(T x, int distance) { \
    return PERMUTED(T, bits, x, (uint)distance, shuffle_down); \
  } \
  MPL_INLINE T sub_group_clustered_rotate(T x, int distance, uint cluster) { \
    bits same = \
        PASTE(__mpl_lanes_cluster_, bits)(AS(bits, x), cluster, PASTE(lanes_check_, bits)); \
    return PERMUTED(T, bits, same, rotated_in(cluster, (uint)distance), shuffle); \
  }
#define FAMILY(T, bits) \
  MOVE(T, bits, shuffle) MOVE(T, bits, shuffle_xor) MOVE(T, bits, shuffle_up) \
  MOVE(T, bits, shuffle_down) ROTATE(T, bits)
#define MPL_SUB_GROUP_TYPE(T, llvm, kind, set) FAMILY(T, BITS_##T)
#include "tables/collectives.def"
