// options: -cl-std=CL1.2
kernel void k(global int *out) { out[0] = sub_group_ballot(1).x; }
