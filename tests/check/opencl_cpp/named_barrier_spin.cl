// A named barrier of more sub-groups than the work-group has.
#include <opencl_memory>
#include <opencl_synchronization>
#include <opencl_work_item>
using namespace cl;

kernel void k(int *out) {
  local<work_group_named_barrier> more(get_num_sub_groups() + 1);
  more.wait(mem_fence::local);
  out[get_global_id(0)] = 1;
}
