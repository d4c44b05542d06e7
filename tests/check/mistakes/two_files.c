#include "two_files.h"

mpl_kernel(k, (int *)out) {
  size_t i = get_local_id(0);
  out[i] = i < 16 ? work_group_reduce_add(1) : second(1);
}
MAIN
