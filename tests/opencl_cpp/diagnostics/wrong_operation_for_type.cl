// options: -cl-std=c++
#define CL_MANIPLE_GROUP_OPERATIONS
#include <opencl_work_group>
kernel void k(float *p) { p[0] = cl::work_group_scan_inclusive<cl::work_group_op::xor_>(p[0]); }
