// options: -cl-std=c++
#include <opencl_work_group>
kernel void k(int *p) { p[0] = cl::work_group_reduce<cl::work_group_op::mul>(p[0]); }
