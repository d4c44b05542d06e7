/* What sycl_ext_oneapi_group_sort and sycl_ext_oneapi_user_defined_reductions share: a group
 * together with memory that it may use. */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_GROUP_HELPERS_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_GROUP_HELPERS_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../../group_algorithms.hpp"
#include "../../../span.hpp"

namespace sycl {

namespace ext::oneapi::experimental {

template <typename Group, std::size_t Extent> class group_with_scratchpad {
  Group group;
  span<std::byte, Extent> scratch;

public:
  group_with_scratchpad(Group group, span<std::byte, Extent> scratch)
      : group(group), scratch(scratch) {}
  Group get_group() const { return group; }
  span<std::byte, Extent> get_memory() const { return scratch; }
};

template <typename T, typename = void> struct is_group_helper : std::false_type {};
template <typename T>
struct is_group_helper<T, std::void_t<decltype(std::declval<const T &>().get_group()),
                                      decltype(std::declval<const T &>().get_memory())>>
    : is_group<std::decay_t<decltype(std::declval<const T &>().get_group())>> {};
template <typename T> inline constexpr bool is_group_helper_v = is_group_helper<T>::value;

} // namespace ext::oneapi::experimental

namespace detail {

template <typename Helper>
using if_helper = std::enable_if_t<ext::oneapi::experimental::is_group_helper_v<Helper>, int>;

/* The number that the first work-item has: the compiler knows then that all have the same. */
template <typename Group>
std::size_t agreed(const Group &g, std::size_t count, const mpl_site *at) {
  return broadcast_from(g, std::uint64_t(count), 0, at);
}
template <typename Group> void meet(const Group &g, const mpl_site *at) {
  barrier(g, Group::fence_scope, at);
}

} // namespace detail
} // namespace sycl

#endif
