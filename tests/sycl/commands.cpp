// Extensions of Khronos around queues: whether one is empty, flush, contexts, limits, casts,
// commands as free functions; barriers of queues (sycl_ext_oneapi_enqueue_barrier).
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <atomic>
#include <thread>
#include <vector>

namespace {

namespace khr = sycl::khr;

void queries() {
  sycl::queue q = test::make_queue(), other;
  sycl::context whole = q.get_device().get_platform().khr_get_default_context();
  EXPECT(whole == q.get_context() && whole == other.get_context());
  EXPECT(whole.get_devices() == q.get_device().get_platform().get_devices());
  sycl::device device = q.get_device();
  std::size_t most = device.get_info<khr::info::device::max_work_group_range_size>();
  EXPECT(most >= 1u << 31);
  EXPECT(device.get_info<khr::info::device::max_work_group_range<2>>()[1] <= most);
  static_assert(
      std::is_same_v<khr::info::device::max_work_group_range<>::return_type, sycl::range<3>>);
  int x = 3;
  auto p = khr::static_addrspace_cast<sycl::addrspace_private>(&x);
  static_assert(
      std::is_same_v<decltype(p),
                     sycl::multi_ptr<int, sycl::addrspace_private, sycl::access::decorated::no>>);
  sycl::generic_ptr<int, sycl::access::decorated::yes> generic(&x);
  EXPECT(*p == 3 && *khr::static_addrspace_cast<sycl::addrspace_global>(generic) == 3);
}

// Without helping: a thread that waits may run any command of the queue, one that is held up too.
void poll(const sycl::event &event) {
  while (event.get_info<sycl::info::event::command_execution_status>() !=
         sycl::info::event_command_status::complete)
    std::this_thread::yield();
}

void emptiness(sycl::queue q) {
  std::atomic<bool> go{false};
  EXPECT(q.khr_empty());
  sycl::event held = q.submit([&](sycl::handler &h) {
    h.host_task([&] {
      while (!go) std::this_thread::yield();
    });
  });
  EXPECT(!q.khr_empty());
  sycl::event after = q.single_task(held, [] {});
  q.khr_flush();
  EXPECT(!q.khr_empty());
  go = true;
  after.wait();
  EXPECT(q.khr_empty());
  for (int turn = 0; turn < 200; turn++) { // what has been waited for has left the queue
    q.single_task([] {}).wait();
    EXPECT(q.khr_empty());
  }
  sycl::event flushed = q.single_task([] {});
  q.khr_flush();
  poll(flushed);
}

// A barrier with events waits for these, one without for all; what comes later for the barrier.
void barriers() {
  sycl::queue q = test::make_queue(); // out of order
  std::atomic<int> step{0};
  std::atomic<bool> go{false};
  sycl::event slow = q.submit([&](sycl::handler &h) {
    h.host_task([&] {
      while (!go) std::this_thread::yield();
      step++;
    });
  });
  sycl::event quick = q.submit([&](sycl::handler &h) { h.host_task([] {}); });
  sycl::event some = q.ext_oneapi_submit_barrier({quick}); // not for the slow one
  q.khr_flush();
  poll(some);
  EXPECT(step == 0);
  poll(q.submit([&](sycl::handler &h) { h.host_task([] {}); }));
  sycl::event all = q.ext_oneapi_submit_barrier();
  int seen = -1;
  sycl::event last = q.submit([&](sycl::handler &h) { h.host_task([&] { seen = step; }); });
  EXPECT(last.get_info<sycl::info::event::command_execution_status>() !=
         sycl::info::event_command_status::complete);
  go = true;
  last.wait();
  EXPECT(seen == 1 && all.get_info<sycl::info::event::command_execution_status>() ==
                          sycl::info::event_command_status::complete);
}

void free_functions() {
  sycl::queue q{sycl::property::queue::in_order()};
  int *a = sycl::malloc_shared<int>(64, q), *b = sycl::malloc_shared<int>(64, q);
  int *sum = sycl::malloc_shared<int>(2, q);
  khr::memset(q, a, 0, 64 * sizeof(int));
  khr::launch(q, sycl::range<1>(64), [=](sycl::id<1> i) { a[i] += int(i); });
  khr::copy(q, a, b, 64);
  khr::fill(q, a, 7, 32);
  khr::command_barrier(q);
  khr::launch_grouped(q, sycl::range<2>(8, 8), sycl::range<2>(2, 4), [=](sycl::nd_item<2> it) {
    b[it.get_global_linear_id()] += int(it.get_local_linear_id());
  });
  khr::launch_task(q, [=] { sum[0] = sum[1] = 0; });
  khr::launch_reduce(
      q, sycl::range<1>(64), [=](sycl::id<1> i, auto &all) { all += a[i]; },
      sycl::reduction(sum, sycl::plus<>()));
  khr::launch_grouped_reduce(
      q, sycl::range<1>(64), sycl::range<1>(16),
      [=](sycl::nd_item<1> it, auto &all) { all.combine(b[it.get_global_id(0)]); },
      sycl::reduction(sum + 1, sycl::maximum<>()));
  khr::memcpy(q, a + 60, a, 4 * sizeof(int));
  khr::prefetch(q, a, 4);
  khr::mem_advise(q, a, 4, 0);
  q.wait_and_throw();
  int expected = 0, most = 0;
  for (int i = 0; i < 64; i++) {
    int local = i / 8 % 2 * 4 + i % 4;
    EXPECT(b[i] == i + local);
    EXPECT(a[i] == (i < 32 || i >= 60 ? 7 : i));
    expected += i < 32 ? 7 : i;
    most = most < i + local ? i + local : most;
  }
  EXPECT(sum[0] == expected && sum[1] == most);

  int host[4] = {1, 2, 3, 4}, back[4] = {};
  {
    sycl::buffer<int> from(host, sycl::range<1>(4)), to{sycl::range<1>(4)};
    sycl::accessor in(from, sycl::read_only);
    sycl::accessor out(to, sycl::write_only);
    sycl::accessor both(to);
    khr::copy(q, in, out);
    khr::submit(q, [&](sycl::handler &h) {
      sycl::accessor x(to, h);
      khr::launch(h, sycl::range<1>(4), [=](sycl::id<1> i) { x[i] *= 10; });
    });
    khr::copy(q, sycl::accessor(to, sycl::read_only), back);
    khr::update_host(q, both);
    sycl::event end = khr::submit_tracked(q, [&](sycl::handler &h) { khr::launch_task(h, [] {}); });
    khr::event_barrier(q, {end});
    q.wait_and_throw();
  }
  EXPECT(back[0] == 10 && back[3] == 40);
  for (int *p : {a, b, sum}) sycl::free(p, q);
}

} // namespace

int main() {
  queries();
  emptiness(test::make_queue());
  emptiness(sycl::queue{sycl::property::queue::in_order()});
  barriers();
  free_functions();
  return test::result();
}
