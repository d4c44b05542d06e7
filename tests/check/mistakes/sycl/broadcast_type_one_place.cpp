#include "mistake.hpp"

MISTAKE(broadcast_type_one_place) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    auto first = [&](auto x) { return sycl::group_broadcast(it.get_group(), x); };
    out[i] = i < 16 ? first(1) : static_cast<int>(first(1.0f));
  });
}
