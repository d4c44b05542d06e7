/* Reductions and scans over a group, and the joint forms that work on a range of memory together
 * (SYCL 2020, 4.17.4).
 *
 * vec and marray are combined element by element.  Where the engine has no operation for a type
 * (the logical operators on anything but bool) it is made from one that it has. */
#ifndef SYCL_GROUP_ALGORITHMS_HPP
#define SYCL_GROUP_ALGORITHMS_HPP

#include <cstddef>
#include <type_traits>

#include "group_functions.hpp"
#include "multi_ptr.hpp"

namespace sycl {

namespace detail {

template <typename T> struct scalar { using type = T; };
template <typename T, int N> struct scalar<vec<T, N>> { using type = T; };
template <typename T, std::size_t N> struct scalar<marray<T, N>> { using type = T; };
template <typename T> using scalar_of = typename scalar<T>::type;
template <typename T> inline constexpr bool is_compound = !std::is_same_v<scalar_of<T>, T>;

/* What is combined, and by what: numbers of at most 64 bits, vec and marray of them; by the
 * operators of 4.17.2, bitwise ones of integers only. */
template <typename T> constexpr bool is_operand() {
  if constexpr (is_number<scalar_of<T>>)
    return sizeof(scalar_of<T>) <= 8;
  else
    return false;
}
template <typename Op, typename T> constexpr bool is_combination() {
  constexpr operation op = operation_of<Op>;
  return op != operation::unknown && is_operand<T>() &&
         (!is_bitwise(op) || std::is_integral_v<scalar_of<T>>);
}
template <typename Group, typename Op, typename T> constexpr bool combines() {
  return meets<Group> && is_combination<Op, T>();
}
template <typename Group, typename Op, typename T, typename From = T>
using if_combined = std::enable_if_t<combines<Group, Op, T>() && is_operand<From>(), int>;

/* Joint forms take pointers, sycl::multi_ptr among them. */
template <typename Pointer> struct pointed {};
template <typename T> struct pointed<T *> { using type = std::remove_cv_t<T>; };
template <typename T, access::address_space Space, access::decorated Decorated>
struct pointed<multi_ptr<T, Space, Decorated>> {
  using type = std::remove_cv_t<T>;
};
template <typename Pointer> using pointee = typename pointed<Pointer>::type;

template <typename Group, typename Pointer>
using if_range = std::enable_if_t<meets<Group> && !std::is_void_v<pointee<Pointer>>, int>;

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
  constexpr operation_tag<op> tag;
  if constexpr (is_logical(op))
    return static_cast<T>(collective<Sub, which>(tag, std::int32_t(x != T(0)), at));
  else if constexpr (std::is_same_v<T, bool>)
    return collective<Sub, which>(tag, std::int32_t(x), at) != 0;
  else
    return static_cast<T>(collective<Sub, which>(tag, static_cast<carrier<T>>(x), at));
}

/* The inclusive scan over some lanes: each combines what it has with what the nearest member has that
 * is not in it yet, and goes on from the one that is nearest to that (pointer jumping; Hillis and
 * Steele, "Data parallel algorithms", 1986).  The steps are those of a whole sub-group, the same for
 * all of its parts. */
template <operation op, typename T> T scan_of(const members &g, T x, const mpl_site *at) {
  std::uint32_t lane = mpl_get_sub_group_local_id();
  std::int32_t nearest = lane_before(g);
  for (std::uint32_t step = 1; step < mpl_get_max_sub_group_size(); step *= 2) {
    std::uint32_t from = nearest < 0 ? lane : std::uint32_t(nearest);
    T before = of_lane(x, from, at);
    x = nearest < 0 ? x : combine<op, T>(before, x);
    nearest = shuffle(nearest, from, at);
  }
  return x;
}
template <operation op, typename T, std::size_t Size, std::size_t Parent>
T scan_of(const chunk_members<Size, Parent> &g, T x, const mpl_site *at) {
  std::uint32_t me = g.get_local_linear_id();
  for (std::uint32_t step = 1; step < Size; step *= 2) {
    T before = moved(g, x, std::uint64_t(me) - step, at);
    x = me < step ? x : combine<op, T>(before, x);
  }
  return x;
}

/* The exclusive scan and the whole from the inclusive one. */
template <operation op, typename T> T before_of(const members &g, T upto, const mpl_site *at) {
  std::int32_t nearest = lane_before(g);
  std::uint32_t from = nearest < 0 ? mpl_get_sub_group_local_id() : std::uint32_t(nearest);
  T before = of_lane(upto, from, at);
  return nearest < 0 ? neutral<op, T>() : before;
}
template <operation op, typename T, std::size_t Size, std::size_t Parent>
T before_of(const chunk_members<Size, Parent> &g, T upto, const mpl_site *at) {
  T before = moved(g, upto, std::uint64_t(g.get_local_linear_id()) - 1, at);
  return g.leader() ? neutral<op, T>() : before;
}
template <typename Group, typename T> T whole_of(const Group &g, const T &upto, const mpl_site *at) {
  if constexpr (std::is_base_of_v<members, Group>)
    return of_lane(upto, std::uint32_t(last_lane(lanes_of(g))), at);
  else
    return broadcast_from(g, upto, g.get_local_linear_range() - 1, at);
}

/* Every operator of 4.17.2 is commutative: the halves of a chunk are exchanged, each time smaller
 * ones, and all come to the same. */
template <operation op, typename T> T sum_of(const members &g, const T &x, const mpl_site *at) {
  return whole_of(g, scan_of<op>(g, x, at), at);
}
template <operation op, typename T, std::size_t Size, std::size_t Parent>
T sum_of(const chunk_members<Size, Parent> &, T x, const mpl_site *at) {
  for (std::uint32_t half = Size / 2; half > 0; half /= 2)
    x = combine<op, T>(x, by_words(x, [=](auto word) { return shuffle_xor(word, half, at); }));
  return x;
}

template <typename Group, form which, operation op, typename T>
T members_collective(const Group &g, const T &x, const mpl_site *at) {
  if constexpr (which == form::reduce)
    return sum_of<op>(g, x, at);
  else if constexpr (which == form::inclusive)
    return scan_of<op>(g, x, at);
  else
    return before_of<op>(g, scan_of<op>(g, x, at), at);
}

template <typename Group, form which, operation op, typename T>
T collective_over(Group g, const T &x, const mpl_site *at) {
  constexpr bool sub = is_sub<Group>;
  if constexpr (is_members<Group>) {
    return members_collective<Group, which, op>(g, x, at);
  } else if constexpr (is_compound<T>) {
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

/* The ends of a joint range are the same for all work-items. */
template <typename Group, typename Pointer>
void same_range(const Group &g, Pointer first, Pointer last, const mpl_site *at) {
  if constexpr (sizeof(Pointer) <= 8 && std::is_trivially_copyable_v<Pointer>) {
    same(g, "begin of the range", first, at);
    same(g, "end of the range", last, at);
  }
}

template <typename Group, typename T>
void same_init(const Group &g, const T &init, const mpl_site *at) {
  if constexpr (sizeof(T) <= 8) same(g, "initial value", init, at);
}

} // namespace detail

/* --- reduce ------------------------------------------------------------------------------------
 */

template <typename Group, typename T, typename Op, detail::if_combined<Group, Op, T> = 0>
T reduce_over_group(Group g, T x, Op, const detail::here &at = detail::here("reduce_over_group")) {
  return detail::collective_over<Group, detail::form::reduce, detail::operation_of<Op>>(g, x, &at);
}

template <typename Group, typename V, typename T, typename Op,
          detail::if_combined<Group, Op, T, V> = 0>
T reduce_over_group(Group g, V x, T init, Op,
                    const detail::here &at = detail::here("reduce_over_group")) {
  constexpr auto op = detail::operation_of<Op>;
  return detail::combine<op, T>(
      init, detail::collective_over<Group, detail::form::reduce, op>(g, static_cast<T>(x), &at));
}

/* --- scans -------------------------------------------------------------------------------------
 */

template <typename Group, typename T, typename Op, detail::if_combined<Group, Op, T> = 0>
T inclusive_scan_over_group(Group g, T x, Op,
                            const detail::here &at = detail::here("inclusive_scan_over_group")) {
  constexpr auto op = detail::operation_of<Op>;
  return detail::collective_over<Group, detail::form::inclusive, op>(g, x, &at);
}

template <typename Group, typename V, typename Op, typename T,
          detail::if_combined<Group, Op, T, V> = 0>
T inclusive_scan_over_group(Group g, V x, Op, T init,
                            const detail::here &at = detail::here("inclusive_scan_over_group")) {
  constexpr auto op = detail::operation_of<Op>;
  return detail::combine<op, T>(
      init, detail::collective_over<Group, detail::form::inclusive, op>(g, static_cast<T>(x), &at));
}

template <typename Group, typename T, typename Op, detail::if_combined<Group, Op, T> = 0>
T exclusive_scan_over_group(Group g, T x, Op,
                            const detail::here &at = detail::here("exclusive_scan_over_group")) {
  constexpr auto op = detail::operation_of<Op>;
  static_assert(detail::has_identity<op, detail::scalar_of<T>>,
                "an exclusive scan without an initial value needs an operator whose identity is "
                "known: sycl::logical_and and logical_or have one for bool only");
  return detail::collective_over<Group, detail::form::exclusive, op>(g, x, &at);
}

template <typename Group, typename V, typename T, typename Op,
          detail::if_combined<Group, Op, T, V> = 0>
T exclusive_scan_over_group(Group g, V x, T init, Op,
                            const detail::here &at = detail::here("exclusive_scan_over_group")) {
  constexpr auto op = detail::operation_of<Op>;
  T before = detail::collective_over<Group, detail::form::exclusive, op>(g, static_cast<T>(x), &at);
  return g.get_local_linear_id() == 0 ? init : detail::combine<op, T>(init, before);
}

#define SYCL_COMBINES(name, sentence)                                                              \
  SYCL_DELETED(name, sentence " (numbers of at most 64 bits, and sycl::vec and sycl::marray of "   \
                              "them; bit_and, bit_or and bit_xor combine integers only)")
SYCL_COMBINES(reduce_over_group, "a group, numbers, and sycl::plus or its like")
SYCL_COMBINES(inclusive_scan_over_group, "a group, numbers, and sycl::plus or its like")
SYCL_COMBINES(exclusive_scan_over_group, "a group, numbers, and sycl::plus or its like")

/* --- joint votes -------------------------------------------------------------------------------
 */

/* Every joint form begins with a barrier, so that each work-item sees what the others have written
 * to the range before; those that write a result end with one. */
#define SYCL_JOINT_VOTE(name, found, vote)                                                         \
  template <typename Group, typename Pointer, typename Predicate,                                  \
            detail::if_range<Group, Pointer> = 0>                                                  \
  bool joint_##name##_of(Group g, Pointer first, Pointer last, Predicate predicate,                \
                         const detail::here &at = detail::here("joint_" #name "_of")) {            \
    detail::same_range(g, first, last, &at);                                                       \
    detail::same_predicate(g, predicate, &at);                                                     \
    detail::barrier(g, Group::fence_scope, &at);                                                   \
    bool seen = false;                                                                             \
    std::ptrdiff_t count = last - first, step = std::ptrdiff_t(g.get_local_linear_range());        \
    for (std::ptrdiff_t i = std::ptrdiff_t(g.get_local_linear_id()); i < count; i += step)         \
      seen = seen || bool(predicate(first[i])) == found;                                           \
    return vote;                                                                                   \
  }
SYCL_JOINT_VOTE(any, true, any_of_group(g, seen, at))
SYCL_JOINT_VOTE(all, false, none_of_group(g, seen, at))
SYCL_JOINT_VOTE(none, true, none_of_group(g, seen, at))
#undef SYCL_JOINT_VOTE
SYCL_TAKES(joint_any_of, "a group, two pointers, and a predicate")
SYCL_TAKES(joint_all_of, "a group, two pointers, and a predicate")
SYCL_TAKES(joint_none_of, "a group, two pointers, and a predicate")

/* --- joint reduce ------------------------------------------------------------------------------
 */

namespace detail {

template <operation op, typename T, typename Group, typename Pointer>
T joint_reduction(Group g, Pointer first, Pointer last, const here &at) {
  same_range(g, first, last, &at);
  barrier(g, Group::fence_scope, &at);
  std::ptrdiff_t count = last - first, step = std::ptrdiff_t(g.get_local_linear_range());
  T mine = neutral<op, T>();
  for (std::ptrdiff_t i = std::ptrdiff_t(g.get_local_linear_id()); i < count; i += step)
    mine = combine<op, T>(mine, static_cast<T>(first[i]));
  return collective_over<Group, form::reduce, op>(g, mine, &at);
}

} // namespace detail

template <typename Group, typename Pointer, typename Op,
          detail::if_combined<Group, Op, detail::pointee<Pointer>> = 0>
detail::pointee<Pointer> joint_reduce(Group g, Pointer first, Pointer last, Op,
                                      const detail::here &at = detail::here("joint_reduce")) {
  using T = detail::pointee<Pointer>;
  constexpr auto op = detail::operation_of<Op>;
  static_assert(detail::has_identity<op, detail::scalar_of<T>>,
                "sycl::joint_reduce without an initial value needs an operator whose identity is "
                "known: sycl::logical_and and logical_or have one for bool only");
  return detail::joint_reduction<op, T>(g, first, last, at);
}

template <typename Group, typename Pointer, typename T, typename Op,
          detail::if_combined<Group, Op, T, detail::pointee<Pointer>> = 0>
T joint_reduce(Group g, Pointer first, Pointer last, T init, Op,
               const detail::here &at = detail::here("joint_reduce")) {
  constexpr auto op = detail::operation_of<Op>;
  detail::same_init(g, init, &at);
  T all = detail::joint_reduction<op, T>(g, first, last, at);
  return first == last ? init : detail::combine<op, T>(init, all);
}
SYCL_COMBINES(joint_reduce, "a group, pointers to numbers, and sycl::plus or its like")

/* --- joint scans -------------------------------------------------------------------------------
 */

namespace detail {

template <typename Group, typename Op, typename T, typename In, typename Out>
using if_joint_scan = std::enable_if_t<
    combines<Group, Op, T>() && is_operand<pointee<In>>() && is_operand<pointee<Out>>(), int>;

/* A tile of the group's size after the other; `carry` is what all before come to.  Reading the tile
 * and writing its results are on two sides of a collective, so the two ranges may be one. */
template <form which, operation op, typename T, typename Group, typename In, typename Out>
Out joint_scan(Group g, In first, In last, Out result, bool has_init, T init, const here &at) {
  same_range(g, first, last, &at);
  if (has_init) same_init(g, init, &at);
  if constexpr (sizeof(Out) <= 8 && std::is_trivially_copyable_v<Out>)
    same(g, "begin of the result", result, &at);
  barrier(g, Group::fence_scope, &at);
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
      if constexpr (is_members<Group>)
        value = before_of<op>(g, upto, &at);
      else
        value = collective_over<Group, form::exclusive, op>(g, x, &at);
      if (lane == 0)
        value = carry;
      else if (carries)
        value = combine<op, T>(carry, value);
    } else {
      if (carries) value = combine<op, T>(carry, value);
    }
    if (i < count) result[i] = value;
    T last_of_tile = whole_of(g, upto, &at);
    carry = carries ? combine<op, T>(carry, last_of_tile) : last_of_tile;
    carries = true;
  }
  barrier(g, Group::fence_scope, &at);
  return result + count;
}

} // namespace detail

template <typename Group, typename In, typename Out, typename T, typename Op,
          detail::if_joint_scan<Group, Op, T, In, Out> = 0>
Out joint_exclusive_scan(Group g, In first, In last, Out result, T init, Op,
                         const detail::here &at = detail::here("joint_exclusive_scan")) {
  return detail::joint_scan<detail::form::exclusive, detail::operation_of<Op>, T>(
      g, first, last, result, true, init, at);
}

template <typename Group, typename In, typename Out, typename Op,
          detail::if_joint_scan<Group, Op, detail::pointee<Out>, In, Out> = 0>
Out joint_exclusive_scan(Group g, In first, In last, Out result, Op,
                         const detail::here &at = detail::here("joint_exclusive_scan")) {
  using T = detail::pointee<Out>;
  constexpr auto op = detail::operation_of<Op>;
  static_assert(detail::has_identity<op, detail::scalar_of<T>>,
                "sycl::joint_exclusive_scan without an initial value needs an operator whose "
                "identity is known: sycl::logical_and and logical_or have one for bool only");
  return detail::joint_scan<detail::form::exclusive, op, T>(g, first, last, result, true,
                                                            detail::neutral<op, T>(), at);
}

template <typename Group, typename In, typename Out, typename Op, typename T,
          detail::if_joint_scan<Group, Op, T, In, Out> = 0>
Out joint_inclusive_scan(Group g, In first, In last, Out result, Op, T init,
                         const detail::here &at = detail::here("joint_inclusive_scan")) {
  return detail::joint_scan<detail::form::inclusive, detail::operation_of<Op>, T>(
      g, first, last, result, true, init, at);
}

template <typename Group, typename In, typename Out, typename Op,
          detail::if_joint_scan<Group, Op, detail::pointee<Out>, In, Out> = 0>
Out joint_inclusive_scan(Group g, In first, In last, Out result, Op,
                         const detail::here &at = detail::here("joint_inclusive_scan")) {
  using T = detail::pointee<Out>;
  return detail::joint_scan<detail::form::inclusive, detail::operation_of<Op>, T>(
      g, first, last, result, false, T(), at);
}
SYCL_COMBINES(joint_exclusive_scan, "a group, pointers to numbers, and sycl::plus or its like")
SYCL_COMBINES(joint_inclusive_scan, "a group, pointers to numbers, and sycl::plus or its like")
#undef SYCL_COMBINES
#undef SYCL_TAKES
#undef SYCL_DELETED
#undef SYCL_DELETE

} // namespace sycl

#endif
