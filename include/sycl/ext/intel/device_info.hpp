/* sycl_ext_intel_device_info: what Intel's devices say of themselves.  The CPU here has free memory
 * to tell of; what else a program asks for without asking for its aspect is an exception. */
#ifndef SYCL_EXT_INTEL_DEVICE_INFO_HPP
#define SYCL_EXT_INTEL_DEVICE_INFO_HPP

#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>

#include "../../exception.hpp"
#include "../../info.hpp"
#include "../../khr/version.hpp"

namespace sycl {

namespace detail {

using uuid_bytes = std::array<unsigned char, 16>;

template <aspect Aspect> struct intel_info {
  template <typename T> static T of(const properties &) {
    fail(errc::feature_not_supported, "the device does not have the aspect of this query");
  }
};
template <> struct intel_info<aspect::ext_intel_free_memory> {
  template <typename T> static T of(const properties &p) {
    if (p.is_gpu)
      fail(errc::feature_not_supported, "a GPU's free memory is not known (ext_intel_free_memory)");
    return T(sysconf(_SC_AVPHYS_PAGES)) * T(sysconf(_SC_PAGESIZE));
  }
};

} // namespace detail

namespace ext::intel::info::device {

using sycl::detail::uuid_bytes;

#define SYCL_INTEL_INFO(name, type, aspect_of_it)                                                  \
  struct name {                                                                                    \
    using return_type = type;                                                                      \
    SYCL_WHEN_USED static return_type get(const sycl::detail::properties &p) {                     \
      return sycl::detail::intel_info<aspect::aspect_of_it>::of<type>(p);                          \
    }                                                                                              \
  };
#include "device_info.def"

} // namespace ext::intel::info::device

namespace info::device { /* their names before SYCL 2020 */

#define SYCL_INTEL_INFO(name, type, aspect_of_it)                                                  \
  using aspect_of_it = ext::intel::info::device::name;
#include "device_info.def"

} // namespace info::device
} // namespace sycl

#endif
