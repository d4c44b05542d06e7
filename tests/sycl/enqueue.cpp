// Commands as functions of a queue or a handler, memory of work-groups, printf: what programs use
// of oneAPI around a kernel.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <numeric>
#include <vector>

namespace {

namespace experimental = sycl::ext::oneapi::experimental;

// --- Enqueue functions, each by a queue and by a handler, against plain loops -----------------------

// f(where, arguments) by the queue and then by a handler: the queue is out of order, and both write the same.
template <typename F> void both(sycl::queue q, const F &f) {
  f(q);
  q.wait();
  experimental::submit(q, [&](sycl::handler &h) { f(h); });
}

void kernels(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(96, q), *sum = sycl::malloc_shared<int>(2, q);
  std::fill(x, x + 96, 0);
  both(q, [=](auto &to) { experimental::single_task(to, [=] { x[0] += 5; }); });
  q.wait();
  EXPECT(x[0] == 10);
  x[0] = 0;
  both(q, [=](auto &to) { experimental::parallel_for(to, 96, [=](sycl::id<1> i) { x[i]++; }); });
  q.wait();
  both(q, [=](auto &to) {
    experimental::parallel_for(to, sycl::range<2>(8, 12),
                               [=](sycl::item<2> i) { x[i.get_linear_id()] += int(i[0]); });
  });
  q.wait();
  for (int i = 0; i < 96; i++) EXPECT(x[i] == 2 + 2 * (i / 12));
  sum[0] = sum[1] = 0;
  experimental::parallel_for(
      q, experimental::launch_config{sycl::range<1>(96)},
      [=](sycl::id<1> i, auto &s, auto &n) { s += x[i], n += 1; },
      sycl::reduction(sum, sycl::plus<>()), sycl::reduction(sum + 1, sycl::plus<>()));
  q.wait();
  EXPECT(sum[0] == std::accumulate(x, x + 96, 0) && sum[1] == 96);
  sycl::free(x, q);
  sycl::free(sum, q);
}

struct sized { // a kernel with properties of its own
  int *x;
  void operator()(sycl::nd_item<2> it) const {
    x[it.get_global_linear_id()] =
        sycl::reduce_over_group(it.get_group(), int(it.get_global_linear_id()), sycl::plus<>());
  }
  auto get(experimental::properties_tag) const {
    return experimental::properties{experimental::work_group_size<2, 4>};
  }
};

void groups(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(64, q), *most = sycl::malloc_shared<int>(1, q);
  sycl::nd_range<2> range({8, 8}, {2, 4});
  experimental::nd_launch(q, range, sized{x});
  q.wait();
  auto expected = [](int i) { // of rows r and r + 1, and four columns
    int r = i / 8 / 2 * 2, c = i % 8 / 4 * 4, total = 0;
    for (int k = 0; k < 4; k++) total += r * 8 + c + k + (r + 1) * 8 + c + k;
    return total;
  };
  for (int i = 0; i < 64; i++) EXPECT(x[i] == expected(i));
  *most = -1;
  sycl::event e = experimental::submit_with_event(q, [&](sycl::handler &h) {
    experimental::nd_launch(
        h, experimental::launch_config(range),
        [=](sycl::nd_item<2> it, auto &m) { m.combine(x[it.get_global_linear_id()]); },
        sycl::reduction(most, sycl::maximum<>()));
  });
  e.wait();
  EXPECT(*most == expected(63));
  EXPECT(test::code_of([&] {
           experimental::nd_launch(q, sycl::nd_range<2>({8, 8}, {4, 4}), sized{x});
         }) == sycl::errc::nd_range);
  // With a property of the launch: one work-group, whose root-group has a barrier.
  experimental::launch_config one(sycl::nd_range<1>(64, 64),
                                  experimental::properties{experimental::use_root_sync});
  experimental::nd_launch(q, one, [=](sycl::nd_item<1> it) {
    x[it.get_global_id(0)] = int(it.get_global_id(0));
    sycl::group_barrier(it.ext_oneapi_get_root_group());
    int other = x[63 - it.get_global_id(0)];
    sycl::group_barrier(it.ext_oneapi_get_root_group());
    x[it.get_global_id(0)] = other;
  });
  q.wait_and_throw();
  for (int i = 0; i < 64; i++) EXPECT(x[i] == 63 - i);
  sycl::free(x, q);
  sycl::free(most, q);
}

void memory(sycl::queue q) {
  std::vector<int> from(50);
  std::iota(from.begin(), from.end(), 7);
  int *to = sycl::malloc_device<int>(50, q);
  auto has = [&](auto expected) {
    std::vector<int> got(50);
    q.wait();
    q.memcpy(got.data(), to, 200).wait();
    for (int i = 0; i < 50; i++) EXPECT(got[i] == expected(i));
  };
  both(q, [&](auto &w) { experimental::fill(w, to, 3, 50); });
  has([](int) { return 3; });
  both(q, [&](auto &w) { experimental::copy(w, from.data(), to, 50); });
  has([](int i) { return i + 7; });
  both(q, [&](auto &w) { experimental::memset(w, to, 1, 200); });
  has([](int) { return 0x01010101; });
  both(q, [&](auto &w) { experimental::memcpy(w, to, from.data(), 100); });
  has([](int i) { return i < 25 ? i + 7 : 0x01010101; });
  both(q, [&](auto &w) { experimental::prefetch(w, to, 200, experimental::prefetch_type::host); });
  both(q, [&](auto &w) { experimental::mem_advise(w, to, 200, 0); });
  q.wait_and_throw();
  sycl::free(to, q);
}

void barriers(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(3, q);
  x[0] = 1;
  experimental::submit(q, [=](sycl::handler &h) { h.host_task([=] { x[0] *= 3; }); });
  experimental::barrier(q);
  experimental::single_task(q, [=] { x[0] += 4; });
  experimental::submit(q, [](sycl::handler &h) { experimental::barrier(h); });
  auto e = experimental::submit_with_event(
      q, [=](sycl::handler &h) { h.host_task([=] { x[1] = x[0] * 2; }); });
  experimental::partial_barrier(q, {e});
  experimental::single_task(q, [=] { x[2] = x[1] + 1; });
  q.wait();
  EXPECT(x[0] == 7 && x[1] == 14 && x[2] == 15);
  sycl::free(x, q);
}

// --- work_group_memory ----------------------------------------------------------------------------

struct point {
  short x, y;
};

void group_memory(sycl::queue q) {
  int *out = sycl::malloc_shared<int>(48, q);
  q.submit([&](sycl::handler &h) {
     experimental::work_group_memory<int> one(h);
     experimental::work_group_memory<int[12]> row(h);
     experimental::work_group_memory<char[]> bytes(5, h);
     experimental::work_group_memory<double[][3]> table(4, h);
     experimental::work_group_memory<point[12]> points(h);
     experimental::work_group_memory<int> other(experimental::indeterminate);
     other = one;
     h.parallel_for(sycl::nd_range<1>(48, 12), [=](sycl::nd_item<1> it) {
       int i = int(it.get_local_id(0)), g = int(it.get_group(0));
       if (it.get_group().leader()) {
         one = 10 * g;
         ++one;
         *&one += 1;
         bytes[4] = char(g);
       }
       row[i] = i * i;
       table[i / 3][i % 3] = i;
       points[i].x = short(i), points[i].y = short(-i);
       sycl::group_barrier(it.get_group());
       int *first = &row[0];
       auto pointer = table.get_multi_ptr();
       out[it.get_global_id(0)] = other + first[11 - i] + bytes[4] * 1000 + int(pointer[11 - i]) +
                                  points[11 - i].x + 2 * points[11 - i].y;
     });
   }).wait_and_throw();
  for (int i = 0; i < 48; i++) {
    int g = i / 12, m = 11 - i % 12;
    EXPECT(out[i] == 10 * g + 2 + m * m + 1000 * g + m + m - 2 * m);
  }
  EXPECT(test::code_of([&] {
           q.submit([&](sycl::handler &h) {
             experimental::work_group_memory<int> one(h);
             h.single_task([=] { one = 1; });
           });
         }) == sycl::errc::kernel_argument);
  sycl::free(out, q);
}

// --- Events that the program does not use (sycl_ext_oneapi_discard_queue_events) --------------------

void discarded() {
  namespace properties = sycl::property::queue;
  using sycl::ext::oneapi::property::queue::discard_events;
  static_assert(sycl::is_property_v<discard_events> &&
                sycl::is_property_of_v<discard_events, sycl::queue>);
  sycl::device device = test::make_queue().get_device();
  EXPECT(test::code_of([&] {
           sycl::queue q(device, {discard_events(), properties::enable_profiling()});
         }) == sycl::errc::invalid);
  sycl::queue q(device, test::rethrow, {discard_events(), properties::in_order()});
  sycl::queue other(device, test::rethrow);
  EXPECT(q.has_property<discard_events>() && !other.has_property<discard_events>());
  int *x = sycl::malloc_shared<int>(2, q);
  x[0] = x[1] = 1;
  sycl::event of_kernel = q.single_task([=] { x[0] += 5; });
  sycl::event all[] = {of_kernel, q.memcpy(x + 1, x, sizeof(int)),
                       q.submit([&](sycl::handler &h) { h.host_task([=] { x[1]++; }); }),
                       q.ext_oneapi_submit_barrier(),
                       experimental::submit_with_event(q, [&](sycl::handler &h) {
                         h.single_task([=] { x[0]++; });
                       })};
  for (sycl::event &each : all) {
    EXPECT(each.get_info<sycl::info::event::command_execution_status>() ==
           sycl::info::event_command_status::ext_oneapi_unknown);
    EXPECT(test::code_of([&] { each.wait(); }) == sycl::errc::invalid);
    EXPECT(test::code_of([&] { each.wait_and_throw(); }) == sycl::errc::invalid);
    EXPECT(test::code_of([&] { sycl::event::wait({each}); }) == sycl::errc::invalid);
    EXPECT(test::code_of([&] { (void)each.get_wait_list(); }) == sycl::errc::invalid);
    EXPECT(test::code_of([&] {
             other.submit([&](sycl::handler &h) { h.depends_on(each); });
           }) == sycl::errc::invalid);
    EXPECT(test::code_of([&] { other.single_task(std::vector{each}, [] {}); }) ==
           sycl::errc::invalid);
  }
  q.wait();
  EXPECT(x[0] == 7 && x[1] == 7);
  sycl::free(x, q);
}

// --- printf --------------------------------------------------------------------------------------

void print(sycl::queue q) {
  std::fflush(stdout);
  q.parallel_for(sycl::nd_range<1>(4, 2), [=](sycl::nd_item<1> it) {
     if (it.get_global_id(0) == 3)
       experimental::printf("%s %d %.2f %.1f 100%%\n", "item", int(it.get_global_id(0)), 2.5,
                            sycl::half(1.5f));
     if (it.get_global_id(0) == 2) experimental::printf("100%% plain\n");
   }).wait_and_throw();
}

} // namespace

int main() {
  sycl::queue q = test::make_queue();
  kernels(q);
  groups(q);
  memory(q);
  barriers(q);
  group_memory(q);
  discarded();
  print(q);
  return test::result();
}
