#include "mistake.h"

mpl_kernel(k, (int *) out) {
  size_t i = get_local_id(0);
  out[i] = i % 2 ? work_group_reduce_add(1) : work_group_reduce_max(1);
}
MAIN
