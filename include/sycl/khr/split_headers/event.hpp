/* sycl_khr_split_headers: event. */
#ifndef SYCL_KHR_SPLIT_HEADERS_EVENT_HPP
#define SYCL_KHR_SPLIT_HEADERS_EVENT_HPP

#include "../../event.hpp"
#include "version.hpp"

#endif
