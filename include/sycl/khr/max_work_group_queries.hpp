/* sycl_khr_max_work_group_queries: how many work-groups a launch may have. */
#ifndef SYCL_KHR_MAX_WORK_GROUP_QUERIES_HPP
#define SYCL_KHR_MAX_WORK_GROUP_QUERIES_HPP

#include "../info.hpp"
#include "version.hpp"

namespace sycl::khr::info::device {

/* Global ids are of 64 bits, so that groups of the largest size have numbers in each dimension. */
struct max_work_group_range_size {
  using return_type = std::size_t;
  static return_type get(const sycl::detail::properties &p) {
    return std::size_t(-1) / p.max_work_group_size;
  }
};

template <int Dimensions = 3> struct max_work_group_range {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "one, two or three dimensions");
  using return_type = range<Dimensions>;
  static return_type get(const sycl::detail::properties &p) {
    return sycl::detail::square<Dimensions>(max_work_group_range_size::get(p));
  }
};

} // namespace sycl::khr::info::device

#endif
