/* How groups sort: in memory that the program gives, in two halves between which the elements go to
 * and fro. */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_GROUP_SORT_DETAIL_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_GROUP_SORT_DETAIL_HPP

#include <cstring>
#include <iterator>
#include <new>
#include <tuple>

#include "../../../kernel_properties.hpp"
#include "group_helpers.hpp"

namespace sycl {

namespace ext::oneapi::experimental {

enum class group_algorithm_data_placement { blocked, striped };

template <typename Key, group_algorithm_data_placement Placement>
using placement_property =
    property_value<Key, std::integral_constant<group_algorithm_data_placement, Placement>>;
struct input_data_placement_key {
  template <group_algorithm_data_placement Placement>
  using value_t = placement_property<input_data_placement_key, Placement>;
};
struct output_data_placement_key {
  template <group_algorithm_data_placement Placement>
  using value_t = placement_property<output_data_placement_key, Placement>;
};
template <group_algorithm_data_placement Placement>
inline constexpr input_data_placement_key::value_t<Placement> input_data_placement;
template <group_algorithm_data_placement Placement>
inline constexpr output_data_placement_key::value_t<Placement> output_data_placement;

template <> struct is_property_key<input_data_placement_key> : std::true_type {};
template <> struct is_property_key<output_data_placement_key> : std::true_type {};

} // namespace ext::oneapi::experimental

namespace detail {

template <typename T> inline constexpr bool is_span = false;
template <typename T, std::size_t N> inline constexpr bool is_span<span<T, N>> = true;
template <typename T> using if_value = std::enable_if_t<!is_span<T>, int>;
template <typename T> using if_compare = std::enable_if_t<!is_properties<T>, int>;

template <typename Key, typename Properties> inline constexpr bool is_striped_by = false;
template <typename Key, typename... P>
inline constexpr bool is_striped_by<Key, experimental::properties<property_values<P...>>> =
    (... || std::is_same_v<std::decay_t<P>,
                           experimental::placement_property<
                               Key, experimental::group_algorithm_data_placement::striped>>);

template <typename T> constexpr std::size_t sort_bytes(std::size_t count) {
  return 2 * count * sizeof(T) + alignof(T);
}
template <typename T> T *aligned(std::byte *scratch) {
  std::uintptr_t at = reinterpret_cast<std::uintptr_t>(scratch);
  return reinterpret_cast<T *>((at + alignof(T) - 1) / alignof(T) * alignof(T));
}

/* The program's own sorters take no place in the source. */
template <typename Sorter, typename... Args>
auto call_sorter(Sorter &sorter, const here &at, const Args &...args) {
  if constexpr (std::is_invocable_v<Sorter &, Args..., const here &>)
    return sorter(args..., at);
  else
    return sorter(args...);
}

template <typename T, typename U> struct keyed {
  T key;
  U value;
};

/* What is compared: an element, or its key. */
template <typename T> const T &key_of(const T &x) {
  return x;
}
template <typename T, typename U> const T &key_of(const keyed<T, U> &x) {
  return x.key;
}

/* Runs of 1, 2, 4 ... elements are merged two by two: each element finds by halves how many of the
 * other run come before it.  Gives the half in which the result lies. */
template <typename Compare> struct merging {
  Compare less;

  /* Where element i goes, in runs that are sorted; the left one's come first of those alike. */
  template <typename T>
  std::size_t place(const T *x, std::size_t i, std::size_t run, std::size_t count) {
    std::size_t first = i / run * run, pair = first / (2 * run) * (2 * run);
    bool left = first == pair;
    std::size_t low = left ? first + run : pair, high = low + run;
    if (low > count) low = count;
    if (high > count) high = count;
    std::size_t begin = low;
    while (low < high) {
      std::size_t middle = low + (high - low) / 2;
      bool before = left ? bool(less(key_of(x[middle]), key_of(x[i])))
                         : !less(key_of(x[i]), key_of(x[middle]));
      low = before ? middle + 1 : low;
      high = before ? high : middle;
    }
    return pair + (i - first) + (low - begin);
  }

  template <typename Group, typename T>
  T *operator()(const Group &g, T *from, T *to, std::size_t count, const mpl_site *at) {
    std::size_t me = g.get_local_linear_id(), items = g.get_local_linear_range();
    for (std::size_t run = 1; run < count; run *= 2) {
      for (std::size_t i = me; i < count; i += items)
        new (to + place(from, i, run, count)) T(from[i]);
      meet(g, at);
      std::swap(from, to);
    }
    return from;
  }
};

/* Bits whose order as a number is that of the values. */
template <typename T> std::uint64_t ordered_bits(T value) {
  static_assert(std::is_arithmetic_v<T> || std::is_same_v<T, half>,
                "radix sorters sort numbers only");
  constexpr unsigned bits = sizeof(T) * 8;
  std::uint64_t word = 0, top = std::uint64_t(1) << (bits - 1);
  std::memcpy(&word, &value, sizeof value);
  if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, half>)
    return word & top ? ~word & (top | (top - 1)) : word | top;
  else
    return std::is_signed_v<T> ? word ^ top : word;
}

/* Radix sort: for each bit, from the lowest, those without it go before those with it. */
template <typename Key, bool Descending> struct splitting {
  std::uint64_t mask;

  template <typename T> bool is_low(const T &x, unsigned bit) const {
    return (ordered_bits<Key>(key_of(x)) >> bit & 1) == Descending;
  }

  template <typename Group, typename T>
  void split(const Group &g, const T *from, T *to, std::size_t count, unsigned bit,
             const mpl_site *at) const {
    std::size_t me = g.get_local_linear_id(), items = g.get_local_linear_range();
    std::uint32_t mine = 0, before = 0;
    for (std::size_t i = me; i < count; i += items) mine += is_low(from[i], bit);
    std::uint32_t lows = collective_over<Group, form::reduce, operation::add>(g, mine, at);
    for (std::size_t tile = 0; tile < count; tile += items) {
      std::size_t i = tile + me;
      std::uint32_t low = i < count && is_low(from[i < count ? i : 0], bit);
      std::uint32_t upto =
          before + collective_over<Group, form::inclusive, operation::add>(g, low, at);
      if (i < count) new (to + (low ? upto - 1 : lows + (i - upto))) T(from[i]);
      before = broadcast_from(g, upto, items - 1, at);
    }
    meet(g, at);
  }

  template <typename Group, typename T>
  T *operator()(const Group &g, T *from, T *to, std::size_t count, const mpl_site *at) const {
    std::uint64_t considered = agreed(g, mask, at);
    for (unsigned bit = 0; bit < sizeof(Key) * 8; bit++) {
      if (!(considered >> bit & 1)) continue;
      split(g, from, to, count, bit, at);
      std::swap(from, to);
    }
    return from;
  }
};

template <typename Group, typename Order, typename Ptr>
void sort_range(const Group &g, std::byte *scratch, Order order, Ptr first, Ptr last,
                const mpl_site *at) {
  using T = typename std::iterator_traits<Ptr>::value_type;
  std::size_t count = agreed(g, std::size_t(last - first), at);
  std::size_t me = g.get_local_linear_id(), items = g.get_local_linear_range();
  T *half = aligned<T>(scratch);
  meet(g, at);
  for (std::size_t i = me; i < count; i += items) new (half + i) T(first[i]);
  meet(g, at);
  T *sorted = order(g, half, half + count, count, at);
  for (std::size_t i = me; i < count; i += items) first[i] = sorted[i];
  meet(g, at);
}

/* What is put to, and taken from, the places of a group with N elements of each work-item. */
template <std::size_t N, typename T, typename Group, typename Order, typename Put, typename Take>
void sort_items(const Group &g, std::byte *scratch, Order order, Put put, Take take,
                const mpl_site *at) {
  std::size_t count = g.get_local_linear_range() * N;
  T *half = aligned<T>(scratch);
  put(half);
  meet(g, at);
  take(order(g, half, half + count, count, at));
  meet(g, at);
}

template <typename Key, typename Properties, std::size_t N, typename Group>
std::size_t place_of(const Group &g, std::size_t i) {
  std::size_t me = g.get_local_linear_id();
  return is_striped_by<Key, Properties> ? i * g.get_local_linear_range() + me : me * N + i;
}

template <typename Order, typename T, std::size_t N> class item_sorter {
  std::byte *scratch;
  Order order;

protected:
  item_sorter(std::byte *scratch, Order order) : scratch(scratch), order(order) {}
  static constexpr std::size_t bytes(std::size_t items) { return sort_bytes<T>(items * N); }

public:
  template <typename Group>
  T operator()(Group g, T value, const here &at = here("sort_over_group")) {
    std::size_t me = g.get_local_linear_id();
    sort_items<1, T>(
        g, scratch, order, [&](T *to) { new (to + me) T(value); },
        [&](const T *from) { value = from[me]; }, &at);
    return value;
  }
  template <typename Group, typename P>
  void operator()(Group g, span<T, N> values, P, const here &at = here("joint_sort")) {
    using in = experimental::input_data_placement_key;
    using out = experimental::output_data_placement_key;
    sort_items<N, T>(
        g, scratch, order,
        [&](T *to) {
          for (std::size_t i = 0; i < N; i++) new (to + place_of<in, P, N>(g, i)) T(values[i]);
        },
        [&](const T *from) {
          for (std::size_t i = 0; i < N; i++) values[i] = from[place_of<out, P, N>(g, i)];
        },
        &at);
  }
};

template <typename Order, typename T, typename U, std::size_t N> class key_value_sorter {
  using both = keyed<T, U>;
  std::byte *scratch;
  Order order;

protected:
  key_value_sorter(std::byte *scratch, Order order) : scratch(scratch), order(order) {}
  static constexpr std::size_t bytes(std::size_t items) { return sort_bytes<both>(items * N); }

public:
  template <typename Group>
  std::tuple<T, U> operator()(Group g, T key, U value, const here &at = here("sort_over_group")) {
    std::size_t me = g.get_local_linear_id();
    both mine{key, value};
    sort_items<1, both>(
        g, scratch, order, [&](both *to) { new (to + me) both(mine); },
        [&](const both *from) { mine = from[me]; }, &at);
    return {mine.key, mine.value};
  }
  template <typename Group, typename P>
  void operator()(Group g, span<T, N> keys, span<U, N> values, P,
                  const here &at = here("joint_sort")) {
    using in = experimental::input_data_placement_key;
    using out = experimental::output_data_placement_key;
    sort_items<N, both>(
        g, scratch, order,
        [&](both *to) {
          for (std::size_t i = 0; i < N; i++)
            new (to + place_of<in, P, N>(g, i)) both{keys[i], values[i]};
        },
        [&](const both *from) {
          for (std::size_t i = 0; i < N; i++) {
            const both &x = from[place_of<out, P, N>(g, i)];
            keys[i] = x.key, values[i] = x.value;
          }
        },
        &at);
  }
};

} // namespace detail
} // namespace sycl

#endif
