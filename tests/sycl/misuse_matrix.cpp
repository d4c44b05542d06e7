// A multiplication that half of a sub-group does not come to: the checking engine says where, as of
// any group function.  The test looks at what is printed (misuse.cpp).
#include "check.hpp"

int main() {
  namespace matrix = sycl::ext::oneapi::experimental::matrix;
  using matrix::joint_matrix, matrix::layout, matrix::use;
  sycl::errc code = sycl::errc::success;
  sycl::queue q([&](sycl::exception_list list) {
    code = test::code_of([&] { std::rethrow_exception(*list.begin()); });
  });
  q.parallel_for(sycl::nd_range<1>(16, 16), [=](sycl::nd_item<1> it) {
     sycl::sub_group g = it.get_sub_group();
     joint_matrix<sycl::sub_group, float, use::a, 4, 4, layout::row_major> a;
     joint_matrix<sycl::sub_group, float, use::b, 4, 4, layout::row_major> b;
     joint_matrix<sycl::sub_group, float, use::accumulator, 4, 4> c;
     joint_matrix_fill(g, a, 1);
     joint_matrix_fill(g, b, 1);
     joint_matrix_fill(g, c, 0);
     if (g.get_local_linear_id() < 8) joint_matrix_mad(g, c, a, b, c);
   }).wait_and_throw();
  EXPECT(code == sycl::errc::kernel);
  if (!test::result()) std::printf("the queue heard of it\n");
  return test::result();
}
