// Reductions and scans: see algorithms.hpp.
#include <sycl/sycl.hpp>

#include "algorithms.hpp"

int main() {
  sycl::queue q = test::make_queue();
  test::test_type<sycl::int2>(q);
  test::test_type<sycl::marray<float, 3>>(q);
  return test::result();
}
