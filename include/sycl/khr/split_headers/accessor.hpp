/* sycl_khr_split_headers: accessors: accessor, host_accessor, local_accessor. */
#ifndef SYCL_KHR_SPLIT_HEADERS_ACCESSOR_HPP
#define SYCL_KHR_SPLIT_HEADERS_ACCESSOR_HPP

#include "../../accessor.hpp"
#include "../../local_accessor.hpp"
#include "../../property.hpp"
#include "version.hpp"

#endif
