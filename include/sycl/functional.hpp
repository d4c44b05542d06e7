/* Function objects and their identities (SYCL 2020, 4.17.2). */
#ifndef SYCL_FUNCTIONAL_HPP
#define SYCL_FUNCTIONAL_HPP

#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

#include "half.hpp"

namespace sycl {

#define SYCL_FUNCTION_OBJECT(name, op)                                                             \
  template <typename T = void> struct name {                                                       \
    constexpr T operator()(const T &a, const T &b) const { return T(a op b); }                     \
  };                                                                                               \
  template <> struct name<void> {                                                                  \
    using is_transparent = void;                                                                   \
    template <typename T, typename U>                                                              \
    constexpr auto operator()(T &&a, U &&b) const                                                  \
        -> decltype(std::forward<T>(a) op std::forward<U>(b)) {                                    \
      return std::forward<T>(a) op std::forward<U>(b);                                             \
    }                                                                                              \
  };
SYCL_FUNCTION_OBJECT(plus, +)
SYCL_FUNCTION_OBJECT(multiplies, *)
SYCL_FUNCTION_OBJECT(bit_and, &)
SYCL_FUNCTION_OBJECT(bit_or, |)
SYCL_FUNCTION_OBJECT(bit_xor, ^)
SYCL_FUNCTION_OBJECT(logical_and, &&)
SYCL_FUNCTION_OBJECT(logical_or, ||)
#undef SYCL_FUNCTION_OBJECT

/* The first argument of two that are equal; of vec and marray element by element. */
#define SYCL_FUNCTION_OBJECT(name, op)                                                             \
  template <typename T = void> struct name {                                                       \
    constexpr T operator()(const T &a, const T &b) const {                                         \
      if constexpr (std::is_convertible_v<decltype(b op a), bool>) {                               \
        return b op a ? b : a;                                                                     \
      } else {                                                                                     \
        T result = a;                                                                              \
        for (int i = 0; i < int(T::size()); i++)                                                   \
          if (b[i] op a[i]) result[i] = b[i];                                                      \
        return result;                                                                             \
      }                                                                                            \
    }                                                                                              \
  };                                                                                               \
  template <> struct name<void> {                                                                  \
    using is_transparent = void;                                                                   \
    template <typename T, typename U>                                                              \
    constexpr auto operator()(T &&a, U &&b) const                                                  \
        -> std::decay_t<decltype(true ? std::forward<U>(b) : std::forward<T>(a))> {                \
      using result = std::decay_t<decltype(true ? std::forward<U>(b) : std::forward<T>(a))>;       \
      if constexpr (std::is_convertible_v<decltype(b op a), bool>)                                 \
        return b op a ? std::forward<U>(b) : std::forward<T>(a);                                   \
      else                                                                                         \
        return name<result>()(std::forward<T>(a), std::forward<U>(b));                             \
    }                                                                                              \
  };
SYCL_FUNCTION_OBJECT(minimum, <)
SYCL_FUNCTION_OBJECT(maximum, >)
#undef SYCL_FUNCTION_OBJECT

namespace detail {

enum class operation {
  unknown,
  add,
  mul,
  bit_and,
  bit_or,
  bit_xor,
  logical_and,
  logical_or,
  min,
  max,
};

template <typename Op> inline constexpr operation operation_of = operation::unknown;
template <typename T> inline constexpr operation operation_of<plus<T>> = operation::add;
template <typename T> inline constexpr operation operation_of<multiplies<T>> = operation::mul;
template <typename T> inline constexpr operation operation_of<bit_and<T>> = operation::bit_and;
template <typename T> inline constexpr operation operation_of<bit_or<T>> = operation::bit_or;
template <typename T> inline constexpr operation operation_of<bit_xor<T>> = operation::bit_xor;
template <typename T>
inline constexpr operation operation_of<logical_and<T>> = operation::logical_and;
template <typename T>
inline constexpr operation operation_of<logical_or<T>> = operation::logical_or;
template <typename T> inline constexpr operation operation_of<minimum<T>> = operation::min;
template <typename T> inline constexpr operation operation_of<maximum<T>> = operation::max;
/* Programs write std::plus too: in other implementations sycl::plus is an alias of it. */
template <typename T> inline constexpr operation operation_of<std::plus<T>> = operation::add;
template <typename T> inline constexpr operation operation_of<std::multiplies<T>> = operation::mul;
template <typename T> inline constexpr operation operation_of<std::bit_and<T>> = operation::bit_and;
template <typename T> inline constexpr operation operation_of<std::bit_or<T>> = operation::bit_or;
template <typename T> inline constexpr operation operation_of<std::bit_xor<T>> = operation::bit_xor;
template <typename T>
inline constexpr operation operation_of<std::logical_and<T>> = operation::logical_and;
template <typename T>
inline constexpr operation operation_of<std::logical_or<T>> = operation::logical_or;

constexpr bool is_logical(operation op) {
  return op == operation::logical_and || op == operation::logical_or;
}

constexpr bool is_bitwise(operation op) {
  return op == operation::bit_and || op == operation::bit_or || op == operation::bit_xor;
}

/* Table 4.17.2 of the specification: logical operators have an identity for bool only. */
template <operation op, typename T>
inline constexpr bool has_identity = op == operation::unknown ? false
                                     : is_logical(op)         ? std::is_same_v<T, bool>
                                     : is_bitwise(op)         ? std::is_integral_v<T>
                                                              : is_number<T>;

template <operation op, typename T> constexpr T identity() {
  using limits = std::numeric_limits<T>;
  if constexpr (op == operation::mul || op == operation::logical_and)
    return T(1);
  else if constexpr (op == operation::bit_and)
    return std::is_same_v<T, bool> ? T(1) : static_cast<T>(-1);
  else if constexpr (op == operation::min)
    return limits::has_infinity ? limits::infinity() : limits::max();
  else if constexpr (op == operation::max)
    return limits::has_infinity ? T(-limits::infinity()) : limits::lowest();
  else
    return T(0);
}

} // namespace detail

template <typename BinaryOperation, typename T>
struct has_known_identity
    : std::bool_constant<detail::has_identity<
          detail::operation_of<std::remove_cv_t<BinaryOperation>>, std::remove_cv_t<T>>> {};

template <typename BinaryOperation, typename T>
inline constexpr bool has_known_identity_v = has_known_identity<BinaryOperation, T>::value;

template <typename BinaryOperation, typename T> struct known_identity {
  static_assert(has_known_identity_v<BinaryOperation, T>,
                "SYCL knows no identity of this operator for this type");
  static constexpr T value =
      detail::identity<detail::operation_of<std::remove_cv_t<BinaryOperation>>,
                       std::remove_cv_t<T>>();
};

template <typename BinaryOperation, typename T>
inline constexpr T known_identity_v = known_identity<BinaryOperation, T>::value;

/* DPC++'s names for them from before SYCL 2020. */
namespace ext::oneapi {
using sycl::bit_and, sycl::bit_or, sycl::bit_xor, sycl::maximum, sycl::minimum, sycl::multiplies,
    sycl::plus;
} // namespace ext::oneapi

} // namespace sycl

#endif
