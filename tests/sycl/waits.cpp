// Host tasks that go on once a thread has waited for another command: no thread that waits runs one of
// them, in wait(), in a buffer's destructor or in another host task.
#include "check.hpp"

#include <atomic>
#include <future>
#include <thread>

namespace {

void beside(sycl::queue q) {
  std::promise<void> go;
  int *value = sycl::malloc_shared<int>(1, q);
  std::future<void> heard = go.get_future();
  sycl::event first = q.single_task([=] { *value = 7; });
  sycl::event held = q.submit([&](sycl::handler &h) {
    h.host_task([&] { heard.wait(); });
  });
  first.wait();
  EXPECT(*value == 7);
  sycl::queue other; // what is waited for may be another queue's
  other.single_task([=] { *value = 8; }).wait();
  go.set_value();
  held.wait();
  q.wait();
  EXPECT(*value == 8);
  sycl::free(value, q);
}

// The command that is waited for is made later than the task.
void overtaken() {
  sycl::queue q; // out of order
  std::promise<void> go;
  std::future<void> heard = go.get_future();
  q.submit([&](sycl::handler &h) { h.host_task([&] { heard.wait(); }); });
  int data[4] = {};
  {
    sycl::buffer<int> b(data, sycl::range<1>(4));
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(b, h);
      h.parallel_for(sycl::range<1>(4), [=](sycl::id<1> i) { a[i] = int(i) + 1; });
    });
  }
  EXPECT(data[0] == 1 && data[3] == 4);
  q.submit([&](sycl::handler &h) { h.host_task([] {}); }).wait(); // runs beside it
  go.set_value();
  q.wait();
}

void from_a_task() {
  sycl::queue outer, inner;
  std::promise<void> go;
  std::future<void> heard = go.get_future();
  outer.submit([&](sycl::handler &h) {
    h.host_task([&] {
      inner.submit([&](sycl::handler &h) { h.host_task([&] { heard.wait(); }); });
      int *p = sycl::malloc_shared<int>(1, inner);
      inner.fill(p, 3, 1).wait();
      EXPECT(*p == 3);
      sycl::free(p, inner);
      go.set_value();
    });
  });
  outer.wait();
  inner.wait();
}

// More tasks than the device has threads, each of which waits for the others.
void together() {
  const int count = 2 * int(sycl::device().get_info<sycl::info::device::max_compute_units>()) + 3;
  sycl::queue q;
  std::atomic<int> there{0};
  for (int i = 0; i < count; i++)
    q.submit([&](sycl::handler &h) {
      h.host_task([&] {
        there++;
        while (there < count) std::this_thread::yield();
      });
    });
  q.wait();
  EXPECT(there == count);
}

} // namespace

int main() {
  for (int turn = 0; turn < 20; turn++) {
    beside(test::make_queue());
    beside(sycl::queue{sycl::property::queue::in_order()});
    overtaken();
    from_a_task();
  }
  together();
  return test::result();
}
