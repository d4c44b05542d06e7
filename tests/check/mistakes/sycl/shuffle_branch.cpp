#include "mistake.hpp"

MISTAKE(shuffle_branch) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    if (i < 4) out[i] = sycl::select_from_group(it.get_sub_group(), 1, 2);
  });
}
