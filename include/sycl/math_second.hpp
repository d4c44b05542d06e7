/* Built-in functions that leave a second result where a pointer or multi_ptr leads: fract, frexp,
 * lgamma_r, modf, remquo, sincos (SYCL 2020, 4.17.5). */
#ifndef SYCL_MATH_SECOND_HPP
#define SYCL_MATH_SECOND_HPP

#include "math.hpp"

namespace sycl {

namespace detail {

/* f(x, second) for each element, or once. */
template <typename A, typename P, typename F, typename... B>
plain_type<A> with_second(F f, const A &a, P pointer, const B &...b) {
  auto &second = *pointer;
  if constexpr (shape<plain_type<A>>::compound) {
    plain_type<A> result;
    for (std::size_t i = 0; i < result.size(); i++)
      result[int(i)] = f(a[int(i)], b[int(i)]..., second[int(i)]);
    return result;
  } else {
    return f(a, b..., second);
  }
}

template <typename T> T log_gamma(T x, int &sign) {
  sign = x < 0 && std::fmod(std::floor(x), T(2)) != 0 ? -1 : 1;
  return std::lgamma(x);
}

template <typename T> T fraction(T x, T &whole) {
  constexpr T below_one = T(1) - std::numeric_limits<T>::epsilon() / 2;
  whole = std::floor(x);
  if (std::isinf(x)) return std::copysign(T(0), x);
  return x - whole < below_one || std::isnan(x) ? x - whole : below_one;
}

/* The largest half below 1. */
inline half fraction(half x, half &whole) {
  float whole_float, fraction_float = fraction(float(x), whole_float);
  whole = half(whole_float);
  return half(fraction_float < 0.99951171875f || std::isnan(fraction_float) ? fraction_float
                                                                            : 0.99951171875f);
}

} // namespace detail

namespace detail {

template <typename A, typename P> auto fract(const A &a, P whole) {
  return with_second([](auto x, auto &y) { return fraction(x, y); }, a, whole);
}
template <typename A, typename P> auto modf(const A &a, P whole) {
  using E = element_type<A>;
  return with_second(
      [](E x, E &y) {
        computed<E> part, rest = std::modf(computed<E>(x), &part);
        y = E(part);
        return E(rest);
      },
      a, whole);
}
template <typename A, typename P> auto frexp(const A &a, P exponent) {
  using E = element_type<A>;
  return with_second([](E x, int &y) { return E(std::frexp(computed<E>(x), &y)); }, a, exponent);
}
template <typename A, typename P> auto lgamma_r(const A &a, P sign) {
  using E = element_type<A>;
  return with_second([](E x, int &y) { return E(log_gamma(computed<E>(x), y)); }, a, sign);
}
/* With seven bits of the quotient; the standard library's has three (C11, 7.12.10.3: at least). */
template <typename T> T remainder_of(T x, T d, int &quotient) {
  T rest = std::remainder(x, d), part = std::fmod(x, 128 * d);
  quotient = rest == rest ? int(std::rint(part / d - rest / d)) % 128 : 0;
  return rest;
}
template <typename A, typename P> auto remquo(const A &a, const plain_type<A> &b, P quotient) {
  using E = element_type<A>;
  using T = computed<E>;
  return with_second([](E x, E d, int &y) { return E(remainder_of(T(x), T(d), y)); }, a, quotient,
                     b);
}
template <typename A, typename P> auto sincos(const A &a, P cosine) {
  using E = element_type<A>;
  using T = computed<E>;
  return with_second(
      [](E x, E &y) {
        y = E(std::cos(T(x)));
        return E(std::sin(T(x)));
      },
      a, cosine);
}

template <typename T>
using if_floats =
    std::enable_if_t<shape<std::decay_t<T>>::compound && is_floating<element_type<T>>, int>;

} // namespace detail

/* As 4.17.5 has them: templates of the pointer for each scalar, of the operands too for all else.
 */
#define SYCL_SECOND_OF(name, type)                                                                 \
  template <typename P> type name(type a, P second) {                                              \
    return detail::name(a, second);                                                                \
  }
#define SYCL_SECOND(name)                                                                          \
  SYCL_SECOND_OF(name, half)                                                                       \
  SYCL_SECOND_OF(name, float)                                                                      \
  SYCL_SECOND_OF(name, double)                                                                     \
  template <typename A, typename P, detail::if_floats<A> = 0> auto name(const A &a, P second) {    \
    return detail::name(detail::plain_type<A>(a), second);                                         \
  }
SYCL_SECOND(fract)
SYCL_SECOND(frexp)
SYCL_SECOND(lgamma_r)
SYCL_SECOND(modf)
SYCL_SECOND(sincos)
#undef SYCL_SECOND
#undef SYCL_SECOND_OF

#define SYCL_REMQUO(type)                                                                          \
  template <typename P> type remquo(type a, type b, P quotient) {                                  \
    return detail::remquo(a, b, quotient);                                                         \
  }
SYCL_REMQUO(half)
SYCL_REMQUO(float)
SYCL_REMQUO(double)
#undef SYCL_REMQUO
template <typename A, typename B, typename P, detail::if_floats<A> = 0,
          detail::if_same_plain<A, B> = 0>
auto remquo(const A &a, const B &b, P quotient) {
  using plain = detail::plain_type<A>;
  return detail::remquo(plain(a), plain(b), quotient);
}

} // namespace sycl

#endif
