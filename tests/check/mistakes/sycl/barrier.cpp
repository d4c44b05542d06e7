#include "mistake.hpp"

MISTAKE(barrier) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    if (i < 16) sycl::group_barrier(it.get_group());
    out[i] = 1;
  });
}
