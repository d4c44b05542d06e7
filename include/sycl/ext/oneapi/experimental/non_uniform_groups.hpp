/* sycl_ext_oneapi_non_uniform_groups and sycl_ext_oneapi_tangle: groups that a program makes of a
 * part of a sub-group.  All group functions and algorithms take them. */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_NON_UNIFORM_GROUPS_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_NON_UNIFORM_GROUPS_HPP

#include <cstddef>
#include <type_traits>

#include "../../../group_functions.hpp"
#include "../../../khr/version.hpp"

namespace sycl {

namespace ext::oneapi::experimental {

template <typename ParentGroup> class fragment;
template <std::size_t ChunkSize, typename ParentGroup> class chunk;
template <typename ParentGroup> class tangle;

} // namespace ext::oneapi::experimental

namespace detail {

namespace experimental = ext::oneapi::experimental;

template <typename Group> inline constexpr bool is_fragment = std::is_same_v<Group, sub_group>;
template <typename P> inline constexpr bool is_fragment<experimental::fragment<P>> = true;

/* The size of a chunk; 0 of a sub-group, which has no size yet. */
template <typename Group> inline constexpr std::size_t chunk_size = 0;
template <std::size_t Size, typename P>
inline constexpr std::size_t chunk_size<experimental::chunk<Size, P>> = Size;

template <typename Group>
inline constexpr bool is_chunked = std::is_same_v<Group, sub_group> || chunk_size<Group> != 0;

struct make_members {
  template <typename Group>
  static Group of(std::uint64_t lanes, std::uint32_t at = 0, std::uint32_t range = 1) {
    return Group(lanes, at, range);
  }
};

inline std::uint64_t lanes_of(const sub_group &) {
  return lower_lanes(mpl_get_sub_group_size());
}
template <typename Parent>
std::uint64_t same_side(const Parent &parent, bool predicate, const mpl_site *at) {
  std::uint64_t chosen = mpl_sub_group_ballot(predicate, at);
  return (predicate ? chosen : ~chosen) & lanes_of(parent);
}

} // namespace detail

namespace ext::oneapi::experimental {

#define SYCL_MEMBERS(name)                                                                         \
  friend struct sycl::detail::make_members;                                                        \
  name(std::uint64_t lanes, std::uint32_t at, std::uint32_t range)                                 \
      : sycl::detail::members(lanes, at, range) {}

template <typename ParentGroup> class fragment : public sycl::detail::members {
  SYCL_MEMBERS(fragment)
public:
  static constexpr memory_scope fence_scope = ParentGroup::fence_scope;
};

template <typename ParentGroup> class tangle : public sycl::detail::members {
  SYCL_MEMBERS(tangle)
public:
  static constexpr memory_scope fence_scope = ParentGroup::fence_scope;
};

template <std::size_t ChunkSize, typename ParentGroup>
class chunk : public sycl::detail::chunk_members<ChunkSize, sycl::detail::chunk_size<ParentGroup>> {
public:
  static constexpr memory_scope fence_scope = ParentGroup::fence_scope;

  operator fragment<ParentGroup>() const {
    return sycl::detail::make_members::of<fragment<ParentGroup>>(
        lanes_of(*this), this->get_group_linear_id(), this->get_group_linear_range());
  }
};

/* Those of the parent with the same predicate: the group 0 of false, 1 of true. */
template <typename ParentGroup, std::enable_if_t<sycl::detail::is_fragment<ParentGroup>, int> = 0>
fragment<ParentGroup>
binary_partition(ParentGroup parent, bool predicate,
                 const sycl::detail::here &at = sycl::detail::here("binary_partition")) {
  return sycl::detail::make_members::of<fragment<ParentGroup>>(
      sycl::detail::same_side(parent, predicate, &at), predicate, 2);
}

/* No barrier is needed to know the members; the text asks for one. */
template <std::size_t ChunkSize, typename ParentGroup,
          std::enable_if_t<sycl::detail::is_chunked<ParentGroup>, int> = 0>
chunk<ChunkSize, ParentGroup>
chunked_partition(ParentGroup parent,
                  const sycl::detail::here &at = sycl::detail::here("chunked_partition")) {
  group_barrier(parent, at);
  return {};
}

/* Who comes here together. */
template <typename ParentGroup, std::enable_if_t<std::is_same_v<ParentGroup, sub_group>, int> = 0>
tangle<ParentGroup> entangle(ParentGroup,
                             const sycl::detail::here &at = sycl::detail::here("entangle")) {
  return sycl::detail::make_members::of<tangle<ParentGroup>>(mpl_sub_group_ballot(true, &at));
}

namespace this_kernel {
inline fragment<sub_group> get_opportunistic_group(
    const sycl::detail::here &at = sycl::detail::here("get_opportunistic_group")) {
  return sycl::detail::make_members::of<fragment<sub_group>>(mpl_sub_group_ballot(true, &at));
}
} // namespace this_kernel

#undef SYCL_MEMBERS

/* The names of before 2025.  Their text has the number of a ballot_group the other way round;
 * SYCL-CTS and DPC++ have it so. */
template <std::size_t Size, typename ParentGroup> using fixed_size_group = chunk<Size, ParentGroup>;
template <typename ParentGroup> using tangle_group = tangle<ParentGroup>;
template <typename ParentGroup> class ballot_group : public fragment<ParentGroup> {
public:
  explicit ballot_group(const fragment<ParentGroup> &those) : fragment<ParentGroup>(those) {}
};
using opportunistic_group = fragment<sub_group>;

template <typename ParentGroup, std::enable_if_t<std::is_same_v<ParentGroup, sub_group>, int> = 0>
ballot_group<ParentGroup>
get_ballot_group(ParentGroup parent, bool predicate,
                 const sycl::detail::here &at = sycl::detail::here("get_ballot_group")) {
  return ballot_group<ParentGroup>(binary_partition(parent, predicate, at));
}
template <std::size_t Size, typename ParentGroup,
          std::enable_if_t<std::is_same_v<ParentGroup, sub_group>, int> = 0>
chunk<Size, ParentGroup> get_fixed_size_group(ParentGroup) {
  return {};
}
template <typename ParentGroup, std::enable_if_t<std::is_same_v<ParentGroup, sub_group>, int> = 0>
tangle<ParentGroup>
get_tangle_group(ParentGroup parent,
                 const sycl::detail::here &at = sycl::detail::here("get_tangle_group")) {
  return entangle(parent, at);
}

template <typename T> struct is_user_constructed_group : std::false_type {};
template <typename P> struct is_user_constructed_group<fragment<P>> : std::true_type {};
template <typename P> struct is_user_constructed_group<tangle<P>> : std::true_type {};
template <typename P> struct is_user_constructed_group<ballot_group<P>> : std::true_type {};
template <std::size_t Size, typename P>
struct is_user_constructed_group<chunk<Size, P>> : std::true_type {};
template <typename T>
inline constexpr bool is_user_constructed_group_v = is_user_constructed_group<T>::value;

template <typename T> struct is_fixed_topology_group : std::false_type {};
template <int D> struct is_fixed_topology_group<group<D>> : std::true_type {};
template <> struct is_fixed_topology_group<sub_group> : std::true_type {};
template <typename T>
inline constexpr bool is_fixed_topology_group_v = is_fixed_topology_group<T>::value;

} // namespace ext::oneapi::experimental

template <typename P> struct is_group<detail::experimental::fragment<P>> : std::true_type {};
template <typename P> struct is_group<detail::experimental::tangle<P>> : std::true_type {};
template <typename P> struct is_group<detail::experimental::ballot_group<P>> : std::true_type {};
template <std::size_t Size, typename P>
struct is_group<detail::experimental::chunk<Size, P>> : std::true_type {};

} // namespace sycl

#endif
