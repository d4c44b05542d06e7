#include "mistake.h"

mpl_kernel(k, (int *) out) {
  size_t i = get_local_id(0);
  if (i < 4)
    out[i] = work_group_any(1);
  else
    out[i] = sub_group_any(1);
}
MAIN
