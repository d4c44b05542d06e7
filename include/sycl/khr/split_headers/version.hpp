/* sycl_khr_split_headers: all macros. */
#ifndef SYCL_KHR_SPLIT_HEADERS_VERSION_HPP
#define SYCL_KHR_SPLIT_HEADERS_VERSION_HPP

#include "../version.hpp"

#endif
