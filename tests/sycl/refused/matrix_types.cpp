// refused: joint_matrix_mad takes the types of a row of matrix_combinations
#include <sycl/sycl.hpp>

using namespace sycl::ext::oneapi::experimental::matrix;

void f(sycl::sub_group g, joint_matrix<sycl::sub_group, double, use::accumulator, 4, 4> &c,
       const joint_matrix<sycl::sub_group, float, use::a, 4, 4, layout::row_major> &a,
       const joint_matrix<sycl::sub_group, float, use::b, 4, 4, layout::row_major> &b) {
  joint_matrix_mad(g, c, a, b, c);
}
