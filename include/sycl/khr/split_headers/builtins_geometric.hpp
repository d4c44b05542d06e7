/* sycl_khr_split_headers: geometric functions (4.17.8). */
#ifndef SYCL_KHR_SPLIT_HEADERS_BUILTINS_GEOMETRIC_HPP
#define SYCL_KHR_SPLIT_HEADERS_BUILTINS_GEOMETRIC_HPP

#include "../../math.hpp"
#include "version.hpp"

#endif
