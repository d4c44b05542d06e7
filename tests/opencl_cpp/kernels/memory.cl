#include "check.h"
#include <opencl_array>
#include <opencl_memory>
#include <opencl_synchronization>
using namespace cl;

struct counter {
  int n;
  counter(int start) : n(start) {}
  counter() = default;
  void step(int by) { n += by; }
};
struct pair { int first, second; };

global<int> program_global{4};
constant<int> five{5};
constant<pair> pairs{{6, 7}};
constant<int[3]> list{{1, 2, 3}};
local<array<int, 4>> shared;
static int plain = 8;

template <class T> int sum(const array<T, 4> &a) {
  int s = 0;
  for (auto it = a.begin(); it != a.end(); ++it) s += *it;
  return s;
}

int through_generic(int *p) { return *p; }

kernel void check(uint *failed, global_ptr<int[]> data) {
  static global<int> kept{3};
  CHECK(kept == 3 && program_global + five == 9 && plain == 8);
  CHECK(pairs.first == 6 && pairs.second == 7 && list[2] == 3);
  CHECK((&five).get() == five.ptr().get() && *five.ptr() == 5);
}

kernel void locals(uint *failed, global_ptr<int[]> data) {
  size_t i = get_local_id(0);
  local<int> one{41};
  local<int> two(42);
  local<int> three = 43;
  local<array<int, 4>> filled{1, 2, 3, 4};
  local<array<int, 4>> assigned = {5, 6, 7, 8};
  static local<int[2]> raw{9, 10};
  local<counter> steps(100);
  local<counter> later;
  CHECK(one == 41 && two == 42 && three == 43 && raw[0] + raw[1] == 19);
  CHECK(sum(filled) == 10 && sum(assigned) == 26 && steps.n == 100);
  work_group_barrier(mem_fence::local);
  if (i == 3) {
    shared[2] = 77;
    one += 1;
    two++;
    *three.ptr() = 50;
    later.n = 1;
    steps.step(5);
  }
  work_group_barrier(mem_fence::local | mem_fence::global);
  CHECK(shared[2] == 77 && one == 42 && two == 43 && three == 50 && later.n == 1 && steps.n == 105);
  CHECK(through_generic(&one) == 42);
  local_ptr<int> p = one.ptr();
  CHECK(*p == 42 && p.get() == &one);
}

kernel void pointers(uint *failed, global_ptr<int[]> data, local_ptr<int[]> room,
                     constant_ptr<int[]> table) {
  size_t i = get_local_id(0);
  global_ptr<int> q(data.get() + 5), none;
  CHECK(*q == 5 && !none && none == nullptr && q && q != nullptr);
  ++q;
  CHECK(*q == 6 && *q++ == 6 && *q-- == 7 && *(q + 3) == 9 && *(q - 1) == 5);
  q += 2;
  q -= 1;
  CHECK(*q == 7 && q > global_ptr<int>(data.get()) && data[7] == *q);
  global_ptr<int> r = q;
  r.swap(none);
  CHECK(none == q && r == nullptr && none.release() == q.get() && none == nullptr);
  r.reset(data.get());
  CHECK(*r == 0);
  r = nullptr;
  CHECK(!r);
  int *generic = q;
  auto back = dynamic_asptr_cast<global_ptr<int>>(generic);
  CHECK(back == q && dynamic_asptr_cast<local_ptr<int>>(generic) == nullptr);
  CHECK((get_mem_fence(generic) & mem_fence::global) == mem_fence::global);
  CHECK(*reinterpret_asptr_cast<uint>(q) == 7u && *static_asptr_cast<const int>(q) == 7);
  room[i] = table[i] * 2;
  work_group_barrier(mem_fence::local);
  CHECK(room[7 - i] == (int)(7 - i) * 2);
  priv<int> mine;
  mine = 3;
  CHECK(*mine.ptr() == 3 && addressof(mine) != nullptr);
}
