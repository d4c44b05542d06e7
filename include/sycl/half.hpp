/* half: IEEE binary16.  A class with one implicit conversion, to float, so that it takes part in
 * overload resolution as a class does: the compiler's own 16-bit type makes std::floor,
 * std::to_string and others ambiguous (GCC 12). */
#ifndef SYCL_HALF_HPP
#define SYCL_HALF_HPP

#include <cstdint>
#include <cstring>
#include <functional>
#include <istream>
#include <limits>
#include <ostream>
#include <type_traits>

#include "detail/steps.hpp"

namespace sycl {

class half;

namespace detail {

/* GCC had the compiler's own type in C++ on x86 first. */
#if defined(__FLT16_MAX__) && (defined(__clang__) || defined(__x86_64__) || __GNUC__ >= 13)
using half_storage = _Float16;

template <typename T> constexpr half_storage half_from(T value) {
  return static_cast<_Float16>(value);
}
constexpr float half_to_float(half_storage value) {
  return static_cast<float>(value);
}
#else
using half_storage = std::uint16_t;

/* Arithmetic, which every compiler does in constant expressions, all of it exact. */
template <typename T> constexpr half_storage half_from(T value) {
  std::uint32_t sign = __builtin_copysign(1.0, static_cast<double>(value)) < 0 ? 0x8000 : 0;
  T size = value < 0 ? -value : value, unit = 0x1p-24f;
  if (size != size) return half_storage(sign | 0x7e00);
  if (size >= 65536) return half_storage(sign | 0x7c00);
  std::uint32_t exponent = 0;
  for (; size >= 2048 * unit; unit *= 2) exponent++;
  std::uint32_t whole = std::uint32_t(size / unit);
  T rest = size / unit - whole; /* to nearest, to even; a carry goes on into the exponent */
  if (rest > 0.5 || (rest == 0.5 && (whole & 1))) whole++;
  return half_storage(sign | ((exponent << 10) + whole));
}

constexpr float half_to_float(half_storage value) {
  int exponent = value >> 10 & 31, fraction = value & 0x3ff;
  float result = 0x1p-24f * float(exponent ? fraction + 1024 : fraction);
  if (exponent == 31)
    result = fraction ? __builtin_nanf("") : __builtin_inff();
  else
    for (; exponent > 1; exponent--) result *= 2;
  return value & 0x8000 ? -result : result;
}
#endif

template <typename T>
inline constexpr bool is_half_operand =
    std::is_arithmetic_v<T> || std::is_same_v<std::remove_cv_t<T>, half>;

} // namespace detail

class half : detail::steps<half> {
  detail::half_storage value;

public:
  half() = default;
  constexpr half(float number) : value(detail::half_from(number)) {}
  constexpr half(double number) : value(detail::half_from(number)) {}
  constexpr half(long double number) : value(detail::half_from(number)) {}
  template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  constexpr half(T number) : value(detail::half_from(static_cast<double>(number))) {}

  constexpr operator float() const { return detail::half_to_float(value); }

/* float holds every sum, product and quotient of two halves well enough for one more rounding to
 * give the same result as binary16 arithmetic. */
#define SYCL_HALF_OPERATOR(op)                                                                     \
  friend constexpr half operator op(const half &a, const half &b) {                                \
    return half(float(a) op float(b));                                                             \
  }                                                                                                \
  friend constexpr half &operator op##=(half &a, const half &b) {                                  \
    return a = a op b;                                                                             \
  }                                                                                                \
  template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>                        \
  friend constexpr half &operator op##=(half &a, const T &b) {                                     \
    return a = half(float(a) op b);                                                                \
  }                                                                                                \
  template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>                          \
  friend constexpr half operator op(const half &a, const T &b) {                                   \
    return a op half(b);                                                                           \
  }                                                                                                \
  template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>                          \
  friend constexpr half operator op(const T &a, const half &b) {                                   \
    return half(a) op b;                                                                           \
  }                                                                                                \
  template <typename T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0>                    \
  friend constexpr T operator op(const half &a, const T &b) {                                      \
    return T(float(a)) op b;                                                                       \
  }                                                                                                \
  template <typename T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0>                    \
  friend constexpr T operator op(const T &a, const half &b) {                                      \
    return a op T(float(b));                                                                       \
  }
  SYCL_HALF_OPERATOR(+)
  SYCL_HALF_OPERATOR(-)
  SYCL_HALF_OPERATOR(*)
  SYCL_HALF_OPERATOR(/)
#undef SYCL_HALF_OPERATOR

  friend constexpr half operator+(const half &a) {
    return a;
  }
  friend constexpr half operator-(const half &a) {
    return half(-float(a));
  }
  friend std::ostream &operator<<(std::ostream &out, const half &a) {
    return out << float(a);
  }
  friend std::istream &operator>>(std::istream &in, half &a) {
    float number;
    if (in >> number) a = half(number);
    return in;
  }
};

static_assert(sizeof(half) == 2 && std::is_trivially_copyable_v<half>, "half is 16 bits");

namespace detail {

inline half half_from_bits(std::uint16_t bits) {
  half result;
  std::memcpy(static_cast<void *>(&result), &bits, sizeof bits);
  return result;
}

inline std::uint16_t half_bits(const half &value) {
  std::uint16_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Floating-point types of SYCL. */
template <typename T>
inline constexpr bool is_floating =
    std::is_floating_point_v<T> || std::is_same_v<std::remove_cv_t<T>, half>;

template <typename T> inline constexpr bool is_number = std::is_integral_v<T> || is_floating<T>;

} // namespace detail
} // namespace sycl

template <> struct std::hash<sycl::half> {
  std::size_t operator()(const sycl::half &value) const noexcept {
    return std::hash<float>()(value);
  }
};

template <> class std::numeric_limits<sycl::half> {
public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
  static constexpr std::float_denorm_style has_denorm = std::denorm_present;
  static constexpr bool has_denorm_loss = false, is_iec559 = true, is_bounded = true;
  static constexpr bool is_modulo = false, traps = false, tinyness_before = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int digits = 11, digits10 = 3, max_digits10 = 5, radix = 2;
  static constexpr int min_exponent = -13, min_exponent10 = -4;
  static constexpr int max_exponent = 16, max_exponent10 = 4;

  static constexpr sycl::half min() noexcept { return 0x1p-14f; }
  static constexpr sycl::half max() noexcept { return 65504.0f; }
  static constexpr sycl::half lowest() noexcept { return -65504.0f; }
  static constexpr sycl::half epsilon() noexcept { return 0x1p-10f; }
  static constexpr sycl::half round_error() noexcept { return 0.5f; }
  static constexpr sycl::half infinity() noexcept { return std::numeric_limits<float>::infinity(); }
  static constexpr sycl::half quiet_NaN() noexcept {
    return std::numeric_limits<float>::quiet_NaN();
  }
  static constexpr sycl::half signaling_NaN() noexcept {
    return std::numeric_limits<float>::signaling_NaN();
  }
  static constexpr sycl::half denorm_min() noexcept { return 0x1p-24f; }
};

#endif
