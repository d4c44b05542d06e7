/* sycl_ext_oneapi_group_load_store: what the work-items of a group load and store together, each
 * some elements in a row (blocked) or one of each row (striped). */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_GROUP_LOAD_STORE_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_GROUP_LOAD_STORE_HPP

#include <cstddef>
#include <type_traits>

#include "../../../group_functions.hpp"
#include "../../../kernel_properties.hpp"
#include "../../../khr/version.hpp"
#include "../../../span.hpp"

namespace sycl {

namespace ext::oneapi::experimental {

enum class data_placement_enum { blocked, striped };
struct data_placement_key {
  template <data_placement_enum Placement>
  using value_t =
      property_value<data_placement_key, std::integral_constant<data_placement_enum, Placement>>;
};
template <data_placement_enum Placement>
inline constexpr data_placement_key::value_t<Placement> data_placement;
inline constexpr auto data_placement_blocked = data_placement<data_placement_enum::blocked>;
inline constexpr auto data_placement_striped = data_placement<data_placement_enum::striped>;

/* Promises, which change nothing here. */
struct contiguous_memory_key {
  using value_t = property_value<contiguous_memory_key>;
};
struct full_group_key {
  using value_t = property_value<full_group_key>;
};
inline constexpr contiguous_memory_key::value_t contiguous_memory;
inline constexpr full_group_key::value_t full_group;

template <> struct is_property_key<data_placement_key> : std::true_type {};
template <> struct is_property_key<contiguous_memory_key> : std::true_type {};
template <> struct is_property_key<full_group_key> : std::true_type {};

} // namespace ext::oneapi::experimental

namespace detail {

template <typename Properties> inline constexpr bool is_striped = false;
template <typename... P>
inline constexpr bool is_striped<experimental::properties<property_values<P...>>> =
    (... ||
     std::is_same_v<
         P, experimental::data_placement_key::value_t<experimental::data_placement_enum::striped>>);

/* Where element i of the calling work-item's `count` lies. */
template <typename Properties, typename Group>
std::size_t placed(const Group &g, std::size_t count, std::size_t i) {
  std::size_t me = g.get_local_linear_id();
  return is_striped<Properties> ? me + i * g.get_local_linear_range() : me * count + i;
}

} // namespace detail

namespace ext::oneapi::experimental {

template <typename Group, typename In, typename T, std::size_t N,
          typename P = sycl::detail::no_values, sycl::detail::if_group<Group> = 0>
void group_load(Group g, In in, span<T, N> out, properties<P> = {},
                const sycl::detail::here &at = sycl::detail::here("group_load")) {
  group_barrier(g, at);
  for (std::size_t i = 0; i < N; i++) out[i] = in[sycl::detail::placed<properties<P>>(g, N, i)];
}
template <typename Group, typename In, typename T, typename P = sycl::detail::no_values,
          sycl::detail::if_group<Group> = 0>
void group_load(Group g, In in, T &out, properties<P> p = {},
                const sycl::detail::here &at = sycl::detail::here("group_load")) {
  group_load(g, in, span<T, 1>(&out, 1), p, at);
}
template <typename Group, typename In, typename T, int N, typename P = sycl::detail::no_values,
          sycl::detail::if_group<Group> = 0>
void group_load(Group g, In in, vec<T, N> &out, properties<P> p = {},
                const sycl::detail::here &at = sycl::detail::here("group_load")) {
  group_load(g, in, span<T, N>(&out[0], N), p, at);
}

/* Others see what is stored when it returns. */
template <typename Group, typename T, std::size_t N, typename Out,
          typename P = sycl::detail::no_values, sycl::detail::if_group<Group> = 0>
void group_store(Group g, span<T, N> in, Out out, properties<P> = {},
                 const sycl::detail::here &at = sycl::detail::here("group_store")) {
  group_barrier(g, at);
  for (std::size_t i = 0; i < N; i++) out[sycl::detail::placed<properties<P>>(g, N, i)] = in[i];
  group_barrier(g, at);
}
template <typename Group, typename T, typename Out, typename P = sycl::detail::no_values,
          sycl::detail::if_group<Group> = 0>
void group_store(Group g, const T &in, Out out, properties<P> p = {},
                 const sycl::detail::here &at = sycl::detail::here("group_store")) {
  group_store(g, span<const T, 1>(&in, 1), out, p, at);
}
template <typename Group, typename T, int N, typename Out, typename P = sycl::detail::no_values,
          sycl::detail::if_group<Group> = 0>
void group_store(Group g, const vec<T, N> &in, Out out, properties<P> p = {},
                 const sycl::detail::here &at = sycl::detail::here("group_store")) {
  group_store(g, span<const T, N>(&in[0], N), out, p, at);
}

} // namespace ext::oneapi::experimental
} // namespace sycl

#endif
