/* sycl_khr_split_headers: reductions (4.9.2), with the function objects. */
#ifndef SYCL_KHR_SPLIT_HEADERS_REDUCTION_HPP
#define SYCL_KHR_SPLIT_HEADERS_REDUCTION_HPP

#include "../../functional.hpp"
#include "../../reduction.hpp"
#include "version.hpp"

#endif
