// A device_global of one file, which a function of a second one reads for the kernels of both:
// copies by either file are of a variable that kernels read, and one that neither has in a kernel
// is refused.
#include <sycl/sycl.hpp>

#include <cstdio>

namespace experimental = sycl::ext::oneapi::experimental;
template <typename T>
using global = experimental::device_global<T, decltype(experimental::properties(
                                                  experimental::device_image_scope))>;

#if PART == 1
SYCL_EXTERNAL global<int> of_function, of_kernel, of_none;
SYCL_EXTERNAL int other(int);
int copied(sycl::queue &);

int main() {
  sycl::queue q;
  int value = 40, *x = sycl::malloc_shared<int>(1, q), refused = 0;
  q.copy(&value, of_function).wait();
  q.single_task([=] { *x = other(2); }).wait();
  try {
    q.copy(&value, of_none);
  } catch (const sycl::exception &error) {
    refused = error.code() == sycl::errc::kernel_not_supported;
  }
  int of_other = copied(q);
  std::printf("%d %d %d\n", *x, of_other, refused);
  return !(*x == 42 && of_other == 7 && refused);
}
#else
SYCL_EXTERNAL extern global<int> of_function;
SYCL_EXTERNAL extern global<int> of_kernel;
extern "C++" SYCL_EXTERNAL [[nodiscard]] int other(int add) {
  return of_function + add;
}

int copied(sycl::queue &q) {
  int value = 0;
  q.single_task([=] { of_kernel = 7; }).wait();
  q.copy(of_kernel, &value).wait();
  return value;
}
#endif
