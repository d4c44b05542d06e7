// A barrier that some work-items do not reach: the checking engine says where, ends the kernel, and
// the queue hears of it.  The program's exit status is the engine's: the test looks at what is
// printed.
#include "check.hpp"

int main() {
  sycl::errc code = sycl::errc::success;
  sycl::queue q([&](sycl::exception_list list) {
    code = test::code_of([&] { std::rethrow_exception(*list.begin()); });
  });
  int value = 0, *p = &value;
  q.parallel_for(sycl::nd_range<1>(32, 32), [=](sycl::nd_item<1> it) {
     if (it.get_local_id(0) < 16) sycl::group_barrier(it.get_group());
   }).wait_and_throw();
  EXPECT(code == sycl::errc::kernel);
  q.single_task([=] { *p = 1; }).wait_and_throw(); // the queue goes on
  EXPECT(value == 1);
  if (!test::result()) std::printf("the queue heard of it\n");
  return test::result();
}
