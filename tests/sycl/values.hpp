// Values of any size and shape go from one work-item to another: what each of them has to have got
// is compared member by member, on the host.  A type says in `each` what its members are.
#ifndef TESTS_SYCL_VALUES_HPP
#define TESTS_SYCL_VALUES_HPP

#include "check.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <typeinfo>

namespace values {

template <std::size_t N> struct bytes {
  unsigned char c[N];
  template <typename F> void each(F f) { f(c); }
};

// Bytes behind a number: the end is padding.
template <typename Head, std::size_t N> struct tail {
  Head head;
  unsigned char c[N];
  template <typename F> void each(F f) {
    f(head);
    f(c);
  }
};

// ... and between a byte and a number.
template <typename Middle, std::size_t N> struct gap {
  unsigned char first;
  Middle middle;
  unsigned char c[N];
  template <typename F> void each(F f) {
    f(first);
    f(middle);
    f(c);
  }
};

template <std::size_t N, std::size_t Alignment> struct alignas(Alignment) aligned {
  unsigned char c[N];
  template <typename F> void each(F f) { f(c); }
};

// Numbers that are not aligned.
template <std::size_t N> struct __attribute__((packed)) packed {
  unsigned char first;
  std::uint64_t number;
  std::uint16_t small;
  unsigned char c[N];
  template <typename F> void each(F f) {
    f(first);
    std::uint64_t whole = number;
    f(whole);
    number = whole;
    std::uint16_t half = small;
    f(half);
    small = half;
    f(c);
  }
};

// Rows of numbers, and objects in objects.
template <typename Row> struct row {
  Row x;
  template <typename F> void each(F f) {
    for (std::size_t k = 0; k < x.size(); k++) f(x[k]);
  }
};
template <typename Inner> struct outer {
  std::uint16_t before;
  Inner inner[2];
  std::uint32_t behind;
  template <typename F> void each(F f) {
    f(before);
    inner[0].each(f);
    inner[1].each(f);
    f(behind);
  }
};

// What is no member keeps what was there.
template <typename T> void fill(T &value, std::size_t item) {
  std::size_t n = item * 89 + 1;
  value.each([&](auto &member) {
    unsigned char to[sizeof member];
    for (std::size_t k = 0; k < sizeof member; k++) to[k] = static_cast<unsigned char>(n += 37);
    std::memcpy(&member, to, sizeof member);
  });
}

template <typename T> bool same(T a, T b) {
  unsigned char left[2 * sizeof(T)], right[2 * sizeof(T)];
  auto list = [](unsigned char *&to) {
    return [&](auto &member) {
      std::memcpy(to, &member, sizeof member);
      to += sizeof member;
    };
  };
  unsigned char *l = left, *r = right;
  a.each(list(l));
  b.each(list(r));
  return l - left == r - right && !std::memcmp(left, right, std::size_t(l - left));
}

enum {
  BROADCAST,
  BROADCAST_FIRST,
  BROADCAST_AT,
  SUB_BROADCAST,
  LEFT,
  RIGHT,
  XOR,
  SELECT,
  OPERATIONS
};
constexpr std::size_t by = 3, chosen = 5;

// Whose value the work-item gets; all of them if nobody's.
template <typename Place> std::size_t source(int operation, const Place &p, std::size_t nobody) {
  switch (operation) {
  case BROADCAST:
  case BROADCAST_AT:
    return p.group + chosen;
  case BROADCAST_FIRST:
    return p.group;
  case SUB_BROADCAST:
    return p.size > 2 ? p.begin + 2 : nobody;
  case LEFT:
    return p.lane + by < p.size ? p.begin + p.lane + by : nobody;
  case RIGHT:
    return p.lane >= by ? p.begin + p.lane - by : nobody;
  case XOR:
    return (p.lane ^ by) < p.size ? p.begin + (p.lane ^ by) : nobody;
  default:
    return p.begin + (p.lane * 5 + 3) % p.size;
  }
}

struct place {
  std::size_t group, begin, lane, size; // first of its group, of its sub-group
};

// Of a value that came from memory, or whose members alone were written.
template <typename T, bool Made, int D, typename Item> T own(Item it, const T *in) {
  if constexpr (Made) {
    T value;
    fill(value, it.get_global_linear_id());
    return value;
  } else {
    return in[it.get_global_linear_id()];
  }
}

// All of the functions take long to compile; two of them move words in all ways that there are.
template <typename T, int D>
constexpr bool has_all = D == 3 || sizeof(T) == 7 || sizeof(T) == 13 || sizeof(T) == 31;

template <typename T, bool Made, int D> void moves(sycl::queue &q, sycl::range<D> local) {
  static_assert(std::is_trivially_copyable_v<T>);
  sycl::range<D> global = local;
  global[D - 1] *= 2;
  std::size_t n = global.size();
  T *in = sycl::malloc_shared<T>(n, q), *out = sycl::malloc_shared<T>(n * OPERATIONS, q);
  place *places = sycl::malloc_shared<place>(n, q);
  std::memset(static_cast<void *>(out), 0x55, n * OPERATIONS * sizeof(T));
  for (std::size_t i = 0; i < n; i++) fill(in[i], i);
  sycl::id<D> at;
  for (std::size_t rest = chosen, d = D; d-- > 0; rest /= local[int(d)])
    at[int(d)] = rest % local[int(d)];
  q.parallel_for(sycl::nd_range<D>(global, local), [=](sycl::nd_item<D> it) {
     auto g = it.get_group();
     auto sub = it.get_sub_group();
     std::size_t i = it.get_global_linear_id();
     T mine = own<T, Made, D>(it, in);
     std::uint32_t lane = sub.get_local_linear_id(), size = sub.get_local_linear_range();
     places[i] = {0, g.get_local_linear_id() - lane, lane, size};
     out[i + n * BROADCAST] = sycl::group_broadcast(g, mine, chosen);
     out[i + n * SELECT] = sycl::select_from_group(sub, mine, sycl::id<1>((lane * 5 + 3) % size));
     if constexpr (has_all<T, D>) {
       out[i + n * LEFT] = sycl::shift_group_left(sub, mine, by);
       out[i + n * XOR] = sycl::permute_group_by_xor(sub, mine, by);
       out[i + n * BROADCAST_FIRST] = sycl::group_broadcast(g, mine);
       out[i + n * BROADCAST_AT] = sycl::group_broadcast(g, mine, at);
       out[i + n * SUB_BROADCAST] = sycl::group_broadcast(sub, mine, 2u);
       out[i + n * RIGHT] = sycl::shift_group_right(sub, mine, by);
     }
   }).wait();
  q.throw_asynchronous();
  std::size_t wrong = 0, got[OPERATIONS] = {};
  // Ids of two groups that are beside each other in the last dimension.
  auto global_of = [&](std::size_t group, std::size_t inside) {
    std::size_t row = local[D - 1];
    return inside / row * 2 * row + group * row + inside % row;
  };
  for (std::size_t group = 0; group < 2; group++)
    for (std::size_t inside = 0; inside < n / 2; inside++) {
      std::size_t i = global_of(group, inside);
      for (int op = 0; op < OPERATIONS; op++) {
        if (!has_all<T, D> && op != BROADCAST && op != SELECT) continue;
        std::size_t from = source(op, places[i], n);
        if (from == n) continue;
        bool good = same(out[i + n * std::size_t(op)], in[global_of(group, from)]);
        got[op] += !good;
        wrong += !good;
      }
    }
  if (!EXPECT(wrong == 0)) {
    std::printf("  %s of %zu bytes, %d dimensions:", typeid(T).name(), sizeof(T), D);
    for (std::size_t count : got) std::printf(" %zu", count);
    std::printf("\n");
  }
  sycl::free(in, q);
  sycl::free(out, q);
  sycl::free(places, q);
}

} // namespace values

#endif
