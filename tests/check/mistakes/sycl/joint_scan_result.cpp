#include "mistake.hpp"

MISTAKE(joint_scan_result) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    int *to = i < 16 ? out : out + 1;
    sycl::joint_inclusive_scan(it.get_group(), out + 32, out + 60, to, sycl::plus<>());
  });
}
