// Groups of 8, which is one sub-group.
#include "check.h"
#include <opencl_work_group>
#include <opencl_synchronization>
using namespace cl;

kernel void check(uint *failed, int *data) {
  int i = get_local_id(0);
  CHECK(get_sub_group_size() == 8 && get_num_sub_groups() == 1 && get_sub_group_id() == 0);
  CHECK(get_sub_group_local_id() == (size_t)i && get_max_sub_group_size() >= 8);
  static_assert(__is_same(decltype(get_sub_group_size()), size_t));
  CHECK(sub_group_reduce<work_group_op::add>(i) == 28);
  CHECK(sub_group_reduce<work_group_op::max>(1.5f * i) == 10.5f);
  CHECK(sub_group_scan_inclusive<work_group_op::add>(i) == i * (i + 1) / 2);
  CHECK(sub_group_scan_exclusive<work_group_op::add>((ulong)i) == (ulong)(i * (i - 1) / 2));
  CHECK(sub_group_all(i < 8) && !sub_group_any(i == 8));
  CHECK(sub_group_broadcast(i + 10, 3) == 13);
  sub_group_barrier(mem_fence::local);
}
