/* sycl_khr_split_headers: ranges, ids and items. */
#ifndef SYCL_KHR_SPLIT_HEADERS_INDEX_SPACE_HPP
#define SYCL_KHR_SPLIT_HEADERS_INDEX_SPACE_HPP

#include "../../group.hpp"
#include "../../item.hpp"
#include "../../range_id.hpp"
#include "version.hpp"

#endif
