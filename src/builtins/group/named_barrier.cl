/* Named barriers: what SPIR-V's OpNamedBarrierInitialize and OpMemoryNamedBarrier are, and OpenCL
 * C++'s work_group_named_barrier.  One is two numbers in local memory: how many sub-groups have come,
 * ever, and how many meet.  The n-th to come waits until the next multiple of `count` is reached, so
 * nothing is set back while others still look, and whoever comes first meets.  Sub-groups may wait
 * for one another: each makes progress whatever the others do. */
#include "sync.h"

#define INLINE __attribute__((always_inline))
enum { ARRIVED, COUNT };

/* By one work-item. */
INLINE void __mpl_named_barrier_start(local ulong *barrier, uint count) {
  barrier[COUNT] = count;
  atomic_init((local atomic_ulong *)&barrier[ARRIVED], 0);
}

/* By a sub-group whose work-items have all come (sub_group_barrier). */
INLINE void __sub_group_named_barrier_wait(local ulong *barrier) {
  local atomic_ulong *arrived = (local atomic_ulong *)&barrier[ARRIVED];
  ulong before = 0, count = barrier[COUNT];
  if (get_sub_group_local_id() == 0)
    before = atomic_fetch_add_explicit(arrived, (ulong)1, memory_order_acq_rel,
                                       memory_scope_work_group);
  before = sub_group_broadcast(before, 0);
  ulong due = (before / count + 1) * count;
  while (atomic_load_explicit(arrived, memory_order_relaxed, memory_scope_work_group) < due)
    ;
  atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acquire,
                         memory_scope_work_group);
}

/* By a work-group: the next one of its MPL_NAMED_BARRIERS, which lie in `pool`.  Who asks for more
 * gets the oldest again, which nobody waits at any more. */
INLINE local ulong *__work_group_named_barrier(local ulong *pool, local uint *next, uint count) {
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if ((get_local_id(0) | get_local_id(1) | get_local_id(2)) == 0) {
    *next = (*next + 1) % MPL_NAMED_BARRIERS;
    __mpl_named_barrier_start(pool + *next * MPL_NAMED_BARRIER_WORDS, count);
  }
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  return pool + *next * MPL_NAMED_BARRIER_WORDS;
}
