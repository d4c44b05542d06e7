#include "mistake.hpp"

// Behind the barrier it would be written.
MISTAKE(spin) {
  run(q, [=](sycl::nd_item<1> it) {
    sycl::atomic_ref<int, sycl::memory_order::acq_rel, sycl::memory_scope::device> flag(out[0]);
    if (it.get_local_id(0) == 3)
      while (!flag.load()) continue;
    sycl::group_barrier(it.get_group());
    flag.store(1);
  });
}
