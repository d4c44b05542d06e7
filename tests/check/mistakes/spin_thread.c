/* In a group that another thread takes, since the first ones have much to do. */
#define RANGE mpl_1d(96, 32)
#include "mistake.h"

mpl_kernel(k, (volatile int *) out) {
  for (int i = 0; i < 1000000 && get_group_id(0) < 2; i++) out[get_local_id(0)]++;
  if (get_group_id(0) == 2 && get_local_id(0) == 5)
    while (!out[40]) continue;
}
MAIN
