/* sycl_khr_split_headers: queue. */
#ifndef SYCL_KHR_SPLIT_HEADERS_QUEUE_HPP
#define SYCL_KHR_SPLIT_HEADERS_QUEUE_HPP

#include "../../queue.hpp"
#include "version.hpp"

#endif
