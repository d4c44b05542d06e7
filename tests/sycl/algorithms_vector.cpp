// Reductions and scans: see algorithms.hpp.
#include <sycl/sycl.hpp>

#include "algorithms.hpp"

int main() {
  sycl::queue q = test::make_queue();
  test::test_type<sycl::int2>(q);
#ifdef FEW_OPERATORS // beside programs with all
  test::test_operator<test::which::add, sycl::marray<float, 3>>(q);
  test::test_operator<test::which::max, sycl::marray<float, 3>>(q);
#else
  test::test_type<sycl::marray<float, 3>>(q);
#endif
  return test::result();
}
