// Several sub-groups; the example of section 3.16.
#include "check.h"
#include <opencl_atomic>
#include <opencl_memory>
#include <opencl_synchronization>
#include <opencl_work_group>
using namespace cl;

void three_times(work_group_named_barrier &b) {
  for (int i = 0; i < 3; i++) b.wait(mem_fence::global);
}

[[cl::required_work_group_size(128, 1, 1)]]
kernel void check(uint *failed, int *data) {
  uint groups = get_num_sub_groups(), half_of_them = groups / 2;
  local<work_group_named_barrier> all(groups);
  local<work_group_named_barrier> low(half_of_them);
  local<work_group_named_barrier> high{groups - half_of_them};
  local<int[128]> seen;
  size_t i = get_local_id(0), other = 127 - i;
  CHECK(groups >= 2);
  seen[i] = (int)i;
  all.wait(mem_fence::local);
  CHECK(seen[other] == (int)other);
  if (get_sub_group_id() < half_of_them)
    three_times(low);
  else
    high.wait(mem_fence::local);
  all.wait(mem_fence::local);
  seen[i] = (int)i + 1;
  all.wait(mem_fence::local);
  CHECK(seen[other] == (int)other + 1);
  work_group_barrier(mem_fence::local);
}

// More sub-groups than meet: any two of them go on.  An odd one stays as long as the last one, which
// looks for a while whether it does, has not come.
[[cl::required_work_group_size(128, 1, 1)]]
kernel void pairs(uint *failed, int *data) {
  local<work_group_named_barrier> two(2);
  local<atomic_int> went{0};
  int last = (int)get_num_sub_groups() - 1;
  if ((int)get_sub_group_id() == last) {
    int looks = 0;
    while (went.load() < last - 1)
      ;
    while (looks < 50 && went.load() == last - 1) looks++;
    CHECK(looks == 50);
  }
  two.wait(mem_fence::local);
  if (get_sub_group_local_id() == 0) went++;
}

// Small sub-groups, of which a GPU runs four together.
[[cl::required_work_group_size(32, 1, 1)]] __attribute__((intel_reqd_sub_group_size(8)))
kernel void narrow(uint *failed, int *data) {
  local<work_group_named_barrier> all(4);
  local<work_group_named_barrier> low(2);
  local<int[32]> seen;
  size_t i = get_local_id(0);
  CHECK(get_num_sub_groups() == 4 && get_max_sub_group_size() == 8);
  if (get_sub_group_id() < 2) three_times(low);
  seen[i] = (int)i;
  all.wait(mem_fence::local);
  CHECK(seen[31 - i] == 31 - (int)i);
  if (get_sub_group_id() & 1) three_times(low);
  all.wait(mem_fence::local);
  CHECK(sub_group_reduce<work_group_op::add>(seen[i]) == 8 * (int)(i & 24) + 28);
}
