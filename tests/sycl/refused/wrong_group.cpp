// refused: the first argument of sycl::group_broadcast has to be a sycl::group or a sycl::sub_group
#include <sycl/sycl.hpp>

int main() {
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(8, 8),
                 [](sycl::nd_item<1> it) { sycl::group_broadcast(it, 1, 0u); });
}
