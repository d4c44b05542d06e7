#include "mistake.h"

/* Waits for a value that nobody writes, in a loop of which the engine does not know. */
mpl_kernel(k, (int *) out) {
  volatile int *flag = out;
  out[32] = work_group_reduce_add(1);
  if (get_local_id(0) == 5)
    while (!*flag) continue;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
}
MAIN
