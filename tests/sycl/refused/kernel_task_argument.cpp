// refused: the kernel of single_task takes no arguments, and changes nothing that it captures (no
// mutable lambda)
#include <sycl/sycl.hpp>

void f(sycl::queue &q, int *p) {
  q.single_task([=](int i) { p[0] = i; });
}
