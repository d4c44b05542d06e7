// refused: a group, numbers, and sycl::plus or its like
#include <sycl/sycl.hpp>

int main() {
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(8, 8), [](sycl::nd_item<1> it) {
    sycl::reduce_over_group(it.get_group(), 1, [](int a, int b) { return a - b; });
  });
}
