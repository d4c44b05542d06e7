// options: -cl-std=c++
#include <opencl_work_group>
kernel void k(int *p) {
  int x = cl::work_group_broadcast(p[1], 1, 2, 3, 4);
  int y = cl::work_group_broadcast(p[1]);
  int z = cl::sub_group_broadcast(p[1], p);
}
