/* sycl_khr_split_headers: group, sub_group, group_barrier. */
#ifndef SYCL_KHR_SPLIT_HEADERS_GROUPS_HPP
#define SYCL_KHR_SPLIT_HEADERS_GROUPS_HPP

#include "../../group.hpp"
#include "../../group_functions.hpp"
#include "version.hpp"

#endif
