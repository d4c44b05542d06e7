/* Local variables of program scope and of classes; each group sees the values anew. */
#include "check.h"
#include <opencl_atomic> /* hides names of built-in types */
#include <opencl_array>
#include <opencl_memory>
#include <opencl_synchronization>
using namespace cl;

struct pair { int first, second; };
struct point {
  int x, y;
  constexpr point(int a, int b) : x(a), y(b) {}
};

local<array<int, 5>> a = {10}; /* section 3.4's example */
local<int> one(1), two{2}, unset, three = 1 + 2;
local<pair> both{4, 5};
local<point> place(6, 7);
local<int[3]> list = {1, 2, 3};
namespace inner {
local<float4> vector{float4(1, 2, 3, 4)};
}
struct holder {
  static global<int> c;
  static local<array<int, 5>> d;
  template <class T> struct of { static local<T> value; };
};
global<int> holder::c{9};
local<array<int, 5>> holder::d;
template <class T> local<T> holder::of<T>::value;

int sum(const array<int, 5> &v) {
  int s = 0;
  for (int x : v) s += x;
  return s;
}

kernel void values(uint *failed, int *data) {
  CHECK(a[0] == 10 && a[1] == 0 && sum(a) == 10 && one + two + three == 6);
  CHECK(both.first == 4 && both.second == 5 && place.x + place.y == 13 && list[2] == 3);
  CHECK(((float4 &)inner::vector).w == 4.0f && holder::c == 9);
  work_group_barrier(mem_fence::local);
  if (get_local_id(0) == 5) {
    a[0] = 11;
    one = 2;
    unset = 3;
    holder::d[4] = 77;
    holder::of<int>::value = 8;
    both.first += 10;
  }
  work_group_barrier(mem_fence::local);
  CHECK(a[0] == 11 && one == 2 && unset == 3 && holder::d[4] == 77 && holder::of<int>::value == 8);
  CHECK(both.first == 14 && *one.ptr() == 2);
}

/* A kernel that does nothing at first, and one that uses sub-groups. */
kernel void later(uint *failed, int *data) {
  if (data[0] == 0 && get_global_id(0) > 1000000) return;
  if (get_local_id(0) == 7) one++;
  work_group_barrier(mem_fence::local);
  CHECK(one == 2 && two == 2);
}
kernel void lanes(uint *failed, int *data) {
  int x = sub_group_broadcast(three, 0);
  CHECK(x == 3 && list[1] == 2);
  sub_group_barrier(mem_fence::local);
}
kernel void none(uint *failed, int *data) { CHECK(data[3] == 3); }

/* A function that is not the kernel's own. */
__attribute__((noinline)) void add_to_one(int n) { one += n; }
kernel void through_function(uint *failed, int *data) {
  if (get_local_id(0) == 2) add_to_one(5);
  work_group_barrier(mem_fence::local);
  CHECK(one == 6);
}

/* Constructed and destroyed by one work-item; the mark that a work-item leaves behind is taken back
 * once by the destructor. */
struct counted {
  int made = 0, calls;
  uint *failed = nullptr;
  counted() : calls(3) { made++; }
  ~counted() {
    for (int i = 0; i < calls; i++) failed[i] -= 1;
  }
};
kernel void lifetime(uint *failed, int *data) {
  local<counted> object, unused{};
  size_t i = get_local_id(0), group = get_global_id(0) - i;
  CHECK(object.made == 1 && object.calls == 3);
  work_group_barrier(mem_fence::local);
  if (i == 1) object.failed = unused.failed = failed + group;
  if (i < 3) failed[get_global_id(0)] += 2;
  if (i > 5) return;
  CHECK(object.made == 1);
}
