/* sycl_khr_split_headers: context. */
#ifndef SYCL_KHR_SPLIT_HEADERS_CONTEXT_HPP
#define SYCL_KHR_SPLIT_HEADERS_CONTEXT_HPP

#include "../../device.hpp"
#include "version.hpp"

#endif
