// options: -cl-std=c++
#include <opencl_vector_load_store>
kernel void k(int *p) { p[0] = cl::vload<5>(0, p).x; }
