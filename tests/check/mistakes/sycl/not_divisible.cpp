#include "mistake.hpp"

MISTAKE(not_divisible) {
  q.parallel_for(sycl::nd_range<1>(33, 32),
                 [=](sycl::nd_item<1> it) { out[it.get_local_id(0)] = 1; });
}
