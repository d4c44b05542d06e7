// options: -cl-std=CL3.0
#include <opencl_work_group>
kernel void k(global int *p) { p[0] = 1; }
