// options: -cl-std=c++
#include <opencl_memory>
cl::local<int> a;

int *b = &a;
kernel void k(int *p) { p[0] = *b; }
