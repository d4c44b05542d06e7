/* What all accessors have in common: indexing, iteration, sizes. */
#ifndef SYCL_DETAIL_ACCESSOR_BASE_HPP
#define SYCL_DETAIL_ACCESSOR_BASE_HPP

#include <cstddef>
#include <iterator>
#include <type_traits>

#include "../access.hpp"
#include "../atomic.hpp"
#include "../range_id.hpp"
#include "mistakes.hpp"

namespace sycl::detail {

/* a[i][j] of an accessor of two or three dimensions: what the first subscripts have chosen. */
template <typename T, int Left, typename Reference> class subscript {
  T *row;
  const std::size_t *size, *box; /* of the dimensions from this one on: all, and accessible */
  int dimension;

public:
  subscript(T *row, const std::size_t *size, const std::size_t *box, int dimension)
      : row(row), size(size), box(box), dimension(dimension) {}

  decltype(auto) operator[](std::size_t i) const {
    if (SYCL_CHECK_ACCESS && i >= *box) bad_index("an accessor", i, *box, dimension);
    if constexpr (Left == 1) {
      return refer<Reference>(row[i]);
    } else {
      std::size_t step = 1;
      for (int k = 1; k < Left; k++) step *= size[k];
      return subscript<T, Left - 1, Reference>(row + i * step, size + 1, box + 1, dimension + 1);
    }
  }
};

/* Walks through a box in a larger array in row-major order. */
template <typename T, int D> class box_iterator {
  T *origin = nullptr;
  range<D> whole, box;
  std::ptrdiff_t at = 0;

public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_cv_t<T>;
  using difference_type = std::ptrdiff_t;
  using pointer = T *;
  using reference = T &;

  box_iterator() = default;
  box_iterator(T *origin, const range<D> &whole, const range<D> &box, std::ptrdiff_t at)
      : origin(origin), whole(whole), box(box), at(at) {}
  template <typename U, std::enable_if_t<std::is_same_v<const U, T>, int> = 0>
  box_iterator(const box_iterator<U, D> &other)
      : origin(other.origin), whole(other.whole), box(other.box), at(other.at) {}
  template <typename, int> friend class box_iterator;

  reference operator*() const { return origin[linear(unlinear(std::size_t(at), box), whole)]; }
  pointer operator->() const { return &**this; }
  reference operator[](difference_type n) const { return *(*this + n); }
  box_iterator &operator+=(difference_type n) {
    at += n;
    return *this;
  }
  box_iterator &operator-=(difference_type n) { return *this += -n; }
  box_iterator &operator++() { return *this += 1; }
  box_iterator &operator--() { return *this += -1; }
  box_iterator operator++(int) {
    box_iterator old = *this;
    ++*this;
    return old;
  }
  box_iterator operator--(int) {
    box_iterator old = *this;
    --*this;
    return old;
  }
  friend box_iterator operator+(box_iterator a, difference_type n) { return a += n; }
  friend box_iterator operator+(difference_type n, box_iterator a) { return a += n; }
  friend box_iterator operator-(box_iterator a, difference_type n) { return a -= n; }
  friend difference_type operator-(const box_iterator &a, const box_iterator &b) {
    return a.at - b.at;
  }
  friend bool operator==(const box_iterator &a, const box_iterator &b) { return a.at == b.at; }
  friend bool operator!=(const box_iterator &a, const box_iterator &b) { return a.at != b.at; }
  friend bool operator<(const box_iterator &a, const box_iterator &b) { return a.at < b.at; }
  friend bool operator>(const box_iterator &a, const box_iterator &b) { return a.at > b.at; }
  friend bool operator<=(const box_iterator &a, const box_iterator &b) { return a.at <= b.at; }
  friend bool operator>=(const box_iterator &a, const box_iterator &b) { return a.at >= b.at; }
};

/* An accessor without dimensions converts to its element. */
template <typename Derived, typename Reference, bool Has> class refers {};
template <typename Derived, typename Reference> class refers<Derived, Reference, true> {
public:
  operator Reference() const {
    return refer<Reference>(*static_cast<const Derived &>(*this).begin());
  }
};

/* Derived has, of type Value (const for read-only accessors):
 *   Value *origin() const               element 0 of what it may access
 *   const range<D> &whole() const       of the array that it lies in (D > 0)
 *   range<D> box() const                of what it may access (D > 0)
 *   const size_t *box_sizes() const     its sizes (D > 1)
 *   bool accessible() const             false: made by the default constructor
 *   void check_required() const         reports it if the command must not use it
 *
 * Reference: what it gives for an element. */
template <typename Derived, typename Value, typename DataT, int D, typename Reference = Value &>
class accessor_base : public refers<Derived, Reference, D == 0> {
  const Derived &self() const { return static_cast<const Derived &>(*this); }

  struct nothing;                      /* the index of an accessor without dimensions */
  static constexpr bool flat = D <= 1; /* its elements are one behind the other */
  static constexpr bool rows_run_on = false;

  void check_access() const {
    if constexpr (SYCL_CHECK_ACCESS) {
      if (!self().accessible()) bad_access("an accessor without a buffer is used");
      self().check_required();
    }
  }
  void check_index(const id<D ? D : 1> &at) const {
    if constexpr (SYCL_CHECK_ACCESS) {
      check_access();
      if (Derived::rows_run_on && linear(at, self().box()) < self().box().size()) return;
      for (int i = 0; i < D; i++)
        if (at[i] >= self().box()[i]) bad_index("an accessor", at[i], self().box()[i], i);
    }
  }

  template <typename T> auto iterator_at(std::size_t at) const {
    if constexpr (flat)
      return static_cast<T *>(self().origin()) + at;
    else
      return box_iterator<T, D>(self().origin(), self().whole(), self().box(), std::ptrdiff_t(at));
  }

public:
  using value_type = Value;
  using reference = Value &;
  using const_reference = const DataT &;
  using difference_type = std::ptrdiff_t;
  using size_type = std::size_t;
  using iterator = std::conditional_t<flat, Value *, box_iterator<Value, flat ? 1 : D>>;
  using const_iterator =
      std::conditional_t<flat, const DataT *, box_iterator<const DataT, flat ? 1 : D>>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using accessor_tag = DataT;

  std::size_t size() const noexcept {
    if constexpr (D == 0)
      return self().accessible() && self().box().size(); /* of a buffer without elements: none */
    else
      return self().accessible() ? self().box().size() : 0;
  }
  std::size_t byte_size() const noexcept { return size() * sizeof(DataT); }
  std::size_t max_size() const noexcept { return std::size_t(-1) / 2 / sizeof(DataT); }
  bool empty() const noexcept { return size() == 0; }
  std::size_t get_count() const noexcept { return size(); }
  std::size_t get_size() const noexcept { return byte_size(); }

  /* No template, so that what converts to an id does. */
  Reference operator[](std::conditional_t<D != 0, id<D ? D : 1>, nothing> at) const {
    check_index(at);
    return refer<Reference>(self().origin()[linear(at, self().whole())]);
  }
  template <int N = D, std::enable_if_t<N == 1, int> = 0>
  Reference operator[](std::size_t at) const {
    check_index(id<N>(at));
    return refer<Reference>(self().origin()[at]);
  }
  template <int N = D, std::enable_if_t<(N > 1), int> = 0> auto operator[](std::size_t at) const {
    const range<D> &whole = self().whole();
    if constexpr (SYCL_CHECK_ACCESS) {
      check_access();
      if (at >= self().box()[0]) bad_index("an accessor", at, self().box()[0]);
    }
    std::size_t step = 1;
    for (int k = 1; k < D; k++) step *= whole[k];
    return subscript<Value, D - 1, Reference>(self().origin() + at * step, self().sizes() + 1,
                                              self().box_sizes() + 1, 1);
  }

  iterator begin() const noexcept { return iterator_at<Value>(0); }
  iterator end() const noexcept { return iterator_at<Value>(size()); }
  const_iterator cbegin() const noexcept { return iterator_at<const DataT>(0); }
  const_iterator cend() const noexcept { return iterator_at<const DataT>(size()); }
  reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
  const_reverse_iterator crbegin() const noexcept { return const_reverse_iterator(cend()); }
  const_reverse_iterator crend() const noexcept { return const_reverse_iterator(cbegin()); }

  void swap(Derived &other) {
    Derived old = self();
    static_cast<Derived &>(*this) = other;
    other = old;
  }
};

/* What may be written through an accessor: reading only makes it const. */
template <typename DataT, access_mode Mode>
using value_of = std::conditional_t<Mode == access_mode::read, const DataT, DataT>;

template <typename DataT, access_mode Mode>
using reference_of =
    std::conditional_t<Mode == access_mode::atomic,
                       atomic<DataT, access::address_space::global_space>, value_of<DataT, Mode> &>;

template <typename DataT>
inline constexpr access_mode default_mode =
    std::is_const_v<DataT> ? access_mode::read : access_mode::read_write;

} // namespace sycl::detail

#endif
