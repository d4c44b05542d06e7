// options: -cl-std=CL1.1
kernel void k(global int *out) { out[0] = ctz(out[1]); }
