/* Uses and layouts of a joint_matrix, and where in memory its elements are (sycl_ext_oneapi_matrix;
 * the packed layout and bounds are those of sycl_ext_intel_matrix). */
#ifndef SYCL_EXT_ONEAPI_MATRIX_LAYOUTS_HPP
#define SYCL_EXT_ONEAPI_MATRIX_LAYOUTS_HPP

#include "storage.hpp"

namespace sycl {

namespace ext::oneapi::experimental::matrix {

enum class use { a, b, accumulator };
enum class layout { row_major, col_major, dynamic, ext_intel_packed };

} // namespace ext::oneapi::experimental::matrix

namespace detail {

using matrix_use = ext::oneapi::experimental::matrix::use;
using matrix_layout = ext::oneapi::experimental::matrix::layout;

/* A row and a column as memory has them.  Packed, four bytes are of one column and of rows that
 * follow one another. */
struct matrix_place {
  std::size_t row, column;
};
template <matrix_layout Layout, typename T>
constexpr matrix_place placed(std::size_t row, std::size_t column) {
  constexpr std::size_t size = sizeof(matrix_stored<T>), together = size < 4 ? 4 / size : 1;
  if constexpr (Layout == matrix_layout::ext_intel_packed)
    return {row / together, column * together + row % together};
  else
    return {row, column};
}

/* Memory without bounds, or of `height` rows and `width` columns, with the joint_matrix at a place
 * of them. */
struct matrix_without_bounds {
  constexpr matrix_place moved(matrix_place at) const { return at; }
  constexpr bool has(matrix_place) const { return true; }
};
struct matrix_bounds {
  std::size_t height, width;
  matrix_place begin;

  constexpr matrix_place moved(matrix_place at) const {
    return {at.row + begin.row, at.column + begin.column};
  }
  constexpr bool has(matrix_place at) const { return at.row < height && at.column < width; }
};

/* action(place in memory, whether it is inside) of an element. */
template <matrix_layout Layout, typename T, typename Bounds, typename Action>
auto at_place(const Bounds &bounds, std::size_t stride, std::size_t row, std::size_t column,
              const Action &action) {
  matrix_place at = bounds.moved(placed<Layout, T>(row, column));
  bool by_columns = Layout == matrix_layout::col_major;
  return action(by_columns ? at.column * stride + at.row : at.row * stride + at.column,
                bounds.has(at));
}

/* What is known when the kernel runs becomes known when it is compiled. */
template <typename Action> void with_layout(matrix_layout which, const Action &action) {
  if (which == matrix_layout::col_major)
    action(std::integral_constant<matrix_layout, matrix_layout::col_major>());
  else
    action(std::integral_constant<matrix_layout, matrix_layout::row_major>());
}

template <typename T, matrix_use Use, std::size_t Rows, std::size_t Cols>
using matrix_elements =
    std::conditional_t<Use == matrix_use::a, matrix_rows<matrix_kept<T>, Rows, Cols>,
                       matrix_columns<matrix_kept<T>, Rows, Cols>>;

template <matrix_layout Layout, typename T, typename Elements, typename Bounds>
void load_elements(Elements &to, const matrix_stored<T> *from, std::size_t stride,
                   const Bounds &bounds) {
  to.set_each([&](std::size_t row, std::size_t column) {
    return at_place<Layout, T>(bounds, stride, row, column, [&](std::size_t i, bool inside) {
      return inside ? keep<T>(from[i]) : matrix_kept<T>();
    });
  });
}

template <matrix_layout Layout, typename T, typename Elements, typename Bounds>
void store_elements(const Elements &from, matrix_stored<T> *to, std::size_t stride,
                    const Bounds &bounds) {
  from.take_each([&](std::size_t row, std::size_t column, const matrix_kept<T> &element) {
    at_place<Layout, T>(bounds, stride, row, column, [&](std::size_t i, bool inside) {
      if (inside) to[i] = give<T>(element);
    });
  });
}

} // namespace detail
} // namespace sycl

#endif
