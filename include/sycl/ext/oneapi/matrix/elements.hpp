/* What the elements of a joint_matrix are: as memory has them, and as work-items keep them
 * (sycl_ext_oneapi_matrix). */
#ifndef SYCL_EXT_ONEAPI_MATRIX_ELEMENTS_HPP
#define SYCL_EXT_ONEAPI_MATRIX_ELEMENTS_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../../half.hpp"
#include "../bfloat16.hpp"

namespace sycl {

namespace ext::oneapi::experimental::matrix {

namespace precision {
class tf32; /* float in memory; a sign, 8 bits of exponent, 10 of mantissa */
}

/* To nearest, to even. */
inline float round_to_tf32(float elem) {
  if (elem != elem) return elem;
  std::uint32_t bits = __builtin_bit_cast(std::uint32_t, elem);
  return __builtin_bit_cast(float, (bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu);
}

} // namespace ext::oneapi::experimental::matrix

namespace detail {

using tf32 = ext::oneapi::experimental::matrix::precision::tf32;

/* Kept as what is multiplied.  Bytes are floats: sums of as many products as one multiplication has
 * are exact, and processors have more units for them than for products of integers. */
template <typename T> constexpr auto kept_as() {
  if constexpr (std::is_same_v<T, tf32>) /* an incomplete type */
    return float();
  else if constexpr (is_bfloat16<T> || std::is_same_v<T, half> ||
                     (std::is_integral_v<T> && sizeof(T) == 1))
    return float();
  else
    return T();
}
template <typename T> using matrix_kept = decltype(detail::kept_as<T>());

template <typename T> struct in_memory { using type = T; };
template <> struct in_memory<tf32> { using type = float; };
template <typename T> using matrix_stored = typename in_memory<T>::type;

template <typename T> constexpr matrix_kept<T> keep(const matrix_stored<T> &value) {
  if constexpr (std::is_same_v<T, tf32>) /* the text lets us cut off */
    return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, value) & ~0x1fffu);
  else
    return static_cast<matrix_kept<T>>(value);
}
template <typename T> constexpr matrix_stored<T> give(const matrix_kept<T> &value) {
  return static_cast<matrix_stored<T>>(value);
}

} // namespace detail
} // namespace sycl

#endif
