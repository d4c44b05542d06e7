#include "mistake.hpp"

// No group has to run before another one has ended.
MISTAKE(spin_between_groups) {
  q.parallel_for(sycl::nd_range<1>(16, 8), [=](sycl::nd_item<1> it) {
    using reference =
        sycl::atomic_ref<int, sycl::memory_order::acq_rel, sycl::memory_scope::device>;
    reference own(out[it.get_group(0)]), other(out[1 - it.get_group(0)]);
    while (!other.load()) continue;
    own.store(1);
  });
}
