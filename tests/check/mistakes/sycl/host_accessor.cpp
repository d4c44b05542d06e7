#include "mistake.hpp"

// The kernel waits for the end of the accessor, and this thread for the kernel.
MISTAKE(host_accessor) {
  sycl::buffer<int> b(32);
  new sycl::host_accessor(b); // never ended: else the kernel might still run, and be counted
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(b, h);
    h.parallel_for(sycl::range<1>(32), [=](sycl::id<1> i) { a[i] = 1; });
  });
  q.wait();
}
