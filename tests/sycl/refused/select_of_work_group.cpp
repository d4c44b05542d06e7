// refused: the first argument of sycl::select_from_group has to be a sycl::sub_group: work-groups
// have no such function
#include <sycl/sycl.hpp>

int main() {
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(8, 8), [](sycl::nd_item<1> it) {
    sycl::select_from_group(it.get_group(), 1, it.get_local_id());
  });
}
