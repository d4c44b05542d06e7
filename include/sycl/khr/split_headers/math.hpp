/* sycl_khr_split_headers: all of 4.17.5 to 4.17.9. */
#ifndef SYCL_KHR_SPLIT_HEADERS_MATH_HPP
#define SYCL_KHR_SPLIT_HEADERS_MATH_HPP

#include "../../math.hpp"
#include "../../math_second.hpp"
#include "../../relational.hpp"
#include "version.hpp"

#endif
