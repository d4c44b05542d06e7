// options: -cl-std=c++
#include <opencl_work_group>
kernel void k(int *p) {
  int x = cl::work_group_reduce(p[1]);
  int y = cl::sub_group_scan_exclusive<0>(p[1]);
}
