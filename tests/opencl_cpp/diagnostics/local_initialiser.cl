// options: -cl-std=c++
#include <opencl_memory>
int next(int x) { return x + 1; }
cl::local<int> a = next(2);
kernel void k(int *p) { p[0] = a; }
