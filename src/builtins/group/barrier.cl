/* Barriers (OpenCL C 3.0, 6.15.8).  A work-group runs on one thread, so the rendezvous is the whole
 * of it: program order makes every memory effect visible, whatever flags and scope say. */
#include "sync.h"

MPL_INLINE void barrier(cl_mem_fence_flags flags) { __mpl_sync_barrier(); }
MPL_INLINE void work_group_barrier(cl_mem_fence_flags flags) { __mpl_sync_barrier(); }
MPL_INLINE void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) { __mpl_sync_barrier(); }
