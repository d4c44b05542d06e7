// Atomics on a local accessor and on global memory.  Of those in the kernel: 2 are global.
#include "../sycl/check.hpp"

#include <cstdint>
#include <vector>

namespace {

constexpr std::size_t items = 1024, size = 256;

template <typename T,
          sycl::access::address_space Space = sycl::access::address_space::generic_space>
using atomic =
    sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::work_group, Space>;

struct totals {
  std::uint32_t histogram[16];
  std::int32_t least, most;
  float sum;
  std::uint64_t bits, exchanged;
};

void run(sycl::queue &q, const std::int32_t *in, totals *out) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<std::uint32_t> counts(16, h);
    sycl::local_accessor<totals> local(1, h);
    h.parallel_for(sycl::nd_range<1>(items, size), [=](sycl::nd_item<1> it) {
      std::size_t i = it.get_global_id(0), lane = it.get_local_id(0);
      totals &mine = local[0];
      if (lane < 16) counts[lane] = 0;
      if (lane == 0) mine = totals{{}, 1 << 30, -(1 << 30), 0, 0, 0};
      sycl::group_barrier(it.get_group());
      atomic<std::uint32_t, sycl::access::address_space::local_space>(counts[in[i] & 15])++;
      atomic<std::int32_t>(mine.least).fetch_min(in[i]);
      atomic<std::int32_t>(mine.most).fetch_max(in[i]);
      atomic<float>(mine.sum) += float(in[i]);
      atomic<std::uint64_t>(mine.bits) |= std::uint64_t(1) << (in[i] & 63);
      std::uint64_t expected = lane;
      atomic<std::uint64_t>(mine.exchanged).compare_exchange_strong(expected, lane + 1);
      sycl::group_barrier(it.get_group());
      if (lane < 16) atomic<std::uint32_t>(out[0].histogram[lane]) += counts[lane];
      totals &group = out[1 + it.get_group(0)];
      if (lane == 0) group = mine;
      atomic<std::uint32_t>(group.histogram[0])++; // the group's, but in global memory
    });
  });
  q.wait_and_throw();
}

void compare(const std::int32_t *in, const totals *out) {
  std::uint32_t counts[16] = {};
  for (std::size_t i = 0; i < items; i++) counts[in[i] & 15]++;
  for (int i = 0; i < 16; i++) EXPECT(out[0].histogram[i] == counts[i]);
  for (std::size_t g = 0; g < items / size; g++) {
    std::int32_t least = in[g * size], most = least;
    float sum = 0;
    std::uint64_t bits = 0;
    for (std::size_t i = g * size; i < (g + 1) * size; i++) {
      least = in[i] < least ? in[i] : least;
      most = in[i] > most ? in[i] : most;
      sum += float(in[i]); // of small integers: exact
      bits |= std::uint64_t(1) << (in[i] & 63);
    }
    const totals &group = out[1 + g];
    EXPECT(group.least == least && group.most == most && group.sum == sum && group.bits == bits);
    EXPECT(group.exchanged >= 1 && group.exchanged <= size);
  }
}

} // namespace

int main() {
  sycl::queue q = test::make_queue();
  auto *in = sycl::malloc_shared<std::int32_t>(items, q);
  auto *out = sycl::malloc_shared<totals>(1 + items / size, q);
  for (std::size_t i = 0; i < items; i++) in[i] = std::int32_t(i * 2654435761u >> 20) - 2000;
  out[0] = totals{};
  run(q, in, out);
  compare(in, out);
  sycl::free(in, q);
  sycl::free(out, q);
  return test::result();
}
