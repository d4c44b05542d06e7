/* range and id: one to three sizes or indices.  The last dimension varies fastest. */
#ifndef SYCL_RANGE_ID_HPP
#define SYCL_RANGE_ID_HPP

#include <cstddef>
#include <functional>
#include <type_traits>

#include "detail/mistakes.hpp"

namespace sycl {

template <int Dimensions, bool WithOffset> class item;
template <int Dimensions = 1> class id;
template <int Dimensions = 1> class range;

namespace detail {

/* The values and what range and id have in common. */
template <int Dimensions> class index {
  static_assert(Dimensions >= 1 && Dimensions <= 3,
                "range and id have one, two or three dimensions");

  static constexpr int checked(int dimension) {
    if (SYCL_CHECK_ACCESS && (dimension < 0 || dimension >= Dimensions))
      bad_dimension(dimension, Dimensions);
    return dimension;
  }

protected:
  std::size_t value[Dimensions] = {};

public:
  static constexpr int dimensions = Dimensions;

  constexpr index() = default;
  constexpr std::size_t get(int dimension) const { return value[checked(dimension)]; }
  constexpr std::size_t &operator[](int dimension) { return value[checked(dimension)]; }
  constexpr std::size_t operator[](int dimension) const { return value[checked(dimension)]; }
};

/* A conversion that a class has under a condition.  Not a template, so that a standard conversion
 * may follow it. */
template <typename Derived, typename To, bool Has> class converts {};
template <typename Derived, typename To> class converts<Derived, To, true> {
public:
  constexpr operator To() const { return static_cast<const Derived &>(*this)[0]; }
};

template <typename T>
inline constexpr bool is_index_like = std::is_integral_v<T> ||
                                      (std::is_enum_v<T> && std::is_convertible_v<T, std::size_t>);
template <typename T> using if_integral = std::enable_if_t<is_index_like<T>, int>;

} // namespace detail

/* The operators that range and id share; `type` is the class they are friends of. */
#define SYCL_INDEX_BINARY(type, op, result, element)                                               \
  friend constexpr result operator op(const type &a, const type &b) {                              \
    result r = {};                                                                                 \
    for (int i = 0; i < Dimensions; i++) r[i] = element(a[i] op b[i]);                             \
    return r;                                                                                      \
  }                                                                                                \
  template <typename T, detail::if_integral<T> = 0>                                                \
  friend constexpr result operator op(const type &a, const T &b) {                                 \
    result r = {};                                                                                 \
    for (int i = 0; i < Dimensions; i++) r[i] = element(a[i] op std::size_t(b));                   \
    return r;                                                                                      \
  }                                                                                                \
  template <typename T, detail::if_integral<T> = 0>                                                \
  friend constexpr result operator op(const T &a, const type &b) {                                 \
    result r = {};                                                                                 \
    for (int i = 0; i < Dimensions; i++) r[i] = element(std::size_t(a) op b[i]);                   \
    return r;                                                                                      \
  }

#define SYCL_INDEX_ASSIGN(type, op)                                                                \
  friend constexpr type &operator op##=(type &a, const type &b) {                                  \
    return a = a op b;                                                                             \
  }                                                                                                \
  template <typename T, detail::if_integral<T> = 0>                                                \
  friend constexpr type &operator op##=(type &a, const T &b) {                                     \
    return a = a op b;                                                                             \
  }

/* With a number, which all elements are compared with.  Of one dimension the specification asks for
 * it: without these an id that becomes a number and a number that becomes an id are both ways, and
 * neither is better.  With more dimensions it is what DPC++ has. */
#define SYCL_INDEX_EQUALITY(type)                                                                  \
  template <typename T, detail::if_integral<T> = 0>                                                \
  friend constexpr bool operator==(const type &a, const T &b) {                                    \
    for (int i = 0; i < Dimensions; i++)                                                           \
      if (a[i] != std::size_t(b)) return false;                                                    \
    return true;                                                                                   \
  }                                                                                                \
  template <typename T, detail::if_integral<T> = 0>                                                \
  friend constexpr bool operator==(const T &a, const type &b) {                                    \
    return b == a;                                                                                 \
  }                                                                                                \
  template <typename T, detail::if_integral<T> = 0>                                                \
  friend constexpr bool operator!=(const type &a, const T &b) {                                    \
    return !(a == b);                                                                              \
  }                                                                                                \
  template <typename T, detail::if_integral<T> = 0>                                                \
  friend constexpr bool operator!=(const T &a, const type &b) {                                    \
    return !(b == a);                                                                              \
  }

#define SYCL_INDEX_OPERATORS(type)                                                                 \
  SYCL_INDEX_BINARY(type, +, type, std::size_t)                                                    \
  SYCL_INDEX_BINARY(type, -, type, std::size_t)                                                    \
  SYCL_INDEX_BINARY(type, *, type, std::size_t)                                                    \
  SYCL_INDEX_BINARY(type, /, type, std::size_t)                                                    \
  SYCL_INDEX_BINARY(type, %, type, std::size_t)                                                    \
  SYCL_INDEX_BINARY(type, <<, type, std::size_t)                                                   \
  SYCL_INDEX_BINARY(type, >>, type, std::size_t)                                                   \
  SYCL_INDEX_BINARY(type, &, type, std::size_t)                                                    \
  SYCL_INDEX_BINARY(type, |, type, std::size_t)                                                    \
  SYCL_INDEX_BINARY(type, ^, type, std::size_t)                                                    \
  SYCL_INDEX_BINARY(type, &&, type, std::size_t)                                                   \
  SYCL_INDEX_BINARY(type, ||, type, std::size_t)                                                   \
  SYCL_INDEX_BINARY(type, <, type, std::size_t)                                                    \
  SYCL_INDEX_BINARY(type, >, type, std::size_t)                                                    \
  SYCL_INDEX_BINARY(type, <=, type, std::size_t)                                                   \
  SYCL_INDEX_BINARY(type, >=, type, std::size_t)                                                   \
  SYCL_INDEX_ASSIGN(type, +)                                                                       \
  SYCL_INDEX_ASSIGN(type, -)                                                                       \
  SYCL_INDEX_ASSIGN(type, *)                                                                       \
  SYCL_INDEX_ASSIGN(type, /)                                                                       \
  SYCL_INDEX_ASSIGN(type, %)                                                                       \
  SYCL_INDEX_ASSIGN(type, <<)                                                                      \
  SYCL_INDEX_ASSIGN(type, >>)                                                                      \
  SYCL_INDEX_ASSIGN(type, &)                                                                       \
  SYCL_INDEX_ASSIGN(type, |)                                                                       \
  SYCL_INDEX_ASSIGN(type, ^)                                                                       \
  friend constexpr bool operator==(const type &a, const type &b) {                                 \
    for (int i = 0; i < Dimensions; i++)                                                           \
      if (a[i] != b[i]) return false;                                                              \
    return true;                                                                                   \
  }                                                                                                \
  friend constexpr bool operator!=(const type &a, const type &b) {                                 \
    return !(a == b);                                                                              \
  }                                                                                                \
  SYCL_INDEX_EQUALITY(type)                                                                        \
  friend constexpr type operator+(const type &a) {                                                 \
    return a;                                                                                      \
  }                                                                                                \
  friend constexpr type operator-(const type &a) {                                                 \
    return std::size_t(0) - a;                                                                     \
  }                                                                                                \
  friend constexpr type &operator++(type &a) {                                                     \
    return a = a + std::size_t(1);                                                                 \
  }                                                                                                \
  friend constexpr type &operator--(type &a) {                                                     \
    return a = a - std::size_t(1);                                                                 \
  }                                                                                                \
  friend constexpr type operator++(type &a, int) {                                                 \
    type old = a;                                                                                  \
    ++a;                                                                                           \
    return old;                                                                                    \
  }                                                                                                \
  friend constexpr type operator--(type &a, int) {                                                 \
    type old = a;                                                                                  \
    --a;                                                                                           \
    return old;                                                                                    \
  }

template <int Dimensions> class range : public detail::index<Dimensions> {
public:
  constexpr range() = default;
  template <int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
  constexpr range(std::size_t size0) {
    (*this)[0] = size0;
  }
  template <int D = Dimensions, std::enable_if_t<D == 2, int> = 0>
  constexpr range(std::size_t size0, std::size_t size1) {
    (*this)[0] = size0;
    (*this)[1] = size1;
  }
  template <int D = Dimensions, std::enable_if_t<D == 3, int> = 0>
  constexpr range(std::size_t size0, std::size_t size1, std::size_t size2) {
    (*this)[0] = size0;
    (*this)[1] = size1;
    (*this)[2] = size2;
  }

  constexpr std::size_t size() const {
    std::size_t all = 1;
    for (int i = 0; i < Dimensions; i++) all *= this->value[i];
    return all;
  }

  SYCL_INDEX_OPERATORS(range)
};

range(std::size_t)->range<1>;
range(std::size_t, std::size_t)->range<2>;
range(std::size_t, std::size_t, std::size_t)->range<3>;

template <int Dimensions>
class id : public detail::index<Dimensions>,
           public detail::converts<id<Dimensions>, std::size_t, Dimensions == 1> {
public:
  constexpr id() = default;
  template <int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
  constexpr id(std::size_t index0) {
    (*this)[0] = index0;
  }
  template <int D = Dimensions, std::enable_if_t<D == 2, int> = 0>
  constexpr id(std::size_t index0, std::size_t index1) {
    (*this)[0] = index0;
    (*this)[1] = index1;
  }
  template <int D = Dimensions, std::enable_if_t<D == 3, int> = 0>
  constexpr id(std::size_t index0, std::size_t index1, std::size_t index2) {
    (*this)[0] = index0;
    (*this)[1] = index1;
    (*this)[2] = index2;
  }
  constexpr id(const range<Dimensions> &range) {
    for (int i = 0; i < Dimensions; i++) (*this)[i] = range[i];
  }
  template <bool WithOffset> constexpr id(const item<Dimensions, WithOffset> &item);

  SYCL_INDEX_OPERATORS(id)
};

id(std::size_t)->id<1>;
id(std::size_t, std::size_t)->id<2>;
id(std::size_t, std::size_t, std::size_t)->id<3>;

#undef SYCL_INDEX_BINARY
#undef SYCL_INDEX_ASSIGN
#undef SYCL_INDEX_EQUALITY
#undef SYCL_INDEX_OPERATORS

template <int Dimensions = 1> class nd_range {
  range<Dimensions> global, local;
  id<Dimensions> offset;

public:
  static constexpr int dimensions = Dimensions;

  constexpr nd_range(range<Dimensions> global_size, range<Dimensions> local_size,
                     id<Dimensions> global_offset = id<Dimensions>())
      : global(global_size), local(local_size), offset(global_offset) {}

  constexpr range<Dimensions> get_global_range() const { return global; }
  constexpr range<Dimensions> get_local_range() const { return local; }
  constexpr range<Dimensions> get_group_range() const { return global / local; }
  constexpr id<Dimensions> get_offset() const { return offset; }

  friend constexpr bool operator==(const nd_range &a, const nd_range &b) {
    return a.global == b.global && a.local == b.local && a.offset == b.offset;
  }
  friend constexpr bool operator!=(const nd_range &a, const nd_range &b) { return !(a == b); }
};

namespace detail {

/* Row-major position: SYCL 2020, 3.11.1. */
template <int Dimensions>
constexpr std::size_t linear(const id<Dimensions> &at, const range<Dimensions> &size) {
  std::size_t result = at[0];
  for (int i = 1; i < Dimensions; i++) result = result * size[i] + at[i];
  return result;
}

template <int Dimensions>
constexpr id<Dimensions> unlinear(std::size_t at, const range<Dimensions> &size) {
  id<Dimensions> result;
  for (int i = Dimensions - 1; i > 0; i--) {
    result[i] = at % size[i];
    at /= size[i];
  }
  result[0] = at;
  return result;
}

/* A size in another number of dimensions: new ones in front are 1. */
template <int To, int From> constexpr range<To> widen(const range<From> &size) {
  range<To> result;
  for (int i = 0; i < To; i++) result[i] = i < To - From ? 1 : size[i - (To - From)];
  return result;
}

template <typename T> inline constexpr bool is_id = false;
template <int D> inline constexpr bool is_id<id<D>> = true;

} // namespace detail
} // namespace sycl

#endif
