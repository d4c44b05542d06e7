/* sycl_khr_split_headers: multi_ptr. */
#ifndef SYCL_KHR_SPLIT_HEADERS_MULTI_PTR_HPP
#define SYCL_KHR_SPLIT_HEADERS_MULTI_PTR_HPP

#include "../../multi_ptr.hpp"
#include "version.hpp"

#endif
