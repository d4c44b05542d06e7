#include "mistake.hpp"

MISTAKE(dimension) {
  run(q, [=](sycl::nd_item<1> it) {
    size_t i = it.get_local_id(0);
    out[i] = static_cast<int>(it.get_global_id(1));
  });
}
