#include "mistake.hpp"

MISTAKE(operation) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    if (i < 5)
      out[i] = sycl::reduce_over_group(it.get_group(), 1, sycl::plus<>());
    else
      out[i] = sycl::reduce_over_group(it.get_group(), 1, sycl::maximum<>());
  });
}
