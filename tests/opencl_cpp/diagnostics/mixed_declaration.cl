// options: -cl-std=c++
#include <opencl_memory>
using namespace cl;
kernel void k(int *p) {
  local<int> a{1}, b;
  p[0] = a + b;
}
