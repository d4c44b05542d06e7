/* sycl_ext_oneapi_root_group: all work-items of a kernel as one group, which can wait for one
 * another where they are one work-group, and sycl_ext_oneapi_launch_queries, which say so.  A
 * work-group runs to its end before its thread takes another one, so that more of them could wait
 * for ever. */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_ROOT_GROUP_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_ROOT_GROUP_HPP

#include "../../../group_functions.hpp"
#include "../../../kernel.hpp"
#include "../../../khr/version.hpp"
#include "../../../queue.hpp"
#include "non_uniform_groups.hpp"

namespace sycl {

namespace ext::oneapi::experimental {

enum class execution_scope { work_item, sub_group, work_group, root_group };

template <int Dimensions> class root_group {
  template <execution_scope Scope, typename Result>
  using if_sub_group = std::enable_if_t<Scope == execution_scope::sub_group, Result>;
  template <execution_scope Scope, typename Result>
  using if_of_dimensions =
      std::enable_if_t<Scope == execution_scope::work_item || Scope == execution_scope::work_group,
                       Result>;

  static nd_item<Dimensions> item() { return sycl::detail::make::this_nd_item<Dimensions>(); }

public:
  using id_type = id<Dimensions>;
  using range_type = range<Dimensions>;
  using linear_id_type = std::size_t;
  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope fence_scope = memory_scope::device;

  id<Dimensions> get_group_id() const { return {}; }
  id<Dimensions> get_local_id() const { return item().get_global_id(); }
  range<Dimensions> get_group_range() const { return sycl::detail::square<Dimensions>(1); }
  range<Dimensions> get_local_range() const { return item().get_global_range(); }
  range<Dimensions> get_max_local_range() const { return get_local_range(); }
  std::size_t get_group_linear_id() const { return 0; }
  std::size_t get_local_linear_id() const { return item().get_global_linear_id(); }
  std::size_t get_group_linear_range() const { return 1; }
  std::size_t get_local_linear_range() const { return get_local_range().size(); }
  bool leader() const { return get_local_linear_id() == 0; }

  template <execution_scope Scope> if_of_dimensions<Scope, id<Dimensions>> get_id() const {
    if constexpr (Scope == execution_scope::work_item)
      return get_local_id();
    else
      return item().get_group().get_group_id();
  }
  template <execution_scope Scope> if_sub_group<Scope, id<1>> get_id() const {
    return item().get_group_linear_id() * mpl_get_num_sub_groups() + mpl_get_sub_group_id();
  }
  template <execution_scope Scope> std::size_t get_linear_id() const {
    static_assert(Scope != execution_scope::root_group, "a root-group has narrower scopes inside");
    if constexpr (Scope == execution_scope::work_item)
      return get_local_linear_id();
    else if constexpr (Scope == execution_scope::work_group)
      return item().get_group_linear_id();
    else
      return get_id<Scope>()[0];
  }
  template <execution_scope Scope> if_of_dimensions<Scope, range<Dimensions>> get_range() const {
    if constexpr (Scope == execution_scope::work_item)
      return get_local_range();
    else
      return item().get_group_range();
  }
  template <execution_scope Scope> if_sub_group<Scope, range<1>> get_range() const {
    return item().get_group_range().size() * mpl_get_num_sub_groups();
  }
  template <execution_scope Scope> std::size_t get_linear_range() const {
    static_assert(Scope != execution_scope::root_group, "a root-group has narrower scopes inside");
    return get_range<Scope>().size();
  }
};

template <int D> struct is_fixed_topology_group<root_group<D>> : std::true_type {};

namespace this_work_item {
template <int Dimensions> root_group<Dimensions> get_root_group() {
  return {};
}
} // namespace this_work_item
namespace this_kernel {
template <int Dimensions> root_group<Dimensions> get_root_group() {
  return {};
}
} // namespace this_kernel

namespace info::kernel {
template <std::uint32_t Dimensions> struct max_work_item_sizes {};
struct max_work_group_size {};
struct max_num_work_groups {};
struct max_sub_group_size {};
struct num_sub_groups {};
} // namespace info::kernel

/* DPC++'s names, of root-groups only: how many work-groups can wait for one another. */
namespace info::kernel_queue_specific {
struct max_num_work_groups {};
struct max_num_work_group_sync {};
} // namespace info::kernel_queue_specific

} // namespace ext::oneapi::experimental

namespace detail {

namespace launch_info = ext::oneapi::experimental::info::kernel;

template <typename Query> inline constexpr std::uint32_t item_sizes_of = 0;
template <std::uint32_t D>
inline constexpr std::uint32_t item_sizes_of<launch_info::max_work_item_sizes<D>> = D;

} // namespace detail

template <int D>
void group_barrier(ext::oneapi::experimental::root_group<D>,
                   memory_scope scope = memory_scope::device,
                   const detail::here &at = detail::here("group_barrier")) {
  detail::barrier<false>(scope, &at);
}

template <int Dimensions>
ext::oneapi::experimental::root_group<Dimensions>
nd_item<Dimensions>::ext_oneapi_get_root_group() const {
  return {};
}

/* Of a launch on that queue; those of the whole device where the kernel asks for nothing more. */
template <typename Query> auto kernel::ext_oneapi_get_info(const queue &q) const {
  namespace specific = info::kernel_device_specific;
  constexpr std::uint32_t D = detail::item_sizes_of<Query>;
  constexpr bool sync = std::is_same_v<
      Query, ext::oneapi::experimental::info::kernel_queue_specific::max_num_work_group_sync>;
  std::size_t most = get_info<specific::work_group_size>(q.get_device());
  if constexpr (D != 0) {
    sycl::id<int(D)> sizes;
    for (std::uint32_t i = 0; i < D; i++) sizes[int(i)] = most;
    return sizes;
  } else if constexpr (sync) {
    return std::size_t(1);
  } else {
    static_assert(std::is_same_v<Query, detail::launch_info::max_work_group_size>,
                  "a query of sycl_ext_oneapi_launch_queries that takes a queue alone");
    return most;
  }
}
template <typename Query, int D>
auto kernel::ext_oneapi_get_info(const queue &q, range<D> local, std::size_t bytes) const {
  namespace specific = info::kernel_device_specific;
  device where = q.get_device();
  std::size_t items = local.size(), most = get_info<specific::work_group_size>(where);
  std::uint32_t lanes = get_info<specific::max_sub_group_size>(where);
  bool fits = items <= most && bytes <= where.get_info<info::device::local_mem_size>();
  if (items == 0) detail::fail(errc::invalid, "a work-group has work-items");
  if constexpr (std::is_same_v<
                    Query,
                    ext::oneapi::experimental::info::kernel_queue_specific::max_num_work_groups>) {
    return std::size_t(fits);
  } else if constexpr (std::is_same_v<Query, detail::launch_info::max_num_work_groups>) {
    bool one = record()->flags & MPL_RECORD_ONE_GROUP;
    return !fits ? std::size_t(0) : one ? std::size_t(1) : std::size_t(-1) / most;
  } else if constexpr (std::is_same_v<Query, detail::launch_info::max_sub_group_size>) {
    return fits ? lanes : std::uint32_t(0);
  } else {
    static_assert(std::is_same_v<Query, detail::launch_info::num_sub_groups>,
                  "a query of sycl_ext_oneapi_launch_queries that takes a queue and a size");
    return fits ? std::uint32_t((items + lanes - 1) / lanes) : std::uint32_t(0);
  }
}

} // namespace sycl

#endif
