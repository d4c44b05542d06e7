#include "mistake.hpp"

MISTAKE(early_return) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    if (i >= 20) return;
    out[i] = sycl::all_of_group(it.get_group(), true);
  });
}
