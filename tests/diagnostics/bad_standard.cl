// options: -cl-std=CL9.9
kernel void k(void) {}
