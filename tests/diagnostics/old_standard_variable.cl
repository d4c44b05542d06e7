// options: -cl-std=CL1.2
global int count = 1;
kernel void k(global int *out) { out[0] = count; }
