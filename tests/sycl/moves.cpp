// What goes from one work-item to another: broadcasts in all forms, shifts, permutations,
// selections; and votes.  Any trivially copyable type.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace {

struct odd_size { // neither a power of two nor aligned to one
  char c[11];
};
struct mixed {
  double d;
  int i;
  bool b;
};

template <typename T> T make(std::size_t i) {
  T value;
  std::memset(static_cast<void *>(&value), 0, sizeof value);
  if constexpr (std::is_same_v<T, odd_size>) {
    for (int k = 0; k < 11; k++) value.c[k] = char(i * 7 + std::size_t(k));
  } else if constexpr (std::is_same_v<T, mixed>) {
    value = {double(i) * 0.5, -int(i), i % 3 == 0};
  } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, sycl::half>) {
    value = T(int(i % 100));
  } else if constexpr (std::is_pointer_v<T>) {
    value = reinterpret_cast<T>(i * 16);
  } else {
    for (int k = 0; k < int(T::size()); k++) value[k] = typename T::value_type(int(i % 50) + k);
  }
  return value;
}

template <typename T> bool same(const T &a, const T &b) {
  if constexpr (std::is_same_v<T, odd_size>) {
    return !std::memcmp(a.c, b.c, sizeof a.c);
  } else if constexpr (std::is_same_v<T, mixed>) {
    return a.d == b.d && a.i == b.i && a.b == b.b;
  } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, sycl::half> ||
                       std::is_pointer_v<T>) {
    return a == b;
  } else {
    for (int k = 0; k < int(T::size()); k++)
      if (a[k] != b[k]) return false;
    return true;
  }
}

// Every id of the group is the source once; work-items compare with what that one must have had.
template <typename T, int D> void broadcasts(sycl::queue &q, sycl::range<D> local) {
  sycl::range<D> global = local;
  global[0] *= 2;
  int *wrong = sycl::malloc_shared<int>(1, q);
  *wrong = 0;
  q.parallel_for(sycl::nd_range<D>(global, local), [=](sycl::nd_item<D> it) {
     auto g = it.get_group();
     auto count = [=](bool good) {
       if (!good)
         sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(*wrong)++;
     };
     std::size_t items = g.get_local_linear_range(), first = g.get_group_linear_id() * items;
     std::size_t lane = g.get_local_linear_id();
     T mine = make<T>(first + lane);
     count(same(sycl::group_broadcast(g, mine), make<T>(first)));
     for (std::size_t from = 0; from < items; from += 1 + items / 8) {
       T got = sycl::group_broadcast(g, mine, from);
       count(same(got, make<T>(first + from)));
       sycl::id<D> id;
       std::size_t rest = from;
       for (int d = D - 1; d >= 0; d--) {
         id[d] = rest % local[d];
         rest /= local[d];
       }
       count(same(sycl::group_broadcast(g, mine, id), make<T>(first + from)));
     }
     auto sub = it.get_sub_group();
     std::uint32_t size = sub.get_local_linear_range(), at = sub.get_local_linear_id();
     std::size_t begin = first + lane - at;
     count(same(sycl::group_broadcast(sub, mine), make<T>(begin)));
     for (std::uint32_t from = 0; from < size; from += 3) {
       count(same(sycl::group_broadcast(sub, mine, from), make<T>(begin + from)));
       count(same(sycl::group_broadcast(sub, mine, sycl::id<1>(from)), make<T>(begin + from)));
     }
   }).wait();
  q.throw_asynchronous();
  if (!EXPECT(*wrong == 0)) std::printf("  %s, %d dimensions\n", typeid(T).name(), D);
  sycl::free(wrong, q);
}

template <typename T> void shuffles(sycl::queue &q, std::size_t items) {
  int *wrong = sycl::malloc_shared<int>(1, q);
  *wrong = 0;
  q.parallel_for(sycl::nd_range<1>(items, items), [=](sycl::nd_item<1> it) {
     auto count = [=](bool good) {
       if (!good)
         sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(*wrong)++;
     };
     auto sub = it.get_sub_group();
     std::uint32_t size = sub.get_local_linear_range(), at = sub.get_local_linear_id();
     std::size_t begin = it.get_local_linear_id() - at;
     T mine = make<T>(begin + at);
     // From outside the sub-group comes any value.
     for (std::uint32_t by : {0u, 1u, 2u, 5u, 40u}) {
       T left = sycl::shift_group_left(sub, mine, by),
         right = sycl::shift_group_right(sub, mine, by);
       if (at + by < size) count(same(left, make<T>(begin + at + by)));
       if (at >= by) count(same(right, make<T>(begin + at - by)));
       T other = sycl::permute_group_by_xor(sub, mine, by);
       if ((at ^ by) < size) count(same(other, make<T>(begin + (at ^ by))));
     }
     T left = sycl::shift_group_left(sub, mine), right = sycl::shift_group_right(sub, mine);
     if (at + 1 < size) count(same(left, make<T>(begin + at + 1)));
     if (at) count(same(right, make<T>(begin + at - 1)));
     std::uint32_t from = (at * 5 + 3) % size;
     count(same(sycl::select_from_group(sub, mine, sycl::id<1>(from)), make<T>(begin + from)));
   }).wait();
  q.throw_asynchronous();
  if (!EXPECT(*wrong == 0)) std::printf("  %s, %zu items\n", typeid(T).name(), items);
  sycl::free(wrong, q);
}

template <typename T> void moves(sycl::queue &q) {
  broadcasts<T, 1>(q, {37});
  broadcasts<T, 2>(q, {3, 11});
  broadcasts<T, 3>(q, {2, 3, 5});
  for (std::size_t items : {1, 5, 32, 50}) shuffles<T>(q, items);
}

// One, some, all and none of the work-items hold the condition.
template <typename GetGroup> void votes(sycl::queue &q, std::size_t items, GetGroup get_group) {
  int *wrong = sycl::malloc_shared<int>(1, q);
  int *data = sycl::malloc_shared<int>(items * 3, q);
  for (std::size_t i = 0; i < items * 3; i++) data[i] = int(i);
  *wrong = 0;
  for (int kind = 0; kind < 4; kind++)
    q.parallel_for(sycl::nd_range<1>(items, items), [=](sycl::nd_item<1> it) {
       auto g = get_group(it);
       auto count = [=](bool good) {
         if (!good)
           sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(*wrong)++;
       };
       std::size_t lane = g.get_local_linear_id(), size = g.get_local_linear_range();
       bool mine = kind == 0 ? false : kind == 1 ? lane == size - 1 : kind == 2 ? lane != 0 : true;
       std::size_t holders = kind == 0 ? 0 : kind == 1 ? 1 : kind == 2 ? size - 1 : size;
       count(sycl::any_of_group(g, mine) == (holders > 0));
       count(sycl::all_of_group(g, mine) == (holders == size));
       count(sycl::none_of_group(g, mine) == (holders == 0));
       auto is_one = [](int v) { return v == 1; };
       count(sycl::any_of_group(g, int(mine), is_one) == (holders > 0));
       count(sycl::all_of_group(g, int(mine), is_one) == (holders == size));
       count(sycl::none_of_group(g, int(mine), is_one) == (holders == 0));
       // A range that is longer than the group, one that is shorter, an empty one.
       for (std::size_t n : {items * 3, items / 2, std::size_t(0)}) {
         int *end = data + n, limit = kind == 0   ? 0
                                      : kind == 1 ? 1
                                      : kind == 2 ? int(n) - 1
                                                  : int(n);
         auto below = [limit](int v) { return v < limit; };
         long in = limit < 0 ? 0 : limit < long(n) ? limit : long(n);
         count(sycl::joint_any_of(g, data, end, below) == (in > 0));
         count(sycl::joint_all_of(g, data, end, below) == (in == long(n)));
         count(sycl::joint_none_of(g, data, end, below) == (in == 0));
       }
     }).wait();
  q.throw_asynchronous();
  EXPECT(*wrong == 0);
  sycl::free(wrong, q);
  sycl::free(data, q);
}

// What a work-item wrote to the range before the call, all others see in it.
void joint_sees_writes(sycl::queue &q) {
  const std::size_t n = 100;
  int *wrong = sycl::malloc_shared<int>(1, q);
  *wrong = 0;
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int> data(n, h);
     h.parallel_for(sycl::nd_range<1>(n, n), [=](sycl::nd_item<1> it) {
       auto g = it.get_group();
       std::size_t i = it.get_local_id(0);
       int *begin = &data[0], *end = begin + n;
       data[i] = int(i) + 1;
       int sum = sycl::joint_reduce(g, begin, end, sycl::plus<>());
       data[i] = 1;                                                      // all have read it
       sycl::joint_inclusive_scan(g, begin, end, begin, sycl::plus<>()); // in place
       bool good = sum == int(n * (n + 1) / 2) && data[n - 1 - i] == int(n - i);
       if (!good)
         sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(*wrong)++;
     });
   }).wait();
  EXPECT(*wrong == 0);
  sycl::free(wrong, q);
}

// Sub-groups go their own ways; groups of the same kernel take different numbers of turns.
void divergent_sub_groups(sycl::queue &q) {
  const std::size_t n = 128;
  int *out = sycl::malloc_shared<int>(n, q);
  q.parallel_for(sycl::nd_range<1>(n, n), [=](sycl::nd_item<1> it) {
     auto sub = it.get_sub_group();
     int sum = 0;
     if (sub.get_group_linear_id() == 0) {
       sum = sycl::reduce_over_group(sub, 1, sycl::plus<>());
     } else {
       for (std::uint32_t turn = 0; turn < sub.get_group_linear_id(); turn++)
         sum += sycl::exclusive_scan_over_group(sub, 1, sycl::plus<>());
     }
     out[it.get_local_id(0)] = sycl::reduce_over_group(it.get_group(), sum, sycl::maximum<>());
   }).wait();
  for (std::size_t i = 0; i < n; i++) EXPECT(out[i] == out[0] && out[0] > 0);
  sycl::free(out, q);
}

// A function that gets no nd_item finds out where it is.
int sum_of_group() {
  auto g = sycl::khr::this_group<2>();
  auto it = sycl::ext::oneapi::this_work_item::get_nd_item<2>();
  return sycl::reduce_over_group(g, int(it.get_local_id(1)), sycl::plus<>());
}

void without_item(sycl::queue &q) {
  int *p = sycl::malloc_shared<int>(1, q);
  q.parallel_for(sycl::nd_range<2>({2, 6}, {2, 6}), [=](sycl::nd_item<2> it) {
     int sum = sum_of_group();
     if (it.get_group().leader()) *p = sum;
   }).wait();
  EXPECT(*p == 30);
  sycl::free(p, q);
}

static_assert(sycl::is_group_v<sycl::group<1>> && sycl::is_group_v<sycl::group<2>> &&
              sycl::is_group_v<sycl::group<3>> && sycl::is_group_v<sycl::sub_group>);
static_assert(!sycl::is_group_v<int> && !sycl::is_group_v<sycl::nd_item<1>>);
static_assert(std::is_base_of_v<std::true_type, sycl::is_group<sycl::sub_group>>);

} // namespace

int main() {
  sycl::queue q = test::make_queue();
  moves<bool>(q);
  moves<sycl::half>(q);
  moves<mixed>(q);
  moves<sycl::marray<float, 5>>(q);
#ifndef FEW_TYPES
  moves<int>(q);
  moves<double>(q);
  moves<char>(q);
  moves<short>(q);
  moves<unsigned long>(q);
  moves<float>(q);
  moves<int *>(q);
  moves<odd_size>(q);
  moves<sycl::char3>(q);
  moves<sycl::long8>(q);
#endif
  for (std::size_t items : {1, 3, 64, 100, 1024}) {
    votes(q, items, [](sycl::nd_item<1> it) { return it.get_group(); });
    votes(q, items, [](sycl::nd_item<1> it) { return it.get_sub_group(); });
  }
  joint_sees_writes(q);
  divergent_sub_groups(q);
  without_item(q);
  return test::result();
}
