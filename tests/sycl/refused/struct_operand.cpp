// refused: a group, numbers, and sycl::plus or its like
#include <sycl/sycl.hpp>

struct point {
  int x, y;
};

int main() {
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(8, 8), [](sycl::nd_item<1> it) {
    sycl::reduce_over_group(it.get_group(), point{1, 2}, sycl::plus<>());
  });
}
