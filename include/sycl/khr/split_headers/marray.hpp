/* sycl_khr_split_headers: marray. */
#ifndef SYCL_KHR_SPLIT_HEADERS_MARRAY_HPP
#define SYCL_KHR_SPLIT_HEADERS_MARRAY_HPP

#include "../../marray.hpp"
#include "version.hpp"

#endif
