// Groups of 8.
#include "check.h"
#include <opencl_atomic>
#include <opencl_memory>
#include <opencl_synchronization>
using namespace cl;

kernel void check(uint *failed, int *data) {
  size_t i = get_local_id(0);
  local<atomic<int>> sum{0};
  local<atomic_uint> bits{0u};
  local<atomic<int>> least{100};
  local<atomic<float>> last{0.5f};
  local<atomic<ulong>> wide{1ul << 40};
  local<atomic_flag> flag;
  if (i == 0) flag.clear();
  work_group_barrier(mem_fence::local);
  sum.fetch_add(2);
  atomic_fetch_add(&sum, 1);
  bits |= 1u << i;
  least.fetch_min(10 + (int)i, memory_order_relaxed, memory_scope_work_group);
  wide++;
  local<atomic<int>> winners{0};
  if (!flag.test_and_set()) winners++;
  work_group_barrier(mem_fence::local);
  CHECK(sum == 24 && bits.load() == 255u && least == 10 && wide == (1ul << 40) + 8);
  CHECK(winners == 1 && sum.is_lock_free());
  work_group_barrier(mem_fence::local);
  if (i == 0) {
    int expected = 23;
    CHECK(!sum.compare_exchange_strong(expected, 5) && expected == 24);
    CHECK(sum.compare_exchange_strong(expected, 5) && sum.load(memory_order_acquire) == 5);
    CHECK(last.exchange(2.0f) == 0.5f && last == 2.0f);
    sum = 7;
    CHECK(--sum == 6 && sum-- == 6 && (sum += 10) == 15 && (sum &= 6) == 6 && sum.fetch_xor(2) == 6);
    atomic_store_explicit(&sum, 9, memory_order_release, memory_scope_work_group);
    CHECK(atomic_load(&sum) == 9 && atomic_exchange(&sum, 1) == 9);
    atomic_fence(mem_fence::local, memory_order_acq_rel, memory_scope_work_group);
  }
}

kernel void pointers(uint *failed, int *data) {
  if (get_global_id(0)) return;
  static global<atomic<int *>> p;
  p = data;
  CHECK(*p++ == 0 && *p == 1 && *++p == 2 && *(p += 3) == 5 && p.fetch_sub(4) == data + 5);
  CHECK(p.load() == data + 1);
}
