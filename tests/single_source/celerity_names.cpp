// What Celerity 0.6 (6e22728), which drives SYCL on the ranks of MPI, uses of SYCL: each name of its
// headers and of its generic backend, as it uses them.  (Its backend for CUDA is not for this device.)
#include "../sycl/check.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

namespace {

// The wrappers that its headers put around SYCL's names.
using scope_number = std::underlying_type_t<sycl::memory_scope>;
enum class memory_scope : scope_number {
  work_item = static_cast<scope_number>(sycl::memory_scope::work_item),
  sub_group = static_cast<scope_number>(sycl::memory_scope::sub_group),
  work_group = static_cast<scope_number>(sycl::memory_scope::work_group),
  device = static_cast<scope_number>(sycl::memory_scope::device)
};
using sycl::property_list;
using sycl::property::no_init;
using sycl::property::reduction::initialize_to_identity;
template <typename T> using decorated_global_ptr = sycl::global_ptr<T>;
template <typename T> using decorated_local_ptr = sycl::local_ptr<T>;

static_assert(std::is_default_constructible_v<no_init>);
static_assert(sycl::is_device_copyable_v<sycl::range<3>> && sycl::is_device_copyable_v<int>);
static_assert(sycl::known_identity_v<sycl::plus<int>, int> == 0);
static_assert(sycl::known_identity<sycl::multiplies<float>, float>::value == 1.f);
static_assert(sycl::has_known_identity_v<sycl::maximum<unsigned>, unsigned>);
static_assert(!sycl::has_known_identity_v<int (*)(int, int), int>);
static_assert(std::is_trivially_copyable_v<sycl::id<2>> && std::is_copy_constructible_v<sycl::event>);

struct state {
  sycl::device device;
  sycl::context context;
  std::vector<sycl::queue> queues;
  explicit state(const sycl::device &of) : device(of), context(device) {}
};

void report(const sycl::exception_list &errors) {
  for (const auto &error : errors) {
    try {
      std::rethrow_exception(error);
    } catch (sycl::exception &e) {
      std::printf("%s\n", e.what());
    }
    test::failures++;
  }
}

// Devices are chosen by platform, type and aspects; each gets queues of its own on one context.
state open_device() {
  std::vector<sycl::device> found;
  for (const auto &platform : sycl::platform::get_platforms()) {
    EXPECT(!platform.get_info<sycl::info::platform::name>().empty());
    const auto all = platform.get_devices(sycl::info::device_type::all);
    found.insert(found.end(), all.begin(), all.end());
    for (const auto &gpu : platform.get_devices(sycl::info::device_type::gpu))
      EXPECT(gpu.is_gpu());
  }
  EXPECT(!found.empty());
  const sycl::device device = found.at(0);
  EXPECT(!device.get_info<sycl::info::device::name>().empty());
  EXPECT(device.get_info<sycl::info::device::device_type>() != sycl::info::device_type::all);
  EXPECT(device.has(sycl::aspect::usm_device_allocations));
  EXPECT(device.has(sycl::aspect::usm_host_allocations));
  EXPECT(device.get_platform().get_info<sycl::info::platform::name>().size() > 0);
  sycl::backend backend = device.get_backend();
  EXPECT(backend == device.get_platform().get_backend());
  state result(device);
  const sycl::property_list properties{sycl::property::queue::enable_profiling{},
                                       sycl::property::queue::in_order{}};
  for (int lane = 0; lane < 2; lane++)
    result.queues.emplace_back(result.device, sycl::async_handler(report), properties);
  result.queues.emplace_back(result.context, result.device, sycl::async_handler(report),
                             sycl::property::queue::in_order{});
  return result;
}

void allocations(state &s) {
  auto *device = static_cast<int *>(sycl::aligned_alloc_device(64, 4000, s.device, s.context));
  auto *host = static_cast<int *>(sycl::aligned_alloc_host(64, 4000, s.context));
  auto *other = static_cast<int *>(sycl::malloc_host(4000, s.context));
  EXPECT(device && host && other && reinterpret_cast<std::uintptr_t>(device) % 64 == 0);
  for (int i = 0; i < 1000; i++) host[i] = i;
  std::optional<sycl::event> first;
  sycl::event last;
  for (int row = 0; row < 10; row++) {
    last = s.queues[0].memcpy(device + row * 100, host + row * 100, 400);
    if (!first) first = last;
  }
  s.queues[0].memcpy(other, device, 4000).wait();
  EXPECT(other[999] == 999);
  while (last.get_info<sycl::info::event::command_execution_status>() !=
         sycl::info::event_command_status::complete) {
  }
  const auto time = std::chrono::nanoseconds(
      last.get_profiling_info<sycl::info::event_profiling::command_end>() -
      first->get_profiling_info<sycl::info::event_profiling::command_start>());
  EXPECT(time.count() >= 0);
  sycl::free(device, s.context);
  sycl::free(host, s.context);
  sycl::free(other, s.context);
}

class named;

// A kernel of a chunk of a range, with reductions, in a command group that is hydrated on submission.
void chunk(state &s) {
  int *x = sycl::malloc_shared<int>(64 * 32, s.queues[0]);
  int *sum = sycl::malloc_shared<int>(1, s.queues[0]);
  *sum = 5;
  auto event = s.queues[0].submit([&](sycl::handler &cgh) {
    cgh.parallel_for<named>(
        sycl::range<2>(64, 32),
        sycl::reduction(sum, 0, sycl::plus<int>(),
                        sycl::property_list{sycl::property::reduction::initialize_to_identity{}}),
        [=](sycl::item<2> item, auto &reducer) {
          const sycl::id<2> id = item.get_id();
          x[id[0] * 32 + id[1]] = int(id[0] + id[1]);
          reducer += int(id[0]);
        });
  });
  event.wait();
  EXPECT(*sum == 63 * 64 / 2 * 32);
  EXPECT(x[63 * 32 + 31] == 94);
  s.queues[0].submit([&](sycl::handler &cgh) { cgh.host_task([=] { *sum = -1; }); }).wait();
  EXPECT(*sum == -1);
  sycl::free(x, s.queues[0]);
  sycl::free(sum, s.queues[0]);
}

// The functions that nd_item and group of the engine hand on.
void group_functions(state &s) {
  constexpr int size = 64, groups = 4;
  int *x = sycl::malloc_shared<int>(size * groups, s.queues[0]);
  int *out = sycl::malloc_shared<int>(16 * groups, s.queues[0]);
  int *count = sycl::malloc_shared<int>(1, s.queues[0]);
  int *lanes = sycl::malloc_shared<int>(4 * size * groups, s.queues[0]);
  *count = 0;
  for (int i = 0; i < size * groups; i++) x[i] = i % 7;
  s.queues[0].submit([&](sycl::handler &cgh) {
    sycl::local_accessor<int, 1> local(sycl::range<1>(size), cgh);
    cgh.parallel_for(sycl::nd_range<1>(size * groups, size), [=](sycl::nd_item<1> it) {
      const sycl::group<1> group = it.get_group();
      const sycl::sub_group lane_group = it.get_sub_group();
      const int first = int(group.get_group_id(0)) * size, i = int(it.get_local_id(0));
      const int value = x[first + i];
      int *to = out + group.get_group_id(0) * 16;
      sycl::device_event copied = it.async_work_group_copy(
          decorated_local_ptr<int>(local.get_multi_ptr<sycl::access::decorated::yes>()),
          decorated_global_ptr<int>(sycl::address_space_cast<sycl::access::address_space::global_space,
                                                             sycl::access::decorated::yes>(x + first)),
          size);
      it.wait_for(copied);
      const int neighbour = local[(i + 1) % size];
      sycl::group_barrier(group, static_cast<sycl::memory_scope>(memory_scope::work_group));
      const int results[] = {
          sycl::reduce_over_group(group, value, sycl::plus<int>()),
          sycl::reduce_over_group(group, value, 100, sycl::plus<int>()),
          sycl::joint_reduce(group, x + first, x + first + size, sycl::maximum<int>()),
          sycl::joint_reduce(group, x + first, x + first + size, 9, sycl::maximum<int>()),
          sycl::group_broadcast(group, value),
          sycl::group_broadcast(group, value, size_t(3)),
          sycl::group_broadcast(group, value, sycl::id<1>(5)),
          sycl::any_of_group(group, value == 6),
          sycl::all_of_group(group, value, [](int v) { return v < 7; }),
          sycl::none_of_group(group, value > 7),
          sycl::joint_any_of(group, x + first, x + first + size, [](int v) { return v == 9; }),
          sycl::joint_all_of(group, x + first, x + first + size, [](int v) { return v >= 0; }),
          sycl::joint_none_of(group, x + first, x + first + size, [](int v) { return v == 0; }),
          sycl::reduce_over_group(group, neighbour, sycl::plus<int>())};
      if (group.leader())
        for (int k = 0; k < 14; k++) to[k] = results[k];
      int *mine = lanes + (first + i) * 4;
      mine[0] = sycl::inclusive_scan_over_group(group, value, sycl::plus<int>());
      mine[1] = sycl::exclusive_scan_over_group(group, value, 1, sycl::plus<int>());
      mine[2] = sycl::shift_group_left(lane_group, i, 1) + sycl::shift_group_right(lane_group, i, 1);
      mine[3] = sycl::permute_group_by_xor(lane_group, i, 1) +
                1000 * sycl::select_from_group(lane_group, i, sycl::id<1>(2));
      sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device,
                       sycl::access::address_space::global_space>(*count) += value;
    });
  }).wait();
  int all = 0;
  for (int g = 0; g < groups; g++) {
    int sum = 0, before = 0;
    const int *of = x + g * size, *to = out + g * 16;
    for (int i = 0; i < size; i++) sum += of[i];
    all += sum;
    const int expected[] = {sum, sum + 100, 6, 9, of[0], of[3], of[5], 1, 1, 1, 0, 1, 0, sum};
    for (int k = 0; k < 14; k++) EXPECT(to[k] == expected[k]);
    for (int i = 0; i < size; i++) {
      const int *mine = lanes + (g * size + i) * 4, lane = i % 16;
      EXPECT(mine[1] == before + 1);
      before += of[i];
      EXPECT(mine[0] == before);
      if (lane > 0 && lane < 15) EXPECT(mine[2] == 2 * i);
      EXPECT(mine[3] == (i ^ 1) + 1000 * (i - lane + 2));
    }
  }
  EXPECT(*count == all);
  for (int *memory : {x, out, count, lanes}) sycl::free(memory, s.queues[0]);
}

void joint_scans(state &s) {
  constexpr int size = 100;
  int *x = sycl::malloc_shared<int>(3 * size, s.queues[1]), *in = x + size, *ex = in + size;
  for (int i = 0; i < size; i++) x[i] = i;
  s.queues[1].parallel_for(sycl::nd_range<1>(32, 32), [=](sycl::nd_item<1> it) {
    sycl::joint_inclusive_scan(it.get_group(), x, x + size, in, sycl::plus<int>());
    sycl::joint_exclusive_scan(it.get_group(), x, x + size, ex, 7, sycl::plus<int>());
  }).wait_and_throw();
  for (int i = 0, sum = 0; i < size; i++) {
    EXPECT(ex[i] == sum + 7);
    sum += i;
    EXPECT(in[i] == sum);
  }
  sycl::free(x, s.queues[1]);
}

} // namespace

int main() {
  state s = open_device();
  allocations(s);
  chunk(s);
  group_functions(s);
  joint_scans(s);
  return test::result();
}
