/* Where the elements of a joint_matrix are (sycl_ext_oneapi_matrix).
 *
 * Of b and of accumulators a work-item has columns: c, c + S ... if it is number c of its sub-group
 * and S the size of whole ones.  In vector code a row of the matrix is vectors then.  Of a each
 * work-item has all elements, the same in all: the compiler keeps them once, and the multiplication
 * takes them from there by loads that fill a vector.
 *
 * In a sub-group that is short, the last of its work-group, nobody has some of the columns: these
 * are kept like a, by everybody.  Nothing of that is left in code for whole sub-groups, whose size
 * is a constant there. */
#ifndef SYCL_EXT_ONEAPI_MATRIX_STORAGE_HPP
#define SYCL_EXT_ONEAPI_MATRIX_STORAGE_HPP

#include "../../../group_functions.hpp"
#include "elements.hpp"

namespace sycl::detail {

/* The calling work-item's place. */
struct matrix_lane {
  std::uint32_t whole = mpl_get_max_sub_group_size();
  std::uint32_t here = mpl_get_sub_group_size();
  std::uint32_t me = mpl_get_sub_group_local_id();

  /* Whether nobody has the column. */
  bool is_missing(std::size_t column) const { return column % whole >= here; }
};

/* Elements that all work-items have, and set together to the same. */
template <typename Kept, std::size_t Count> struct matrix_shared {
  Kept all[Count];

  /* change(element, the one of `other`, its number), of those that are wanted: each on one
   * work-item, whose result goes to all. */
  template <typename Other, typename Wanted, typename Change>
  void change_each(const sub_group &g, const Other &other, const Wanted &wanted,
                   const Change &change, const mpl_site *at) {
    matrix_lane lane;
    for (std::size_t first = 0; first < Count; first += lane.here) {
      std::size_t mine = first + lane.me;
      Kept value = all[mine < Count ? mine : 0];
      if (mine < Count && wanted(mine)) change(value, other.all[mine], mine);
      for (std::uint32_t i = 0; i < lane.here && first + i < Count; i++)
        if (wanted(first + i)) all[first + i] = broadcast_from(g, value, i, at);
    }
  }
};

/* Of use a. */
template <typename Kept, std::size_t Rows, std::size_t Cols>
struct matrix_rows : matrix_shared<Kept, Rows * Cols> {
  using shared = matrix_shared<Kept, Rows * Cols>;

  /* get(row, column) gives what is the same for all work-items. */
  template <typename Get> void set_each(const Get &get) {
    for (std::size_t row = 0; row < Rows; row++)
      for (std::size_t column = 0; column < Cols; column++)
        shared::all[row * Cols + column] = get(row, column);
  }
  /* take(row, column, element): on one work-item each. */
  template <typename Take> void take_each(const Take &take) const {
    matrix_lane lane;
    for (std::size_t i = lane.me; i < Rows * Cols; i += lane.here)
      take(i / Cols, i % Cols, shared::all[i]);
  }
  template <typename Other, typename Change>
  void change_each(const sub_group &g, const Other &other, const Change &change,
                   const mpl_site *at) {
    shared::change_each(
        g, other, [](std::size_t) { return true; },
        [&](auto &element, const auto &others, std::size_t i) {
          change(element, others, i / Cols, i % Cols);
        },
        at);
  }
};

/* Of uses b and accumulator. */
template <typename Kept, std::size_t Rows, std::size_t Cols>
struct matrix_columns : matrix_shared<Kept, Rows * Cols> {
  using shared = matrix_shared<Kept, Rows * Cols>;
  Kept own[(Cols + 7) / 8 * Rows]; /* a sub-group has eight work-items or more */

  /* visit(column, place): of this work-item, whose elements are from that place of `own` on, and of
   * nobody, from that place of `all` on. */
  template <typename Visit> static void own_columns(const matrix_lane &lane, const Visit &visit) {
    for (std::size_t i = 0; i * lane.whole < Cols; i++) visit(i * lane.whole + lane.me, i * Rows);
  }
  template <typename Visit>
  static void missing_columns(const matrix_lane &lane, const Visit &visit) {
    if (lane.here == lane.whole) return;
    for (std::size_t column = 0; column < Cols; column++)
      if (lane.is_missing(column)) visit(column, column * Rows);
  }
  static bool is_inside(const matrix_lane &lane, std::size_t column) {
    return Cols % lane.whole == 0 || column < Cols;
  }

  template <typename Get> void set_each(const Get &get) {
    matrix_lane lane;
    own_columns(lane, [&](std::size_t column, std::size_t place) {
      for (std::size_t row = 0; row < Rows; row++)
        own[place + row] = is_inside(lane, column) ? get(row, column) : Kept();
    });
    missing_columns(lane, [&](std::size_t column, std::size_t place) {
      for (std::size_t row = 0; row < Rows; row++) shared::all[place + row] = get(row, column);
    });
  }
  template <typename Take> void take_each(const Take &take) const {
    matrix_lane lane;
    own_columns(lane, [&](std::size_t column, std::size_t place) {
      if (!is_inside(lane, column)) return;
      for (std::size_t row = 0; row < Rows; row++) take(row, column, own[place + row]);
    });
    missing_columns(lane, [&](std::size_t column, std::size_t place) {
      if (column % lane.here != lane.me) return;
      for (std::size_t row = 0; row < Rows; row++) take(row, column, shared::all[place + row]);
    });
  }
  template <typename Other, typename Change>
  void change_each(const sub_group &g, const Other &other, const Change &change,
                   const mpl_site *at) {
    matrix_lane lane;
    own_columns(lane, [&](std::size_t column, std::size_t place) {
      if (!is_inside(lane, column)) return;
      for (std::size_t row = 0; row < Rows; row++)
        change(own[place + row], other.own[place + row], row, column);
    });
    if (lane.here == lane.whole) return;
    shared::change_each(
        g, other, [&](std::size_t i) { return lane.is_missing(i / Rows); },
        [&](auto &element, const auto &others, std::size_t i) {
          change(element, others, i % Rows, i / Rows);
        },
        at);
  }
};

} // namespace sycl::detail

#endif
