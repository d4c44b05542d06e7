/* sycl_ext_oneapi_group_sort: the work-items of a group sort a range, or what each of them has. All
 * sorters here are stable. */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_GROUP_SORT_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_GROUP_SORT_HPP

#include <bitset>
#include <climits>
#include <iterator>
#include <tuple>

#include "../../../device.hpp"
#include "../../../kernel_properties.hpp"
#include "../../../khr/version.hpp"
#include "group_helpers.hpp"
#include "group_sort_detail.hpp"

namespace sycl::ext::oneapi::experimental {

/* --- Sorters -----------------------------------------------------------------------------------
 */

enum class sorting_order { ascending, descending };

namespace default_sorters {

template <typename Compare = std::less<>> class joint_sorter {
  std::byte *scratch;
  Compare comp;

public:
  template <std::size_t Extent>
  joint_sorter(span<std::byte, Extent> scratch, Compare comp = {})
      : scratch(scratch.data()), comp(comp) {}

  template <typename Group, typename Ptr>
  void operator()(Group g, Ptr first, Ptr last,
                  const sycl::detail::here &at = sycl::detail::here("sort_over_group")) {
    sycl::detail::sort_range(g, scratch, sycl::detail::merging<Compare>{comp}, first, last, &at);
  }
  template <typename T>
  static std::size_t memory_required(const device &, memory_scope, std::size_t range_size) {
    return sycl::detail::sort_bytes<T>(range_size);
  }
};

#define SYCL_DEFAULT_SORTER(name, ...)                                                             \
  using base = sycl::detail::__VA_ARGS__;                                                          \
                                                                                                   \
public:                                                                                            \
  template <std::size_t Extent>                                                                    \
  name(span<std::byte, Extent> scratch, Compare comp = {}) : base(scratch.data(), {comp}) {}       \
  static std::size_t memory_required(const device &, memory_scope, std::size_t range_size) {       \
    return base::bytes(range_size);                                                                \
  }

template <typename T, typename Compare = std::less<>, std::size_t ElementsPerWorkItem = 1>
class group_sorter
    : public sycl::detail::item_sorter<sycl::detail::merging<Compare>, T, ElementsPerWorkItem> {
  SYCL_DEFAULT_SORTER(group_sorter,
                      item_sorter<sycl::detail::merging<Compare>, T, ElementsPerWorkItem>)
};
template <typename T, typename U, typename Compare = std::less<>,
          std::size_t ElementsPerWorkItem = 1>
class group_key_value_sorter : public sycl::detail::key_value_sorter<sycl::detail::merging<Compare>,
                                                                     T, U, ElementsPerWorkItem> {
  SYCL_DEFAULT_SORTER(group_key_value_sorter,
                      key_value_sorter<sycl::detail::merging<Compare>, T, U, ElementsPerWorkItem>)
};
#undef SYCL_DEFAULT_SORTER

} // namespace default_sorters

/* A bit at a time, each by one scan, of those in the mask; BitsPerPass is for others. */
namespace radix_sorters {

#define SYCL_RADIX sycl::detail::splitting<T, Order == sorting_order::descending>
#define SYCL_MASK                                                                                  \
  std::bitset<sizeof(T) *CHAR_BIT> mask =                                                          \
      std::bitset<sizeof(T) * CHAR_BIT>((std::numeric_limits<unsigned long long>::max)())
#define SYCL_RADIX_SORTER(name, ...)                                                               \
  using base = sycl::detail::__VA_ARGS__;                                                          \
                                                                                                   \
public:                                                                                            \
  template <std::size_t Extent>                                                                    \
  name(span<std::byte, Extent> scratch, const SYCL_MASK)                                           \
      : base(scratch.data(), {mask.to_ullong()}) {}                                                \
  static constexpr std::size_t memory_required(memory_scope, std::size_t range_size) {             \
    return base::bytes(range_size);                                                                \
  }

template <typename T, sorting_order Order = sorting_order::ascending, unsigned int BitsPerPass = 4>
class joint_sorter {
  std::byte *scratch;
  SYCL_RADIX order;

public:
  template <std::size_t Extent>
  joint_sorter(span<std::byte, Extent> scratch, const SYCL_MASK)
      : scratch(scratch.data()), order{mask.to_ullong()} {}

  template <typename Group, typename Ptr>
  void operator()(Group g, Ptr first, Ptr last,
                  const sycl::detail::here &at = sycl::detail::here("sort_over_group")) {
    sycl::detail::sort_range(g, scratch, order, first, last, &at);
  }
  static constexpr std::size_t memory_required(memory_scope, std::size_t range_size) {
    return sycl::detail::sort_bytes<T>(range_size);
  }
};

template <typename T, sorting_order Order = sorting_order::ascending,
          std::size_t ElementsPerWorkItem = 1, unsigned int BitsPerPass = 4>
class group_sorter : public sycl::detail::item_sorter<SYCL_RADIX, T, ElementsPerWorkItem> {
  SYCL_RADIX_SORTER(group_sorter, item_sorter<SYCL_RADIX, T, ElementsPerWorkItem>)
};
template <typename T, typename U, sorting_order Order = sorting_order::ascending,
          std::size_t ElementsPerWorkItem = 1, unsigned int BitsPerPass = 4>
class group_key_value_sorter
    : public sycl::detail::key_value_sorter<SYCL_RADIX, T, U, ElementsPerWorkItem> {
  SYCL_RADIX_SORTER(group_key_value_sorter, key_value_sorter<SYCL_RADIX, T, U, ElementsPerWorkItem>)
};
#undef SYCL_RADIX_SORTER
#undef SYCL_MASK
#undef SYCL_RADIX

} // namespace radix_sorters

/* --- Functions: by a sorter, and by the default one in a helper's memory -----------------------
 */

template <typename Group, typename Ptr, typename Sorter, sycl::detail::if_group<Group> = 0>
void joint_sort(Group g, Ptr first, Ptr last, Sorter sorter,
                const sycl::detail::here &at = sycl::detail::here("joint_sort")) {
  sycl::detail::call_sorter(sorter, at, g, first, last);
}
template <typename GroupHelper, typename Ptr, typename Compare = std::less<>,
          sycl::detail::if_helper<GroupHelper> = 0>
void joint_sort(GroupHelper helper, Ptr first, Ptr last, Compare comp = {},
                const sycl::detail::here &at = sycl::detail::here("joint_sort")) {
  default_sorters::joint_sorter<Compare>(helper.get_memory(), comp)(helper.get_group(), first, last,
                                                                    at);
}

template <typename Group, typename T, typename Sorter, sycl::detail::if_group<Group> = 0,
          sycl::detail::if_value<T> = 0>
T sort_over_group(Group g, T value, Sorter sorter,
                  const sycl::detail::here &at = sycl::detail::here("sort_over_group")) {
  return sycl::detail::call_sorter(sorter, at, g, value);
}
template <typename GroupHelper, typename T, typename Compare = std::less<>,
          sycl::detail::if_helper<GroupHelper> = 0, sycl::detail::if_value<T> = 0>
T sort_over_group(GroupHelper helper, T value, Compare comp = {},
                  const sycl::detail::here &at = sycl::detail::here("sort_over_group")) {
  return default_sorters::group_sorter<T, Compare>(helper.get_memory(), comp)(helper.get_group(),
                                                                              value, at);
}
template <typename Group, typename T, typename U, typename Sorter,
          sycl::detail::if_group<Group> = 0, sycl::detail::if_value<T> = 0>
std::tuple<T, U> sort_key_value_over_group(
    Group g, T key, U value, Sorter sorter,
    const sycl::detail::here &at = sycl::detail::here("sort_key_value_over_group")) {
  return sycl::detail::call_sorter(sorter, at, g, key, value);
}
template <typename GroupHelper, typename T, typename U, typename Compare = std::less<>,
          sycl::detail::if_helper<GroupHelper> = 0, sycl::detail::if_value<T> = 0>
std::tuple<T, U> sort_key_value_over_group(
    GroupHelper helper, T key, U value, Compare comp = {},
    const sycl::detail::here &at = sycl::detail::here("sort_key_value_over_group")) {
  return default_sorters::group_key_value_sorter<T, U, Compare>(helper.get_memory(), comp)(
      helper.get_group(), key, value, at);
}

/* The same with some elements of each work-item, placed as the properties say. */
template <typename Group, typename T, std::size_t N, typename Sorter,
          typename Properties = empty_properties_t, sycl::detail::if_group<Group> = 0>
void sort_over_group(Group g, span<T, N> values, Sorter sorter, Properties placed = {},
                     const sycl::detail::here &at = sycl::detail::here("sort_over_group")) {
  sycl::detail::call_sorter(sorter, at, g, values, placed);
}
template <typename GroupHelper, typename T, std::size_t N, typename Compare,
          typename Properties = empty_properties_t, sycl::detail::if_helper<GroupHelper> = 0,
          sycl::detail::if_compare<Compare> = 0>
void sort_over_group(GroupHelper helper, span<T, N> values, Compare comp, Properties placed = {},
                     const sycl::detail::here &at = sycl::detail::here("sort_over_group")) {
  default_sorters::group_sorter<T, Compare, N>(helper.get_memory(), comp)(helper.get_group(),
                                                                          values, placed, at);
}
template <typename GroupHelper, typename T, std::size_t N, typename P = sycl::detail::no_values,
          sycl::detail::if_helper<GroupHelper> = 0>
void sort_over_group(GroupHelper helper, span<T, N> values, properties<P> placed = {},
                     const sycl::detail::here &at = sycl::detail::here("sort_over_group")) {
  experimental::sort_over_group(helper, values, std::less<>(), placed, at);
}
template <typename Group, typename T, typename U, std::size_t N, typename Sorter,
          typename Properties = empty_properties_t, sycl::detail::if_group<Group> = 0>
void sort_key_value_over_group(
    Group g, span<T, N> keys, span<U, N> values, Sorter sorter, Properties placed = {},
    const sycl::detail::here &at = sycl::detail::here("sort_key_value_over_group")) {
  sycl::detail::call_sorter(sorter, at, g, keys, values, placed);
}
template <typename GroupHelper, typename T, typename U, std::size_t N, typename Compare,
          typename Properties = empty_properties_t, sycl::detail::if_helper<GroupHelper> = 0,
          sycl::detail::if_compare<Compare> = 0>
void sort_key_value_over_group(
    GroupHelper helper, span<T, N> keys, span<U, N> values, Compare comp, Properties placed = {},
    const sycl::detail::here &at = sycl::detail::here("sort_key_value_over_group")) {
  default_sorters::group_key_value_sorter<T, U, Compare, N>(helper.get_memory(), comp)(
      helper.get_group(), keys, values, placed, at);
}
template <typename GroupHelper, typename T, typename U, std::size_t N,
          typename P = sycl::detail::no_values, sycl::detail::if_helper<GroupHelper> = 0>
void sort_key_value_over_group(
    GroupHelper helper, span<T, N> keys, span<U, N> values, properties<P> placed = {},
    const sycl::detail::here &at = sycl::detail::here("sort_key_value_over_group")) {
  experimental::sort_key_value_over_group(helper, keys, values, std::less<>(), placed, at);
}

} // namespace sycl::ext::oneapi::experimental

#endif
