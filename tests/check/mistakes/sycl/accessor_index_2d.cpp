#include "mistake.hpp"

// Inside of the memory, outside of the row.
MISTAKE(accessor_index_2d) {
  sycl::buffer<int, 2> b({8, 8});
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(b, h);
    h.parallel_for(sycl::range<1>(8), [=](sycl::id<1> i) { a[i][8 - i] = 1; });
  });
}
