#include "mistake.hpp"

MISTAKE(predicate_type) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    auto zero = [](int x) { return x == 0; };
    auto one = [](int x) { return x == 1; };
    auto any = [&](auto which) { return sycl::any_of_group(it.get_group(), 1, which); };
    out[i] = i < 8 ? any(zero) : any(one);
  });
}
