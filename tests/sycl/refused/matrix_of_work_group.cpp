// refused: a joint_matrix is a sub_group's
#include <sycl/sycl.hpp>

using namespace sycl::ext::oneapi::experimental::matrix;

void f(sycl::group<1> g) {
  joint_matrix<sycl::group<1>, float, use::accumulator, 4, 4> c;
  joint_matrix_fill(g, c, 0);
}
