// Groups of 8; the specification's input of section 3.15.
#include "check.h"
#define CL_MANIPLE_GROUP_OPERATIONS
#include <opencl_work_group>
using namespace cl;

kernel void check(uint *failed, int *data) {
  const int input[8] = {3, 1, 7, 0, 4, 1, 6, 3};
  const int inclusive[8] = {3, 4, 11, 11, 15, 16, 22, 25};
  const int exclusive[8] = {0, 3, 4, 11, 11, 15, 16, 22};
  size_t i = get_local_id(0);
  int x = input[i];
  CHECK(work_group_scan_inclusive<work_group_op::add>(x) == inclusive[i]);
  CHECK(work_group_scan_exclusive<work_group_op::add>(x) == exclusive[i]);
  CHECK(work_group_reduce<work_group_op::add>(x) == 25);
  CHECK(work_group_reduce<work_group_op::min>((long)x) == 0);
  CHECK(cl::work_group_reduce<work_group_op::max>((float)x) == 7.0f);
  CHECK(work_group_reduce<work_group_op::max>((half)x) == 7.0h);
  CHECK(work_group_reduce<work_group_op::max>((double)x) == 7.0);
  CHECK(work_group_reduce<work_group_op::mul>((uint)i + 1) == 40320u);
  CHECK(work_group_reduce<work_group_op::xor_>(1 << i) == 255);
  CHECK(work_group_reduce<work_group_op::or_>(1ul << i) == 255);
  CHECK(work_group_reduce<work_group_op::and_>(x | 8) == 8);
  CHECK(work_group_reduce<work_group_op::logical_and>(x) == 0);
  CHECK(work_group_reduce<work_group_op::logical_or>(x == 7));
  CHECK(work_group_scan_exclusive<work_group_op::min>(x) == (i ? i > 3 ? 0 : i > 1 ? 1 : 3 : INT_MAX));
  // Small integers are promoted, as for any function.
  CHECK(work_group_reduce<work_group_op::add>(x > 2) == 5);
  CHECK(work_group_reduce<work_group_op::add>((uchar)100) == 800);
  static_assert(__is_same(decltype(cl::work_group_reduce<work_group_op::add>((short)1)), int));
  CHECK(work_group_all(x < 8) && !work_group_all(x < 7));
  CHECK(work_group_any(x == 7) && !cl::work_group_any(x == 8));
  static_assert(__is_same(decltype(work_group_all(1)), bool));
  CHECK(work_group_broadcast(x, 2) == 7 && work_group_broadcast(x + 0.5f, 4, 0) == 4.5f);
  CHECK(work_group_broadcast((ulong)x, 6, 0, 0) == 6);
}
