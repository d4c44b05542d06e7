#include "mistake.hpp"

MISTAKE(host_index) {
  sycl::buffer<int> b(32);
  sycl::host_accessor a(b);
  a[32] = 1;
}
