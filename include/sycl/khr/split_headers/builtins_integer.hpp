/* sycl_khr_split_headers: integer functions (4.17.6). */
#ifndef SYCL_KHR_SPLIT_HEADERS_BUILTINS_INTEGER_HPP
#define SYCL_KHR_SPLIT_HEADERS_BUILTINS_INTEGER_HPP

#include "../../math.hpp"
#include "version.hpp"

#endif
