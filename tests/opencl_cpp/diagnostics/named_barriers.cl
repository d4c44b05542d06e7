// options: -cl-std=c++
#define cl_khr_subgroup_named_barrier
#include <opencl_synchronization>
kernel void k(int *p) { p[0] = 1; }
