// options: -cl-std=CL1.2
kernel void k(global int *out) { out[0] = work_group_reduce_add(out[1]); }
