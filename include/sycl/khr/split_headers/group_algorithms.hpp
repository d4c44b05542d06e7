/* sycl_khr_split_headers: group functions and algorithms (4.17.3, 4.17.4). */
#ifndef SYCL_KHR_SPLIT_HEADERS_GROUP_ALGORITHMS_HPP
#define SYCL_KHR_SPLIT_HEADERS_GROUP_ALGORITHMS_HPP

#include "../../group_algorithms.hpp"
#include "version.hpp"

#endif
