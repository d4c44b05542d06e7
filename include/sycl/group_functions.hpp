/* Group functions (SYCL 2020, 4.17.3) and the group algorithms that move a value from one work-item
 * to another or vote (4.17.4).  Reductions and scans are in group_algorithms.hpp. */
#ifndef SYCL_GROUP_FUNCTIONS_HPP
#define SYCL_GROUP_FUNCTIONS_HPP

#include <type_traits>

#include "detail/type_name.hpp"
#include "group.hpp"

namespace sycl {

template <typename T> struct is_group : std::false_type {};
template <int Dimensions> struct is_group<group<Dimensions>> : std::true_type {};
template <> struct is_group<sub_group> : std::true_type {};
template <typename T> inline constexpr bool is_group_v = is_group<T>::value;

namespace detail {

template <typename Group> inline constexpr bool is_sub = std::is_same_v<Group, sub_group>;

#define SYCL_NEEDS_GROUP(Group, function)                                                          \
  static_assert(is_group_v<Group>,                                                                 \
                "the first argument of sycl::" function " has to be a sycl::group or a "           \
                "sycl::sub_group")
#define SYCL_NEEDS_SUB_GROUP(Group, function)                                                      \
  static_assert(detail::is_sub<Group>,                                                             \
                "the first argument of sycl::" function " has to be a sycl::sub_group: work-"      \
                "groups have no such function")
#define SYCL_NEEDS_COPYABLE(T, function)                                                           \
  static_assert(std::is_trivially_copyable_v<T>,                                                   \
                "sycl::" function " takes trivially copyable values only")

/* Of a type that is no group something that fits, so that the static_assert speaks. */
template <typename Group, bool = is_group_v<Group>> struct group_types {
  using id_type = typename Group::id_type;
  using linear_id_type = typename Group::linear_id_type;
};
template <typename Group> struct group_types<Group, false> {
  struct id_type {};
  using linear_id_type = std::size_t;
};

template <typename Group, typename T>
T broadcast_from(Group, const T &x, std::size_t linear_id, const mpl_site *at) {
  return by_words(
      x, [=](auto word) { return broadcast(scope_tag<is_sub<Group>>(), word, linear_id, at); });
}

/* Goes through the engine for two and three dimensions: it knows whether the id is one of the
 * group. */
template <int D> std::size_t linear_of(const group<D> &, const id<D> &at, const mpl_site *site) {
  if constexpr (D == 1) return at[0];
  if constexpr (D == 2) return mpl_linear_id_of(at[1], at[0], 0, site);
  if constexpr (D == 3) return mpl_linear_id_of(at[2], at[1], at[0], site);
}
inline std::size_t linear_of(const sub_group &, const id<1> &at, const mpl_site *) {
  return at[0];
}

/* A predicate has to be the same for all work-items: its type, and its state (4.17.4.1).  Addresses
 * of a work-item's own variables are not compared, nor padding. */
template <bool SubGroup, typename Predicate>
void same_predicate(const Predicate &predicate, const mpl_site *at) {
  same_text<SubGroup>("type of the predicate", name_text<Predicate>.text, at);
  if constexpr (std::is_trivially_copyable_v<Predicate> && !std::is_empty_v<Predicate> &&
                sizeof(Predicate) <= 128) {
#if defined(__clang__)
    constexpr bool no_padding = std::has_unique_object_representations_v<Predicate> ||
                                sizeof(Predicate) == alignof(Predicate);
    if constexpr (no_padding) same_bytes<SubGroup>("state of the predicate", predicate, at);
#else
    Predicate cleared = predicate;
    __builtin_clear_padding(&cleared);
    same_bytes<SubGroup>("state of the predicate", cleared, at);
#endif
  }
}

} // namespace detail

template <typename Group>
void group_barrier(Group, memory_scope scope, const detail::here &at = detail::here()) {
  SYCL_NEEDS_GROUP(Group, "group_barrier");
  detail::barrier<detail::is_sub<Group>>(scope, &at);
}

template <typename Group> void group_barrier(Group, const detail::here &at = detail::here()) {
  SYCL_NEEDS_GROUP(Group, "group_barrier");
  if constexpr (is_group_v<Group>) detail::barrier<detail::is_sub<Group>>(Group::fence_scope, &at);
}

template <typename Group, typename T>
T group_broadcast(Group g, T x, const detail::here &at = detail::here()) {
  SYCL_NEEDS_GROUP(Group, "group_broadcast");
  SYCL_NEEDS_COPYABLE(T, "group_broadcast");
  return detail::broadcast_from(g, x, 0, &at);
}

template <typename Group, typename T>
T group_broadcast(Group g, T x, typename detail::group_types<Group>::linear_id_type linear_id,
                  const detail::here &at = detail::here()) {
  SYCL_NEEDS_GROUP(Group, "group_broadcast");
  SYCL_NEEDS_COPYABLE(T, "group_broadcast");
  return detail::broadcast_from(g, x, linear_id, &at);
}

template <typename Group, typename T>
T group_broadcast(Group g, T x, typename detail::group_types<Group>::id_type local_id,
                  const detail::here &at = detail::here()) {
  SYCL_NEEDS_GROUP(Group, "group_broadcast");
  SYCL_NEEDS_COPYABLE(T, "group_broadcast");
  return detail::broadcast_from(g, x, detail::linear_of(g, local_id, &at), &at);
}

/* Votes: over each work-item's truth, over a predicate of its value, over a range. */

template <typename Group>
bool any_of_group(Group, bool value, const detail::here &at = detail::here()) {
  SYCL_NEEDS_GROUP(Group, "any_of_group");
  return detail::any<detail::is_sub<Group>>(value, &at);
}

template <typename Group>
bool all_of_group(Group, bool value, const detail::here &at = detail::here()) {
  SYCL_NEEDS_GROUP(Group, "all_of_group");
  return detail::all<detail::is_sub<Group>>(value, &at);
}

template <typename Group>
bool none_of_group(Group, bool value, const detail::here &at = detail::here()) {
  SYCL_NEEDS_GROUP(Group, "none_of_group");
  return !detail::any<detail::is_sub<Group>>(value, &at);
}

#define SYCL_VOTE(name)                                                                            \
  template <typename Group, typename T, typename Predicate>                                        \
  bool name##_of_group(Group g, T x, Predicate predicate,                                          \
                       const detail::here &at = detail::here()) {                                  \
    SYCL_NEEDS_GROUP(Group, #name "_of_group");                                                    \
    detail::same_predicate<detail::is_sub<Group>>(predicate, &at);                                 \
    return name##_of_group(g, bool(predicate(x)), at);                                             \
  }
SYCL_VOTE(any)
SYCL_VOTE(all)
SYCL_VOTE(none)
#undef SYCL_VOTE

/* What goes from one work-item of a sub-group to another.  From outside the sub-group comes a value
 * that the specification leaves open. */

template <typename Group, typename T>
T shift_group_left(Group, T x, typename detail::group_types<Group>::linear_id_type delta = 1,
                   const detail::here &at = detail::here()) {
  SYCL_NEEDS_SUB_GROUP(Group, "shift_group_left");
  SYCL_NEEDS_COPYABLE(T, "shift_group_left");
  detail::same<true>("delta", delta, &at);
  return detail::by_words(x, [&](auto word) { return detail::shuffle_down(word, delta, &at); });
}

template <typename Group, typename T>
T shift_group_right(Group, T x, typename detail::group_types<Group>::linear_id_type delta = 1,
                    const detail::here &at = detail::here()) {
  SYCL_NEEDS_SUB_GROUP(Group, "shift_group_right");
  SYCL_NEEDS_COPYABLE(T, "shift_group_right");
  detail::same<true>("delta", delta, &at);
  return detail::by_words(x, [&](auto word) { return detail::shuffle_up(word, delta, &at); });
}

template <typename Group, typename T>
T permute_group_by_xor(Group, T x, typename detail::group_types<Group>::linear_id_type mask,
                       const detail::here &at = detail::here()) {
  SYCL_NEEDS_SUB_GROUP(Group, "permute_group_by_xor");
  SYCL_NEEDS_COPYABLE(T, "permute_group_by_xor");
  detail::same<true>("mask", mask, &at);
  return detail::by_words(x, [&](auto word) { return detail::shuffle_xor(word, mask, &at); });
}

template <typename Group, typename T>
T select_from_group(Group, T x, typename detail::group_types<Group>::id_type local_id,
                    const detail::here &at = detail::here()) {
  SYCL_NEEDS_SUB_GROUP(Group, "select_from_group");
  SYCL_NEEDS_COPYABLE(T, "select_from_group");
  if constexpr (detail::is_sub<Group>) {
    std::uint32_t from = std::uint32_t(local_id[0]);
    detail::together<true>(&at);
    return detail::by_words(x, [&](auto word) { return detail::shuffle(word, from, &at); });
  } else {
    return x;
  }
}

} // namespace sycl

#endif
