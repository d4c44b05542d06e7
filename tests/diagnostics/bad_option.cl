// options: -cl-std=CL3.0 -frobnicate
kernel void k(void) {}
