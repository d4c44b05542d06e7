/* The words between the built-in library and the compiler passes (../compiler/markers.def).
 *
 * A group function ends in a call of one of these; the passes cut the kernel there and put the
 * operation in its place.  `combine` works on the operands of all work-items of the group, in
 * ascending linear local id, in memory that may be read, by scans also written, up to the next
 * multiple of 64 elements. */
#ifndef MPL_BUILTINS_SYNC_H
#define MPL_BUILTINS_SYNC_H

#include "abi.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

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
#include "collectives.def"
#undef MPL_DECLARE

/* The launch and group that the calling work-item belongs to, and its place in the group. */
const private struct mpl_launch *__mpl_launch(void) __attribute__((const));
const private struct mpl_group *__mpl_group(void) __attribute__((const));
ulong __mpl_local_id_0(void) __attribute__((const));
ulong __mpl_local_id_1(void) __attribute__((const));
ulong __mpl_local_id_2(void) __attribute__((const));
ulong __mpl_local_linear_id(void) __attribute__((const));

#endif
