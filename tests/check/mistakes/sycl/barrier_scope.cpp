#include "mistake.hpp"

MISTAKE(barrier_scope) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    sycl::group_barrier(it.get_group(),
                        i < 4 ? sycl::memory_scope::device : sycl::memory_scope::work_group);
    out[i] = 1;
  });
}
