// Reductions and scans: see algorithms.hpp.
#include "algorithms.hpp"

int main() {
  sycl::queue q = test::make_queue();
  test::test_type<int>(q);
  test::test_type<unsigned>(q);
  test::test_type<long>(q);
  test::test_type<unsigned long>(q);
  return test::result();
}
