/* Relational functions (SYCL 2020, 4.17.9): comparisons and tests of numbers, any, all, select and
 * bitselect.  Of scalars they give a bool, of marray an marray of bool, of vec -1 or 0 for each
 * element. */
#ifndef SYCL_RELATIONAL_HPP
#define SYCL_RELATIONAL_HPP

#include <cstring>

#include "math.hpp"

namespace sycl {

namespace detail {

/* What f says of each element, in the form that A has. */
template <typename A, typename F, typename... B> auto test(F f, const A &a, const B &...b) {
  using E = element_type<A>;
  if constexpr (is_vector<A>)
    return each<A>([=](auto... x) -> truth<E> { return truth<E>(f(x...) ? -1 : 0); }, a, b...);
  else
    return each<A>([=](auto... x) -> bool { return f(x...); }, a, b...);
}

template <typename T> bool is_set(T value) { /* vec: the sign bit */
  if constexpr (std::is_same_v<T, bool>)
    return value;
  else
    return std::make_signed_t<T>(value) < 0;
}

template <typename T>
using if_lone =
    std::enable_if_t<is_number<element_type<T>> && !shape<plain_type<T>>::compound, int>;
template <typename T>
using if_compound =
    std::enable_if_t<is_number<element_type<T>> && shape<plain_type<T>>::compound, int>;

template <std::size_t Size>
using bits_of = std::conditional_t<
    Size == 1, std::uint8_t,
    std::conditional_t<Size == 2, std::uint16_t,
                       std::conditional_t<Size == 4, std::uint32_t, std::uint64_t>>>;

} // namespace detail

#define SYCL_TEST_1(name, expression)                                                              \
  template <typename A, detail::if_float<A> = 0> auto name(const A &a) {                           \
    using T = detail::computed<detail::element_type<A>>;                                           \
    return detail::test([](T x) -> bool { return expression; }, a);                                \
  }
#define SYCL_TEST_2(name, expression)                                                              \
  template <typename A, typename B, detail::if_float<A> = 0, detail::if_operands<A, B> = 0>        \
  auto name(const A &a, const B &b) {                                                              \
    using T = detail::computed<detail::element_type<A>>;                                           \
    return detail::test([](T x, T y) -> bool { return expression; }, a, b);                        \
  }
SYCL_TEST_1(isfinite, std::isfinite(x))
SYCL_TEST_1(isinf, std::isinf(x))
SYCL_TEST_1(isnan, std::isnan(x))
SYCL_TEST_1(isnormal, std::isnormal(x))
SYCL_TEST_1(signbit, std::signbit(x))
SYCL_TEST_2(isequal, x == y)
SYCL_TEST_2(isnotequal, x != y)
SYCL_TEST_2(isgreater, x > y)
SYCL_TEST_2(isgreaterequal, x >= y)
SYCL_TEST_2(isless, x < y)
SYCL_TEST_2(islessequal, x <= y)
SYCL_TEST_2(islessgreater, x<y || x> y)
SYCL_TEST_2(isordered, x == x && y == y)
SYCL_TEST_2(isunordered, x != x || y != y)
#undef SYCL_TEST_1
#undef SYCL_TEST_2

/* Of integers and vec of integers: whether the sign bit of an element, or of all, is set.  Of
 * marray<bool>: whether an element, or all, are true. */
template <typename A, std::enable_if_t<std::is_integral_v<detail::element_type<A>>, int> = 0>
auto any(const A &a) {
  using result = std::conditional_t<detail::is_vector<A>, int, bool>;
  if constexpr (detail::shape<A>::compound) {
    for (std::size_t i = 0; i < A::size(); i++)
      if (detail::is_set(a[int(i)])) return result(1);
    return result(0);
  } else {
    return detail::is_set(a);
  }
}
template <typename A, std::enable_if_t<std::is_integral_v<detail::element_type<A>>, int> = 0>
auto all(const A &a) {
  using result = std::conditional_t<detail::is_vector<A>, int, bool>;
  if constexpr (detail::shape<A>::compound) {
    for (std::size_t i = 0; i < A::size(); i++)
      if (!detail::is_set(a[int(i)])) return result(0);
    return result(1);
  } else {
    return detail::is_set(a);
  }
}

/* b where the condition holds: true, or for vec the sign bit set.  As 4.17.9 says, that of
 * scalars has one template parameter, and that of others one for each argument. */
template <typename A, detail::if_lone<A> = 0> A select(const A &a, const A &b, bool condition) {
  return condition ? b : a;
}
template <typename A, typename B, typename C, detail::if_compound<A> = 0,
          detail::if_same_plain<A, B> = 0>
detail::plain_type<A> select(const A &a, const B &b, const C &condition) {
  using E = detail::element_type<A>;
  static_assert(!detail::is_vector<A> || sizeof(E) == sizeof(detail::element_type<C>),
                "the condition of sycl::select has integers of the same size as its operands");
  return detail::each<A>(
      [](E x, E y, auto c) -> E {
        if constexpr (detail::is_vector<A>)
          return detail::is_set(c) ? y : x;
        else
          return c ? y : x;
      },
      a, b, condition);
}

/* Bits of b where those of c are 1. */
template <typename A, typename B, typename C, detail::if_number<A> = 0,
          detail::if_same_plain<A, B> = 0, detail::if_same_plain<A, C> = 0>
detail::plain_type<A> bitselect(const A &a, const B &b, const C &c) {
  using E = detail::element_type<A>;
  return detail::each<A>(
      [](E x, E y, E which) -> E {
        using bits = detail::bits_of<sizeof(E)>;
        bits first = bit_cast<bits>(x), second = bit_cast<bits>(y), mask = bit_cast<bits>(which);
        return bit_cast<E>(bits((first & ~mask) | (second & mask)));
      },
      a, b, c);
}

} // namespace sycl

#endif
