/* sycl_ext_intel_matrix: elements with their coordinates, bounds, and stores of a and b.  Its
 * packed layout is in ../oneapi/matrix/layouts.hpp. */
#ifndef SYCL_EXT_INTEL_MATRIX_HPP
#define SYCL_EXT_INTEL_MATRIX_HPP

#include "../oneapi/matrix/matrix.hpp"

namespace sycl {

namespace ext::intel::experimental {

namespace info::device::matrix {

struct numtiles { /* no storage of matrices' own */
  using return_type = int;
  static return_type get(const sycl::detail::properties &) { return 0; }
};

} // namespace info::device::matrix

namespace matrix {

using oneapi::experimental::matrix::joint_matrix;
using oneapi::experimental::matrix::layout;
using oneapi::experimental::matrix::use;

template <typename Group, typename T, typename T2, use Use, std::size_t Rows, std::size_t Cols,
          layout Layout, access::address_space Space, access::decorated IsDecorated,
          std::enable_if_t<Layout != layout::dynamic, int> = 0,
          sycl::detail::if_matrix_memory<T, T2> = 0>
void joint_matrix_store(Group g, const joint_matrix<Group, T, Use, Rows, Cols, Layout> &res,
                        multi_ptr<T2, Space, IsDecorated> src, std::size_t stride,
                        const sycl::detail::here &at = sycl::detail::here("joint_matrix_store")) {
  T2 *to = sycl::detail::meet_at(g, src.get_raw(), stride, &at);
  sycl::detail::store_elements<Layout, T>(sycl::detail::matrix_access::elements(res), to, stride,
                                          sycl::detail::matrix_without_bounds());
  group_barrier(g, at);
}

/* func(element, row, column), on one work-item for each. */
template <typename Group, typename T, use Use, std::size_t Rows, std::size_t Cols, layout Layout,
          typename F,
          std::enable_if_t<
              std::is_invocable_v<F, sycl::detail::matrix_stored<T> &, std::size_t, std::size_t>,
              int> = 0>
void joint_matrix_apply(Group g, joint_matrix<Group, T, Use, Rows, Cols, Layout> &C, F &&func,
                        const sycl::detail::here &at = sycl::detail::here("joint_matrix_apply")) {
  sycl::detail::barrier<true>(Group::fence_scope, &at);
  sycl::detail::apply_to_each<T>(g, sycl::detail::matrix_access::elements(C), func, &at);
}

/* With bounds, which are those of the matrix in memory, as are the coordinates: elements outside
 * are 0, and are not stored. */

template <typename Group, typename T, std::size_t Rows, std::size_t Cols, use Use, layout Layout,
          typename Tv>
void joint_matrix_fill_checked(
    Group, joint_matrix<Group, T, Use, Rows, Cols, Layout> &m, Tv v, std::size_t Height,
    std::size_t Width, std::size_t coordX, std::size_t coordY,
    const sycl::detail::here &at = sycl::detail::here("joint_matrix_fill_checked")) {
  sycl::detail::barrier<true>(Group::fence_scope, &at);
  sycl::detail::matrix_bounds bounds{Height, Width, {coordX, coordY}};
  auto value = sycl::detail::keep<T>(static_cast<sycl::detail::matrix_stored<T>>(v));
  sycl::detail::matrix_access::elements(m).set_each([=](std::size_t row, std::size_t column) {
    return bounds.has(bounds.moved(sycl::detail::placed<Layout, T>(row, column)))
               ? value
               : sycl::detail::matrix_kept<T>();
  });
}

template <typename Group, typename T1, typename T2, std::size_t Rows, std::size_t Cols,
          access::address_space Space, access::decorated IsDecorated,
          sycl::detail::if_matrix_memory<T1, T2> = 0>
void joint_matrix_load_checked(
    Group g, joint_matrix<Group, T1, use::accumulator, Rows, Cols, layout::dynamic> &res,
    multi_ptr<T2, Space, IsDecorated> base_src, std::size_t stride, layout Layout,
    std::size_t Height, std::size_t Width, std::size_t coordX, std::size_t coordY,
    const sycl::detail::here &at = sycl::detail::here("joint_matrix_load_checked")) {
  T2 *from = sycl::detail::meet_at(g, base_src.get_raw(), stride, &at);
  sycl::detail::matrix_bounds bounds{Height, Width, {coordX, coordY}};
  sycl::detail::with_layout(Layout, [&](auto known) {
    sycl::detail::load_elements<known.value, T1>(sycl::detail::matrix_access::elements(res), from,
                                                 stride, bounds);
  });
}

template <typename Group, typename T1, typename T2, std::size_t Rows, std::size_t Cols, use Use,
          layout Layout, access::address_space Space, access::decorated IsDecorated,
          std::enable_if_t<Layout != layout::dynamic, int> = 0,
          sycl::detail::if_matrix_memory<T1, T2> = 0>
void joint_matrix_load_checked(
    Group g, joint_matrix<Group, T1, Use, Rows, Cols, Layout> &res,
    multi_ptr<T2, Space, IsDecorated> base_src, std::size_t stride, std::size_t Height,
    std::size_t Width, std::size_t coordX, std::size_t coordY,
    const sycl::detail::here &at = sycl::detail::here("joint_matrix_load_checked")) {
  T2 *from = sycl::detail::meet_at(g, base_src.get_raw(), stride, &at);
  sycl::detail::matrix_bounds bounds{Height, Width, {coordX, coordY}};
  sycl::detail::load_elements<Layout, T1>(sycl::detail::matrix_access::elements(res), from, stride,
                                          bounds);
}

template <typename Group, typename T, typename T2, std::size_t Rows, std::size_t Cols,
          access::address_space Space, access::decorated IsDecorated,
          sycl::detail::if_matrix_memory<T, T2> = 0>
void joint_matrix_store_checked(
    Group g, const joint_matrix<Group, T, use::accumulator, Rows, Cols, layout::dynamic> &res,
    multi_ptr<T2, Space, IsDecorated> base_dest, std::size_t stride, layout Layout,
    std::size_t Height, std::size_t Width, std::size_t coordX, std::size_t coordY,
    const sycl::detail::here &at = sycl::detail::here("joint_matrix_store_checked")) {
  T2 *to = sycl::detail::meet_at(g, base_dest.get_raw(), stride, &at);
  sycl::detail::matrix_bounds bounds{Height, Width, {coordX, coordY}};
  sycl::detail::with_layout(Layout, [&](auto known) {
    sycl::detail::store_elements<known.value, T>(sycl::detail::matrix_access::elements(res), to,
                                                 stride, bounds);
  });
  group_barrier(g, at);
}

template <typename Group, typename T, typename T2, std::size_t Rows, std::size_t Cols, use Use,
          layout Layout, access::address_space Space, access::decorated IsDecorated,
          std::enable_if_t<Layout != layout::dynamic, int> = 0,
          sycl::detail::if_matrix_memory<T, T2> = 0>
void joint_matrix_store_checked(
    Group g, const joint_matrix<Group, T, Use, Rows, Cols, Layout> &res,
    multi_ptr<T2, Space, IsDecorated> base_src, std::size_t stride, std::size_t Height,
    std::size_t Width, std::size_t coordX, std::size_t coordY,
    const sycl::detail::here &at = sycl::detail::here("joint_matrix_store_checked")) {
  T2 *to = sycl::detail::meet_at(g, base_src.get_raw(), stride, &at);
  sycl::detail::matrix_bounds bounds{Height, Width, {coordX, coordY}};
  sycl::detail::store_elements<Layout, T>(sycl::detail::matrix_access::elements(res), to, stride,
                                          bounds);
  group_barrier(g, at);
}

} // namespace matrix
} // namespace ext::intel::experimental
} // namespace sycl

#endif
