/* sycl::ext::oneapi::experimental::printf: the C library's, in kernels too. */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_PRINTF_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_PRINTF_HPP

#include <cstdio>
#include <type_traits>

#include "../../../half.hpp"

namespace sycl {

namespace detail {

/* What the C library takes for it: a half as other arguments of floating-point types. */
template <typename T> decltype(auto) printed(const T &value) {
  if constexpr (std::is_same_v<T, half>)
    return double(float(value));
  else
    return value;
}

} // namespace detail

namespace ext::oneapi::experimental {

/* The last argument is one that no format asks for: compilers warn of a format without any. */
template <typename... Args> int printf(const char *format, Args... args) {
  return std::printf(format, sycl::detail::printed(args)..., 0) < 0 ? -1 : 0;
}

} // namespace ext::oneapi::experimental
} // namespace sycl

#endif
