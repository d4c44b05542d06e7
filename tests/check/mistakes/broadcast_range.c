#include "mistake.h"

mpl_kernel(k, (int *) out) {
  size_t i = get_local_id(0);
  out[i] = work_group_broadcast((int)i, get_local_size(0));
}
MAIN
