// Half of each sub-group waits at a named barrier.
#include <opencl_memory>
#include <opencl_synchronization>
#include <opencl_work_item>
using namespace cl;

kernel void k(int *out) {
  local<work_group_named_barrier> all(get_num_sub_groups());
  if (get_sub_group_local_id() < 8) all.wait(mem_fence::local);
  out[get_global_id(0)] = 1;
}
