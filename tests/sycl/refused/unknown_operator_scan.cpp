// refused: the operator of a group reduction or scan has to be one of sycl::plus, multiplies,
// bit_and, bit_or, bit_xor, logical_and, logical_or, minimum, maximum
#include <sycl/sycl.hpp>

#include <functional>

int main() {
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(8, 8), [](sycl::nd_item<1> it) {
    sycl::inclusive_scan_over_group(it.get_group(), 1, std::minus<>());
  });
}
