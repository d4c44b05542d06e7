// options: -cl-std=c++
#include <opencl_work_item>
kernel void k(int *p) { p[0] = cl::work_group_any(p[0] == 1); }
