/* sycl_khr_group_interface: work_group, sub_group and member_item.  The first two are the groups of
 * SYCL 2020 under shorter names, so that every group function takes them; a member_item is a group
 * of one work-item, in which there is nobody to wait for. */
#ifndef SYCL_KHR_GROUP_INTERFACE_HPP
#define SYCL_KHR_GROUP_INTERFACE_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <version>

#ifdef __cpp_lib_mdspan
#include <mdspan>
#endif

#include "../group_algorithms.hpp"
#include "version.hpp"

namespace sycl {

#ifdef __cpp_lib_mdspan
namespace detail {

template <int D> auto extents_of(const sycl::range<D> &size) {
  if constexpr (D == 1) return std::dextents<std::size_t, 1>(size[0]);
  if constexpr (D == 2) return std::dextents<std::size_t, 2>(size[0], size[1]);
  if constexpr (D == 3) return std::dextents<std::size_t, 3>(size[0], size[1], size[2]);
}
template <typename T, int D> auto ones() {
  if constexpr (D == 1) return std::extents<T, 1>();
  if constexpr (D == 2) return std::extents<T, 1, 1>();
  if constexpr (D == 3) return std::extents<T, 1, 1, 1>();
}
template <typename T, int D> using ones_type = decltype(ones<T, D>());
} // namespace detail
#endif

namespace khr {

/* What C++23 adds: how many work-items a group has in each dimension, as extents. */
#ifdef __cpp_lib_mdspan
#define SYCL_EXTENTS(type, ...)                                                                    \
  using extents_type = type;                                                                       \
  constexpr extents_type extents() const noexcept {                                                \
    return __VA_ARGS__;                                                                            \
  }                                                                                                \
  constexpr typename extents_type::index_type extent(typename extents_type::rank_type r)           \
      const noexcept {                                                                             \
    return extents().extent(r);                                                                    \
  }                                                                                                \
  static constexpr typename extents_type::rank_type rank() noexcept {                              \
    return extents_type::rank();                                                                   \
  }                                                                                                \
  static constexpr typename extents_type::rank_type rank_dynamic() noexcept {                      \
    return extents_type::rank_dynamic();                                                           \
  }                                                                                                \
  static constexpr std::size_t static_extent(typename extents_type::rank_type r) noexcept {        \
    return extents_type::static_extent(r);                                                         \
  }
#define SYCL_COMMA ,
#else
#define SYCL_EXTENTS(type, ...)
#endif

template <int Dimensions = 1> class work_group : public sycl::group<Dimensions> {
public:
  using id_type = sycl::id<Dimensions>;
  using linear_id_type = std::size_t;
  using range_type = sycl::range<Dimensions>;
  using size_type = std::size_t;

  work_group(const sycl::group<Dimensions> &g) noexcept : sycl::group<Dimensions>(g) {}

  id_type id() const noexcept { return this->get_group_id(); }
  linear_id_type linear_id() const noexcept { return this->get_group_linear_id(); }
  range_type range() const noexcept { return this->get_group_range(); }
  size_type size() const noexcept { return this->get_local_linear_range(); }
  SYCL_EXTENTS(std::dextents<std::size_t SYCL_COMMA Dimensions>,
               sycl::detail::extents_of(this->get_local_range()))
};

class sub_group : public sycl::sub_group {
public:
  using size_type = std::uint32_t;

  sub_group(const sycl::sub_group &g) noexcept : sycl::sub_group(g) {}

  id_type id() const noexcept { return get_group_id(); }
  linear_id_type linear_id() const noexcept { return get_group_linear_id(); }
  range_type range() const noexcept { return get_group_range(); }
  size_type size() const noexcept { return get_local_linear_range(); }
  size_type max_size() const noexcept { return size_type(get_max_local_range()[0]); }
  SYCL_EXTENTS(std::dextents<std::uint32_t SYCL_COMMA 1>, extents_type(get_local_linear_range()))
};

template <typename Group>
inline constexpr bool is_work_or_sub_group = std::is_same_v<Group, sub_group>;
template <int Dimensions> inline constexpr bool is_work_or_sub_group<work_group<Dimensions>> = true;

template <typename ParentGroup> class member_item {
  ParentGroup parent;

  template <typename Group, std::enable_if_t<is_work_or_sub_group<Group>, int>>
  friend member_item<Group> get_member_item(const Group &) noexcept;
  explicit member_item(const ParentGroup &parent) : parent(parent) {}

public:
  using id_type = typename ParentGroup::id_type;
  using linear_id_type = typename ParentGroup::linear_id_type;
  using range_type = typename ParentGroup::range_type;
  using size_type = typename ParentGroup::size_type;
  static constexpr int dimensions = ParentGroup::dimensions;
  static constexpr memory_scope fence_scope = memory_scope::work_item;

  id_type id() const noexcept { return parent.get_local_id(); }
  linear_id_type linear_id() const noexcept { return parent.get_local_linear_id(); }
  range_type range() const noexcept { return parent.get_local_range(); }
  constexpr size_type size() const noexcept { return 1; }
  SYCL_EXTENTS(sycl::detail::ones_type<linear_id_type SYCL_COMMA dimensions>, {})

  friend bool operator==(const member_item &a, const member_item &b) {
    return a.parent == b.parent;
  }
  friend bool operator!=(const member_item &a, const member_item &b) { return !(a == b); }
};
#undef SYCL_EXTENTS
#undef SYCL_COMMA

template <typename Group, std::enable_if_t<is_work_or_sub_group<Group>, int> = 0>
member_item<Group> get_member_item(const Group &g) noexcept {
  return member_item<Group>(g);
}

template <typename Group, std::enable_if_t<is_work_or_sub_group<Group>, int> = 0>
bool leader_of(const Group &g) noexcept {
  return g.leader();
}
template <typename Group> bool leader_of(const member_item<Group> &) noexcept {
  return true;
}

} // namespace khr

template <int Dimensions> struct is_group<khr::work_group<Dimensions>> : std::true_type {};
template <> struct is_group<khr::sub_group> : std::true_type {};
template <typename Group> struct is_group<khr::member_item<Group>> : std::true_type {};

/* --- Group functions of one work-item
 * ----------------------------------------------------------- */

template <typename P>
void group_barrier(khr::member_item<P>, memory_scope scope = memory_scope::work_item) {
  atomic_fence(memory_order::acq_rel, scope);
}

template <typename P, typename T, std::enable_if_t<std::is_trivially_copyable_v<T>, int> = 0>
T group_broadcast(khr::member_item<P>, T x) {
  return x;
}
template <typename P, typename T, std::enable_if_t<std::is_trivially_copyable_v<T>, int> = 0>
T group_broadcast(khr::member_item<P>, T x, typename P::linear_id_type) {
  return x;
}
template <typename P, typename T, std::enable_if_t<std::is_trivially_copyable_v<T>, int> = 0>
T group_broadcast(khr::member_item<P>, T x, typename P::id_type) {
  return x;
}

#define SYCL_VOTE(name, is_not, starts)                                                            \
  template <typename P> bool name##_of_group(khr::member_item<P>, bool value) {                    \
    return is_not value;                                                                           \
  }                                                                                                \
  template <typename P, typename T, typename Predicate>                                            \
  bool name##_of_group(khr::member_item<P>, T x, Predicate predicate) {                            \
    return is_not bool(predicate(x));                                                              \
  }                                                                                                \
  template <typename P, typename Pointer, typename Predicate>                                      \
  bool joint_##name##_of(khr::member_item<P>, Pointer first, Pointer last, Predicate predicate) {  \
    for (; first != last; ++first)                                                                 \
      if (bool(predicate(*first)) != starts) return !(is_not starts);                              \
    return is_not starts;                                                                          \
  }
SYCL_VOTE(any, , false)
SYCL_VOTE(all, , true)
SYCL_VOTE(none, !, false)
#undef SYCL_VOTE

namespace detail {

template <typename Op, typename T, typename From = T>
using if_item_combined = std::enable_if_t<is_combination<Op, T>() && is_operand<From>(), int>;

/* A scan over a range; returns the end of the results.  The ranges may be one. */
template <form which, operation op, typename T, typename In, typename Out>
Out item_scan(In first, In last, Out result, bool has_init, T init) {
  for (; first != last; ++first, ++result) {
    T next = static_cast<T>(*first);
    if (has_init) next = combine<op, T>(init, next);
    *result = which == form::inclusive ? next : init;
    init = next;
    has_init = true;
  }
  return result;
}

} // namespace detail

template <typename P, typename T, typename Op, detail::if_item_combined<Op, T> = 0>
T reduce_over_group(khr::member_item<P>, T x, Op) {
  return x;
}
template <typename P, typename V, typename T, typename Op, detail::if_item_combined<Op, T, V> = 0>
T reduce_over_group(khr::member_item<P>, V x, T init, Op) {
  return detail::combine<detail::operation_of<Op>, T>(init, static_cast<T>(x));
}
template <typename P, typename T, typename Op, detail::if_item_combined<Op, T> = 0>
T inclusive_scan_over_group(khr::member_item<P>, T x, Op) {
  return x;
}
template <typename P, typename V, typename Op, typename T, detail::if_item_combined<Op, T, V> = 0>
T inclusive_scan_over_group(khr::member_item<P>, V x, Op, T init) {
  return detail::combine<detail::operation_of<Op>, T>(init, static_cast<T>(x));
}
template <typename P, typename T, typename Op, detail::if_item_combined<Op, T> = 0>
T exclusive_scan_over_group(khr::member_item<P>, T, Op) {
  constexpr auto op = detail::operation_of<Op>;
  static_assert(detail::has_identity<op, detail::scalar_of<T>>,
                "an exclusive scan without an initial value needs an operator whose identity is "
                "known");
  return detail::neutral<op, T>();
}
template <typename P, typename V, typename T, typename Op, detail::if_item_combined<Op, T, V> = 0>
T exclusive_scan_over_group(khr::member_item<P>, V, T init, Op) {
  return init;
}

template <typename P, typename Pointer, typename T, typename Op,
          detail::if_item_combined<Op, T, detail::pointee<Pointer>> = 0>
T joint_reduce(khr::member_item<P>, Pointer first, Pointer last, T init, Op) {
  for (; first != last; ++first)
    init = detail::combine<detail::operation_of<Op>, T>(init, static_cast<T>(*first));
  return init;
}
template <typename P, typename Pointer, typename Op,
          detail::if_item_combined<Op, detail::pointee<Pointer>> = 0>
detail::pointee<Pointer> joint_reduce(khr::member_item<P> item, Pointer first, Pointer last,
                                      Op op) {
  using T = detail::pointee<Pointer>;
  static_assert(detail::has_identity<detail::operation_of<Op>, detail::scalar_of<T>>,
                "sycl::joint_reduce without an initial value needs an operator whose identity is "
                "known");
  return joint_reduce(item, first, last, detail::neutral<detail::operation_of<Op>, T>(), op);
}
template <typename P, typename In, typename Out, typename T, typename Op,
          detail::if_item_combined<Op, T, detail::pointee<In>> = 0>
Out joint_exclusive_scan(khr::member_item<P>, In first, In last, Out result, T init, Op) {
  return detail::item_scan<detail::form::exclusive, detail::operation_of<Op>, T>(
      first, last, result, true, init);
}
template <typename P, typename In, typename Out, typename Op,
          detail::if_item_combined<Op, detail::pointee<Out>, detail::pointee<In>> = 0>
Out joint_exclusive_scan(khr::member_item<P> item, In first, In last, Out result, Op op) {
  using T = detail::pointee<Out>;
  static_assert(detail::has_identity<detail::operation_of<Op>, detail::scalar_of<T>>,
                "sycl::joint_exclusive_scan without an initial value needs an operator whose "
                "identity is known");
  return joint_exclusive_scan(item, first, last, result,
                              detail::neutral<detail::operation_of<Op>, T>(), op);
}
template <typename P, typename In, typename Out, typename Op, typename T,
          detail::if_item_combined<Op, T, detail::pointee<In>> = 0>
Out joint_inclusive_scan(khr::member_item<P>, In first, In last, Out result, Op, T init) {
  return detail::item_scan<detail::form::inclusive, detail::operation_of<Op>, T>(
      first, last, result, true, init);
}
template <typename P, typename In, typename Out, typename Op,
          detail::if_item_combined<Op, detail::pointee<Out>, detail::pointee<In>> = 0>
Out joint_inclusive_scan(khr::member_item<P>, In first, In last, Out result, Op) {
  using T = detail::pointee<Out>;
  return detail::item_scan<detail::form::inclusive, detail::operation_of<Op>, T>(
      first, last, result, false, T());
}

} // namespace sycl

#endif
