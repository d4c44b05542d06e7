// options: -cl-std=CL1.2
kernel void k(global int *out) { out[0] = get_sub_group_size(); }
