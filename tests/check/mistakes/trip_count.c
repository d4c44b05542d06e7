#include "mistake.h"

mpl_kernel(k, (int *) out) {
  for (size_t turn = 0; turn < get_local_id(0) / 8; turn++)
    out[turn] = work_group_scan_exclusive_add(1);
}
MAIN
