#include "mistake.hpp"

MISTAKE(joint_operation) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    auto joint = [&](auto op) {
      return sycl::joint_reduce(it.get_group(), out + 32, out + 64, op);
    };
    out[i] = i < 16 ? joint(sycl::plus<>()) : joint(sycl::maximum<>());
  });
}
