// Reductions and scans: see algorithms.hpp.
#include "algorithms.hpp"

int main() {
  sycl::queue q = test::make_queue();
  test::test_type<bool>(q);
  test::test_type<char>(q);
  test::test_type<unsigned char>(q);
  test::test_type<short>(q);
  test::test_type<unsigned short>(q);
  return test::result();
}
