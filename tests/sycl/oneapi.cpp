// What programs use of oneAPI's groups: masks of sub-groups, ballots, loads and stores of groups,
// root-groups, against serial loops.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <cstdint>
#include <thread>
#include <vector>

namespace {

namespace oneapi = sycl::ext::oneapi;
namespace experimental = sycl::ext::oneapi::experimental;

enum { rows = 12 };

// The operators under their names of before SYCL 2020.
template <typename Op> constexpr bool is_known = sycl::has_known_identity_v<Op, int>;
static_assert(is_known<oneapi::plus<>> && is_known<oneapi::multiplies<int>>);
static_assert(is_known<oneapi::minimum<>> && is_known<oneapi::maximum<int>>);
static_assert(is_known<oneapi::bit_and<>> && is_known<oneapi::bit_or<>>);
static_assert(is_known<oneapi::bit_xor<int>>);

void masks(std::size_t local) {
  sycl::queue q = test::make_queue();
  std::size_t global = local * 3;
  std::uint64_t *out = sycl::malloc_shared<std::uint64_t>(global * rows, q);
  std::uint32_t *place = sycl::malloc_shared<std::uint32_t>(global * 3, q);
  auto chosen = [](std::size_t i) { return i * 7 % 5 < 2; };
  q.parallel_for(sycl::nd_range<1>(global, local), [=](sycl::nd_item<1> it) {
     sycl::sub_group s = it.get_sub_group();
     std::size_t i = it.get_global_id(0);
     auto mask = oneapi::group_ballot(s, chosen(i));
     std::uint64_t *mine = out + i * rows;
     auto word = [](const oneapi::sub_group_mask &m) {
       std::uint64_t bits;
       m.extract_bits(bits);
       return bits;
     };
     mine[0] = word(mask);
     mine[1] = word(~mask);
     mine[2] = word(mask << 3) ^ word(mask >> 2);
     mine[3] = mask.count() + 100 * mask.find_low()[0] + 10000 * mask.find_high()[0];
     auto changed = mask;
     changed.reset_low();
     changed.reset_high();
     mine[4] = word(changed);
     changed.reset();
     mine[5] = changed.none() + 2 * changed.any() + 4 * (changed.find_low()[0] == changed.size());
     changed.insert_bits(std::uint8_t(0xa5), 2);
     mine[6] = word(changed);
     std::uint8_t byte;
     mask.extract_bits(byte, 1);
     mine[7] = byte;
     changed = oneapi::group_ballot(s);
     changed[1] = false;
     changed.flip(0);
     mine[8] = word(changed);
     sycl::marray<std::uint16_t, 2> halves;
     mask.extract_bits(halves);
     mine[9] = halves[0] | std::uint64_t(halves[1]) << 16;
     changed.set();
     mine[10] = changed.all() + 2 * (word(changed & mask) == word(mask)) +
                4 * (word(changed ^ mask) == word(~mask)) + 8 * ((changed | mask) == changed);
     mine[11] = mask[s.get_local_id()] == chosen(i);
     place[3 * i] = s.get_local_linear_id();
     place[3 * i + 1] = s.get_local_linear_range();
     place[3 * i + 2] = std::uint32_t(s.get_max_local_range()[0]);
   }).wait_and_throw();
  for (std::size_t i = 0; i < global; i++) {
    std::size_t first = i - place[3 * i], count = place[3 * i + 1], size = place[3 * i + 2];
    std::uint64_t all = size == 64 ? ~0ull : (1ull << size) - 1, mask = 0, low = size, high = size;
    std::uint64_t number = 0, members = count == 64 ? ~0ull : (1ull << count) - 1;
    for (std::size_t k = 0; k < count; k++)
      if (chosen(first + k)) {
        mask |= 1ull << k;
        low = low == size ? k : low;
        high = k;
        number++;
      }
    const std::uint64_t *v = out + i * rows;
    EXPECT(v[0] == mask && v[1] == (~mask & all) && v[2] == ((mask << 3 & all) ^ (mask >> 2)));
    EXPECT(v[3] == number + 100 * low + 10000 * high);
    std::uint64_t inner = mask;
    if (number) inner &= ~(1ull << low) & ~(1ull << high);
    EXPECT(v[4] == inner && v[5] == 5 && v[6] == (0xa5ull << 2 & all) && v[7] == (mask >> 1 & 255));
    EXPECT(v[8] == ((members & ~2ull) ^ 1) && v[9] == (mask & 0xffffffff));
    EXPECT(v[10] == 15 && v[11] == 1);
  }
  sycl::free(out, q);
  sycl::free(place, q);
}

void loads() {
  sycl::queue q = test::make_queue();
  const std::size_t size = 64;
  int *in = sycl::malloc_shared<int>(size * 4, q), *out = sycl::malloc_shared<int>(size * 16, q);
  for (std::size_t i = 0; i < size * 4; i++) in[i] = int(i * 3 + 1);
  for (std::size_t i = 0; i < size * 16; i++) out[i] = 0;
  q.parallel_for(sycl::nd_range<1>(size, size), [=](sycl::nd_item<1> it) {
     auto g = it.get_group();
     experimental::properties striped{experimental::data_placement_striped};
     int rows[4], one;
     sycl::vec<int, 4> blocked;
     experimental::group_load(g, in, blocked);
     experimental::group_load(g, in, sycl::span<int, 4>(rows, 4), striped);
     experimental::group_load(g, in + 5, one);
     experimental::group_store(g, blocked, out, striped);
     experimental::group_store(g, sycl::span<int, 4>(rows, 4), out + 4 * size);
     experimental::group_store(g, one, out + 8 * size);
     auto s = it.get_sub_group();
     std::size_t base = s.get_group_linear_id() * s.get_max_local_range()[0];
     out[9 * size + it.get_local_id(0)] = s.load(in + base);
     s.store(out + 10 * size + base, s.load(in + base) + 1);
     auto two = s.load<2>(in + base * 2);
     s.store<2>(out + 12 * size + base * 2, two);
   }).wait_and_throw();
  for (std::size_t i = 0; i < size; i++) {
    for (std::size_t k = 0; k < 4; k++)
      EXPECT(out[i + k * size] == in[i * 4 + k] && out[4 * size + i * 4 + k] == in[i + k * size]);
    EXPECT(out[8 * size + i] == in[i + 5] && out[9 * size + i] == in[i] &&
           out[10 * size + i] == in[i] + 1);
  }
  for (std::size_t i = 0; i < 2 * size; i++) EXPECT(out[12 * size + i] == in[i]);
  sycl::free(in, q);
  sycl::free(out, q);
}

/* All work-items of a kernel as one group: where each is, in any launch. */
void places() {
  using scope = experimental::execution_scope;
  sycl::queue q = test::make_queue();
  const std::size_t rows = 6, columns = 40, all = rows * columns;
  std::size_t *out = sycl::malloc_shared<std::size_t>(all * 8, q);
  q.parallel_for(sycl::nd_range<2>({rows, columns}, {2, 20}), [=](sycl::nd_item<2> it) {
     auto root = it.ext_oneapi_get_root_group();
     std::size_t *mine = out + 8 * root.get_local_linear_id();
     mine[0] = root.get_local_id()[1] * 1000 + root.get_local_range()[0];
     mine[1] = root.get_group_linear_id() + 10 * root.get_group_linear_range();
     mine[2] = root.get_id<scope::work_group>()[0] * 10 + root.get_range<scope::work_group>()[1];
     mine[3] = root.get_linear_id<scope::sub_group>();
     mine[4] = root.get_linear_range<scope::sub_group>();
     mine[5] = root.get_linear_id<scope::work_item>() + 1000 * root.leader();
     mine[6] = it.get_sub_group().get_max_local_range()[0];
     mine[7] = root.get_linear_id<scope::work_group>();
     // As DPC++: an index equals a number if each of its parts does.
     if (root.leader() != (root.get_local_id() == 0) || root.get_group_id() != 0) mine[7] = all;
   }).wait_and_throw();
  for (std::size_t i = 0; i < all; i++) {
    const std::size_t *mine = out + 8 * i, row = i / columns, column = i % columns;
    std::size_t local = row % 2 * 20 + column % 20, number = row / 2 * 2 + column / 20;
    std::size_t each = (40 + mine[6] - 1) / mine[6];
    EXPECT(mine[0] == column * 1000 + rows && mine[1] == 10 && mine[2] == row / 2 * 10 + 2);
    EXPECT(mine[3] == number * each + local / mine[6] && mine[4] == 6 * each);
    EXPECT(mine[5] == i + (i == 0 ? 1000 : 0) && mine[7] == number);
  }
  sycl::free(out, q);
}

class meets;
class waits_for_none;

/* ... and its barrier, where it is one work-group. */
void meeting() {
  namespace query = experimental::info::kernel;
  sycl::queue q = test::make_queue();
  const std::size_t size = 100;
  int *x = sycl::malloc_shared<int>(size * 2, q);
  experimental::properties sync{experimental::use_root_sync};
  auto run = [&](std::size_t groups) {
    q.parallel_for<meets>(sycl::nd_range<1>(groups * size, size), sync, [=](sycl::nd_item<1> it) {
       auto root = it.ext_oneapi_get_root_group();
       std::size_t i = root.get_local_linear_id();
       x[i] = int(i * 3);
       sycl::group_barrier(root);
       x[size + i] = x[size - 1 - i];
     }).wait_and_throw();
  };
  run(1);
  for (std::size_t i = 0; i < size; i++) EXPECT(x[size + i] == int((size - 1 - i) * 3));
  EXPECT(test::code_of([&] { run(2); }) == sycl::errc::nd_range);
  q.parallel_for<waits_for_none>(sycl::nd_range<1>(size, size), [=](sycl::nd_item<1> it) {
     x[it.get_global_id(0)] = 0;
   }).wait_and_throw();
  auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  sycl::kernel kernel = bundle.get_kernel(sycl::get_kernel_id<meets>());
  std::size_t most = kernel.ext_oneapi_get_info<query::max_work_group_size>(q);
  sycl::range<1> local(size), none(0), more(most + 1);
  EXPECT(kernel.ext_oneapi_get_info<query::max_num_work_groups>(q, local) == 1);
  EXPECT(kernel.ext_oneapi_get_info<query::max_num_work_groups>(q, more) == 0);
  // DPC++'s, of how many can wait for one another: also where the kernel does not ask for it.
  using together = experimental::info::kernel_queue_specific::max_num_work_groups;
  sycl::kernel alone = bundle.get_kernel(sycl::get_kernel_id<waits_for_none>());
  EXPECT(kernel.ext_oneapi_get_info<together>(q, local, 0) == 1);
  EXPECT(alone.ext_oneapi_get_info<together>(q, local, 0) == 1);
  EXPECT(alone.ext_oneapi_get_info<together>(q, more, 0) == 0);
  EXPECT(alone.ext_oneapi_get_info<query::max_num_work_groups>(q, local) > 1);
  EXPECT(kernel.ext_oneapi_get_info<query::max_work_item_sizes<2>>(q)[1] == most);
  std::uint32_t lanes = kernel.ext_oneapi_get_info<query::max_sub_group_size>(q, local);
  EXPECT(kernel.ext_oneapi_get_info<query::num_sub_groups>(q, local) == (size + lanes - 1) / lanes);
  EXPECT(test::code_of([&] {
           kernel.ext_oneapi_get_info<query::max_num_work_groups>(q, none);
         }) == sycl::errc::invalid);
  sycl::free(x, q);
}

/* A device of each thread's own. */
void current_devices() {
  namespace this_thread = experimental::this_thread;
  sycl::device first = sycl::queue().get_device(), other;
  if (first.get_info<sycl::info::device::max_compute_units>() >= 2)
    other = first.create_sub_devices<sycl::info::partition_property::partition_equally>(1).front();
  EXPECT(this_thread::get_current_device() == first);
  this_thread::set_current_device(other);
  EXPECT(this_thread::get_current_device() == other);
  bool is_default = false;
  std::thread([&] { is_default = this_thread::get_current_device() == first; }).join();
  EXPECT(is_default);
  this_thread::set_current_device(first);
  EXPECT(this_thread::get_current_device() == first);
}

/* What programs ask of devices and queues, whether these have it or not. */
void questions() {
  namespace intel = sycl::ext::intel;
  sycl::device d = sycl::queue().get_device();
  EXPECT(d.get_info<oneapi::info::device::num_compute_units>() ==
         d.get_info<sycl::info::device::max_compute_units>());
  auto most = d.get_info<experimental::info::device::max_work_groups<2>>();
  EXPECT(most[0] == d.get_info<experimental::info::device::max_global_work_groups>() &&
         most[1] == most[0]);
  EXPECT(!d.has(sycl::aspect::ext_intel_device_id));
  std::uint64_t free = 0;
  if (test::code_of([&] { free = d.get_info<intel::info::device::free_memory>(); }) ==
      sycl::errc::success)
    EXPECT(free > 0 && d.has(sycl::aspect::ext_intel_free_memory));
  else
    EXPECT(d.about().is_gpu && !d.has(sycl::aspect::ext_intel_free_memory));
  EXPECT(test::code_of([&] { d.get_info<sycl::info::device::ext_intel_gpu_eu_count>(); }) ==
         sycl::errc::feature_not_supported);
  using namespace oneapi::property::queue;
  sycl::queue hinted{{priority_high(), intel::property::queue::no_immediate_command_list()}};
  EXPECT(hinted.has_property<priority_high>() && !hinted.has_property<priority_low>());
  EXPECT(test::code_of([] {
           sycl::queue q{{priority_high(), priority_low()}};
         }) == sycl::errc::invalid);
}

/* Bytes of four, of each sign, in vectors and in words. */
void products() {
  sycl::vec<std::int8_t, 4> a(-1, 2, -128, 127);
  sycl::vec<std::uint8_t, 4> b(255, 1, 128, 2);
  EXPECT(oneapi::dot_acc(a, a, 5) == 1 + 4 + 16384 + 16129 + 5);
  EXPECT(oneapi::dot_acc(a, b, -9) == -255 + 2 - 16384 + 254 - 9);
  EXPECT(oneapi::dot_acc(b, a, 0) == oneapi::dot_acc(a, b, 0));
  EXPECT(oneapi::dot_acc(b, b, 1) == 65025 + 1 + 16384 + 4 + 1);
  std::int32_t packed_a = 0x7f8002ff;
  std::uint32_t packed_b = 0x028001ff;
  EXPECT(oneapi::dot_acc_4x8packed(packed_a, packed_a, 5) == oneapi::dot_acc(a, a, 5));
  EXPECT(oneapi::dot_acc_4x8packed(packed_a, packed_b, -9) == oneapi::dot_acc(a, b, -9));
  EXPECT(oneapi::doc_acc_4x8packed(packed_b, packed_a, 0) == oneapi::dot_acc(b, a, 0));
  EXPECT(oneapi::dot_acc(packed_b, packed_b, 1) == oneapi::dot_acc(b, b, 1));
  EXPECT(experimental::cuda::ldg(&packed_a) == packed_a);
}

/* Rows of memory, copied and filled: what is around them stays. */
void rows_of_memory() {
#ifdef SYCL_EXT_ONEAPI_MEMCPY2D
  sycl::queue q;
  std::vector<int> from(5 * 3);
  for (int i = 0; i < 15; i++) from[i] = i;
  int *to = sycl::malloc_shared<int>(6 * 3, q);
  auto event = q.fill(to, -1, 18);
  event = q.ext_oneapi_copy2d(&from[1], 5, to + 1, 6, 4, 3, event);
  event = q.ext_oneapi_memset2d(to + 2, 6 * sizeof(int), 0x101, sizeof(int), 2, {event});
  q.submit([&](sycl::handler &h) {
    h.depends_on(event);
    h.ext_oneapi_fill2d(to + 3, 6, 77, 2, 1);
  });
  q.wait();
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 6; x++) {
      int expected = x == 0 || x == 5 ? -1 : y * 5 + x;
      if (x == 2 && y < 2) expected = 0x01010101;
      if (x >= 3 && x < 5 && y == 0) expected = 77;
      EXPECT(to[y * 6 + x] == expected);
    }
  EXPECT(test::code_of([&] { q.ext_oneapi_memcpy2d(to, 8, from.data(), 4, 5, 1); }) ==
         sycl::errc::invalid);
  EXPECT(test::code_of([&] { q.ext_oneapi_fill2d(to, 2, 1, 3, 1); }) == sycl::errc::invalid);
  sycl::free(to, q);
#endif
}

} // namespace

int main() {
  rows_of_memory();
  current_devices();
  questions();
  products();
  for (std::size_t local : {1, 5, 16, 40, 64}) masks(local);
  loads();
  places();
  meeting();
  return test::result();
}
