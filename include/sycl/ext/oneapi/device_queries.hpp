/* sycl_ext_oneapi_num_compute_units and sycl_ext_oneapi_max_work_group_query. */
#ifndef SYCL_EXT_ONEAPI_DEVICE_QUERIES_HPP
#define SYCL_EXT_ONEAPI_DEVICE_QUERIES_HPP

#include "../../khr/max_work_group_queries.hpp"

namespace sycl::ext::oneapi {

namespace info::device {

struct num_compute_units {
  using return_type = std::size_t;
  static return_type get(const sycl::detail::properties &p) { return p.compute_units; }
};

} // namespace info::device

namespace experimental::info::device {

using max_global_work_groups = khr::info::device::max_work_group_range_size;

template <int Dimensions = 3> struct max_work_groups {
  using return_type = id<Dimensions>;
  static return_type get(const sycl::detail::properties &p) {
    return id<Dimensions>(khr::info::device::max_work_group_range<Dimensions>::get(p));
  }
};

} // namespace experimental::info::device
} // namespace sycl::ext::oneapi

#endif
