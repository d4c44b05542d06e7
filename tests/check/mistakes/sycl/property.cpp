#include "mistake.hpp"

MISTAKE(property) {
  sycl::buffer<int> b(out, 32, {sycl::property::queue::in_order()});
}
