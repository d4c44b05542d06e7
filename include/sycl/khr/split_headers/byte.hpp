/* sycl_khr_split_headers: byte, deprecated. */
#ifndef SYCL_KHR_SPLIT_HEADERS_BYTE_HPP
#define SYCL_KHR_SPLIT_HEADERS_BYTE_HPP

#include "../../vec.hpp"
#include "version.hpp"

#endif
