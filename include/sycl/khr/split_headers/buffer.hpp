/* sycl_khr_split_headers: buffer. */
#ifndef SYCL_KHR_SPLIT_HEADERS_BUFFER_HPP
#define SYCL_KHR_SPLIT_HEADERS_BUFFER_HPP

#include "../../buffer.hpp"
#include "../../device.hpp"
#include "version.hpp"

#endif
