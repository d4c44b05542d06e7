// options: -cl-std=c++
#include <opencl_work_group>
kernel void k(float4 *p) { p[0] = cl::work_group_broadcast(p[0], 0); }
