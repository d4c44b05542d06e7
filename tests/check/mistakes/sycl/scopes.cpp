#include "mistake.hpp"

MISTAKE(scopes) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    if (i < 4)
      out[i] = sycl::reduce_over_group(it.get_group(), 1, sycl::plus<>());
    else
      out[i] = sycl::reduce_over_group(it.get_sub_group(), 1, sycl::plus<>());
  });
}
