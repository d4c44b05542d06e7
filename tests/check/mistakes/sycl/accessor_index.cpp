#include "mistake.hpp"

MISTAKE(accessor_index) {
  sycl::buffer<int> b(40);
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(b, h);
    h.parallel_for(sycl::nd_range<1>(64, 32),
                   [=](sycl::nd_item<1> it) { a[it.get_global_id()] = 1; });
  });
}
