#include "mistake.hpp"

MISTAKE(shift_delta) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    out[i] = sycl::shift_group_left(it.get_sub_group(), 1, static_cast<uint32_t>(i % 16 / 8));
  });
}
