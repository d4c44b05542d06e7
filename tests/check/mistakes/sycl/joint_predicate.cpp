#include "mistake.hpp"

MISTAKE(joint_predicate) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    auto more = [i](int x) { return x > static_cast<int>(i / 16); };
    out[i] = sycl::joint_all_of(it.get_group(), out + 32, out + 64, more);
  });
}
