// refused: a sub_group, not a work-group, and a trivially copyable value
#include <sycl/sycl.hpp>

int main() {
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(8, 8),
                 [](sycl::nd_item<1> it) { sycl::shift_group_left(it.get_group(), 1); });
}
