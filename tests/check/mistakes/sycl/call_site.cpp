#include "mistake.hpp"

MISTAKE(call_site) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    if (i < 5)
      sycl::group_barrier(it.get_group());
    else
      sycl::group_barrier(it.get_group());
    out[i] = 1;
  });
}
