/* sycl_khr_split_headers: interop_handle. */
#ifndef SYCL_KHR_SPLIT_HEADERS_INTEROP_HANDLE_HPP
#define SYCL_KHR_SPLIT_HEADERS_INTEROP_HANDLE_HPP

#include "../../backend.hpp"
#include "../../handler.hpp"
#include "version.hpp"

#endif
