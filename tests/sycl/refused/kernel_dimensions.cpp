// refused: the kernel of a range takes a sycl::item or sycl::id of as many dimensions, then one
// reducer for each reduction, and changes nothing that it captures (no mutable lambda)
#include <sycl/sycl.hpp>

void f(sycl::queue &q, int *p) {
  q.parallel_for(sycl::range<2>(4, 4), [=](sycl::id<1> i) { p[i] = 1; });
}
