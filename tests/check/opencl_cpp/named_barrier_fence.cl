// A named barrier does not order memory that its flags do not name.
#include <opencl_memory>
#include <opencl_synchronization>
#include <opencl_work_item>
using namespace cl;

kernel void k(int *out) {
  local<work_group_named_barrier> all(get_num_sub_groups());
  size_t i = get_global_id(0);
  out[i] = (int)i;
  all.wait(mem_fence::local);
  out[i] += out[31 - i];
}
