// Queues, events, USM, devices and queries.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

namespace {

void dependencies() {
  sycl::queue q = test::make_queue(); // out of order
  int *p = sycl::malloc_shared<int>(1000, q);
  sycl::event filled = q.fill(p, 1, 1000);
  for (int turn = 0; turn < 50; turn++)
    filled = q.parallel_for(sycl::range(1000), filled, [=](sycl::id<1> i) { p[i] += int(i); });
  sycl::event other = q.submit([&](sycl::handler &h) {
    h.depends_on(filled);
    h.single_task([=] { p[0] = p[1]; });
  });
  other.wait();
  EXPECT(p[0] == 51 && p[1] == 51 && p[999] == 1 + 50 * 999);
  EXPECT(other.get_info<sycl::info::event::command_execution_status>() ==
         sycl::info::event_command_status::complete);
  EXPECT(other.get_wait_list().size() <= 1);
  std::atomic<bool> go{false};
  sycl::event first = q.submit([&](sycl::handler &h) {
    h.host_task([&] {
      while (!go) std::this_thread::yield();
    });
  });
  sycl::event second = q.submit([&, turns = 0](sycl::handler &h) mutable { // changes what it holds
    EXPECT(++turns == 1);
    h.depends_on(first);
    h.host_task([] {});
  });
  std::vector<sycl::event> list = second.get_wait_list();
  EXPECT(list.size() == 1 && list[0] == first && list[0] != second);
  EXPECT(std::hash<sycl::event>()(list[0]) == std::hash<sycl::event>()(first));
  go = true;
  second.wait();
  sycl::free(p, q);
  EXPECT(sycl::event().get_info<sycl::info::event::command_execution_status>() ==
         sycl::info::event_command_status::complete);
}

void in_order() {
  sycl::queue q{sycl::property::queue::in_order()};
  EXPECT(q.is_in_order() && q.has_property<sycl::property::queue::in_order>());
  int *p = sycl::malloc_device<int>(256, q), host[256];
  q.memset(p, 0, 256 * sizeof(int));
  for (int turn = 0; turn < 10; turn++)
    q.parallel_for(sycl::nd_range<1>(256, 64), [=](sycl::nd_item<1> it) {
      p[it.get_global_id(0)] += sycl::reduce_over_group(it.get_group(), 1, sycl::plus<>());
    });
  q.copy(p, host, 256).wait();
  EXPECT(host[0] == 640 && host[255] == 640);
  sycl::free(p, q);
}

void host_tasks() {
  sycl::queue q = test::make_queue();
  std::atomic<int> calls{0};
  int data = 1;
  {
    sycl::buffer<int> b(&data, 1);
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(b, h, sycl::read_write_host_task);
      h.host_task([=, &calls] {
        calls++;
        a[0] *= 10;
      });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(b, h);
      h.single_task([=] { a[0] += 1; });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(b, h, sycl::read_write_host_task);
      h.host_task([=, &calls](sycl::interop_handle) {
        calls++;
        a[0] *= 2;
      });
    });
  }
  EXPECT(calls == 2 && data == 22);
}

void profiling() {
  sycl::queue q{sycl::property::queue::enable_profiling()};
  sycl::event e = q.parallel_for(sycl::range(1 << 16), [](sycl::id<1>) {});
  auto submitted = e.get_profiling_info<sycl::info::event_profiling::command_submit>();
  auto start = e.get_profiling_info<sycl::info::event_profiling::command_start>();
  auto end = e.get_profiling_info<sycl::info::event_profiling::command_end>();
  EXPECT(submitted && submitted <= start && start <= end);
  sycl::queue plain = test::make_queue();
  sycl::event without = plain.single_task([] {});
  EXPECT(test::code_of([&] {
           without.get_profiling_info<sycl::info::event_profiling::command_end>();
         }) == sycl::errc::invalid);
}

void unified_memory() {
  sycl::queue q = test::make_queue();
  sycl::context c = q.get_context();
  int *device = sycl::malloc_device<int>(100, q), *shared = sycl::malloc_shared<int>(100, q);
  int *host = sycl::malloc_host<int>(100, q), local = 0;
  EXPECT(sycl::get_pointer_type(device, c) == sycl::usm::alloc::device);
  EXPECT(sycl::get_pointer_type(shared + 99, c) == sycl::usm::alloc::shared);
  EXPECT(sycl::get_pointer_type(host, c) == sycl::usm::alloc::host);
  EXPECT(sycl::get_pointer_type(&local, c) == sycl::usm::alloc::unknown);
  EXPECT(sycl::get_pointer_device(device, c) == q.get_device());
  EXPECT(test::code_of([&] { sycl::get_pointer_device(&local, c); }) == sycl::errc::invalid);
  for (int i = 0; i < 100; i++) host[i] = i;
  sycl::event copied = q.memcpy(device, host, 100 * sizeof(int));
  q.submit([&](sycl::handler &h) {
     h.depends_on(copied);
     h.parallel_for(sycl::range(100), [=](sycl::id<1> i) { shared[i] = device[i] * 2; });
   }).wait();
  EXPECT(shared[99] == 198);
  q.prefetch(shared, 100).wait();
  sycl::free(device, q);
  sycl::free(shared, c);
  sycl::free(host, c);
  sycl::free(nullptr, c);
  auto *aligned = sycl::aligned_alloc_shared<double>(4096, 3, q);
  EXPECT(reinterpret_cast<std::uintptr_t>(aligned) % 4096 == 0);
  sycl::free(aligned, q);
  EXPECT(sycl::malloc_shared(std::size_t(1) << 60, q) == nullptr);
  EXPECT(sycl::malloc_shared<double>(std::size_t(1) << 62, q) == nullptr);

  using allocator = sycl::usm_allocator<int, sycl::usm::alloc::shared>;
  std::vector<int, allocator> v(50, 3, allocator(q));
  int *data = v.data();
  q.parallel_for(sycl::range(50), [=](sycl::id<1> i) { data[i] += 4; }).wait();
  EXPECT(std::accumulate(v.begin(), v.end(), 0) == 350);
}

} // namespace

// Its copies are its bytes, though the compiler does not know (3.13.1).
struct with_copies {
  int a;
  char b;
  constexpr with_copies(int a = 0, char b = 0) : a(a), b(b) {}
  constexpr with_copies(const with_copies &other) : a(other.a), b(other.b) {}
  with_copies &operator=(const with_copies &other) {
    a = other.a;
    b = other.b;
    return *this;
  }
};
template <> struct sycl::is_device_copyable<with_copies> : std::true_type {};

namespace {

constexpr sycl::specialization_id<with_copies> copied_constant;

// Memory of a type's is aligned as other memory is: programs read arrays of float as float4.
void alignment() {
  sycl::queue q = test::make_queue();
  for (std::size_t count : {1, 3, 100, 32768}) {
    void *all[] = {sycl::malloc_device<float>(count, q), sycl::malloc_shared<char>(count, q),
                   sycl::malloc_host<float>(count, q), sycl::aligned_alloc_shared<int>(0, count, q),
                   sycl::malloc<short>(count, q, sycl::usm::alloc::device)};
    for (void *each : all) {
      EXPECT(reinterpret_cast<std::uintptr_t>(each) % alignof(sycl::double16) == 0);
      sycl::free(each, q);
    }
  }
}

void device_copyable() {
  static_assert(SYCL_DEVICE_COPYABLE == 1);
  sycl::queue q = test::make_queue();
  with_copies captured(3, 'c'), from[4], *p = sycl::malloc_shared<with_copies>(4, q);
  for (int i = 0; i < 4; i++) from[i] = with_copies(i, 'f');
  q.copy(from, p, 4).wait();
  EXPECT(p[3].a == 3 && p[3].b == 'f');
  q.fill(p, with_copies(7, 'p'), 2).wait();
  EXPECT(p[1].a == 7 && p[1].b == 'p' && p[2].a == 2);
  {
    sycl::buffer<with_copies> data(from, 4);
    q.submit([&](sycl::handler &h) {
      h.set_specialization_constant<copied_constant>(with_copies(5, 's'));
      sycl::accessor x(data, h);
      h.parallel_for(4, [=](sycl::id<1> i, sycl::kernel_handler kernel) {
        x[i] = with_copies(captured.a + x[i].a + p[i].a,
                           kernel.get_specialization_constant<copied_constant>().b);
      });
    });
  }
  EXPECT(from[1].a == 3 + 1 + 7 && from[3].a == 3 + 3 + 3 && from[3].b == 's');
  sycl::free(p, q);
}

void threads() { // one queue, many threads, two buffers
  sycl::queue q = test::make_queue();
  int a = 0, b = 0;
  {
    sycl::buffer<int> first(&a, 1), second(&b, 1);
    std::vector<std::thread> all;
    for (int t = 0; t < 4; t++)
      all.emplace_back([&, t] {
        for (int turn = 0; turn < 50; turn++)
          q.submit([&](sycl::handler &h) {
            sycl::accessor x(t % 2 ? first : second, h), y(t % 2 ? second : first, h);
            h.single_task([=] {
              x[0]++;
              y[0]++;
            });
          });
      });
    for (auto &each : all) each.join();
  }
  EXPECT(a == 200 && b == 200);
}

void devices() {
  namespace info = sycl::info::device;
  sycl::device d;
#define SYCL_ASPECT(name, yes)                                                                     \
  EXPECT(d.has(sycl::aspect::name) == sycl::any_device_has_v<sycl::aspect::name>);
#include <sycl/aspect.def>
  EXPECT(d.is_cpu() && !d.is_gpu() && d.has(sycl::aspect::fp64) && !d.has(sycl::aspect::gpu));
  EXPECT(d == sycl::device(sycl::cpu_selector_v) && d == sycl::queue().get_device());
  EXPECT(!d.get_info<info::name>().empty() && !d.get_info<info::vendor>().empty());
  EXPECT(d.get_info<info::max_work_group_size>() >= 1024);
  EXPECT(d.get_info<info::max_compute_units>() >= 1 && d.get_info<info::local_mem_size>() >= 32768);
  EXPECT(d.get_info<info::max_work_item_sizes<3>>()[2] >= 1024);
  EXPECT(!d.get_info<info::sub_group_sizes>().empty());
  EXPECT(d.get_info<info::device_type>() == sycl::info::device_type::cpu);
  EXPECT(test::code_of([] { sycl::device{sycl::gpu_selector_v}; }) == sycl::errc::runtime);
  EXPECT(test::code_of([] { sycl::queue(sycl::aspect_selector(sycl::aspect::accelerator)); }) ==
         sycl::errc::runtime);
  EXPECT(test::code_of([&] { d.get_info<info::parent_device>(); }) == sycl::errc::invalid);
  EXPECT(sycl::platform::get_platforms().size() == 1 && !sycl::device::get_devices().empty());
  EXPECT(sycl::device::get_devices(sycl::info::device_type::gpu).empty());
  sycl::context c(d);
  EXPECT(c.get_devices().size() == 1 && c.get_devices()[0] == d && c != sycl::context(d));
  EXPECT(!c.get_info<sycl::info::context::atomic_fence_scope_capabilities>().empty());
  auto parts = d.create_sub_devices<sycl::info::partition_property::partition_equally>(1);
  EXPECT(parts.size() == d.get_info<info::max_compute_units>());
  EXPECT(parts[0].get_info<info::max_compute_units>() == 1 &&
         parts[0].get_info<info::parent_device>() == d);
  int value = 0, *p = &value;
  sycl::queue(parts[0]).single_task([=] { *p = 5; }).wait();
  EXPECT(value == 5);
  std::unordered_set<sycl::device> set{d, parts[0], d};
  EXPECT(set.size() == 2);
  EXPECT(d.get_info<info::native_vector_width_long_long>() ==
         d.get_info<info::native_vector_width_long>());
  EXPECT(d.get_info<info::preferred_vector_width_long_long>() ==
         d.get_info<info::preferred_vector_width_long>());
}

// The list of aspects as DPC++'s migration tool reads it.
void listed_aspects() {
  auto name_of = [](sycl::aspect which) -> std::string {
    switch (which) {
#define __SYCL_ASPECT(name, number)                                                                \
  case sycl::aspect::name:                                                                         \
    static_assert(number == int(sycl::aspect::name));                                              \
    return #name;
#include <sycl/info/aspects.def>
#include <sycl/info/aspects_deprecated.def>
#undef __SYCL_ASPECT
    }
    return "";
  };
  EXPECT(name_of(sycl::aspect::cpu) == "cpu");
  for (sycl::aspect each : sycl::device().get_info<sycl::info::device::aspects>())
    EXPECT(!name_of(each).empty());
}

// Two parts of the CPU use each other's memory; a device is not its own peer.
void peers() {
  using sycl::ext::oneapi::peer_access;
  sycl::device root = test::make_queue().get_device();
  auto parts = root.create_sub_devices<sycl::info::partition_property::partition_equally>(1);
  sycl::device a = parts[0], b = root;
  EXPECT(a.ext_oneapi_can_access_peer(b) &&
         b.ext_oneapi_can_access_peer(a, peer_access::atomics_supported) &&
         !a.ext_oneapi_can_access_peer(a));
  EXPECT(test::code_of([&] { a.ext_oneapi_enable_peer_access(a); }) ==
         sycl::errc::feature_not_supported);
  EXPECT(test::code_of([&] { a.ext_oneapi_disable_peer_access(b); }) == sycl::errc::invalid);
  a.ext_oneapi_enable_peer_access(b);
  EXPECT(test::code_of([&] { a.ext_oneapi_enable_peer_access(b); }) == sycl::errc::invalid);
  EXPECT(test::code_of([&] { b.ext_oneapi_disable_peer_access(a); }) == sycl::errc::invalid);
  sycl::context both({a, b});
  int *of_b = sycl::malloc_device<int>(1, b, both);
  sycl::queue(both, a, test::rethrow).single_task([=] { *of_b = 7; }).wait_and_throw();
  int value = 0;
  sycl::queue(both, b, test::rethrow).memcpy(&value, of_b, sizeof value).wait_and_throw();
  EXPECT(value == 7);
  sycl::free(of_b, both);
  a.ext_oneapi_disable_peer_access(b);
  EXPECT(test::code_of([&] { a.ext_oneapi_disable_peer_access(b); }) == sycl::errc::invalid);
}

class queried;
template <typename T> class queried_template;

void kernels() {
  sycl::queue q = test::make_queue();
  int value = 0, *p = &value;
  sycl::nd_range<1> range(16, 16);
  q.parallel_for<queried>(range, [=](sycl::nd_item<1> it) {
     if (it.get_group().leader()) *p = 1;
   }).wait();
  q.single_task<queried_template<int>>([=] { ++*p; }).wait();
  EXPECT(value == 2);
  sycl::kernel_id id = sycl::get_kernel_id<queried>();
  EXPECT(std::string(id.get_name()).find("queried") != std::string::npos);
  auto bundle = sycl::get_kernel_bundle<queried, sycl::bundle_state::executable>(q.get_context());
  EXPECT(bundle.has_kernel(id) && !bundle.empty());
  sycl::kernel kernel = bundle.get_kernel(id);
  namespace of = sycl::info::kernel_device_specific;
  EXPECT(kernel.get_info<of::work_group_size>(q.get_device()) >= 1024);
  EXPECT(kernel.get_info<of::preferred_work_group_size_multiple>(q.get_device()) >= 1);
  EXPECT(kernel.get_info<of::max_sub_group_size>(q.get_device()) >= 1);
  EXPECT(kernel.get_info<of::compile_work_group_size>(q.get_device()) == sycl::range(0, 0, 0));
  EXPECT(test::code_of([&] { kernel.get_info<sycl::info::kernel::num_args>(); }) ==
         sycl::errc::invalid);
}

struct with_attributes {
  int *p;
  [[sycl::reqd_work_group_size(8), sycl::reqd_sub_group_size(8)]] void
  operator()(sycl::nd_item<1> it) const {
    p[it.get_global_id(0)] = 1;
  }
};

// A kernel may take its item in any way.
void parameters() {
  sycl::queue q = test::make_queue();
  int value = 0, *p = &value;
  sycl::nd_range<1> one(1, 1);
  q.parallel_for(one, [=](sycl::nd_item<1> &) { ++*p; }).wait();
  q.parallel_for(one, [=](const sycl::nd_item<1> &) { ++*p; }).wait();
  q.parallel_for(one, [=](auto it) { *p += it.get_global_id(0) == 0; }).wait();
  q.parallel_for(one, [=](sycl::nd_item<1>, sycl::kernel_handler) { ++*p; }).wait();
  q.parallel_for(1, [=](int i) { *p += i == 0; }).wait();
  q.parallel_for(1, [=](auto i) { *p += i.get_linear_id() == 0; }).wait();
  q.parallel_for(1, [=](sycl::item<1, false> i) { *p += i[0] == 0; }).wait();
  q.parallel_for(1, [=](sycl::item<1>, sycl::kernel_handler) { ++*p; }).wait();
  EXPECT(value == 8);
}

void attributes() {
  sycl::queue q = test::make_queue();
  int *p = sycl::malloc_shared<int>(8, q);
  q.parallel_for(sycl::nd_range<1>(8, 8), with_attributes{p}).wait();
  q.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> it) [[sycl::work_group_size_hint(
                                              8)]] {
     p[it.get_global_id(0)]++;
   }).wait();
  EXPECT(p[0] == 2 && p[7] == 2);
  sycl::free(p, q);
}

namespace experimental = sycl::ext::oneapi::experimental;

struct with_properties {
  std::uint32_t *p;
  auto get(experimental::properties_tag) const {
    return experimental::properties{experimental::work_group_size<2, 32>,
                                    experimental::sub_group_size<8>};
  }
  void operator()(sycl::nd_item<2> it) const {
    p[it.get_global_linear_id()] = it.get_sub_group().get_max_local_range()[0];
  }
};

void required_sizes() {
  sycl::queue q = test::make_queue();
  std::uint32_t *p = sycl::malloc_shared<std::uint32_t>(64, q);
  q.parallel_for(sycl::nd_range<2>({2, 32}, {2, 32}), with_properties{p}).wait();
  EXPECT(p[0] == 8 && p[63] == 8);
  auto wrong = [&] { q.parallel_for(sycl::nd_range<2>({2, 32}, {1, 32}), with_properties{p}); };
  EXPECT(test::code_of(wrong) == sycl::errc::nd_range);
  experimental::properties needs{experimental::sub_group_size<32>};
  auto kernel = [=](sycl::nd_item<1> it) {
    p[it.get_global_id(0)] = it.get_sub_group().get_max_local_range()[0];
  };
  q.parallel_for<class needing>(sycl::nd_range<1>(64, 64), needs, kernel).wait();
  EXPECT(p[0] == 32 && p[63] == 32);
  experimental::properties odd{experimental::sub_group_size<7>};
  EXPECT(test::code_of([&] { q.parallel_for(sycl::nd_range<1>(64, 64), odd, kernel); }) ==
         sycl::errc::kernel_not_supported);
  std::uint32_t sum = 0;
  q.parallel_for(
       sycl::nd_range<1>(64, 16), needs, sycl::reduction(&sum, sycl::plus<>()),
       [=](sycl::nd_item<1> it, auto &r) { r += it.get_sub_group().get_max_local_range()[0]; })
      .wait();
  EXPECT(sum == 64 * 32);
  // Of a kernel that is never launched too.
  class waiting;
  experimental::properties both{experimental::work_group_size<16>,
                                experimental::sub_group_size<32>};
  if (!p) q.parallel_for<waiting>(sycl::nd_range<1>(16, 16), both, [=](sycl::nd_item<1>) {});
  auto early = sycl::get_kernel_bundle<waiting, sycl::bundle_state::executable>(q.get_context(),
                                                                                {q.get_device()});
  auto unused = early.get_kernel<waiting>();
  namespace of = sycl::info::kernel_device_specific;
  EXPECT(unused.get_info<of::compile_work_group_size>(q.get_device()) == sycl::range(1, 1, 16));
  EXPECT(unused.get_info<of::max_sub_group_size>(q.get_device()) == 32);
  EXPECT(unused.get_info<of::work_group_size>(q.get_device()) >= 1024);
  auto id = sycl::get_kernel_id<class needing>();
  auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  EXPECT(bundle.get_kernel(id).get_info<sycl::info::kernel_device_specific::compile_sub_group_size>(
             q.get_device()) == 32);
  sycl::free(p, q);
}

// Every size of a plain range, each index once.
void ranges() {
  sycl::queue q = test::make_queue();
  for (std::size_t n : {0, 1, 63, 64, 65, 1000, 4096, 100003}) {
    int *p = sycl::malloc_shared<int>(n + 1, q);
    std::fill_n(p, n + 1, 0);
    q.parallel_for(sycl::range(n), [=](std::size_t i) { p[i]++; }).wait();
    bool good = p[n] == 0;
    for (std::size_t i = 0; i < n; i++) good = good && p[i] == 1;
    EXPECT(good);
    sycl::free(p, q);
  }
  sycl::range<3> box(7, 5, 13);
  std::vector<int> seen(box.size());
  int *p = seen.data();
  q.parallel_for(box, [=](sycl::item<3> i) {
     if (i.get_linear_id() == (i[0] * 5 + i[1]) * 13 + i[2]) p[i.get_linear_id()]++;
   }).wait();
  EXPECT(std::all_of(seen.begin(), seen.end(), [](int v) { return v == 1; }));
  q.parallel_for({7, 65}, [=](sycl::id<2> i) { p[i[0] * 65 + i[1]]++; }).wait();
  EXPECT(std::all_of(seen.begin(), seen.end(), [](int v) { return v == 2; }));
  bool with_offset = true, *good = &with_offset;
  q.submit([&](sycl::handler &h) {
     h.parallel_for(sycl::range(10), sycl::id(5), [=](sycl::item<1> i) {
       if (i[0] < 5 || i.get_linear_id() != i[0] - 5) *good = false;
     });
   }).wait();
  EXPECT(with_offset);
  // Ids of an ND-range in three dimensions, against what they have to be.
  q.parallel_for(sycl::nd_range<3>({2, 6, 12}, {1, 3, 4}), [=](sycl::nd_item<3> it) {
     auto id = it.get_global_id(), local = it.get_local_id();
     bool fine = it.get_global_linear_id() == (id[0] * 6 + id[1]) * 12 + id[2] &&
                 it.get_local_linear_id() == (local[0] * 3 + local[1]) * 4 + local[2];
     for (int d = 0; d < 3; d++)
       fine = fine && id[d] == it.get_group(d) * it.get_local_range(d) + local[d] &&
              it.get_group_range(d) * it.get_local_range(d) == it.get_global_range(d);
     if (!fine) *good = false;
   }).wait();
  EXPECT(with_offset);
}

// oneDPL keeps a queue, or a function that makes one, in a queue's place: the first word is 0 if it is a function.
void first_word() {
  sycl::queue q = test::make_queue(), copy = q;
  for (const sycl::queue *each : {&q, &copy}) {
    void *word;
    std::memcpy(&word, static_cast<const void *>(each), sizeof word);
    EXPECT(word);
  }
  static_assert(sizeof q >= 2 * sizeof(void *));
}

// MANIPLE_DEVICE_TYPE: the CPU is what `word` says, for programs that take nothing else.
bool is_said_to_be(const char *word, sycl::info::device_type type) {
  setenv("MANIPLE_DEVICES", "cpu", 1);
  setenv("MANIPLE_DEVICE_TYPE", word, 1);
  bool is_gpu = type == sycl::info::device_type::gpu;
  sycl::device d = is_gpu ? sycl::device(sycl::gpu_selector_v) : sycl::device();
  int *p = sycl::malloc_shared<int>(1, d, sycl::context(d));
  sycl::queue(sycl::context(d), d).fill(p, 5, 1).wait();
  EXPECT(*p == 5 && d.get_info<sycl::info::device::device_type>() == type);
  EXPECT(d.is_gpu() == is_gpu && !d.is_cpu() && d.is_accelerator() == !is_gpu);
  EXPECT(d.has(sycl::aspect::gpu) == is_gpu && !d.has(sycl::aspect::cpu));
  EXPECT(sycl::device::get_devices(type).size() == 1);
  EXPECT(sycl::device::get_devices(sycl::info::device_type::cpu).empty());
  return !test::failures;
}
// Options are read once, so each word has a process of its own.
void said_types() {
  for (bool gpu : {true, false}) {
    pid_t child = fork();
    if (!child)
      _exit(!is_said_to_be(gpu ? "gpu" : "accelerator", gpu ? sycl::info::device_type::gpu
                                                           : sycl::info::device_type::accelerator));
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT(!status);
  }
}

} // namespace

static_assert(sycl::any_device_has_v<sycl::aspect::cpu> &&
              sycl::all_devices_have_v<sycl::aspect::fp64> &&
              !sycl::any_device_has_v<sycl::aspect::gpu> &&
              !sycl::all_devices_have<sycl::aspect::accelerator>::value);

int main() {
  said_types(); // before this process has a device
  first_word();
  dependencies();
  in_order();
  host_tasks();
  profiling();
  unified_memory();
  alignment();
  device_copyable();
  threads();
  devices();
  listed_aspects();
  peers();
  kernels();
  parameters();
  attributes();
  required_sizes();
  ranges();
  return test::result();
}
