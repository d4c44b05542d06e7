// Code of a work-group runs once: the end of parallel_for_work_item is its barrier.
MISTAKE(barrier_of_work_group) {
  q.submit([&](sycl::handler &h) {
     h.parallel_for_work_group(sycl::range<1>(2), sycl::range<1>(32), [=](sycl::group<1> g) {
       sycl::group_barrier(g);
       g.parallel_for_work_item([&](sycl::h_item<1> it) { out[it.get_global_id()[0]] = 1; });
     });
   }).wait();
}
