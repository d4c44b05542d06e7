// options: -cl-std=c++
#include <opencl_memory>
#include <opencl_work_item>
using namespace cl;

[[cl::required_work_group_size(8, 1, 1)]]
kernel void k(global_ptr<int[]> out,
              const int *in) {
  local<int> x{1};
  out[get_global_id(0)] = in[0] + no_such_name;
}
