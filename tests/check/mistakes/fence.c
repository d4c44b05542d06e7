#include "mistake.h"

mpl_kernel(k, (int *) out) {
  size_t i = get_local_id(0);
  barrier(i < 16 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
  out[i] = 1;
}
MAIN
