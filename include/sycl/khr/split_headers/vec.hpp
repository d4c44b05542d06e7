/* sycl_khr_split_headers: vec. */
#ifndef SYCL_KHR_SPLIT_HEADERS_VEC_HPP
#define SYCL_KHR_SPLIT_HEADERS_VEC_HPP

#include "../../vec.hpp"
#include "version.hpp"

#endif
