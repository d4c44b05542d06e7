#include "mistake.h"

mpl_kernel(k, (int *) out) {
  size_t i = get_local_id(0);
  if (i >= 8) return;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = 1;
}
MAIN
