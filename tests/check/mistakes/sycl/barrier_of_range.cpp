// A plain range has no work-groups.
MISTAKE(barrier_of_range) {
  q.parallel_for(sycl::range<1>(4), [=](sycl::item<1> it) {
     sycl::group_barrier(sycl::khr::this_group<1>());
     out[it.get_id(0)] = 1;
   }).wait();
}
