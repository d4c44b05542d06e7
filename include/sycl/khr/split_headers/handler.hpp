/* sycl_khr_split_headers: handler. */
#ifndef SYCL_KHR_SPLIT_HEADERS_HANDLER_HPP
#define SYCL_KHR_SPLIT_HEADERS_HANDLER_HPP

#include "../../handler.hpp"
#include "version.hpp"

#endif
