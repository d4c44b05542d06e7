#include "unit.h"

kernel void prefix(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  out[i] = work_group_scan_inclusive_add(in[i] * UNIT);
}

kernel void sum(global const int *in, global int *total, local int *scratch, uint n) {
  size_t i = get_global_id(0);
  scratch[get_local_id(0)] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0)) return;
  int all = 0;
  for (size_t k = 0; k < get_local_size(0); k++) all += scratch[k];
  total[get_group_id(0)] = all;
}
