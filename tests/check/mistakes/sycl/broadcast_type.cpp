#include "mistake.hpp"

MISTAKE(broadcast_type) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    if (i < 16)
      out[i] = sycl::group_broadcast(it.get_group(), 1);
    else
      out[i] = static_cast<int>(sycl::group_broadcast(it.get_group(), 1.0f));
  });
}
