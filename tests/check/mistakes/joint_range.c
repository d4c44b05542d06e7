#include "mistake.h"

/* As the joint algorithms of SYCL do it. */
mpl_kernel(k, (int *) out) {
  size_t i = get_local_id(0);
  mpl_work_group_same("the end of the range", i < 30 ? 32 : i, MPL_SITE());
  out[i] = work_group_reduce_add(1);
}
MAIN
