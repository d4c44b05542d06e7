#include "mistake.hpp"

// An operator of the program's own, whose identity nobody knows.
MISTAKE(identity) {
  auto longer = [](int a, int b) { return a * 31 + b; };
  q.submit([&](sycl::handler &h) {
    sycl::property_list from_start = {sycl::property::reduction::initialize_to_identity()};
    h.parallel_for(sycl::range<1>(32), sycl::reduction(out, longer, from_start),
                   [=](sycl::id<1> i, auto &sum) { sum.combine(static_cast<int>(i)); });
  });
}
