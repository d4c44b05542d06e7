/* Built-in functions on scalars, vec and marray, made from the table detail/math.def; and those
 * that do not fit it: nextafter, ldexp, dot products.  Relations are in relational.hpp, functions
 * with a second result in math_second.hpp. */
#ifndef SYCL_MATH_HPP
#define SYCL_MATH_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "bit_cast.hpp"
#include "half.hpp"
#include "marray.hpp"
#include "multi_ptr.hpp"
#include "vec.hpp"

namespace sycl {

namespace detail {

/* --- Shapes: scalars, vectors (and swizzles), marrays --------------------------------------------
 */

/* Which of the scalar overloads of 4.17.5 a class that converts to a number calls. */
#define SYCL_SCALAR(type) type scalar_for(type);
SYCL_SCALAR(bool)
SYCL_SCALAR(char)
SYCL_SCALAR(signed char)
SYCL_SCALAR(unsigned char)
SYCL_SCALAR(short)
SYCL_SCALAR(unsigned short)
SYCL_SCALAR(int)
SYCL_SCALAR(unsigned)
SYCL_SCALAR(long)
SYCL_SCALAR(unsigned long)
SYCL_SCALAR(long long)
SYCL_SCALAR(unsigned long long)
SYCL_SCALAR(half)
SYCL_SCALAR(float)
SYCL_SCALAR(double)
#undef SYCL_SCALAR

template <typename T, typename = void> struct scalar_shape { using element = T; };
template <typename T>
struct scalar_shape<T, std::void_t<std::enable_if_t<std::is_class_v<T> && !is_number<T>>,
                                   decltype(scalar_for(std::declval<const T &>()))>> {
  using element = decltype(scalar_for(std::declval<const T &>()));
};

template <typename T> struct shape : scalar_shape<T> {
  static constexpr bool compound = false;
  template <typename U> using with = U;
};
template <typename T, int N> struct shape<vec<T, N>> {
  using element = T;
  static constexpr bool compound = true;
  template <typename U> using with = vec<U, N>;
};
template <typename T, std::size_t N> struct shape<marray<T, N>> {
  using element = T;
  static constexpr bool compound = true;
  template <typename U> using with = marray<U, N>;
};
template <typename V, int... K>
struct shape<swizzled_vec<V, K...>> : shape<vector_of<swizzled_vec<V, K...>>> {};

template <typename T> using element_type = typename shape<std::decay_t<T>>::element;
template <typename T>
using plain_type = typename shape<std::decay_t<T>>::template with<element_type<T>>;

template <typename T> using if_float = std::enable_if_t<is_floating<element_type<T>>, int>;
template <typename T>
using if_integer =
    std::enable_if_t<std::is_integral_v<element_type<T>> && !std::is_same_v<element_type<T>, bool>,
                     int>;
template <typename T> using if_number = std::enable_if_t<is_number<element_type<T>>, int>;

/* Whether B may stand beside A: the same type; a scalar beside a vector; two of C++'s own numbers.
 */
template <typename A, typename B> constexpr bool operands() {
  if constexpr (std::is_same_v<plain_type<A>, plain_type<B>>)
    return true;
  else if constexpr (shape<plain_type<A>>::compound)
    return std::is_convertible_v<B, element_type<A>>;
  else
    return std::is_arithmetic_v<A> && std::is_arithmetic_v<B>;
}
template <typename A, typename... B>
using if_operands = std::enable_if_t<(... && operands<A, B>()), int>;

template <typename A, typename B>
using if_same_plain = std::enable_if_t<std::is_same_v<plain_type<A>, plain_type<B>>, int>;

template <typename T> decltype(auto) at(const T &value, [[maybe_unused]] std::size_t i) {
  if constexpr (shape<T>::compound)
    return value[int(i)];
  else if constexpr (std::is_class_v<T> && !is_number<T>)
    return static_cast<element_type<T>>(value); /* what it converts to may convert once more */
  else
    return value;
}

/* f for each element, or once; scalars among compound operands count for all elements. */
template <typename Like, typename F, typename... Args> auto each(F f, const Args &...args) {
  using plain = plain_type<Like>;
  if constexpr (shape<plain>::compound) {
    using result = decltype(f(at(args, 0)...));
    typename shape<plain>::template with<result> r;
    for (std::size_t i = 0; i < plain::size(); i++) r[int(i)] = f(at(args, i)...);
    return r;
  } else {
    return f(at(args, 0)...);
  }
}

/* half is computed in float, which is exact enough for all but pow and its like. */
template <typename T> using computed = std::conditional_t<std::is_same_v<T, half>, float, T>;

/* --- What the table needs ------------------------------------------------------------------------
 */

/* Where sine or cosine is small it is computed of a small angle, which has no rounded pi in it. */
template <typename T> T sin_pi(T x) {
  constexpr T pi = T(3.14159265358979323846);
  T r = std::remainder(x, T(2)), a = std::fabs(r);
  T s = a < T(0.25)    ? std::sin(a * pi)
        : a <= T(0.75) ? std::cos((T(0.5) - a) * pi)
                       : std::sin((1 - a) * pi);
  return std::copysign(s, s == 0 ? x : r);
}
template <typename T> T cos_pi(T x) {
  constexpr T pi = T(3.14159265358979323846);
  T a = std::fabs(std::remainder(x, T(2)));
  return a < T(0.25)    ? std::cos(a * pi)
         : a <= T(0.75) ? std::sin((T(0.5) - a) * pi)
                        : -std::cos((1 - a) * pi);
}
template <typename T> T max_magnitude(T x, T y) {
  T a = std::fabs(x), b = std::fabs(y);
  return a > b ? x : b > a ? y : std::fmax(x, y);
}
template <typename T> T min_magnitude(T x, T y) {
  T a = std::fabs(x), b = std::fabs(y);
  return a < b ? x : b < a ? y : std::fmin(x, y);
}
template <typename T> T clamped(T x, T low, T high) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fmin(std::fmax(x, low), high); // a NaN is not between them
  else
    return x < low ? low : high < x ? high : x;
}
template <typename T> T smooth(T low, T high, T x) {
  T t = clamped((x - low) / (high - low), T(0), T(1));
  return t * t * (3 - 2 * t);
}
template <typename T> T leading_zeros(T x) {
  using U = std::make_unsigned_t<T>;
  int extra = 64 - int(sizeof(T)) * 8;
  return T(x ? __builtin_clzll(std::uint64_t(U(x))) - extra : int(sizeof(T)) * 8);
}
template <typename T> T trailing_zeros(T x) {
  return T(x ? __builtin_ctzll(std::uint64_t(x)) : int(sizeof(T)) * 8);
}
template <typename T> T saturated_sum(T x, T y) {
  T r;
  if (!__builtin_add_overflow(x, y, &r)) return r;
  return y < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}
template <typename T> T saturated_difference(T x, T y) {
  T r;
  if (!__builtin_sub_overflow(x, y, &r)) return r;
  return std::is_unsigned_v<T> || y > 0 ? std::numeric_limits<T>::min()
                                        : std::numeric_limits<T>::max();
}
template <typename T> T high_product(T x, T y) {
  __extension__ using wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  return T(wide(x) * wide(y) >> (sizeof(T) * 8));
}
template <typename T>
using twice_as_wide = std::conditional_t<
    std::is_signed_v<T>,
    std::conditional_t<sizeof(T) == 1, std::int16_t,
                       std::conditional_t<sizeof(T) == 2, std::int32_t, std::int64_t>>,
    std::conditional_t<sizeof(T) == 1, std::uint16_t,
                       std::conditional_t<sizeof(T) == 2, std::uint32_t, std::uint64_t>>>;
template <typename T> T saturated_product_sum(T x, T y, T z) {
  __extension__ using wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  constexpr wide low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  wide sum = wide(x) * wide(y) + wide(z);
  return T(sum < low ? low : sum > high ? high : sum);
}
template <typename T> T rotated(T x, T y) {
  using U = std::make_unsigned_t<T>;
  unsigned bits = sizeof(T) * 8, by = unsigned(U(y)) % bits;
  return by ? T(U(U(x) << by) | U(U(x) >> (bits - by))) : x;
}

} // namespace detail

#define SYCL_EACH_1(name, condition, expression)                                                   \
  template <typename A, detail::condition<A> = 0> auto name(const A &a) {                          \
    using E = detail::element_type<A>;                                                             \
    using T [[maybe_unused]] = detail::computed<E>;                                                \
    return detail::each<A>([](T x) -> E { return E(expression); }, a);                             \
  }
#define SYCL_EACH_2(name, condition, expression)                                                   \
  template <typename A, typename B, detail::condition<A> = 0> auto name(const A &a, const B &b) {  \
    using E = detail::element_type<A>;                                                             \
    using T [[maybe_unused]] = detail::computed<E>;                                                \
    return detail::each<A>([](T x, T y) -> E { return E(expression); }, a, b);                     \
  }
#define SYCL_EACH_3(name, condition, expression)                                                   \
  template <typename A, typename B, typename C, detail::condition<A> = 0,                          \
            detail::if_operands<A, B, C> = 0>                                                      \
  auto name(const A &a, const B &b, const C &c) {                                                  \
    using E = detail::element_type<A>;                                                             \
    using T [[maybe_unused]] = detail::computed<E>;                                                \
    return detail::each<A>([](T x, T y, T z) -> E { return E(expression); }, a, b, c);             \
  }
#define SYCL_MATH_1(name, expression)    SYCL_EACH_1(name, if_float, expression)
#define SYCL_MATH_2(name, expression)    SYCL_EACH_2(name, if_float, expression)
#define SYCL_MATH_3(name, expression)    SYCL_EACH_3(name, if_float, expression)
#define SYCL_INTEGER_1(name, expression) SYCL_EACH_1(name, if_integer, expression)
#define SYCL_INTEGER_2(name, expression) SYCL_EACH_2(name, if_integer, expression)
#define SYCL_INTEGER_3(name, expression) SYCL_EACH_3(name, if_integer, expression)
#define SYCL_COMMON_2(name, expression)  SYCL_EACH_2(name, if_number, expression)
#define SYCL_COMMON_3(name, expression)  SYCL_EACH_3(name, if_number, expression)
#include "detail/math.def"
#undef SYCL_EACH_1
#undef SYCL_EACH_2
#undef SYCL_EACH_3

/* The edges may be scalars beside a vec or marray. */
template <typename A, typename B, detail::if_float<A> = 0, detail::if_operands<A, B> = 0,
          std::enable_if_t<!detail::shape<A>::compound || detail::shape<B>::compound, int> = 0>
auto step(const A &edge, const B &x) {
  using E = detail::element_type<A>;
  return detail::each<A>([](E low, E value) -> E { return E(value < low ? 0 : 1); }, edge, x);
}
template <typename A, detail::if_float<A> = 0,
          std::enable_if_t<detail::shape<A>::compound, int> = 0>
auto step(detail::element_type<A> edge, const A &x) {
  using E = detail::element_type<A>;
  return detail::each<A>([](E low, E value) -> E { return E(value < low ? 0 : 1); }, edge, x);
}
template <typename A, typename B, typename C, detail::if_float<A> = 0,
          detail::if_operands<A, B, C> = 0,
          std::enable_if_t<!detail::shape<A>::compound || detail::shape<C>::compound, int> = 0>
auto smoothstep(const A &low, const B &high, const C &x) {
  using E = detail::element_type<A>;
  using T = detail::computed<E>;
  return detail::each<A>([](T a, T b, T value) -> E { return E(detail::smooth(a, b, value)); }, low,
                         high, x);
}
template <typename A, detail::if_float<A> = 0,
          std::enable_if_t<detail::shape<A>::compound, int> = 0>
auto smoothstep(detail::element_type<A> low, detail::element_type<A> high, const A &x) {
  using T = detail::computed<detail::element_type<A>>;
  return detail::each<A>(
      [](T a, T b, T value) { return detail::element_type<A>(detail::smooth(a, b, value)); }, low,
      high, x);
}

/* The next number of the same width: float's neighbour is not half's. */
template <typename A, typename B, detail::if_float<A> = 0> auto nextafter(const A &a, const B &b) {
  using E = detail::element_type<A>;
  return detail::each<A>(
      [](E x, E y) -> E {
        if constexpr (std::is_same_v<E, half>) {
          float from = x, to = y;
          if (std::isnan(from) || std::isnan(to)) return std::numeric_limits<half>::quiet_NaN();
          if (from == to) return y;
          if (from == 0) return detail::half_from_bits(std::uint16_t(to < 0 ? 0x8001 : 0x0001));
          std::uint16_t bits = detail::half_bits(x);
          return detail::half_from_bits(
              std::uint16_t((to > from) == (from > 0) ? bits + 1 : bits - 1));
        } else {
          return std::nextafter(x, y);
        }
      },
      a, b);
}

template <typename A, typename B, detail::if_float<A> = 0> auto ldexp(const A &a, const B &b) {
  using E = detail::element_type<A>;
  return detail::each<A>([](E x, int k) -> E { return E(std::ldexp(detail::computed<E>(x), k)); },
                         a, b);
}
template <typename A, typename B, detail::if_float<A> = 0> auto pown(const A &a, const B &b) {
  using E = detail::element_type<A>;
  return detail::each<A>([](E x, int k) -> E { return E(std::pow(detail::computed<E>(x), k)); }, a,
                         b);
}
template <typename A, typename B, detail::if_float<A> = 0> auto rootn(const A &a, const B &b) {
  using E = detail::element_type<A>;
  return detail::each<A>(
      [](E x, int k) -> E {
        using T = detail::computed<E>;
        T root = std::pow(std::fabs(T(x)), T(1) / T(k));
        return E(T(x) < 0 ? (k % 2 ? -root : std::numeric_limits<T>::quiet_NaN()) : root);
      },
      a, b);
}
template <typename A, detail::if_float<A> = 0> auto ilogb(const A &a) {
  using E = detail::element_type<A>;
  return detail::each<A>([](E x) -> int { return std::ilogb(detail::computed<E>(x)); }, a);
}

/* Geometric functions (4.17.8): of scalars, vec, swizzles and marray. */
template <typename A, typename B, detail::if_float<A> = 0, detail::if_same_plain<A, B> = 0>
auto dot(const A &a, const B &b) {
  using E = detail::element_type<A>;
  if constexpr (detail::shape<A>::compound) {
    E sum = E(0);
    for (std::size_t i = 0; i < A::size(); i++) sum = E(sum + a[int(i)] * b[int(i)]);
    return sum;
  } else {
    return E(a * b);
  }
}
template <typename A, detail::if_float<A> = 0> auto length(const A &a) {
  return sqrt(dot(a, a));
}
template <typename A, typename B, detail::if_float<A> = 0, detail::if_same_plain<A, B> = 0>
auto distance(const A &a, const B &b) {
  return length(detail::plain_type<A>(a - b));
}
template <typename A, detail::if_float<A> = 0> detail::plain_type<A> normalize(const A &a) {
  using plain = detail::plain_type<A>;
  auto size = length(a);
  return size == 0 ? plain(a) : plain(a / size);
}
/* A fourth element of the result is 0. */
template <typename A, typename B, detail::if_float<A> = 0, detail::if_same_plain<A, B> = 0,
          std::enable_if_t<detail::shape<A>::compound, int> = 0>
detail::plain_type<A> cross(const A &a, const B &b) {
  static_assert(A::size() == 3 || A::size() == 4, "sycl::cross is of three or four elements");
  using E = detail::element_type<A>;
  detail::plain_type<A> r;
  for (int i = 0; i < 3; i++)
    r[i] = E(a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);
  return r;
}

template <typename A, detail::if_float<A> = 0> auto fast_length(const A &a) {
  return length(a);
}
template <typename A, typename B, detail::if_float<A> = 0, detail::if_same_plain<A, B> = 0>
auto fast_distance(const A &a, const B &b) {
  return distance(a, b);
}
template <typename A, detail::if_float<A> = 0> auto fast_normalize(const A &a) {
  return normalize(a);
}

/* The high half beside the low one. */
template <typename A, typename B, detail::if_integer<A> = 0>
auto upsample(const A &high, const B &low) {
  using E = detail::element_type<A>;
  using wide = detail::twice_as_wide<E>;
  return detail::each<A>(
      [](E h, std::make_unsigned_t<E> l) -> wide {
        return wide(std::make_unsigned_t<wide>(std::make_unsigned_t<E>(h)) << (sizeof(E) * 8) | l);
      },
      high, low);
}

/* Fast and less exact versions: here the functions themselves. */
namespace native {
#define SYCL_SAME(name)                                                                            \
  template <typename... A> auto name(const A &...a) {                                              \
    return sycl::name(a...);                                                                       \
  }
SYCL_SAME(cos)
SYCL_SAME(exp)
SYCL_SAME(exp2)
SYCL_SAME(exp10)
SYCL_SAME(log)
SYCL_SAME(log2)
SYCL_SAME(log10)
SYCL_SAME(powr)
SYCL_SAME(rsqrt)
SYCL_SAME(sin)
SYCL_SAME(sqrt)
SYCL_SAME(tan)
#undef SYCL_SAME
template <typename A, detail::if_float<A> = 0> auto recip(const A &a) {
  using E = detail::element_type<A>;
  return detail::each<A>([](E x) { return E(1 / x); }, a);
}
template <typename A, typename B, detail::if_float<A> = 0, detail::if_same_plain<A, B> = 0>
auto divide(const A &a, const B &b) {
  using E = detail::element_type<A>;
  return detail::each<A>([](E x, E y) { return E(x / y); }, a, b);
}
} // namespace native
namespace half_precision = native;

/* NaN with a code (4.17.5): of a floating-point type of the code's size. */
namespace detail {
inline half nan_of(std::uint16_t code) { return half_from_bits(std::uint16_t(code | 0x7e00)); }
inline float nan_of(std::uint32_t code) {
  return bit_cast<float>(code | std::uint32_t(0x7fc00000));
}
inline double nan_of(std::uint64_t code) {
  return bit_cast<double>(code | std::uint64_t(0x7ff8) << 48);
}
template <typename T>
using code_of_size =
    std::conditional_t<sizeof(T) == 2, std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
template <typename T>
using if_codes = std::enable_if_t<shape<std::decay_t<T>>::compound &&
                                      std::is_unsigned_v<element_type<T>> &&
                                      sizeof(element_type<T>) >= 2,
                                  int>;
} // namespace detail

inline half nan(unsigned short code) {
  return detail::nan_of(std::uint16_t(code));
}
inline float nan(unsigned code) {
  return detail::nan_of(std::uint32_t(code));
}
inline double nan(unsigned long code) {
  return detail::nan_of(std::uint64_t(code));
}
inline double nan(unsigned long long code) {
  return detail::nan_of(std::uint64_t(code));
}
template <typename A, detail::if_codes<A> = 0> auto nan(const A &codes) {
  using T = detail::code_of_size<detail::element_type<A>>;
  return detail::each<A>([](T code) { return detail::nan_of(code); }, codes);
}

} // namespace sycl

#endif
