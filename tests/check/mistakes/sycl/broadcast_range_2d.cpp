#include "mistake.hpp"

MISTAKE(broadcast_range_2d) {
  q.parallel_for(sycl::nd_range<2>({8, 4}, {8, 4}), [=](sycl::nd_item<2> it) {
     out[it.get_local_linear_id()] = sycl::group_broadcast(it.get_group(), 1, sycl::id<2>(4, 4));
   }).wait();
}
