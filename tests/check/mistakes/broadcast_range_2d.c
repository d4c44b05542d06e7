#define RANGE mpl_2d(8, 4, 8, 4)
#include "mistake.h"

mpl_kernel(k, (int *) out) {
  out[0] = work_group_broadcast(1, 8, 1);
}
MAIN
