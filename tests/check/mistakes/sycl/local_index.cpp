#include "mistake.hpp"

MISTAKE(local_index) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<int> a(31, h);
    h.parallel_for(sycl::nd_range<1>(32, 32),
                   [=](sycl::nd_item<1> it) { a[it.get_local_id()] = 1; });
  });
}
