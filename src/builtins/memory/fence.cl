/* Memory fences (OpenCL C 3.0, 6.15.9 and 6.15.12.2).  The processor's own order is strong enough for
 * acquire and release; what they forbid is that the compiler moves accesses over them. */
#include "value.h"

MPL_WRITES void mem_fence(cl_mem_fence_flags flags) {
  __c11_atomic_thread_fence(memory_order_acq_rel);
}
MPL_WRITES void read_mem_fence(cl_mem_fence_flags flags) {
  __c11_atomic_thread_fence(memory_order_acquire);
}
MPL_WRITES void write_mem_fence(cl_mem_fence_flags flags) {
  __c11_atomic_thread_fence(memory_order_release);
}
MPL_WRITES void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order,
                                       memory_scope scope) {
  if (order != memory_order_relaxed) __c11_atomic_thread_fence(order);
}
