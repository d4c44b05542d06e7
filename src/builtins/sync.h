/* The words between the built-in library and the compiler passes (src/tables/markers.def).
 *
 * A group function ends in a call of one of these; the passes cut the kernel there and put the
 * operation in its place.  `combine` works on the operands of all work-items of the group, in
 * ascending linear local id, in memory that may be read, by scans also written, up to the next
 * multiple of 64 elements. */
#ifndef MPL_BUILTINS_SYNC_H
#define MPL_BUILTINS_SYNC_H

#include "abi/kernel.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define MPL_SYNC __attribute__((convergent, noduplicate, nomerge))
#define MPL_INLINE __attribute__((overloadable, always_inline))

/* Rendezvous only. */
void __mpl_sync_barrier(void) MPL_SYNC;

/* reduce: one result for all.  scan: results replace the operands.  broadcast: the operand of the
 * work-item with that linear id. */
#define MPL_DECLARE(T) \
  T __mpl_sync_reduce_##T(T, T (*combine)(private const T *, ulong)) MPL_SYNC; \
  T __mpl_sync_scan_##T(T, void (*combine)(private T *, ulong)) MPL_SYNC; \
  T __mpl_sync_broadcast_##T(T, ulong linear_id) MPL_SYNC;
#define MPL_GROUP_TYPE(type, llvm, kind) MPL_DECLARE(type)
#include "tables/collectives.def"
#undef MPL_DECLARE

/* Sub-groups: the same, for the work-items of one sub-group.  Arrays hold one operand for each of
 * `size` work-items (get_max_sub_group_size: a power of two, 8 to 64, constant once the kernel is
 * compiled), in ascending sub-group local id, aligned to 64 bytes and with room to the next
 * multiple of 64 bytes.  Bit i of `active` is set for each work-item i that takes part: those of a
 * sub-group that reach the call together, all that there are where control flow does not diverge;
 * where a kernel's branches are masks there may be none, and whatever comes of it is not used.
 * Operands of others are undefined, and what is written in place of theirs must be what was there.
 *
 *   reduce     one result for all that take part; it may be of another type than the operand, as in
 *              reduce_bits and reduce_truth
 *   scan       results replace the operands
 *   cluster    the same with a cluster's size, which must be a constant power of two
 *   permute    the same with a second operand of each work-item
 *   broadcast  the operand of the work-item with that id, any type; of scalars by `pick` where that
 *              is faster than memory, an id out of range giving anyone's
 *   active     bits of those that take part */
#define MPL_LANES __attribute__((convergent, noduplicate, nomerge))
#define MPL_DECLARE_VECTOR(T, n) T##n __mpl_lanes_broadcast_##T##n(T##n, uint id) MPL_LANES;
#define MPL_DECLARE(T, llvm, kind, set) \
  T __mpl_lanes_reduce_##T(T, T (*combine)(private const T *, uint size, ulong active)) MPL_LANES; \
  int __mpl_lanes_reduce_truth_##T(T, int (*combine)(private const T *, uint size, ulong active)) \
      MPL_LANES; \
  T __mpl_lanes_scan_##T(T, void (*combine)(private T *, uint size, ulong active)) MPL_LANES; \
  T __mpl_lanes_cluster_##T(T, uint cluster, void (*combine)(private T *, uint size, ulong active, \
                                                             uint cluster)) MPL_LANES; \
  T __mpl_lanes_permute_##T(T, uint with, void (*combine)(private T *, private const uint *with, \
                                                          uint size, ulong active)) MPL_LANES; \
  T __mpl_lanes_broadcast_##T(T, uint id, T (*pick)(private const T *, uint size, uint id)) \
      MPL_LANES; \
  MPL_DECLARE_VECTOR(T, 2) MPL_DECLARE_VECTOR(T, 3) MPL_DECLARE_VECTOR(T, 4) \
  MPL_DECLARE_VECTOR(T, 8) MPL_DECLARE_VECTOR(T, 16)
#define MPL_SUB_GROUP_TYPE MPL_DECLARE
#include "tables/collectives.def"
#undef MPL_DECLARE
#undef MPL_DECLARE_VECTOR
ulong __mpl_lanes_reduce_bits(int, ulong (*combine)(private const int *, uint size, ulong active))
    MPL_LANES;
ulong __mpl_lanes_active(void) MPL_LANES;
void __mpl_lanes_barrier(void) MPL_LANES;

/* The work-item's place in its sub-group, the sub-group's in the work-group, the number of
 * work-items in it (fewer than `size` in a last one), and `size` itself. */
uint __mpl_lane_id(void) __attribute__((const));
uint __mpl_lanes_group_id(void) __attribute__((const));
uint __mpl_lanes_here(void) __attribute__((const));
uint __mpl_lanes_size(void) __attribute__((const));

/* The launch and group that the calling work-item belongs to, and its place in the group. */
const private struct mpl_launch *__mpl_launch(void) __attribute__((const));
const private struct mpl_group *__mpl_group(void) __attribute__((const));
ulong __mpl_local_id_0(void) __attribute__((const));
ulong __mpl_local_id_1(void) __attribute__((const));
ulong __mpl_local_id_2(void) __attribute__((const));
ulong __mpl_local_linear_id(void) __attribute__((const));

#endif
