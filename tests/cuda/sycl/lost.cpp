// A fault of a kernel comes to the queue's handler with the kernel's name; what follows says that the
// GPU is lost, and the CPU goes on.
#include "../../sycl/check.hpp"
#include "../twin/control.h"

#include <dlfcn.h>
#include <string>

int main() {
  constexpr int illegal_address = 700;
  std::string heard, next;
  sycl::queue gpu(sycl::gpu_selector_v, [&](sycl::exception_list list) {
    for (const auto &error : list) {
      try {
        std::rethrow_exception(error);
      } catch (const sycl::exception &e) {
        EXPECT(e.code() == sycl::errc::kernel);
        heard += e.what();
      }
    }
  });
  gpu.single_task<struct first>([] {}).wait_and_throw();
  EXPECT(heard.empty());
  void *twin = dlopen(std::getenv("MANIPLE_CUDA_LIBRARY"), RTLD_NOW | RTLD_NOLOAD);
  auto *control = static_cast<const twin_control *>(dlsym(twin, "twin_control"));
  control->fault("kernel", 1, illegal_address);
  gpu.single_task<struct second>([] {}).wait_and_throw();
  EXPECT(heard.find("kernel second failed") != std::string::npos);
  try {
    gpu.single_task<struct third>([] {}).wait_and_throw();
  } catch (const sycl::exception &e) {
    next = e.what();
  }
  EXPECT(next.find("the GPU is lost to this process") != std::string::npos);
  EXPECT(next.find("an address outside its memory") != std::string::npos);
  int *x = sycl::malloc_shared<int>(1, sycl::queue());
  sycl::queue().single_task([=] { *x = 7; }).wait();
  EXPECT(*x == 7);
  sycl::free(x, sycl::queue());
  return test::result();
}
