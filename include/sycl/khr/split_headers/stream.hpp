/* sycl_khr_split_headers: stream. */
#ifndef SYCL_KHR_SPLIT_HEADERS_STREAM_HPP
#define SYCL_KHR_SPLIT_HEADERS_STREAM_HPP

#include "../../stream.hpp"
#include "version.hpp"

#endif
