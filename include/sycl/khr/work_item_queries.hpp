/* sycl_khr_work_item_queries: this_nd_item, this_group and this_sub_group, which are group.hpp's.
 */
#ifndef SYCL_KHR_WORK_ITEM_QUERIES_HPP
#define SYCL_KHR_WORK_ITEM_QUERIES_HPP

#include "../group.hpp"
#include "version.hpp"

#endif
