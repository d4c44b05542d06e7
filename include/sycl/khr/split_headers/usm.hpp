/* sycl_khr_split_headers: unified shared memory. */
#ifndef SYCL_KHR_SPLIT_HEADERS_USM_HPP
#define SYCL_KHR_SPLIT_HEADERS_USM_HPP

#include "../../usm.hpp"
#include "version.hpp"

#endif
