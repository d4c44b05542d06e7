/* sycl_ext_oneapi_dot_accumulate: products of four bytes each, added up. */
#ifndef SYCL_EXT_ONEAPI_DOT_PRODUCT_HPP
#define SYCL_EXT_ONEAPI_DOT_PRODUCT_HPP

#include <cstdint>
#include <type_traits>

#include "../../khr/version.hpp"
#include "../../vec.hpp"

namespace sycl::ext::oneapi {

#define SYCL_DOT_ACC(A, B)                                                                         \
  constexpr std::int32_t dot_acc(vec<A, 4> a, vec<B, 4> b, std::int32_t c) {                       \
    for (int i = 0; i < 4; i++) c += a[i] * b[i];                                                  \
    return c;                                                                                      \
  }
SYCL_DOT_ACC(std::int8_t, std::int8_t)
SYCL_DOT_ACC(std::int8_t, std::uint8_t)
SYCL_DOT_ACC(std::uint8_t, std::int8_t)
SYCL_DOT_ACC(std::uint8_t, std::uint8_t)
#undef SYCL_DOT_ACC

/* The bytes of a word, the least significant first; the extension's text spells it "doc". */
#define SYCL_DOT_PACKED(name, A, B)                                                                \
  constexpr std::int32_t name(A a, B b, std::int32_t c) {                                          \
    using byte_of_a = std::conditional_t<std::is_signed_v<A>, std::int8_t, std::uint8_t>;          \
    using byte_of_b = std::conditional_t<std::is_signed_v<B>, std::int8_t, std::uint8_t>;          \
    for (int i = 0; i < 32; i += 8) c += byte_of_a(a >> i) * byte_of_b(b >> i);                    \
    return c;                                                                                      \
  }
#define SYCL_DOT_PACKED_ALL(name)                                                                  \
  SYCL_DOT_PACKED(name, std::int32_t, std::int32_t)                                                \
  SYCL_DOT_PACKED(name, std::int32_t, std::uint32_t)                                               \
  SYCL_DOT_PACKED(name, std::uint32_t, std::int32_t)                                               \
  SYCL_DOT_PACKED(name, std::uint32_t, std::uint32_t)
SYCL_DOT_PACKED_ALL(dot_acc_4x8packed)
SYCL_DOT_PACKED_ALL(doc_acc_4x8packed)
SYCL_DOT_PACKED_ALL(dot_acc) /* deprecated */
#undef SYCL_DOT_PACKED_ALL
#undef SYCL_DOT_PACKED

} // namespace sycl::ext::oneapi

#endif
