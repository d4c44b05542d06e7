/* joint_matrix_copy (sycl_ext_oneapi_matrix): elements from where a matrix has them to where
 * another one does. */
#ifndef SYCL_EXT_ONEAPI_MATRIX_COPY_HPP
#define SYCL_EXT_ONEAPI_MATRIX_COPY_HPP

#include "storage.hpp"

namespace sycl::detail {

template <typename T1, typename T2> matrix_kept<T2> kept_of_other(const matrix_kept<T1> &value) {
  return keep<T2>(static_cast<matrix_stored<T2>>(value));
}

template <typename T1, typename T2, std::size_t Rows, std::size_t Cols>
void copy_elements(const sub_group &, const matrix_rows<matrix_kept<T1>, Rows, Cols> &from,
                   matrix_rows<matrix_kept<T2>, Rows, Cols> &to, const mpl_site *) {
  for (std::size_t i = 0; i < Rows * Cols; i++) to.all[i] = kept_of_other<T1, T2>(from.all[i]);
}

template <typename T1, typename T2, std::size_t Rows, std::size_t Cols>
void copy_elements(const sub_group &, const matrix_rows<matrix_kept<T1>, Rows, Cols> &from,
                   matrix_columns<matrix_kept<T2>, Rows, Cols> &to, const mpl_site *) {
  to.set_each([&](std::size_t row, std::size_t column) {
    return kept_of_other<T1, T2>(from.all[row * Cols + column]);
  });
}

template <typename T1, typename T2, std::size_t Rows, std::size_t Cols>
void copy_elements(const sub_group &, const matrix_columns<matrix_kept<T1>, Rows, Cols> &from,
                   matrix_columns<matrix_kept<T2>, Rows, Cols> &to, const mpl_site *) {
  matrix_lane lane;
  to.own_columns(lane, [&](std::size_t, std::size_t place) {
    for (std::size_t i = place; i < place + Rows; i++)
      to.own[i] = kept_of_other<T1, T2>(from.own[i]);
  });
  to.missing_columns(lane, [&](std::size_t, std::size_t place) {
    for (std::size_t i = place; i < place + Rows; i++)
      to.all[i] = kept_of_other<T1, T2>(from.all[i]);
  });
}

/* The one way that takes a broadcast for each element. */
template <typename T1, typename T2, std::size_t Rows, std::size_t Cols>
void copy_elements(const sub_group &g, const matrix_columns<matrix_kept<T1>, Rows, Cols> &from,
                   matrix_rows<matrix_kept<T2>, Rows, Cols> &to, const mpl_site *at) {
  matrix_lane lane;
  from.own_columns(lane, [&](std::size_t, std::size_t place) {
    std::size_t first = place / Rows * lane.whole;
    for (std::size_t row = 0; row < Rows; row++) {
      auto value = kept_of_other<T1, T2>(from.own[place + row]);
      for (std::uint32_t i = 0; i < lane.here && first + i < Cols; i++)
        to.all[row * Cols + first + i] = broadcast_from(g, value, i, at);
    }
  });
  from.missing_columns(lane, [&](std::size_t column, std::size_t place) {
    for (std::size_t row = 0; row < Rows; row++)
      to.all[row * Cols + column] = kept_of_other<T1, T2>(from.all[place + row]);
  });
}

} // namespace sycl::detail

#endif
