// Told once, though the group that is there has one work-item only.
MISTAKE(broadcast_of_work_item) {
  q.submit([&](sycl::handler &h) {
     h.parallel_for_work_group(sycl::range<1>(2), sycl::range<1>(32), [=](sycl::group<1> g) {
       g.parallel_for_work_item([&](sycl::h_item<1> it) {
         out[it.get_global_id()[0]] = sycl::group_broadcast(g, 1, 3);
       });
     });
   }).wait();
}
