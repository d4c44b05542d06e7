/* sycl_ext_oneapi_current_device: a device that each thread of the host may set for its own use. */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_CURRENT_DEVICE_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_CURRENT_DEVICE_HPP

#include <optional>

#include "../../../device.hpp"
#include "../../../khr/version.hpp"

namespace sycl {

namespace detail {

/* Of the calling thread; none until it sets one. */
inline std::optional<device> &current_device() {
  static thread_local std::optional<device> mine;
  return mine;
}

} // namespace detail

namespace ext::oneapi::experimental::this_thread {

inline device get_current_device() {
  const std::optional<device> &mine = sycl::detail::current_device();
  return mine ? *mine : device(default_selector_v);
}
inline void set_current_device(device to) {
  sycl::detail::current_device() = to;
}

} // namespace ext::oneapi::experimental::this_thread
} // namespace sycl

#endif
