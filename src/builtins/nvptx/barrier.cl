/* Barriers on a GPU (OpenCL C 3.0, 6.15.8): they order local and global memory for the work-group; what
 * is for others too needs a fence. */
#include "sync.h"

MPL_INLINE void barrier(cl_mem_fence_flags flags) { __mpl_sync_barrier(); }
MPL_INLINE void work_group_barrier(cl_mem_fence_flags flags) { __mpl_sync_barrier(); }
MPL_INLINE void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  bool for_others = scope == memory_scope_device || scope == memory_scope_all_svm_devices;
  if (for_others) __c11_atomic_thread_fence(memory_order_acq_rel);
  __mpl_sync_barrier();
  if (for_others) __c11_atomic_thread_fence(memory_order_acq_rel);
}
