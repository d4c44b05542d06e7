// options: -cl-std=CL3.0 -cl-uniform-work-group-size
// launch: 100 16
kernel void k(void) { barrier(0); }
