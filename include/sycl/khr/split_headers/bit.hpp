/* sycl_khr_split_headers: bit_cast. */
#ifndef SYCL_KHR_SPLIT_HEADERS_BIT_HPP
#define SYCL_KHR_SPLIT_HEADERS_BIT_HPP

#include "../../bit_cast.hpp"
#include "version.hpp"

#endif
