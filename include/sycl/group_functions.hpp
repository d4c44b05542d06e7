/* Group functions (SYCL 2020, 4.17.3) and the group algorithms that move a value from one work-item
 * to another or vote (4.17.4).  Reductions and scans are in group_algorithms.hpp. */
#ifndef SYCL_GROUP_FUNCTIONS_HPP
#define SYCL_GROUP_FUNCTIONS_HPP

#include <type_traits>

#include "detail/members.hpp"
#include "detail/type_name.hpp"
#include "group.hpp"

namespace sycl {

template <typename T> struct is_group : std::false_type {};
template <int Dimensions> struct is_group<group<Dimensions>> : std::true_type {};
template <> struct is_group<sub_group> : std::true_type {};
template <typename T> inline constexpr bool is_group_v = is_group<T>::value;

namespace khr {
template <typename ParentGroup> class member_item;
}

namespace detail {

template <typename Group> inline constexpr bool is_sub = std::is_base_of_v<sub_group, Group>;

/* Groups whose work-items have to meet: all but those of one work-item, which have functions of
 * their own (khr/group_interface.hpp). */
template <typename Group> inline constexpr bool meets = is_group_v<Group>;
template <typename P> inline constexpr bool meets<khr::member_item<P>> = false;

/* Constraints of the specification: a call that breaks them finds no function. */
template <typename Group> using if_group = std::enable_if_t<meets<Group>, int>;
template <typename Group, typename T>
using if_moved = std::enable_if_t<meets<Group> && std::is_trivially_copyable_v<T>, int>;
template <typename Group, typename T>
using if_shuffled = std::enable_if_t<meets<Group> && (is_sub<Group> || is_members<Group>) &&
                                         std::is_trivially_copyable_v<T>,
                                     int>;

/* What clang does not hand to `...` without an error more. */
struct uncopyable {
  template <typename T, std::enable_if_t<!std::is_trivially_copyable_v<T>, int> = 0>
  uncopyable(const T &);
};

/* What a call finds that no other function takes: the worst of all matches, so that it neither
 * hides nor meets a function of the program's, and deleted, so that who asks whether there is a
 * function hears that there is none.  Clang 19 tells the sentence; other compilers quote the line
 * with it. */
#if defined(__clang__) && defined(__cpp_deleted_function)
#define SYCL_DELETED(name, sentence)                                                               \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wc++26-extensions\"")      \
      SYCL_DELETE(name, ("sycl::" #name " takes " sentence)) _Pragma("clang diagnostic pop")
#else
#define SYCL_DELETED(name, sentence) SYCL_DELETE(name, )
#endif
#define SYCL_DELETE(name, why)                                                                     \
  void name(...) = delete why;                                                                     \
  template <typename Group, detail::if_group<Group> = 0>                                           \
  void name(Group, const detail::uncopyable &, ...) = delete why;
#define SYCL_TAKES(name, sentence) SYCL_DELETED(name, sentence)

/* The engine's functions for a group's kind.  Of a part of a sub-group nothing is compared: which
 * work-items call them is what the program has said. */
template <typename Group> bool any(const Group &g, bool value, const mpl_site *at) {
  if constexpr (is_members<Group>)
    return ballot(g, value, at) != 0;
  else
    return any<is_sub<Group>>(value, at);
}
template <typename Group> bool all(const Group &g, bool value, const mpl_site *at) {
  if constexpr (is_members<Group>)
    return ballot(g, !value, at) == 0;
  else
    return all<is_sub<Group>>(value, at);
}
template <typename Group> void barrier(const Group &g, memory_scope scope, const mpl_site *at) {
  if constexpr (is_members<Group>)
    ballot(g, true, at);
  else
    barrier<is_sub<Group>>(scope, at);
}
template <typename Group, typename T>
void same(const Group &, const char *what, const T &value, const mpl_site *at) {
  if constexpr (!is_members<Group>) same<is_sub<Group>>(what, value, at);
}

template <typename Group, typename T>
T broadcast_from(const Group &g, const T &x, std::size_t linear_id, const mpl_site *at) {
  if constexpr (is_members<Group>)
    return moved(g, x, std::uint32_t(linear_id), at);
  else
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
template <typename Group, std::enable_if_t<is_sub<Group> || is_members<Group>, int> = 0>
std::size_t linear_of(const Group &, const id<1> &at, const mpl_site *) {
  return at[0];
}

/* A predicate has to be the same for all work-items: its type, and its state (4.17.4.1).  Addresses
 * of a work-item's own variables are not compared, nor padding. */
template <typename Group, typename Predicate>
void same_predicate(const Group &, const Predicate &predicate, const mpl_site *at) {
  constexpr bool sub = is_sub<Group>;
  if constexpr (!is_members<Group>) {
    same_text<sub>("type of the predicate", name_text<Predicate>.text, at);
    if constexpr (std::is_trivially_copyable_v<Predicate> && !std::is_empty_v<Predicate> &&
                  sizeof(Predicate) <= 128) {
#if defined(__clang__)
      constexpr bool no_padding = std::has_unique_object_representations_v<Predicate> ||
                                  sizeof(Predicate) == alignof(Predicate);
      if constexpr (no_padding) same_bytes<sub>("state of the predicate", predicate, at);
#else
      Predicate cleared = predicate;
      __builtin_clear_padding(&cleared);
      same_bytes<sub>("state of the predicate", cleared, at);
#endif
    }
  }
}

} // namespace detail

template <typename Group, detail::if_group<Group> = 0>
void group_barrier(Group g, memory_scope scope,
                   const detail::here &at = detail::here("group_barrier")) {
  detail::barrier(g, scope, &at);
}

template <typename Group, detail::if_group<Group> = 0>
void group_barrier(Group g, const detail::here &at = detail::here("group_barrier")) {
  detail::barrier(g, Group::fence_scope, &at);
}
SYCL_TAKES(group_barrier, "a group or sub_group, and a memory_scope")

template <typename Group, typename T, detail::if_moved<Group, T> = 0>
T group_broadcast(Group g, T x MPL_MAYBE_UNDEFINED,
                  const detail::here &at = detail::here("group_broadcast")) {
  return detail::broadcast_from(g, x, 0, &at);
}

template <typename Group, typename T, detail::if_moved<Group, T> = 0>
T group_broadcast(Group g, T x MPL_MAYBE_UNDEFINED, typename Group::linear_id_type linear_id,
                  const detail::here &at = detail::here("group_broadcast")) {
  return detail::broadcast_from(g, x, linear_id, &at);
}

template <typename Group, typename T, detail::if_moved<Group, T> = 0>
T group_broadcast(Group g, T x MPL_MAYBE_UNDEFINED, typename Group::id_type local_id,
                  const detail::here &at = detail::here("group_broadcast")) {
  return detail::broadcast_from(g, x, detail::linear_of(g, local_id, &at), &at);
}

SYCL_TAKES(group_broadcast, "a group or sub_group, a trivially copyable value, and an id")

/* Votes: over each work-item's truth, over a predicate of its value, over a range. */

template <typename Group, detail::if_group<Group> = 0>
bool any_of_group(Group g, bool value, const detail::here &at = detail::here("any_of_group")) {
  return detail::any(g, value, &at);
}

template <typename Group, detail::if_group<Group> = 0>
bool all_of_group(Group g, bool value, const detail::here &at = detail::here("all_of_group")) {
  return detail::all(g, value, &at);
}

template <typename Group, detail::if_group<Group> = 0>
bool none_of_group(Group g, bool value, const detail::here &at = detail::here("none_of_group")) {
  return !detail::any(g, value, &at);
}

#define SYCL_VOTE(name)                                                                            \
  template <typename Group, typename T, typename Predicate, detail::if_group<Group> = 0>           \
  bool name##_of_group(Group g, T x, Predicate predicate,                                          \
                       const detail::here &at = detail::here(#name "_of_group")) {                 \
    detail::same_predicate(g, predicate, &at);                                                     \
    return name##_of_group(g, bool(predicate(x)), at);                                             \
  }
SYCL_VOTE(any)
SYCL_VOTE(all)
SYCL_VOTE(none)
#undef SYCL_VOTE
SYCL_TAKES(any_of_group, "a group or sub_group, and a bool, or a value and a predicate")
SYCL_TAKES(all_of_group, "a group or sub_group, and a bool, or a value and a predicate")
SYCL_TAKES(none_of_group, "a group or sub_group, and a bool, or a value and a predicate")

/* What goes from one work-item of a sub-group to another.  From outside the sub-group comes a value
 * that the specification leaves open. */

template <typename Group, typename T, detail::if_shuffled<Group, T> = 0>
T shift_group_left(Group g, T x MPL_MAYBE_UNDEFINED, typename Group::linear_id_type delta = 1,
                   const detail::here &at = detail::here("shift_group_left")) {
  if constexpr (detail::is_members<Group>) {
    return detail::moved(g, x, std::uint64_t(g.get_local_linear_id()) + delta, &at);
  } else {
    detail::same<true>("delta", delta, &at);
    return detail::by_words(x, [&](auto word) { return detail::shuffle_down(word, delta, &at); });
  }
}

template <typename Group, typename T, detail::if_shuffled<Group, T> = 0>
T shift_group_right(Group g, T x MPL_MAYBE_UNDEFINED, typename Group::linear_id_type delta = 1,
                    const detail::here &at = detail::here("shift_group_right")) {
  if constexpr (detail::is_members<Group>) {
    return detail::moved(g, x, std::uint64_t(g.get_local_linear_id()) - delta, &at);
  } else {
    detail::same<true>("delta", delta, &at);
    return detail::by_words(x, [&](auto word) { return detail::shuffle_up(word, delta, &at); });
  }
}

template <typename Group, typename T, detail::if_shuffled<Group, T> = 0>
T permute_group_by_xor(Group g, T x MPL_MAYBE_UNDEFINED, typename Group::linear_id_type mask,
                       const detail::here &at = detail::here("permute_group_by_xor")) {
  if constexpr (detail::is_members<Group>) {
    return detail::moved(g, x, g.get_local_linear_id() ^ mask, &at);
  } else {
    detail::same<true>("mask", mask, &at);
    return detail::by_words(x, [&](auto word) { return detail::shuffle_xor(word, mask, &at); });
  }
}

template <typename Group, typename T, detail::if_shuffled<Group, T> = 0>
T select_from_group(Group g, T x MPL_MAYBE_UNDEFINED, typename Group::id_type local_id,
                    const detail::here &at = detail::here("select_from_group")) {
  if constexpr (detail::is_members<Group>) {
    return detail::moved(g, x, local_id[0], &at);
  } else {
    std::uint32_t from = std::uint32_t(local_id[0]);
    detail::together<true>(&at);
    return detail::of_lane(x, from, &at);
  }
}
SYCL_TAKES(shift_group_left, "a sub_group, not a work-group, and a trivially copyable value")
SYCL_TAKES(shift_group_right, "a sub_group, not a work-group, and a trivially copyable value")
SYCL_TAKES(permute_group_by_xor, "a sub_group, not a work-group, and a trivially copyable value")
SYCL_TAKES(select_from_group, "a sub_group, not a work-group, and a trivially copyable value")

} // namespace sycl

#endif
