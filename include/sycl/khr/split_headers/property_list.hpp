/* sycl_khr_split_headers: property_list. */
#ifndef SYCL_KHR_SPLIT_HEADERS_PROPERTY_LIST_HPP
#define SYCL_KHR_SPLIT_HEADERS_PROPERTY_LIST_HPP

#include "../../property.hpp"
#include "version.hpp"

#endif
