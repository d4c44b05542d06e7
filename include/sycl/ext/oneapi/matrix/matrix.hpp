/* sycl_ext_oneapi_matrix: joint_matrix, and the group functions of it.  All work-items of a
 * sub-group call them together. */
#ifndef SYCL_EXT_ONEAPI_MATRIX_MATRIX_HPP
#define SYCL_EXT_ONEAPI_MATRIX_MATRIX_HPP

#include "../../../multi_ptr.hpp"
#include "../experimental/properties.hpp"
#include "copy.hpp"
#include "layouts.hpp"
#include "multiply.hpp"
#include "queries.hpp"

namespace sycl {

namespace detail {

struct matrix_access { /* to what a joint_matrix keeps */
  template <typename Matrix> static auto &elements(Matrix &matrix) { return matrix.elements; }
};

/* How a function of a joint_matrix begins: the work-items meet, with one place in memory. */
template <typename Group, typename T>
T *meet_at(const Group &g, T *memory, std::size_t stride, const mpl_site *at) {
  same<true>("address of a joint_matrix", memory, at);
  same<true>("stride of a joint_matrix", stride, at);
  return reinterpret_cast<T *>(broadcast_from(g, reinterpret_cast<std::uintptr_t>(memory), 0, at));
}

template <typename T, typename InMemory>
using if_matrix_memory =
    std::enable_if_t<std::is_same_v<matrix_stored<T>, std::remove_const_t<InMemory>>, int>;

/* func(element, row, column), on one work-item for each. */
template <typename T, typename Elements, typename F>
void apply_to_each(const sub_group &g, Elements &elements, const F &func, const mpl_site *at) {
  elements.change_each(
      g, elements,
      [&](auto &element, const auto &, std::size_t row, std::size_t column) {
        auto value = give<T>(element);
        func(value, row, column);
        element = keep<T>(value);
      },
      at);
}

} // namespace detail

namespace ext::oneapi::experimental::matrix {

template <typename Group, typename T, use Use, std::size_t Rows, std::size_t Cols,
          layout Layout = layout::dynamic>
struct joint_matrix {
  static_assert(sycl::detail::is_sub<Group>, "a joint_matrix is a sub_group's");
  static_assert(Rows > 0 && Cols > 0, "a joint_matrix has rows and columns");
  static_assert((Use == use::accumulator) == (Layout == layout::dynamic),
                "a joint_matrix of use a or b has a layout, and an accumulator has none");
  static_assert(sycl::detail::matrix_type_of<T>::is_known,
                "a joint_matrix has elements of a type of matrix_type");

  /* A group function by the text, but nobody waits here: whoever does not come is missed by the
   * next function, and arrays of matrices cost nothing to make. */
  joint_matrix() {}
  joint_matrix(const joint_matrix &) = delete;
  joint_matrix &operator=(const joint_matrix &) = delete;

private:
  friend sycl::detail::matrix_access;
  sycl::detail::matrix_elements<T, Use, Rows, Cols> elements;
};

/* Load: what other work-items have written before is seen. */

template <typename Group, typename T1, typename T2, std::size_t Rows, std::size_t Cols,
          access::address_space Space, access::decorated IsDecorated,
          sycl::detail::if_matrix_memory<T1, T2> = 0>
void joint_matrix_load(Group g,
                       joint_matrix<Group, T1, use::accumulator, Rows, Cols, layout::dynamic> &res,
                       multi_ptr<T2, Space, IsDecorated> src, std::size_t stride, layout Layout,
                       const sycl::detail::here &at = sycl::detail::here("joint_matrix_load")) {
  T2 *from = sycl::detail::meet_at(g, src.get_raw(), stride, &at);
  sycl::detail::same<true>("layout of a joint_matrix", Layout, &at);
  sycl::detail::with_layout(Layout, [&](auto known) {
    sycl::detail::load_elements<known.value, T1>(sycl::detail::matrix_access::elements(res), from,
                                                 stride, sycl::detail::matrix_without_bounds());
  });
}

template <typename Group, typename T1, typename T2, std::size_t Rows, std::size_t Cols, use Use,
          layout Layout, access::address_space Space, access::decorated IsDecorated,
          std::enable_if_t<Layout != layout::dynamic, int> = 0,
          sycl::detail::if_matrix_memory<T1, T2> = 0>
void joint_matrix_load(Group g, joint_matrix<Group, T1, Use, Rows, Cols, Layout> &res,
                       multi_ptr<T2, Space, IsDecorated> src, std::size_t stride,
                       const sycl::detail::here &at = sycl::detail::here("joint_matrix_load")) {
  T2 *from = sycl::detail::meet_at(g, src.get_raw(), stride, &at);
  sycl::detail::load_elements<Layout, T1>(sycl::detail::matrix_access::elements(res), from, stride,
                                          sycl::detail::matrix_without_bounds());
}

/* Store: others see it when it returns. */
template <typename Group, typename T1, typename T2, std::size_t Rows, std::size_t Cols,
          access::address_space Space, access::decorated IsDecorated,
          std::enable_if_t<!std::is_const_v<T2>, int> = 0,
          sycl::detail::if_matrix_memory<T1, T2> = 0>
void joint_matrix_store(
    Group g, const joint_matrix<Group, T1, use::accumulator, Rows, Cols, layout::dynamic> &res,
    multi_ptr<T2, Space, IsDecorated> dest, std::size_t stride, layout Layout,
    const sycl::detail::here &at = sycl::detail::here("joint_matrix_store")) {
  T2 *to = sycl::detail::meet_at(g, dest.get_raw(), stride, &at);
  sycl::detail::same<true>("layout of a joint_matrix", Layout, &at);
  sycl::detail::with_layout(Layout, [&](auto known) {
    sycl::detail::store_elements<known.value, T1>(sycl::detail::matrix_access::elements(res), to,
                                                  stride, sycl::detail::matrix_without_bounds());
  });
  group_barrier(g, at);
}

template <typename Group, typename T, std::size_t Rows, std::size_t Cols, use Use, layout Layout,
          typename Tv>
void joint_matrix_fill(Group, joint_matrix<Group, T, Use, Rows, Cols, Layout> &m, Tv v,
                       const sycl::detail::here &at = sycl::detail::here("joint_matrix_fill")) {
  sycl::detail::barrier<true>(Group::fence_scope, &at);
  auto value = sycl::detail::keep<T>(static_cast<sycl::detail::matrix_stored<T>>(v));
  sycl::detail::matrix_access::elements(m).set_each(
      [=](std::size_t, std::size_t) { return value; });
}

/* D = A * B + C.  No work-item needs another's elements for that. */
template <typename Group, typename Ta, typename Tb, typename Tc, typename Td, std::size_t M,
          std::size_t K, std::size_t N, layout LayoutA, layout LayoutB>
void joint_matrix_mad(Group, joint_matrix<Group, Td, use::accumulator, M, N, layout::dynamic> &D,
                      const joint_matrix<Group, Ta, use::a, M, K, LayoutA> &A,
                      const joint_matrix<Group, Tb, use::b, K, N, LayoutB> &B,
                      const joint_matrix<Group, Tc, use::accumulator, M, N, layout::dynamic> &C,
                      const sycl::detail::here &at = sycl::detail::here("joint_matrix_mad")) {
  using elements = sycl::detail::matrix_access;
  static_assert(sycl::detail::is_matrix_combination<Ta, Tb, Tc, Td>(),
                "joint_matrix_mad takes the types of a row of matrix_combinations");
  static_assert(M <= SYCL_MATRIX_MOST && N <= SYCL_MATRIX_MOST && K <= SYCL_MATRIX_MOST,
                "joint_matrix_mad takes sizes up to those of matrix_combinations");
  sycl::detail::barrier<true>(Group::fence_scope, &at);
  sycl::detail::multiply<Td, Tc, M, K, N>(elements::elements(D), elements::elements(A),
                                          elements::elements(B), elements::elements(C));
}

template <typename Group, typename T1, typename T2, std::size_t Rows, std::size_t Cols, use Use1,
          use Use2, layout Layout1, layout Layout2>
void joint_matrix_copy(Group g, joint_matrix<Group, T1, Use1, Rows, Cols, Layout1> &src,
                       joint_matrix<Group, T2, Use2, Rows, Cols, Layout2> &dest,
                       const sycl::detail::here &at = sycl::detail::here("joint_matrix_copy")) {
  sycl::detail::barrier<true>(Group::fence_scope, &at);
  sycl::detail::copy_elements<T1, T2>(g, sycl::detail::matrix_access::elements(src),
                                      sycl::detail::matrix_access::elements(dest), &at);
}

/* func(element), on one work-item for each. */
template <typename Group, typename T, use Use, std::size_t Rows, std::size_t Cols, layout Layout,
          typename F,
          std::enable_if_t<std::is_invocable_v<F, sycl::detail::matrix_stored<T> &>, int> = 0>
void joint_matrix_apply(Group g, joint_matrix<Group, T, Use, Rows, Cols, Layout> &C, F &&func,
                        const sycl::detail::here &at = sycl::detail::here("joint_matrix_apply")) {
  sycl::detail::barrier<true>(Group::fence_scope, &at);
  sycl::detail::apply_to_each<T>(
      g, sycl::detail::matrix_access::elements(C),
      [&](auto &value, std::size_t, std::size_t) { func(value); }, &at);
}

/* As DPC++ has it: func(element of jmsrc, element of jmdest). */
template <typename Group, typename T0, typename T1, use Use, std::size_t Rows, std::size_t Cols,
          layout Layout, typename F>
void joint_matrix_apply(Group g, joint_matrix<Group, T0, Use, Rows, Cols, Layout> &jmsrc,
                        joint_matrix<Group, T1, Use, Rows, Cols, Layout> &jmdest, F &&func,
                        const sycl::detail::here &at = sycl::detail::here("joint_matrix_apply")) {
  sycl::detail::barrier<true>(Group::fence_scope, &at);
  sycl::detail::matrix_access::elements(jmdest).change_each(
      g, sycl::detail::matrix_access::elements(jmsrc),
      [&](auto &element, const auto &from, std::size_t, std::size_t) {
        const auto read = sycl::detail::give<T0>(from);
        auto value = sycl::detail::give<T1>(element);
        func(read, value);
        element = sycl::detail::keep<T1>(value);
      },
      &at);
}

/* Nothing is asked for: the processor's own prefetches find rows. */
template <std::size_t Rows, std::size_t Cols, typename Group, typename T,
          typename Properties = empty_properties_t>
void joint_matrix_prefetch(
    Group, T *ptr, std::size_t stride, layout Layout, Properties = {},
    const sycl::detail::here &at = sycl::detail::here("joint_matrix_prefetch")) {
  sycl::detail::same<true>("address of a joint_matrix", ptr, &at);
  sycl::detail::same<true>("stride of a joint_matrix", stride, &at);
  sycl::detail::same<true>("layout of a joint_matrix", Layout, &at);
  sycl::detail::barrier<true>(Group::fence_scope, &at);
}

} // namespace ext::oneapi::experimental::matrix
} // namespace sycl

#endif
