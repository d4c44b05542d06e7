/* bit_cast: the bits of one type as another. */
#ifndef SYCL_BIT_CAST_HPP
#define SYCL_BIT_CAST_HPP

#include <cstring>
#include <type_traits>

namespace sycl {

template <typename To, typename From> To bit_cast(const From &from) noexcept {
  static_assert(sizeof(To) == sizeof(From), "sycl::bit_cast needs two types of the same size");
  static_assert(std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>,
                "sycl::bit_cast needs trivially copyable types");
  To to;
  std::memcpy(static_cast<void *>(&to), static_cast<const void *>(&from), sizeof to);
  return to;
}

} // namespace sycl

#endif
