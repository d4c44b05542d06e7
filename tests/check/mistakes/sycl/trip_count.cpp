#include "mistake.hpp"

MISTAKE(trip_count) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    for (size_t turn = 0; turn < i / 8; turn++)
      out[i] = sycl::inclusive_scan_over_group(it.get_group(), 1, sycl::plus<>());
  });
}
