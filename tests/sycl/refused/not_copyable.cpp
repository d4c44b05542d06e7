// refused: a group or sub_group, a trivially copyable value, and an id
#include <sycl/sycl.hpp>

#include <string>

int main() {
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(8, 8), [](sycl::nd_item<1> it) {
    sycl::group_broadcast(it.get_group(), std::string("text"));
  });
}
