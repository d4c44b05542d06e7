// refused: the first argument of sycl::shift_group_left has to be a sycl::sub_group: work-groups
// have no such function
#include <sycl/sycl.hpp>

int main() {
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(8, 8),
                 [](sycl::nd_item<1> it) { sycl::shift_group_left(it.get_group(), 1); });
}
