#define RANGE mpl_2d(8, 4, 8, 4)
#include "mistake.h"

mpl_kernel(k, (int *) out) {
  size_t j = get_local_id(1);
  out[0] = work_group_broadcast(1, j / 2, j % 2);
}
MAIN
