#include "mistake.h"

mpl_kernel(k, (int *) out) {
  size_t i = get_local_id(0);
  if (i < 8)
    out[i] = work_group_reduce_add(1);
  else
    out[i] = work_group_scan_inclusive_add(1);
}
MAIN
