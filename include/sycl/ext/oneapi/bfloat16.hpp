/* sycl_ext_oneapi_bfloat16: the upper half of a float, and functions of it, which are float's with
 * one more rounding. */
#ifndef SYCL_EXT_ONEAPI_BFLOAT16_HPP
#define SYCL_EXT_ONEAPI_BFLOAT16_HPP

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

#include "../../half.hpp"
#include "../../khr/version.hpp"
#include "../../marray.hpp"
#include "../../math.hpp"

namespace sycl {

namespace ext::oneapi {

class bfloat16 : sycl::detail::steps<bfloat16> {
  std::uint16_t bits;

  static constexpr std::uint16_t round(float value) {
    std::uint32_t whole = __builtin_bit_cast(std::uint32_t, value);
    if (value != value) return std::uint16_t(whole >> 16 | 0x40); /* quiet */
    return std::uint16_t((whole + 0x7fff + (whole >> 16 & 1)) >> 16);
  }
  template <typename T>
  using if_other =
      std::enable_if_t<!std::is_same_v<T, bfloat16> && std::is_convertible_v<const T &, float>,
                       int>;

public:
  bfloat16() = default;
  constexpr bfloat16(const float &value) : bits(round(value)) {}
  constexpr bfloat16(const half &value) : bits(round(float(value))) {}
  constexpr bfloat16 &operator=(const float &value) { return *this = bfloat16(value); }
  constexpr bfloat16 &operator=(const half &value) { return *this = bfloat16(value); }
  constexpr bfloat16(const bfloat16 &) = default;
  constexpr bfloat16 &operator=(const bfloat16 &) = default;

  constexpr operator float() const { return __builtin_bit_cast(float, std::uint32_t(bits) << 16); }
  constexpr operator half() const { return half(float(*this)); }
  explicit constexpr operator bool() const { return float(*this) != 0; }

  friend constexpr bfloat16 operator-(const bfloat16 &a) { return bfloat16(-float(a)); }

#define SYCL_BFLOAT16_OPERATOR(op, type)                                                           \
  friend constexpr type operator op(const bfloat16 &a, const bfloat16 &b) {                        \
    return type(float(a) op float(b));                                                             \
  }                                                                                                \
  template <typename T, if_other<T> = 0>                                                           \
  friend constexpr type operator op(const bfloat16 &a, const T &b) {                               \
    return type(float(a) op static_cast<float>(b));                                                \
  }                                                                                                \
  template <typename T, if_other<T> = 0>                                                           \
  friend constexpr type operator op(const T &a, const bfloat16 &b) {                               \
    return type(static_cast<float>(a) op float(b));                                                \
  }
#define SYCL_BFLOAT16_ARITHMETIC(op)                                                               \
  SYCL_BFLOAT16_OPERATOR(op, bfloat16)                                                             \
  friend constexpr bfloat16 &operator op##=(bfloat16 &a, const bfloat16 &b) {                      \
    return a = a op b;                                                                             \
  }
  SYCL_BFLOAT16_ARITHMETIC(+)
  SYCL_BFLOAT16_ARITHMETIC(-)
  SYCL_BFLOAT16_ARITHMETIC(*)
  SYCL_BFLOAT16_ARITHMETIC(/)
  SYCL_BFLOAT16_OPERATOR(==, bool)
  SYCL_BFLOAT16_OPERATOR(!=, bool)
  SYCL_BFLOAT16_OPERATOR(<, bool)
  SYCL_BFLOAT16_OPERATOR(>, bool)
  SYCL_BFLOAT16_OPERATOR(<=, bool)
  SYCL_BFLOAT16_OPERATOR(>=, bool)
#undef SYCL_BFLOAT16_ARITHMETIC
#undef SYCL_BFLOAT16_OPERATOR
};

static_assert(sizeof(bfloat16) == 2 && std::is_trivially_copyable_v<bfloat16>,
              "bfloat16 is 16 bits");

} // namespace ext::oneapi

namespace detail {

using ext::oneapi::bfloat16;

template <> inline constexpr bool is_other_floating<bfloat16> = true;

template <typename T> inline constexpr bool is_bfloat16 = std::is_same_v<T, bfloat16>;
template <std::size_t N> inline constexpr bool is_bfloat16<marray<bfloat16, N>> = true;
template <typename T> using if_bfloat16 = std::enable_if_t<is_bfloat16<T>, int>;

template <typename F, typename... T>
bfloat16 map_bfloat16(const F &function, const bfloat16 &first, const T &...rest) {
  return function(float(first), float(rest)...);
}
template <typename F, std::size_t N, typename... T>
marray<bfloat16, N> map_bfloat16(const F &function, const marray<bfloat16, N> &first,
                                 const T &...rest) {
  marray<bfloat16, N> result;
  for (std::size_t i = 0; i < N; i++) result[i] = function(float(first[i]), float(rest[i])...);
  return result;
}

/* One rounding of the exact a * b + c: the product is exact in double, and what the sum leaves goes
 * into the last bit of a double and then of a float, neither of which is even then. */
inline float fma_before_rounding(float a, float b, float c) {
  double product = double(a) * double(b), add = c, sum = product + add;
  if (!std::isfinite(sum)) return float(sum);
  double of_add = sum - product, rest = (product - (sum - of_add)) + (add - of_add);
  auto toward = [](auto value, bool more) {
    using T = decltype(value);
    return std::nextafter(value, more ? std::numeric_limits<T>::infinity()
                                      : -std::numeric_limits<T>::infinity());
  };
  if (rest != 0 && !(__builtin_bit_cast(std::uint64_t, sum) & 1)) sum = toward(sum, rest > 0);
  float result = float(sum);
  if (std::isinf(result)) return result;
  if (double(result) != sum && !(__builtin_bit_cast(std::uint32_t, result) & 1))
    result = toward(result, sum > double(result));
  return result;
}

} // namespace detail

namespace ext::oneapi {

inline bool isnan(bfloat16 x) {
  return float(x) != float(x);
}
template <std::size_t N> marray<bool, N> isnan(marray<bfloat16, N> x) {
  marray<bool, N> result;
  for (std::size_t i = 0; i < N; i++) result[i] = oneapi::isnan(x[i]);
  return result;
}

template <typename T, sycl::detail::if_bfloat16<T> = 0> T fma(T a, T b, T c) {
  return sycl::detail::map_bfloat16(sycl::detail::fma_before_rounding, a, b, c);
}
template <typename T, sycl::detail::if_bfloat16<T> = 0> T fmax(T x, T y) {
  return sycl::detail::map_bfloat16([](float a, float b) { return a != a || a < b ? b : a; }, x, y);
}
template <typename T, sycl::detail::if_bfloat16<T> = 0> T fmin(T x, T y) {
  return sycl::detail::map_bfloat16([](float a, float b) { return a != a || b < a ? b : a; }, x, y);
}
#define SYCL_BFLOAT16_FUNCTION(name)                                                               \
  template <typename T, sycl::detail::if_bfloat16<T> = 0> T name(T x) {                            \
    return sycl::detail::map_bfloat16([](float a) { return sycl::name(a); }, x);                   \
  }
SYCL_BFLOAT16_FUNCTION(fabs)
SYCL_BFLOAT16_FUNCTION(ceil)
SYCL_BFLOAT16_FUNCTION(floor)
SYCL_BFLOAT16_FUNCTION(cos)
SYCL_BFLOAT16_FUNCTION(sin)
SYCL_BFLOAT16_FUNCTION(exp)
SYCL_BFLOAT16_FUNCTION(exp2)
SYCL_BFLOAT16_FUNCTION(exp10)
SYCL_BFLOAT16_FUNCTION(log)
SYCL_BFLOAT16_FUNCTION(log2)
SYCL_BFLOAT16_FUNCTION(log10)
SYCL_BFLOAT16_FUNCTION(rint)
SYCL_BFLOAT16_FUNCTION(sqrt)
SYCL_BFLOAT16_FUNCTION(rsqrt)
SYCL_BFLOAT16_FUNCTION(trunc)
#undef SYCL_BFLOAT16_FUNCTION

/* sycl_ext_oneapi_bfloat16_math_functions. */
namespace experimental {
using oneapi::ceil;
using oneapi::cos;
using oneapi::exp;
using oneapi::exp10;
using oneapi::exp2;
using oneapi::fabs;
using oneapi::floor;
using oneapi::fma;
using oneapi::fmax;
using oneapi::fmin;
using oneapi::isnan;
using oneapi::log;
using oneapi::log10;
using oneapi::log2;
using oneapi::rint;
using oneapi::rsqrt;
using oneapi::sin;
using oneapi::sqrt;
using oneapi::trunc;
} // namespace experimental

} // namespace ext::oneapi
} // namespace sycl

template <> struct std::hash<sycl::ext::oneapi::bfloat16> {
  std::size_t operator()(const sycl::ext::oneapi::bfloat16 &value) const noexcept {
    return std::hash<float>()(value);
  }
};

template <> class std::numeric_limits<sycl::ext::oneapi::bfloat16> {
  using type = sycl::ext::oneapi::bfloat16;
  using wide = std::numeric_limits<float>;

public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
  static constexpr std::float_denorm_style has_denorm = std::denorm_present;
  static constexpr bool has_denorm_loss = false, is_iec559 = true, is_bounded = true;
  static constexpr bool is_modulo = false, traps = false, tinyness_before = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int digits = 8, digits10 = 2, max_digits10 = 4, radix = 2;
  static constexpr int min_exponent = wide::min_exponent, min_exponent10 = wide::min_exponent10;
  static constexpr int max_exponent = wide::max_exponent, max_exponent10 = wide::max_exponent10;

  static constexpr type min() noexcept { return wide::min(); }
  static constexpr type max() noexcept { return 0x1.fep127f; }
  static constexpr type lowest() noexcept { return -0x1.fep127f; }
  static constexpr type epsilon() noexcept { return 0x1p-7f; }
  static constexpr type round_error() noexcept { return 0.5f; }
  static constexpr type infinity() noexcept { return wide::infinity(); }
  static constexpr type quiet_NaN() noexcept { return wide::quiet_NaN(); }
  static constexpr type signaling_NaN() noexcept { return wide::quiet_NaN(); }
  static constexpr type denorm_min() noexcept { return 0x1p-133f; }
};

#endif
