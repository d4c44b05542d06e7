#include "mistake.hpp"

// A group function where the work-items are turns of a loop.
MISTAKE(hierarchical) {
  q.submit([&](sycl::handler &h) {
    h.parallel_for_work_group(sycl::range<1>(1), sycl::range<1>(32), [=](sycl::group<1> g) {
      g.parallel_for_work_item([&](sycl::h_item<1> it) {
        out[it.get_local_id(0)] = sycl::reduce_over_group(g, 1, sycl::plus<>());
      });
    });
  });
}
