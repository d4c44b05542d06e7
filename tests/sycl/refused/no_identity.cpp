// refused: an exclusive scan without an initial value needs an operator whose identity is known:
// sycl::logical_and and logical_or have one for bool only
#include <sycl/sycl.hpp>

int main() {
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(8, 8), [](sycl::nd_item<1> it) {
    sycl::exclusive_scan_over_group(it.get_group(), 1, sycl::logical_and<>());
  });
}
