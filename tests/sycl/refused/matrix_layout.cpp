// refused: a joint_matrix of use a or b has a layout, and an accumulator has none
#include <sycl/sycl.hpp>

using namespace sycl::ext::oneapi::experimental::matrix;

void f(sycl::sub_group g) {
  joint_matrix<sycl::sub_group, float, use::a, 4, 4> a;
  joint_matrix_fill(g, a, 0);
}
