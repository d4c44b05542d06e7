#define RANGE mpl_2d(8, 4, 8, 4)
#include "mistake.h"

mpl_kernel(k, (int *) out) {
  if (get_local_id(1) < 2) out[get_local_id(0)] = work_group_reduce_add(1);
}
MAIN
