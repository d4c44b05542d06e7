/* marray: an array of a fixed number of elements that has the element's operators. */
#ifndef SYCL_MARRAY_HPP
#define SYCL_MARRAY_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "half.hpp"
#include "range_id.hpp"

namespace sycl {

template <typename DataT, std::size_t NumElements> class marray;

namespace detail {

template <typename T> inline constexpr bool is_marray = false;
template <typename T, std::size_t N> inline constexpr bool is_marray<marray<T, N>> = true;

template <typename From, typename To>
using if_scalar = std::enable_if_t<!is_marray<From> && std::is_convertible_v<From, To>, int>;

} // namespace detail

template <typename DataT, std::size_t NumElements>
class marray : public detail::converts<marray<DataT, NumElements>, DataT, NumElements == 1> {
  static_assert(NumElements > 0, "sycl::marray has at least one element");
  DataT element[NumElements];

  template <typename T, std::size_t N> friend class marray;

  constexpr std::size_t put(std::size_t at, const DataT &value) {
    element[at] = value;
    return at + 1;
  }
  template <std::size_t N> constexpr std::size_t put(std::size_t at, const marray<DataT, N> &part) {
    for (std::size_t i = 0; i < N; i++) element[at + i] = part[i];
    return at + N;
  }
  template <typename T> static constexpr std::size_t count() {
    if constexpr (detail::is_marray<T>)
      return T::size();
    else
      return 1;
  }

public:
  using value_type = DataT;
  using reference = DataT &;
  using const_reference = const DataT &;
  using iterator = DataT *;
  using const_iterator = const DataT *;

  constexpr marray() : element() {}
  constexpr marray(const marray &) = default;
  constexpr marray(marray &&) = default;
  constexpr marray &operator=(const marray &) = default;
  constexpr marray &operator=(marray &&) = default;

  explicit constexpr marray(const DataT &value) : element() {
    for (std::size_t i = 0; i < NumElements; i++) element[i] = value;
  }

  /* Scalars and marrays, NumElements elements together. */
  template <typename... Args, std::enable_if_t<(sizeof...(Args) > 1) &&
                                                   (... && (std::is_convertible_v<Args, DataT> ||
                                                            detail::is_marray<std::decay_t<Args>>)),
                                               int> = 0>
  constexpr marray(const Args &...args) : element() {
    static_assert((... + count<Args>()) == NumElements,
                  "the arguments of a sycl::marray must have as many elements as it has");
    std::size_t at = 0;
    ((at = place(at, args)), ...);
  }

  /* One scalar of another type: {x} of that is no narrowing. */
  template <typename T,
            std::enable_if_t<NumElements == 1 && detail::is_number<T> &&
                                 !std::is_same_v<T, DataT> && std::is_convertible_v<T, DataT>,
                             int> = 0>
  explicit constexpr marray(const T &value) : element{static_cast<DataT>(value)} {}

  static constexpr std::size_t size() noexcept { return NumElements; }

  constexpr reference operator[](std::size_t i) { return element[i]; }
  constexpr const_reference operator[](std::size_t i) const { return element[i]; }
  constexpr iterator begin() { return element; }
  constexpr const_iterator begin() const { return element; }
  constexpr iterator end() { return element + NumElements; }
  constexpr const_iterator end() const { return element + NumElements; }

  template <typename T, std::enable_if_t<std::is_convertible_v<const T &, DataT>, int> = 0>
  constexpr marray &operator=(const T &value) { /* a template, so that {} is an empty marray */
    for (std::size_t i = 0; i < NumElements; i++) element[i] = static_cast<DataT>(value);
    return *this;
  }

private:
  template <typename T> constexpr std::size_t place(std::size_t at, const T &value) {
    if constexpr (detail::is_marray<T>)
      return put(at, value);
    else
      return put(at, static_cast<DataT>(value));
  }

public:
#define SYCL_MARRAY_BINARY(op, result)                                                             \
  friend constexpr marray<result, NumElements> operator op(const marray &a, const marray &b) {     \
    marray<result, NumElements> r;                                                                 \
    for (std::size_t i = 0; i < NumElements; i++) r[i] = result(a[i] op b[i]);                     \
    return r;                                                                                      \
  }                                                                                                \
  template <typename T, detail::if_scalar<T, DataT> = 0>                                           \
  friend constexpr marray<result, NumElements> operator op(const marray &a, const T &b) {          \
    marray<result, NumElements> r;                                                                 \
    for (std::size_t i = 0; i < NumElements; i++) r[i] = result(a[i] op DataT(b));                 \
    return r;                                                                                      \
  }                                                                                                \
  template <typename T, detail::if_scalar<T, DataT> = 0>                                           \
  friend constexpr marray<result, NumElements> operator op(const T &a, const marray &b) {          \
    marray<result, NumElements> r;                                                                 \
    for (std::size_t i = 0; i < NumElements; i++) r[i] = result(DataT(a) op b[i]);                 \
    return r;                                                                                      \
  }
#define SYCL_MARRAY_ARITHMETIC(op)                                                                 \
  SYCL_MARRAY_BINARY(op, DataT)                                                                    \
  friend constexpr marray &operator op##=(marray &a, const marray &b) {                            \
    return a = a op b;                                                                             \
  }                                                                                                \
  template <typename T, detail::if_scalar<T, DataT> = 0>                                           \
  friend constexpr marray &operator op##=(marray &a, const T &b) {                                 \
    return a = a op b;                                                                             \
  }
  SYCL_MARRAY_ARITHMETIC(+)
  SYCL_MARRAY_ARITHMETIC(-)
  SYCL_MARRAY_ARITHMETIC(*)
  SYCL_MARRAY_ARITHMETIC(/)
  SYCL_MARRAY_ARITHMETIC(%)
  SYCL_MARRAY_ARITHMETIC(&)
  SYCL_MARRAY_ARITHMETIC(|)
  SYCL_MARRAY_ARITHMETIC(^)
  SYCL_MARRAY_ARITHMETIC(<<)
  SYCL_MARRAY_ARITHMETIC(>>)
  SYCL_MARRAY_BINARY(&&, bool)
  SYCL_MARRAY_BINARY(||, bool)
  SYCL_MARRAY_BINARY(==, bool)
  SYCL_MARRAY_BINARY(!=, bool)
  SYCL_MARRAY_BINARY(<, bool)
  SYCL_MARRAY_BINARY(>, bool)
  SYCL_MARRAY_BINARY(<=, bool)
  SYCL_MARRAY_BINARY(>=, bool)
#undef SYCL_MARRAY_BINARY
#undef SYCL_MARRAY_ARITHMETIC

#define SYCL_MARRAY_UNARY(op, result)                                                              \
  friend constexpr marray<result, NumElements> operator op(const marray &a) {                      \
    marray<result, NumElements> r;                                                                 \
    for (std::size_t i = 0; i < NumElements; i++) r[i] = result(op a[i]);                          \
    return r;                                                                                      \
  }
  SYCL_MARRAY_UNARY(+, DataT)
  SYCL_MARRAY_UNARY(-, DataT)
  SYCL_MARRAY_UNARY(~, DataT)
  SYCL_MARRAY_UNARY(!, bool)
#undef SYCL_MARRAY_UNARY

#define SYCL_MARRAY_STEP(op)                                                                       \
  friend constexpr marray &operator op(marray &a) {                                                \
    for (std::size_t i = 0; i < NumElements; i++) op a[i];                                         \
    return a;                                                                                      \
  }                                                                                                \
  friend constexpr marray operator op(marray &a, int) {                                            \
    marray old = a;                                                                                \
    op a;                                                                                          \
    return old;                                                                                    \
  }
  SYCL_MARRAY_STEP(++)
  SYCL_MARRAY_STEP(--)
#undef SYCL_MARRAY_STEP
};

template <typename T, typename... U> marray(T, U...) -> marray<T, sizeof...(U) + 1>;

#define SYCL_MARRAY_ALIASES(type, name)                                                            \
  using m##name##2 = marray<type, 2>;                                                              \
  using m##name##3 = marray<type, 3>;                                                              \
  using m##name##4 = marray<type, 4>;                                                              \
  using m##name##8 = marray<type, 8>;                                                              \
  using m##name##16 = marray<type, 16>;
SYCL_MARRAY_ALIASES(bool, bool)
SYCL_MARRAY_ALIASES(std::int8_t, char)
SYCL_MARRAY_ALIASES(std::uint8_t, uchar)
SYCL_MARRAY_ALIASES(std::int16_t, short)
SYCL_MARRAY_ALIASES(std::uint16_t, ushort)
SYCL_MARRAY_ALIASES(std::int32_t, int)
SYCL_MARRAY_ALIASES(std::uint32_t, uint)
SYCL_MARRAY_ALIASES(std::int64_t, long)
SYCL_MARRAY_ALIASES(std::uint64_t, ulong)
SYCL_MARRAY_ALIASES(std::int64_t, longlong)
SYCL_MARRAY_ALIASES(std::uint64_t, ulonglong)
SYCL_MARRAY_ALIASES(half, half)
SYCL_MARRAY_ALIASES(float, float)
SYCL_MARRAY_ALIASES(double, double)
#undef SYCL_MARRAY_ALIASES

} // namespace sycl

#endif
