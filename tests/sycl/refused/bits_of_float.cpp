// refused: sycl::bit_and, bit_or and bit_xor combine integers only
#include <sycl/sycl.hpp>

int main() {
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(8, 8), [](sycl::nd_item<1> it) {
    sycl::reduce_over_group(it.get_group(), 1.0f, sycl::bit_and<float>());
  });
}
