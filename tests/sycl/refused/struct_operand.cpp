// refused: group reductions and scans take numbers (bool, integers, sycl::half, float, double), and
// sycl::vec and sycl::marray of them
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
