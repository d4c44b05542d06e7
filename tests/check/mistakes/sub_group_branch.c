#include "mistake.h"

mpl_kernel(k, (int *) out) {
  size_t i = get_local_id(0);
  out[i] = 0;
  if (get_sub_group_local_id() % 3 == 0) out[i] = sub_group_reduce_max((int)i);
}
MAIN
