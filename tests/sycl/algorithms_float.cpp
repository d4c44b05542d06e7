// Reductions and scans: see algorithms.hpp.
#include "algorithms.hpp"

int main() {
  sycl::queue q = test::make_queue();
  test::test_type<sycl::half>(q);
  test::test_type<float>(q);
  test::test_type<double>(q);
  return test::result();
}
