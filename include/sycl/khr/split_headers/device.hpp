/* sycl_khr_split_headers: device, selectors, aspects. */
#ifndef SYCL_KHR_SPLIT_HEADERS_DEVICE_HPP
#define SYCL_KHR_SPLIT_HEADERS_DEVICE_HPP

#include "../../device.hpp"
#include "version.hpp"

#endif
