// A work-item of parallel_for_work_item has no group that could wait.
MISTAKE(barrier_of_work_item) {
  q.submit([&](sycl::handler &h) {
     h.parallel_for_work_group(sycl::range<1>(2), sycl::range<1>(32), [=](sycl::group<1> g) {
       g.parallel_for_work_item([&](sycl::h_item<1> it) {
         sycl::group_barrier(g);
         out[it.get_global_id()[0]] = 1;
       });
     });
   }).wait();
}
