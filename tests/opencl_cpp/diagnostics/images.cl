// options: -cl-std=c++
#include <opencl_image>
kernel void k(int *p) { p[0] = 1; }
