// options: -cl-std=c++
#include <opencl_reinterpret>
kernel void k(int *p, double *q) { q[0] = cl::as_type<double>(p[0]); }
