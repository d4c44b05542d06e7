/* sycl_ext_oneapi_cuda_tex_cache_read: a load of data that no kernel writes meanwhile. */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_CUDA_BUILTINS_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_CUDA_BUILTINS_HPP

#include "../../../../khr/version.hpp"

namespace sycl::ext::oneapi::experimental::cuda {

template <typename T> T ldg(const T *pointer) {
  return *pointer;
}

} // namespace sycl::ext::oneapi::experimental::cuda

#endif
