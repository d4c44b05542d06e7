#include "mistake.hpp"

MISTAKE(limits) {
  size_t most = q.get_device().get_info<sycl::info::device::max_work_group_size>();
  size_t local = q.get_device().get_info<sycl::info::device::local_mem_size>();
  try {
    q.parallel_for(sycl::nd_range<1>(4 * most, 2 * most), [=](sycl::nd_item<1>) { out[0] = 1; });
  } catch (const sycl::exception &e) {
    bool right = e.code() == sycl::errc::nd_range;
    std::fprintf(stderr, "too many work-items: %s\n", right ? "nd_range" : e.what());
  }
  try {
    q.submit([&](sycl::handler &h) {
      sycl::local_accessor<char> a(local + 1, h);
      h.parallel_for(sycl::nd_range<1>(4, 4), [=](sycl::nd_item<1>) { a[0] = 1; });
    });
  } catch (const sycl::exception &e) {
    bool right = e.code() == sycl::errc::memory_allocation;
    std::fprintf(stderr, "too much local memory: %s\n", right ? "memory_allocation" : e.what());
  }
}
