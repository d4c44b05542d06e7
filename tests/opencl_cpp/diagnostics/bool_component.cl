// options: -cl-std=c++
#include <opencl_def>
kernel void k(int *p) {
  bool2 b = bool2(true, false);
  p[0] = b.xz.x;
}
