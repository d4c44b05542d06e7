#include "mistake.hpp"

MISTAKE(accessor_null) {
  sycl::accessor<int> none;
  q.parallel_for(sycl::range<1>(32), [=](sycl::id<1> i) { none[i] = 1; });
}
