/* sycl_khr_split_headers: span. */
#ifndef SYCL_KHR_SPLIT_HEADERS_SPAN_HPP
#define SYCL_KHR_SPLIT_HEADERS_SPAN_HPP

#include "../../span.hpp"
#include "version.hpp"

#endif
