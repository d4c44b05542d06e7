#include "mistake.h"

mpl_kernel(k, (int *) out) {
  size_t i = get_local_id(0);
  out[i] = i < 16 ? work_group_broadcast(1, 0) : (int)work_group_broadcast(1.0f, 0);
}
MAIN
