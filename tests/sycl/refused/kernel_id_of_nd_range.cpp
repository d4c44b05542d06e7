// refused: the kernel of an nd_range takes a sycl::nd_item of as many dimensions, then one reducer
// for each reduction, and changes nothing that it captures (no mutable lambda)
#include <sycl/sycl.hpp>

void f(sycl::queue &q, int *p) {
  q.parallel_for(sycl::nd_range<1>(4, 2), [=](sycl::id<1> i) { p[i] = 1; });
}
