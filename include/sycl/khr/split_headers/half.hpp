/* sycl_khr_split_headers: half. */
#ifndef SYCL_KHR_SPLIT_HEADERS_HALF_HPP
#define SYCL_KHR_SPLIT_HEADERS_HALF_HPP

#include "../../half.hpp"
#include "version.hpp"

#endif
