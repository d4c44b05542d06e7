/* sycl_khr_split_headers: platform. */
#ifndef SYCL_KHR_SPLIT_HEADERS_PLATFORM_HPP
#define SYCL_KHR_SPLIT_HEADERS_PLATFORM_HPP

#include "../../device.hpp"
#include "version.hpp"

#endif
