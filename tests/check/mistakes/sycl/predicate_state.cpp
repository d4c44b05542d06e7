#include "mistake.hpp"

MISTAKE(predicate_state) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    auto more = [i](int x) { return x > static_cast<int>(i / 16); };
    out[i] = sycl::any_of_group(it.get_group(), 1, more);
  });
}
