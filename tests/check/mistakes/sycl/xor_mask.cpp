#include "mistake.hpp"

MISTAKE(xor_mask) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    out[i] = sycl::permute_group_by_xor(it.get_sub_group(), 1, i % 16 == 3 ? 2 : 1);
  });
}
