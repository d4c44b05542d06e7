// Commands with requirements, and events that tell of one command after another.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <memory>
#include <numeric>
#include <vector>

namespace {

namespace khr = sycl::khr;

using device_accessor = sycl::accessor<int, 1, sycl::access_mode::read>;
using bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;
static_assert(khr::is_requirement_v<device_accessor> && khr::is_requirement_v<bundle> &&
              khr::is_requirement_v<khr::wait_event> && khr::is_requirement_v<khr::wait_events> &&
              khr::is_requirement_v<khr::signal_event> && !khr::is_requirement_v<sycl::event>);
template <typename... R>
constexpr bool can_be = std::is_constructible_v<khr::requirements<R...>, R...>;
static_assert(can_be<khr::wait_event, khr::signal_event, device_accessor, device_accessor, bundle>);
static_assert(!can_be<khr::wait_event, khr::wait_events> && !can_be<bundle, bundle> &&
              !can_be<khr::signal_event, khr::signal_event> && !can_be<sycl::event>);

class doubler;

void kernels(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(64, q), *sum = sycl::malloc_shared<int>(2, q);
  sycl::event first = khr::make_event(q.get_context()), second = khr::make_event(q.get_context());
  first.wait(); // is signaled
  khr::launch(q, {64}, khr::requirements(khr::signal_event(first)),
              [=](sycl::id<1> i) { x[i] = int(i[0]); });
  khr::launch(q, {8, 8}, khr::requirements(khr::wait_event(first), khr::signal_event(second)),
              [=](sycl::item<2> i) { x[i.get_linear_id()] += int(i.get_id(0)) * 100; });
  khr::launch_grouped(q, {4, 4, 4}, {2, 2, 4}, khr::requirements(khr::wait_events({first, second})),
                      [=](sycl::nd_item<3> it) { x[it.get_global_linear_id()] += 10000; });
  khr::enqueue_barrier(q);
  khr::launch_task(q, [=] { sum[0] = sum[1] = 0; });
  khr::enqueue_barrier(q);
  khr::launch_reduce(
      q, {64}, {}, [=](sycl::id<1> i, auto &s) { s += x[i]; }, sycl::reduction(sum, sycl::plus<>()));
  khr::launch_grouped_reduce(
      q, {64}, {16}, khr::requirements(khr::signal_event(second)),
      [=](sycl::nd_item<1> it, auto &m) { m.combine(x[it.get_global_id(0)]); },
      sycl::reduction(sum + 1, sycl::maximum<>()));
  second.wait();
  EXPECT(sum[1] == 63 + 700 + 10000);
  q.wait();
  int total = 0;
  for (int i = 0; i < 64; i++) {
    EXPECT(x[i] == i + i / 8 * 100 + 10000);
    total += x[i];
  }
  EXPECT(sum[0] == total);
  // The kernel's bundle, and one that it is not in.
  auto all = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  auto none = sycl::get_kernel_bundle<sycl::bundle_state::executable>(
      q.get_context(), std::vector<sycl::kernel_id>());
  auto launch = [&](const bundle &b) {
    khr::launch_task(q, khr::requirements(b, khr::signal_event(first)), [=] { x[0] = 1; });
    first.wait();
  };
  launch(all);
  EXPECT(x[0] == 1 && test::code_of([&] { launch(none); }) == sycl::errc::kernel_not_supported);
  EXPECT(test::code_of([&] {
           q.single_task<doubler>([=] { x[0] *= 2; });
           khr::launch(q, {1}, all.get_kernel<doubler>(), 3);
         }) == sycl::errc::invalid);
  q.wait();
  sycl::free(x, q);
  sycl::free(sum, q);
}

void accessors(sycl::queue q) {
  std::vector<int> data(32, 2);
  std::shared_ptr<int> out(new int[32], std::default_delete<int[]>());
  sycl::buffer<int> a(data), b{sycl::range<1>(32)};
  sycl::accessor in(a), to(b, sycl::read_write);
  sycl::accessor on_host(b, sycl::read_write_host_task);
  khr::launch(q, {32}, khr::requirements(in, to), [=](sycl::id<1> i) { to[i] = in[i] + int(i[0]); });
  khr::launch_host(q, khr::requirements(on_host), [=] { on_host[5] += 1000; });
  khr::enqueue_copy(q, to, out);
  q.wait();
  for (int i = 0; i < 32; i++) EXPECT(out.get()[i] == 2 + i + (i == 5 ? 1000 : 0));
  sycl::event done = khr::make_event(q.get_context());
  khr::enqueue_fill(q, to, 9);
  khr::enqueue_copy(q, to, in);
  khr::enqueue_copy(q, in, out.get(), khr::requirements(khr::signal_event(done)));
  done.wait();
  EXPECT(std::accumulate(out.get(), out.get() + 32, 0) == 9 * 32);
  std::iota(out.get(), out.get() + 32, 0);
  khr::enqueue_copy(q, out, in);
  khr::enqueue_copy(q, out.get(), to);
  khr::enqueue_update_host(q, in);
  q.wait();
  sycl::host_accessor x(a), y(b);
  for (int i = 0; i < 32; i++) EXPECT(x[i] == i && y[i] == i);
}

void memory_and_barriers(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(16, q), *y = sycl::malloc_shared<int>(16, q);
  sycl::event e = khr::make_event(q.get_context());
  khr::enqueue_fill(q, x, 3, 16, khr::requirements(khr::signal_event(e)));
  khr::enqueue_copy(q, x, y, 8, khr::requirements(khr::wait_event(e), khr::signal_event(e)));
  khr::enqueue_wait_event(q, e);
  khr::enqueue_memset(q, y + 8, 0, 8 * sizeof(int));
  khr::enqueue_signal_event(q, e);
  khr::enqueue_wait_events(q, {e});
  khr::enqueue_memcpy(q, y + 12, x, 2 * sizeof(int));
  khr::enqueue_prefetch(q, x, 4);
  khr::enqueue_mem_advise(q, x, 4, 0);
  q.wait();
  int expected[16] = {3, 3, 3, 3, 3, 3, 3, 3, 0, 0, 0, 0, 3, 3, 0, 0};
  for (int i = 0; i < 16; i++) EXPECT(x[i] == 3 && y[i] == expected[i]);

  // A dependency is of the command that the event was of when it was taken.
  sycl::event hold = khr::make_event(q.get_context()), copy = hold;
  khr::launch_host(q, khr::requirements(khr::signal_event(hold)), [=] { x[0] = 50; });
  khr::launch_task(q, khr::requirements(khr::wait_event(hold), khr::signal_event(e)),
                   [=] { x[1] = x[0] + 1; });
  khr::launch_host(q, khr::requirements(khr::signal_event(hold), khr::wait_event(e)),
                   [=] { x[0] = x[1] * 2; });
  copy.wait();
  EXPECT(x[0] == 102 && copy == hold && copy != e);
  sycl::context other(q.get_device());
  EXPECT(test::code_of([&] { khr::enqueue_signal_event(q, khr::make_event(other)); }) ==
         sycl::errc::invalid);
  sycl::free(x, q);
  sycl::free(y, q);
}

} // namespace

int main() {
  sycl::queue q = test::make_queue();
  kernels(q);
  accessors(q);
  memory_and_barriers(q);
  q.wait_and_throw();
  return test::result();
}
