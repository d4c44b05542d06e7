/* bit_cast: the bits of one type as another; is_device_copyable: what may go to kernels byte by
 * byte. */
#ifndef SYCL_BIT_CAST_HPP
#define SYCL_BIT_CAST_HPP

#include <array>
#include <cstring>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace sycl {

/* In constant expressions as far as the compiler has a built-in for it: GCC 11, clang 9. */
template <typename To, typename From> constexpr To bit_cast(const From &from) noexcept {
  static_assert(sizeof(To) == sizeof(From), "sycl::bit_cast needs two types of the same size");
  static_assert(std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>,
                "sycl::bit_cast needs trivially copyable types");
#if defined(__clang__) || __GNUC__ >= 11
  return __builtin_bit_cast(To, from);
#else
  To to{};
  std::memcpy(static_cast<void *>(&to), static_cast<const void *>(&from), sizeof to);
  return to;
#endif
}

/* SYCL 2020, 3.13.1.  A program may say so of its own types, which the macro tells. */
#define SYCL_DEVICE_COPYABLE 1
template <typename T> struct is_device_copyable : std::is_trivially_copyable<T> {};
template <typename T> inline constexpr bool is_device_copyable_v = is_device_copyable<T>::value;

template <typename T> struct is_device_copyable<const T> : is_device_copyable<T> {};
template <typename T, std::size_t N>
struct is_device_copyable<std::array<T, N>> : is_device_copyable<T> {};
template <typename T> struct is_device_copyable<std::optional<T>> : is_device_copyable<T> {};
template <typename T, typename U>
struct is_device_copyable<std::pair<T, U>>
    : std::bool_constant<is_device_copyable_v<T> && is_device_copyable_v<U>> {};
template <typename... T>
struct is_device_copyable<std::tuple<T...>> : std::bool_constant<(... && is_device_copyable_v<T>)> {
};
template <typename... T>
struct is_device_copyable<std::variant<T...>>
    : std::bool_constant<(... && is_device_copyable_v<T>)> {};

} // namespace sycl

#endif
