#include "mistake.hpp"

MISTAKE(collective) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    if (i & 1)
      out[i] = sycl::reduce_over_group(it.get_group(), 1, sycl::plus<>());
    else
      out[i] = sycl::any_of_group(it.get_group(), i > 8);
  });
}
