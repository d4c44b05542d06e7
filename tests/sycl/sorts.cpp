// What groups sort, and what they combine by a program's own operators, against an insertion sort
// and serial loops.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace {

namespace experimental = sycl::ext::oneapi::experimental;
using experimental::group_algorithm_data_placement;

std::uint32_t number(std::size_t i) {
  std::uint32_t x = std::uint32_t(i) * 2654435761u;
  return x ^ x >> 15;
}

/* Keys of which some are alike, and where they were. */
struct entry {
  std::int16_t key;
  std::int32_t place;
};
struct by_key {
  bool operator()(const entry &a, const entry &b) const { return a.key < b.key; }
};

entry entry_of(std::size_t i) {
  return {std::int16_t(number(i) % 21 - 10), std::int32_t(i)};
}

template <typename T, typename Less> void insertion_sort(T *first, std::size_t count, Less less) {
  for (std::size_t i = 1; i < count; i++)
    for (std::size_t k = i; k > 0 && less(first[k], first[k - 1]); k--)
      std::swap(first[k], first[k - 1]);
}

/* Runs `kernel` once for each work-group, or for one sub-group of it, with `bytes` of scratch
 * memory. */
template <typename Kernel>
void run(sycl::queue &q, std::size_t groups, std::size_t local, std::size_t bytes,
         const Kernel &kernel) {
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<std::byte> scratch(bytes, h);
     h.parallel_for(sycl::nd_range<1>(groups * local, local), [=](sycl::nd_item<1> it) {
       kernel(it, sycl::span<std::byte>(&scratch[0], bytes));
     });
   }).wait_and_throw();
}

/* joint_sort of structs, by a comparison and by a sorter; each group its own range. */
void ranges(std::size_t local, std::size_t count) {
  sycl::queue q = test::make_queue();
  using sorter = experimental::default_sorters::joint_sorter<by_key>;
  using radix =
      experimental::radix_sorters::joint_sorter<float, experimental::sorting_order::descending>;
  std::size_t bytes =
      sorter::memory_required<entry>(q.get_device(), sycl::memory_scope::work_group, count);
  std::size_t more = radix::memory_required(sycl::memory_scope::work_group, count);
  entry *x = sycl::malloc_shared<entry>(count * 2, q);
  float *y = sycl::malloc_shared<float>(count, q);
  std::vector<entry> wanted(count * 2);
  std::vector<float> floats(count);
  for (std::size_t i = 0; i < count * 2; i++) x[i] = wanted[i] = entry_of(i);
  for (std::size_t i = 0; i < count; i++)
    y[i] = floats[i] = (i % 3 ? 1.0f : -1.0f) * float(number(i) % 1000) / 8;
  run(q, 2, local, std::max(bytes, more), [=](sycl::nd_item<1> it, sycl::span<std::byte> scratch) {
    auto g = it.get_group();
    entry *mine = x + it.get_group(0) * count;
    if (it.get_group(0) == 0) {
      experimental::joint_sort(experimental::group_with_scratchpad(g, scratch), mine, mine + count,
                               by_key());
    } else {
      experimental::joint_sort(g, mine, mine + count, sorter(scratch));
      experimental::joint_sort(g, y, y + count, radix(scratch));
    }
  });
  insertion_sort(wanted.data(), count, by_key());
  insertion_sort(wanted.data() + count, count, by_key());
  insertion_sort(floats.data(), count, std::greater<>());
  for (std::size_t i = 0; i < count * 2; i++)
    EXPECT(x[i].key == wanted[i].key && x[i].place == wanted[i].place);
  for (std::size_t i = 0; i < count; i++) EXPECT(y[i] == floats[i]);
  sycl::free(x, q);
  sycl::free(y, q);
}

/* One element of each work-item: of a work-group, then of each sub-group. */
void items(std::size_t local) {
  sycl::queue q = test::make_queue();
  using radix = experimental::radix_sorters::group_sorter<std::int32_t>;
  using pairs = experimental::radix_sorters::group_key_value_sorter<std::uint8_t, double>;
  std::size_t bytes = std::max(radix::memory_required(sycl::memory_scope::work_group, local),
                               pairs::memory_required(sycl::memory_scope::work_group, local));
  struct row {
    std::int32_t value, radix, masked, lane, first, in_lanes;
    std::uint8_t key;
    double with_key;
  };
  row *out = sycl::malloc_shared<row>(local, q);
  run(q, 1, local, bytes * 2, [=](sycl::nd_item<1> it, sycl::span<std::byte> scratch) {
    auto g = it.get_group();
    auto s = it.get_sub_group();
    std::size_t me = it.get_local_id(0);
    row &r = out[me];
    std::int32_t x = std::int32_t(number(me)) / 2;
    experimental::group_with_scratchpad all(g, scratch);
    r.value = experimental::sort_over_group(all, x, std::greater<>());
    r.radix = experimental::sort_over_group(g, x, radix(scratch));
    r.masked = experimental::sort_over_group(g, std::int32_t(me * 7 % 64), radix(scratch, 0x38));
    auto both =
        experimental::sort_key_value_over_group(g, std::uint8_t(x), double(me), pairs(scratch));
    r.key = std::get<0>(both), r.with_key = std::get<1>(both);
    r.lane = std::int32_t(s.get_local_linear_id()), r.first = std::int32_t(me) - r.lane;
    std::size_t room = bytes / local * s.get_max_local_range()[0];
    sycl::span<std::byte> part(scratch.data() + room * s.get_group_linear_id(), room);
    r.in_lanes = experimental::sort_over_group(experimental::group_with_scratchpad(s, part), x);
  });
  std::vector<std::int32_t> x(local), masked(local), place(local);
  for (std::size_t i = 0; i < local; i++)
    x[i] = std::int32_t(number(i)) / 2, masked[i] = std::int32_t(i * 7 % 64);
  for (std::size_t i = 0, end; i < local; i = end) {
    for (end = i + 1; end < local && out[end].first == out[i].first;) end++;
    std::vector<std::int32_t> part(x.begin() + std::ptrdiff_t(i), x.begin() + std::ptrdiff_t(end));
    insertion_sort(part.data(), part.size(), std::less<>());
    for (std::size_t k = i; k < end; k++) EXPECT(out[k].in_lanes == part[k - i]);
  }
  std::iota(place.begin(), place.end(), 0);
  auto key = [&](std::int32_t i) { return std::uint8_t(x[std::size_t(i)]); };
  insertion_sort(place.data(), local, [&](auto a, auto b) { return key(a) < key(b); });
  insertion_sort(masked.data(), local, [](auto a, auto b) { return (a & 0x38) < (b & 0x38); });
  insertion_sort(x.data(), local, std::less<>());
  for (std::size_t i = 0; i < local; i++) {
    EXPECT(out[i].value == x[local - 1 - i] && out[i].radix == x[i] && out[i].masked == masked[i]);
    std::int32_t from = place[i];
    EXPECT(out[i].with_key == from &&
           out[i].key == std::uint8_t(std::int32_t(number(std::size_t(from))) / 2));
  }
  sycl::free(out, q);
}

/* Some elements of each work-item, and where they go. */
void spans(std::size_t local) {
  sycl::queue q = test::make_queue();
  enum { each = 3 };
  std::size_t count = local * each;
  using sorter = experimental::default_sorters::group_sorter<std::int16_t, std::less<>, each>;
  using pairs =
      experimental::default_sorters::group_key_value_sorter<std::int16_t, int, std::less<>, each>;
  std::size_t bytes = pairs::memory_required(q.get_device(), sycl::memory_scope::work_group, local);
  std::int16_t *x = sycl::malloc_shared<std::int16_t>(count * 2, q);
  int *place = sycl::malloc_shared<int>(count, q);
  run(q, 1, local, bytes, [=](sycl::nd_item<1> it, sycl::span<std::byte> scratch) {
    auto g = it.get_group();
    std::size_t me = it.get_local_id(0), size = it.get_local_range(0);
    std::int16_t keys[each];
    int values[each];
    for (std::size_t i = 0; i < each; i++) keys[i] = entry_of(me * each + i).key;
    experimental::sort_over_group(
        g, sycl::span<std::int16_t, each>(keys), sorter(scratch),
        experimental::properties{
            experimental::output_data_placement<group_algorithm_data_placement::striped>});
    for (std::size_t i = 0; i < each; i++) x[me + i * size] = keys[i];
    for (std::size_t i = 0; i < each; i++) {
      values[i] = int(me + i * size);
      keys[i] = entry_of(std::size_t(values[i])).key;
    }
    experimental::sort_key_value_over_group(
        experimental::group_with_scratchpad(g, scratch), sycl::span<std::int16_t, each>(keys),
        sycl::span<int, each>(values),
        experimental::properties{
            experimental::input_data_placement<group_algorithm_data_placement::striped>});
    for (std::size_t i = 0; i < each; i++) {
      x[count + me * each + i] = keys[i];
      place[me * each + i] = values[i];
    }
  });
  std::vector<entry> wanted(count);
  for (std::size_t i = 0; i < count; i++) wanted[i] = entry_of(i);
  insertion_sort(wanted.data(), count, by_key());
  for (std::size_t i = 0; i < count; i++)
    EXPECT(x[i] == wanted[i].key && x[count + i] == wanted[i].key && place[i] == wanted[i].place);
  sycl::free(x, q);
  sycl::free(place, q);
}

/* Products of affine maps, which do not commute, in numbers that wrap. */
struct affine {
  std::uint32_t slope, height;
  char mark[5];
};
struct then {
  affine operator()(const affine &a, const affine &b) const {
    return {a.slope * b.slope, a.height * b.slope + b.height, {a.mark[0]}};
  }
};
affine map_of(std::size_t i) {
  return {number(i) | 1, number(i + 77), {char(i)}};
}
bool same(const affine &a, const affine &b) {
  return a.slope == b.slope && a.height == b.height && a.mark[0] == b.mark[0];
}

void operators(std::size_t local, std::size_t count) {
  sycl::queue q = test::make_queue();
  affine *out = sycl::malloc_shared<affine>(local * 6, q),
         *in = sycl::malloc_shared<affine>(count, q);
  for (std::size_t i = 0; i < count; i++) in[i] = map_of(i);
  run(q, 1, local, local * sizeof(affine), [=](sycl::nd_item<1> it, sycl::span<std::byte> scratch) {
    experimental::group_with_scratchpad all(it.get_group(), scratch);
    std::size_t me = it.get_local_id(0);
    affine *mine = out + me * 6, x = map_of(me), init = map_of(500);
    mine[0] = experimental::reduce_over_group(all, x, then());
    mine[1] = experimental::reduce_over_group(all, x, init, then());
    mine[2] = experimental::joint_reduce(all, in, in + count, then());
    mine[3] = experimental::joint_reduce(all, in, in + count, init, then());
    mine[4] = experimental::inclusive_scan_over_group(all, x, then());
    mine[5] = experimental::exclusive_scan_over_group(all, x, init, then());
    std::uint32_t sum = experimental::reduce_over_group(all, std::uint32_t(me), sycl::plus<>());
    if (sum != local * (local - 1) / 2) mine[0].slope++;
  });
  affine upto = map_of(0), with_init = map_of(500), range = in[0];
  std::vector<affine> inclusive, exclusive;
  for (std::size_t i = 0; i < local; i++) {
    if (i > 0) upto = then()(upto, map_of(i));
    exclusive.push_back(with_init);
    with_init = then()(with_init, map_of(i));
    inclusive.push_back(upto);
  }
  for (std::size_t i = 1; i < count; i++) range = then()(range, in[i]);
  for (std::size_t i = 0; i < local; i++) {
    const affine *mine = out + i * 6;
    EXPECT(same(mine[0], upto) && same(mine[1], with_init) && same(mine[2], range));
    EXPECT(same(mine[3], then()(map_of(500), range)));
    EXPECT(same(mine[4], inclusive[i]) && same(mine[5], exclusive[i]));
  }
  sycl::free(out, q);
  sycl::free(in, q);
}

} // namespace

int main() {
  for (std::size_t local : {1, 20, 64}) {
    ranges(local, 100);
    ranges(local, local == 64 ? 0 : 1);
    items(local);
    spans(local);
    operators(local, 5);
    operators(local, 150);
  }
  return test::result();
}
