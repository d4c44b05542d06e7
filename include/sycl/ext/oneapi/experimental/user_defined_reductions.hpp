/* sycl_ext_oneapi_user_defined_reductions: reductions by a program's own operator, of a program's
 * own type, in memory that the program gives.  Operands keep their order, so that the operator need
 * not be commutative.  Beyond the extension's text: scans of the same sort. */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_USER_DEFINED_REDUCTIONS_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_USER_DEFINED_REDUCTIONS_HPP

#include <iterator>
#include <new>

#include "../../../khr/version.hpp"
#include "group_helpers.hpp"

namespace sycl {

namespace detail {

template <typename T, typename Helper> T *scratch_of(const Helper &helper) {
  return reinterpret_cast<T *>(helper.get_memory().data());
}

/* Of the first `count` work-items' values, each with what is 1, 2, 4 ... places behind it. */
template <typename T, typename Group, typename Op>
T reduce_in_scratch(const Group &g, T *scratch, const T &x, std::size_t count, Op op,
                    const mpl_site *at) {
  std::size_t me = g.get_local_linear_id();
  if (me < count) new (scratch + me) T(x);
  meet(g, at);
  for (std::size_t step = 1; step < count; step *= 2) {
    if (me % (2 * step) == 0 && me + step < count)
      scratch[me] = op(scratch[me], scratch[me + step]);
    meet(g, at);
  }
  T all = scratch[0];
  meet(g, at);
  return all;
}

/* What all up to a work-item come to stands in its place of the scratch memory. */
template <typename T, typename Group, typename Op>
void scan_in_scratch(const Group &g, T *scratch, const T &x, Op op, const mpl_site *at) {
  std::size_t me = g.get_local_linear_id(), size = g.get_local_linear_range();
  T upto = x;
  new (scratch + me) T(x);
  meet(g, at);
  for (std::size_t step = 1; step < size; step *= 2) {
    if (me >= step) upto = op(scratch[me - step], upto);
    meet(g, at);
    scratch[me] = upto;
    meet(g, at);
  }
}

/* A row of the range for each work-item; `count` of them have one. */
template <typename T, typename Helper, typename Ptr, typename Op>
T joint_reduce_in_scratch(const Helper &helper, Ptr first, std::size_t size, Op op,
                          const mpl_site *at) {
  auto g = helper.get_group();
  std::size_t me = g.get_local_linear_id(), items = g.get_local_linear_range();
  std::size_t row = (size + items - 1) / items, count = (size + row - 1) / row;
  std::size_t begin = me < count ? me * row : 0, end = begin + row < size ? begin + row : size;
  meet(g, at);
  T mine = first[begin];
  for (std::size_t i = begin + 1; i < end; i++) mine = op(mine, first[i]);
  return reduce_in_scratch(g, scratch_of<T>(helper), mine, count, op, at);
}

} // namespace detail

namespace ext::oneapi::experimental {

template <typename GroupHelper, typename T, typename BinaryOperation,
          sycl::detail::if_helper<GroupHelper> = 0>
T reduce_over_group(GroupHelper helper, T x, BinaryOperation op,
                    const sycl::detail::here &at = sycl::detail::here("reduce_over_group")) {
  auto g = helper.get_group();
  if constexpr (sycl::detail::is_combination<BinaryOperation, T>())
    return sycl::reduce_over_group(g, x, op, at);
  else
    return sycl::detail::reduce_in_scratch(g, sycl::detail::scratch_of<T>(helper), x,
                                           g.get_local_linear_range(), op, &at);
}
template <typename GroupHelper, typename V, typename T, typename BinaryOperation,
          sycl::detail::if_helper<GroupHelper> = 0>
T reduce_over_group(GroupHelper helper, V x, T init, BinaryOperation op,
                    const sycl::detail::here &at = sycl::detail::here("reduce_over_group")) {
  return op(init, experimental::reduce_over_group(helper, T(x), op, at));
}

template <typename GroupHelper, typename Ptr, typename BinaryOperation,
          sycl::detail::if_helper<GroupHelper> = 0>
typename std::iterator_traits<Ptr>::value_type
joint_reduce(GroupHelper helper, Ptr first, Ptr last, BinaryOperation op,
             const sycl::detail::here &at = sycl::detail::here("joint_reduce")) {
  using T = typename std::iterator_traits<Ptr>::value_type;
  return sycl::detail::joint_reduce_in_scratch<T>(
      helper, first, sycl::detail::agreed(helper.get_group(), std::size_t(last - first), &at), op,
      &at);
}
template <typename GroupHelper, typename Ptr, typename T, typename BinaryOperation,
          sycl::detail::if_helper<GroupHelper> = 0>
T joint_reduce(GroupHelper helper, Ptr first, Ptr last, T init, BinaryOperation op,
               const sycl::detail::here &at = sycl::detail::here("joint_reduce")) {
  std::size_t size = sycl::detail::agreed(helper.get_group(), std::size_t(last - first), &at);
  if (size == 0) return init;
  return op(init, sycl::detail::joint_reduce_in_scratch<T>(helper, first, size, op, &at));
}

template <typename GroupHelper, typename T, typename BinaryOperation,
          sycl::detail::if_helper<GroupHelper> = 0>
T inclusive_scan_over_group(
    GroupHelper helper, T x, BinaryOperation op,
    const sycl::detail::here &at = sycl::detail::here("inclusive_scan_over_group")) {
  auto g = helper.get_group();
  T *scratch = sycl::detail::scratch_of<T>(helper);
  sycl::detail::scan_in_scratch(g, scratch, x, op, &at);
  T upto = scratch[g.get_local_linear_id()];
  sycl::detail::meet(g, &at);
  return upto;
}
template <typename GroupHelper, typename T, typename BinaryOperation,
          sycl::detail::if_helper<GroupHelper> = 0>
T exclusive_scan_over_group(
    GroupHelper helper, T x, T init, BinaryOperation op,
    const sycl::detail::here &at = sycl::detail::here("exclusive_scan_over_group")) {
  auto g = helper.get_group();
  T *scratch = sycl::detail::scratch_of<T>(helper);
  sycl::detail::scan_in_scratch(g, scratch, x, op, &at);
  std::size_t me = g.get_local_linear_id();
  T before = me == 0 ? init : op(init, scratch[me - 1]);
  sycl::detail::meet(g, &at);
  return before;
}

} // namespace ext::oneapi::experimental
} // namespace sycl

#endif
