/* sycl_khr_split_headers: math functions (4.17.5). */
#ifndef SYCL_KHR_SPLIT_HEADERS_BUILTINS_MATH_HPP
#define SYCL_KHR_SPLIT_HEADERS_BUILTINS_MATH_HPP

#include "../../math.hpp"
#include "../../math_second.hpp"
#include "version.hpp"

#endif
