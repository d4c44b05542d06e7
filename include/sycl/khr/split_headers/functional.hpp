/* sycl_khr_split_headers: function objects (4.17.2). */
#ifndef SYCL_KHR_SPLIT_HEADERS_FUNCTIONAL_HPP
#define SYCL_KHR_SPLIT_HEADERS_FUNCTIONAL_HPP

#include "../../functional.hpp"
#include "version.hpp"

#endif
