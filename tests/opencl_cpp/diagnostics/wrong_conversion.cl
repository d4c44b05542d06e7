// options: -cl-std=c++
#include <opencl_convert>
kernel void k(int4 *p, float3 *q) { p[0] = cl::convert_cast<int4>(q[0]); }
