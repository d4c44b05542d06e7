#include "mistake.hpp"

MISTAKE(broadcast_struct) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    struct pair {
      int a, b;
    };
    auto first = [&](auto x) { return sycl::group_broadcast(it.get_group(), x); };
    out[i] = i < 16 ? first(pair{1, 2}).a : static_cast<int>(first(2.0));
  });
}
