#include "mistake.hpp"

MISTAKE(accessor_required) {
  sycl::buffer<int> b(32);
  sycl::accessor placeholder(b);
  q.parallel_for(sycl::range<1>(32), [=](sycl::id<1> i) { placeholder[i] = 1; });
}
