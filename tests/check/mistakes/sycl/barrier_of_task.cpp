// Nor has a single task sub-groups.
MISTAKE(barrier_of_task) {
  q.single_task([=] {
     sycl::group_barrier(sycl::khr::this_sub_group());
     out[0] = 1;
   }).wait();
}
