// refused: a group, numbers, and sycl::plus or its like
#include <sycl/sycl.hpp>

#include <functional>

int main() {
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(8, 8), [](sycl::nd_item<1> it) {
    sycl::inclusive_scan_over_group(it.get_group(), 1, std::minus<>());
  });
}
