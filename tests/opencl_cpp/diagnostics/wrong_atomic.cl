// options: -cl-std=c++
#include <opencl_atomic>
cl::atomic<short> a;
kernel void k(int *p) { p[0] = 1; }
