#include "mistake.hpp"

MISTAKE(broadcast_id) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    out[i] = sycl::group_broadcast(it.get_group(), 1, i < 30 ? 2 : 3);
  });
}
