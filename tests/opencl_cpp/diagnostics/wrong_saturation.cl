// options: -cl-std=c++
#include <opencl_convert>
kernel void k(int *p, float *q) { q[0] = cl::convert_cast<float, cl::saturate::on>(p[0]); }
