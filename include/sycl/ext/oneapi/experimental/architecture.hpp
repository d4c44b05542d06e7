/* The names of sycl_ext_oneapi_device_architecture that sycl_ext_oneapi_matrix takes; the rest of
 * that extension is not here. */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_ARCHITECTURE_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_ARCHITECTURE_HPP

namespace sycl::ext::oneapi::experimental {

enum class architecture {
#define SYCL_ARCHITECTURE(name) name,
#include "architecture.def"
};

} // namespace sycl::ext::oneapi::experimental

#endif
