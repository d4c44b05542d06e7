/* sycl_khr_split_headers: h_item, private_memory. */
#ifndef SYCL_KHR_SPLIT_HEADERS_HIERARCHICAL_PARALLELISM_HPP
#define SYCL_KHR_SPLIT_HEADERS_HIERARCHICAL_PARALLELISM_HPP

#include "../../hierarchical.hpp"
#include "version.hpp"

#endif
