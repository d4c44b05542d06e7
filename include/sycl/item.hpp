/* item: where one work-item of a plain range is. */
#ifndef SYCL_ITEM_HPP
#define SYCL_ITEM_HPP

#include "range_id.hpp"

namespace sycl {

namespace detail {
struct make; /* makes what a program may only copy */
}

template <int Dimensions = 1, bool WithOffset = true>
class item : public detail::converts<item<Dimensions, WithOffset>, std::size_t, Dimensions == 1> {
  friend struct detail::make;
  template <int, bool> friend class item;
  id<Dimensions> at;
  range<Dimensions> size;
  id<Dimensions> offset;
  struct nothing; /* what an item with an offset converts to */

  constexpr item(const id<Dimensions> &at, const range<Dimensions> &size,
                 const id<Dimensions> &offset = {})
      : at(at), size(size), offset(offset) {}

public:
  static constexpr int dimensions = Dimensions;

  constexpr id<Dimensions> get_id() const { return at; }
  constexpr std::size_t get_id(int dimension) const { return at[dimension]; }
  constexpr std::size_t operator[](int dimension) const { return at[dimension]; }
  constexpr range<Dimensions> get_range() const { return size; }
  constexpr std::size_t get_range(int dimension) const { return size[dimension]; }

  /* Offsets are deprecated in SYCL 2020; ids include them, linear ids do not. */
  template <bool W = WithOffset, std::enable_if_t<W, int> = 0>
  constexpr id<Dimensions> get_offset() const {
    return offset;
  }
  constexpr operator std::conditional_t<WithOffset, nothing, item<Dimensions, true>>() const {
    return {at, size, id<Dimensions>()};
  }
  constexpr std::size_t get_linear_id() const { return detail::linear(at - offset, size); }

  friend constexpr bool operator==(const item &a, const item &b) {
    return a.at == b.at && a.size == b.size && a.offset == b.offset;
  }
  friend constexpr bool operator!=(const item &a, const item &b) { return !(a == b); }
};

template <int Dimensions>
template <bool WithOffset>
constexpr id<Dimensions>::id(const item<Dimensions, WithOffset> &item) : id(item.get_id()) {}

} // namespace sycl

#endif
