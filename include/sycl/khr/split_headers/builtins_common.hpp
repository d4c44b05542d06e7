/* sycl_khr_split_headers: common functions (4.17.7). */
#ifndef SYCL_KHR_SPLIT_HEADERS_BUILTINS_COMMON_HPP
#define SYCL_KHR_SPLIT_HEADERS_BUILTINS_COMMON_HPP

#include "../../math.hpp"
#include "version.hpp"

#endif
