#include "mistake.h"

/* As SYCL's shift_group_left does it. */
mpl_kernel(k, (int *) out) {
  uint i = get_sub_group_local_id(), delta = i < 8 ? 1 : 2;
  mpl_sub_group_same("delta", delta, MPL_SITE());
  out[get_local_id(0)] = sub_group_shuffle_down((int)i, delta);
}
MAIN
