/* Reductions and scans over a group, and the joint forms that work on a range of memory together
 * (SYCL 2020, 4.17.4).
 *
 * vec and marray are combined element by element.  Where the engine has no operation for a type
 * (the logical operators on anything but bool) it is made from one that it has. */
#ifndef SYCL_GROUP_ALGORITHMS_HPP
#define SYCL_GROUP_ALGORITHMS_HPP

#include <cstddef>
#include <iterator>
#include <type_traits>

#include "group_functions.hpp"

namespace sycl {

namespace detail {

template <typename T> struct scalar { using type = T; };
template <typename T, int N> struct scalar<vec<T, N>> { using type = T; };
template <typename T, std::size_t N> struct scalar<marray<T, N>> { using type = T; };
template <typename T> using scalar_of = typename scalar<T>::type;
template <typename T> inline constexpr bool is_compound = !std::is_same_v<scalar_of<T>, T>;

/* The rules of reductions and scans, each said in one sentence. */
template <typename Group, typename T, typename Op> constexpr bool algorithm_rules() {
  constexpr operation op = operation_of<Op>;
  static_assert(is_group_v<Group>,
                "the first argument of a group algorithm has to be a sycl::group "
                "or a sycl::sub_group");
  static_assert(
      is_number<scalar_of<T>>,
      "group reductions and scans take numbers (bool, integers, sycl::half, float, double), "
      "and sycl::vec and sycl::marray of them");
  static_assert(!is_number<scalar_of<T>> || sizeof(scalar_of<T>) <= 8,
                "group reductions and scans take numbers of at most 64 bits");
  static_assert(
      op != operation::unknown,
      "the operator of a group reduction or scan has to be one of sycl::plus, multiplies, "
      "bit_and, bit_or, bit_xor, logical_and, logical_or, minimum, maximum");
  static_assert(!is_bitwise(op) || std::is_integral_v<scalar_of<T>>,
                "sycl::bit_and, bit_or and bit_xor combine integers only");
  constexpr bool combines = !is_bitwise(op) || std::is_integral_v<scalar_of<T>>;
  constexpr bool fits = is_number<scalar_of<T>> && sizeof(scalar_of<T>) <= 8;
  return is_group_v<Group> && op != operation::unknown && fits && combines;
}

/* Integers are added and multiplied with wrap-around, as OpenCL's are. */
template <typename T> constexpr auto wrapping(const T &x) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<std::make_unsigned_t<decltype(x + x)>>(x);
  else
    return x;
}

template <operation op, typename T> constexpr T combine(const T &a, const T &b) {
  if constexpr (is_compound<T>) {
    T result;
    for (std::size_t i = 0; i < T::size(); i++) result[i] = combine<op, scalar_of<T>>(a[i], b[i]);
    return result;
  } else if constexpr (op == operation::add) {
    return static_cast<T>(wrapping(a) + wrapping(b));
  } else if constexpr (op == operation::mul) {
    return static_cast<T>(wrapping(a) * wrapping(b));
  } else if constexpr (op == operation::bit_and) {
    return static_cast<T>(a & b);
  } else if constexpr (op == operation::bit_or) {
    return static_cast<T>(a | b);
  } else if constexpr (op == operation::bit_xor) {
    return static_cast<T>(a ^ b);
  } else if constexpr (op == operation::logical_and) {
    return static_cast<T>(a && b);
  } else if constexpr (op == operation::logical_or) {
    return static_cast<T>(a || b);
  } else if constexpr (op == operation::min) {
    return b < a ? b : a;
  } else {
    return b > a ? b : a;
  }
}

/* Of every operator for every type; true and false stand in for logical ones that the specification
 * knows no identity of. */
template <operation op, typename T> constexpr T neutral() {
  if constexpr (is_compound<T>)
    return T(identity<op, scalar_of<T>>());
  else
    return identity<op, T>();
}

/* One scalar through the engine.  A bool adds up like a number that is not 0. */
template <bool Sub, form which, operation op, typename T>
T engine_collective(T x, const mpl_site *at) {
  constexpr scope_tag<Sub> scope;
  if constexpr (is_logical(op)) {
    bool truth = x != T(0);
    return static_cast<T>(
        collective(scope, form_tag<which>(), operation_tag<op>(), std::int32_t(truth), at));
  } else if constexpr (std::is_same_v<T, bool>) {
    return collective(scope, form_tag<which>(), operation_tag<op>(), std::int32_t(x), at) != 0;
  } else {
    return static_cast<T>(
        collective(scope, form_tag<which>(), operation_tag<op>(), static_cast<carrier<T>>(x), at));
  }
}

template <typename Group, form which, operation op, typename T>
T collective_over(Group g, const T &x, const mpl_site *at) {
  constexpr bool sub = is_sub<Group>;
  if constexpr (is_compound<T>) {
    T result;
    for (std::size_t i = 0; i < T::size(); i++)
      result[i] = collective_over<Group, which, op, scalar_of<T>>(g, x[i], at);
    return result;
  } else {
    T result = engine_collective<sub, which, op>(x, at);
    /* A single operand is not combined with anything, and so keeps a value that is not 0 or 1. */
    if constexpr (is_logical(op) && !std::is_same_v<T, bool>) {
      if (which == form::reduce && g.get_local_linear_range() == 1) return x;
      if (which == form::inclusive && g.get_local_linear_id() == 0) return x;
    }
    /* A narrow integer's identity is not that of the wide one which the engine computes with. */
    if constexpr (which == form::exclusive && (op == operation::min || op == operation::max) &&
                  std::is_integral_v<T> && sizeof(T) < 4) {
      if (g.get_local_linear_id() == 0) return identity<op, T>();
    }
    return result;
  }
}

template <typename Pointer>
using pointee = std::remove_cv_t<typename std::iterator_traits<Pointer>::value_type>;

/* The ends of a joint range are the same for all work-items. */
template <typename Group, typename Pointer>
void same_range(Pointer first, Pointer last, const mpl_site *at) {
  if constexpr (sizeof(Pointer) <= 8 && std::is_trivially_copyable_v<Pointer>) {
    same<is_sub<Group>>("begin of the range", first, at);
    same<is_sub<Group>>("end of the range", last, at);
  }
}

template <typename Group, typename T> void same_init(const T &init, const mpl_site *at) {
  if constexpr (sizeof(T) <= 8) same<is_sub<Group>>("initial value", init, at);
}

} // namespace detail

/* --- reduce ------------------------------------------------------------------------------------
 */

template <typename Group, typename T, typename Op>
T reduce_over_group(Group g, T x, Op, const detail::here &at = detail::here()) {
  if constexpr (detail::algorithm_rules<Group, T, Op>())
    return detail::collective_over<Group, detail::form::reduce, detail::operation_of<Op>>(g, x,
                                                                                          &at);
  else
    return x;
}

template <typename Group, typename V, typename T, typename Op>
T reduce_over_group(Group g, V x, T init, Op, const detail::here &at = detail::here()) {
  constexpr auto op = detail::operation_of<Op>;
  if constexpr (detail::algorithm_rules<Group, T, Op>())
    return detail::combine<op, T>(
        init, detail::collective_over<Group, detail::form::reduce, op>(g, static_cast<T>(x), &at));
  else
    return init;
}

/* --- scans -------------------------------------------------------------------------------------
 */

template <typename Group, typename T, typename Op>
T inclusive_scan_over_group(Group g, T x, Op, const detail::here &at = detail::here()) {
  constexpr auto op = detail::operation_of<Op>;
  if constexpr (detail::algorithm_rules<Group, T, Op>())
    return detail::collective_over<Group, detail::form::inclusive, op>(g, x, &at);
  else
    return x;
}

template <typename Group, typename V, typename Op, typename T>
T inclusive_scan_over_group(Group g, V x, Op, T init, const detail::here &at = detail::here()) {
  constexpr auto op = detail::operation_of<Op>;
  if constexpr (detail::algorithm_rules<Group, T, Op>())
    return detail::combine<op, T>(init, detail::collective_over<Group, detail::form::inclusive, op>(
                                            g, static_cast<T>(x), &at));
  else
    return init;
}

template <typename Group, typename T, typename Op>
T exclusive_scan_over_group(Group g, T x, Op, const detail::here &at = detail::here()) {
  constexpr auto op = detail::operation_of<Op>;
  if constexpr (detail::algorithm_rules<Group, T, Op>()) {
    static_assert(detail::has_identity<op, detail::scalar_of<T>>,
                  "an exclusive scan without an initial value needs an operator whose identity is "
                  "known: sycl::logical_and and logical_or have one for bool only");
    return detail::collective_over<Group, detail::form::exclusive, op>(g, x, &at);
  } else {
    return x;
  }
}

template <typename Group, typename V, typename T, typename Op>
T exclusive_scan_over_group(Group g, V x, T init, Op, const detail::here &at = detail::here()) {
  constexpr auto op = detail::operation_of<Op>;
  if constexpr (detail::algorithm_rules<Group, T, Op>()) {
    T before =
        detail::collective_over<Group, detail::form::exclusive, op>(g, static_cast<T>(x), &at);
    return g.get_local_linear_id() == 0 ? init : detail::combine<op, T>(init, before);
  } else {
    return init;
  }
}

/* --- joint votes -------------------------------------------------------------------------------
 */

/* Every joint form begins with a barrier, so that each work-item sees what the others have written
 * to the range before; those that write a result end with one. */
#define SYCL_JOINT_VOTE(name, found, vote)                                                         \
  template <typename Group, typename Pointer, typename Predicate>                                  \
  bool joint_##name##_of(Group g, Pointer first, Pointer last, Predicate predicate,                \
                         const detail::here &at = detail::here()) {                                \
    SYCL_NEEDS_GROUP(Group, "joint_" #name "_of");                                                 \
    if constexpr (is_group_v<Group>) {                                                             \
      detail::same_range<Group>(first, last, &at);                                                 \
      detail::same_predicate<detail::is_sub<Group>>(predicate, &at);                               \
      detail::barrier<detail::is_sub<Group>>(Group::fence_scope, &at);                             \
      bool seen = false;                                                                           \
      std::ptrdiff_t count = last - first, step = std::ptrdiff_t(g.get_local_linear_range());      \
      for (std::ptrdiff_t i = std::ptrdiff_t(g.get_local_linear_id()); i < count; i += step)       \
        seen = seen || bool(predicate(first[i])) == found;                                         \
      return vote;                                                                                 \
    } else {                                                                                       \
      return false;                                                                                \
    }                                                                                              \
  }
SYCL_JOINT_VOTE(any, true, any_of_group(g, seen, at))
SYCL_JOINT_VOTE(all, false, none_of_group(g, seen, at))
SYCL_JOINT_VOTE(none, true, none_of_group(g, seen, at))
#undef SYCL_JOINT_VOTE

/* --- joint reduce ------------------------------------------------------------------------------
 */

namespace detail {

template <operation op, typename T, typename Group, typename Pointer>
T joint_reduction(Group g, Pointer first, Pointer last, const here &at) {
  same_range<Group>(first, last, &at);
  barrier<is_sub<Group>>(Group::fence_scope, &at);
  std::ptrdiff_t count = last - first, step = std::ptrdiff_t(g.get_local_linear_range());
  T mine = neutral<op, T>();
  for (std::ptrdiff_t i = std::ptrdiff_t(g.get_local_linear_id()); i < count; i += step)
    mine = combine<op, T>(mine, static_cast<T>(first[i]));
  return collective_over<Group, form::reduce, op>(g, mine, &at);
}

} // namespace detail

template <typename Group, typename Pointer, typename Op>
detail::pointee<Pointer> joint_reduce(Group g, Pointer first, Pointer last, Op,
                                      const detail::here &at = detail::here()) {
  using T = detail::pointee<Pointer>;
  constexpr auto op = detail::operation_of<Op>;
  if constexpr (detail::algorithm_rules<Group, T, Op>()) {
    static_assert(detail::has_identity<op, detail::scalar_of<T>>,
                  "sycl::joint_reduce without an initial value needs an operator whose identity is "
                  "known: sycl::logical_and and logical_or have one for bool only");
    return detail::joint_reduction<op, T>(g, first, last, at);
  } else {
    return *first;
  }
}

template <typename Group, typename Pointer, typename T, typename Op>
T joint_reduce(Group g, Pointer first, Pointer last, T init, Op,
               const detail::here &at = detail::here()) {
  constexpr auto op = detail::operation_of<Op>;
  if constexpr (detail::algorithm_rules<Group, T, Op>()) {
    detail::same_init<Group>(init, &at);
    T all = detail::joint_reduction<op, T>(g, first, last, at);
    return first == last ? init : detail::combine<op, T>(init, all);
  } else {
    return init;
  }
}

/* --- joint scans -------------------------------------------------------------------------------
 */

namespace detail {

/* A tile of the group's size after the other; `carry` is what all before come to.  Reading the tile
 * and writing its results are on two sides of a collective, so the two ranges may be one. */
template <form which, operation op, typename T, typename Group, typename In, typename Out>
Out joint_scan(Group g, In first, In last, Out result, bool has_init, T init, const here &at) {
  constexpr bool sub = is_sub<Group>;
  same_range<Group>(first, last, &at);
  if (has_init) same_init<Group>(init, &at);
  if constexpr (sizeof(Out) <= 8 && std::is_trivially_copyable_v<Out>)
    same<sub>("begin of the result", result, &at);
  barrier<sub>(Group::fence_scope, &at);
  std::ptrdiff_t count = last - first, size = std::ptrdiff_t(g.get_local_linear_range());
  std::ptrdiff_t lane = std::ptrdiff_t(g.get_local_linear_id());
  T carry = init;
  bool carries = has_init;
  for (std::ptrdiff_t tile = 0; tile < count; tile += size) {
    std::ptrdiff_t i = tile + lane;
    T x = i < count ? static_cast<T>(first[i]) : neutral<op, T>();
    T upto = collective_over<Group, form::inclusive, op>(g, x, &at);
    T value = upto;
    if constexpr (which == form::exclusive) {
      value = collective_over<Group, form::exclusive, op>(g, x, &at);
      if (lane == 0)
        value = carry;
      else if (carries)
        value = combine<op, T>(carry, value);
    } else {
      if (carries) value = combine<op, T>(carry, value);
    }
    if (i < count) result[i] = value;
    T last_of_tile = broadcast_from(g, upto, std::size_t(size - 1), &at);
    carry = carries ? combine<op, T>(carry, last_of_tile) : last_of_tile;
    carries = true;
  }
  barrier<sub>(Group::fence_scope, &at);
  return result + count;
}

} // namespace detail

template <typename Group, typename In, typename Out, typename T, typename Op>
Out joint_exclusive_scan(Group g, In first, In last, Out result, T init, Op,
                         const detail::here &at = detail::here()) {
  if constexpr (detail::algorithm_rules<Group, T, Op>())
    return detail::joint_scan<detail::form::exclusive, detail::operation_of<Op>, T>(
        g, first, last, result, true, init, at);
  else
    return result;
}

template <typename Group, typename In, typename Out, typename Op>
Out joint_exclusive_scan(Group g, In first, In last, Out result, Op,
                         const detail::here &at = detail::here()) {
  using T = detail::pointee<Out>;
  constexpr auto op = detail::operation_of<Op>;
  if constexpr (detail::algorithm_rules<Group, T, Op>()) {
    static_assert(detail::has_identity<op, detail::scalar_of<T>>,
                  "sycl::joint_exclusive_scan without an initial value needs an operator whose "
                  "identity is known: sycl::logical_and and logical_or have one for bool only");
    return detail::joint_scan<detail::form::exclusive, op, T>(g, first, last, result, true,
                                                              detail::neutral<op, T>(), at);
  } else {
    return result;
  }
}

template <typename Group, typename In, typename Out, typename Op, typename T>
Out joint_inclusive_scan(Group g, In first, In last, Out result, Op, T init,
                         const detail::here &at = detail::here()) {
  if constexpr (detail::algorithm_rules<Group, T, Op>())
    return detail::joint_scan<detail::form::inclusive, detail::operation_of<Op>, T>(
        g, first, last, result, true, init, at);
  else
    return result;
}

template <typename Group, typename In, typename Out, typename Op>
Out joint_inclusive_scan(Group g, In first, In last, Out result, Op,
                         const detail::here &at = detail::here()) {
  using T = detail::pointee<Out>;
  if constexpr (detail::algorithm_rules<Group, T, Op>())
    return detail::joint_scan<detail::form::inclusive, detail::operation_of<Op>, T>(
        g, first, last, result, false, T(), at);
  else
    return result;
}

} // namespace sycl

#endif
