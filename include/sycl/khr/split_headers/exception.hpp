/* sycl_khr_split_headers: errors. */
#ifndef SYCL_KHR_SPLIT_HEADERS_EXCEPTION_HPP
#define SYCL_KHR_SPLIT_HEADERS_EXCEPTION_HPP

#include "../../exception.hpp"
#include "version.hpp"

#endif
