/* A file whose name is not UTF-8: the JSON is, all the same. */
#include "mistake.h"

mpl_kernel(k, (int *) out) {
  static const struct mpl_site site = {.file = "d\303\251j\340 \"vu\".c", .line = 3};
  if (get_local_id(0) < 3) mpl_work_group_barrier(CLK_LOCAL_MEM_FENCE, 0, &site);
  out[0] = 1;
}
MAIN
