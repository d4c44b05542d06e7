kernel void k(global int *out) { out[0] = work_group_reduce_median(3); }
