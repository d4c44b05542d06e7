/* sycl_ext_oneapi_work_group_memory: local memory of a launch, without its size. */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_WORK_GROUP_MEMORY_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_WORK_GROUP_MEMORY_HPP

#include <maniple/kernel.h>

#include <cstddef>
#include <type_traits>

#include "../../../handler.hpp"
#include "../../../khr/version.hpp"
#include "../../../kernel_properties.hpp"
#include "../../../local_accessor.hpp"
#include "../../../multi_ptr.hpp"

namespace sycl::ext::oneapi::experimental {

struct indeterminate_t {};
inline constexpr indeterminate_t indeterminate;

template <typename DataT, typename PropertyListT = empty_properties_t> class work_group_memory {
  static_assert(std::is_same_v<PropertyListT, empty_properties_t>,
                "work_group_memory has no properties");


  sycl::detail::local_place local{};

  void reserve(std::size_t bytes, handler &group) {
    local = sycl::detail::reserve_local(group, bytes, alignof(std::remove_all_extents_t<DataT>));
  }
  char *place() const { return static_cast<char *>(mpl_get_local_memory()) + local.offset; }

public:
  using value_type = std::remove_all_extents_t<DataT>;

  work_group_memory(const indeterminate_t &) {}
  work_group_memory(const work_group_memory &) = default;
  template <typename T = DataT,
            std::enable_if_t<!(std::is_array_v<T> && std::extent_v<T> == 0), int> = 0>
  work_group_memory(handler &group) {
    reserve(sizeof(T), group);
  }
  template <typename T = DataT,
            std::enable_if_t<std::is_array_v<T> && std::extent_v<T> == 0, int> = 0>
  work_group_memory(std::size_t count, handler &group) {
    if (count > std::size_t(-1) / sizeof(std::remove_extent_t<T>))
      sycl::detail::fail(errc::memory_allocation, "more work-group memory than there is");
    reserve(count * sizeof(std::remove_extent_t<T>), group);
  }
  work_group_memory &operator=(const work_group_memory &) = default;

  operator DataT &() const { return *&*this; }
  template <typename T = DataT, std::enable_if_t<!std::is_array_v<T>, int> = 0>
  const work_group_memory &operator=(const T &value) const {
    *&*this = value;
    return *this;
  }
  DataT *operator&() const { return reinterpret_cast<DataT *>(place()); }

  template <access::decorated IsDecorated = access::decorated::no>
  multi_ptr<value_type, access::address_space::local_space, IsDecorated> get_multi_ptr() const {
    return multi_ptr<value_type, access::address_space::local_space, IsDecorated>(
        reinterpret_cast<value_type *>(place()));
  }
};

} // namespace sycl::ext::oneapi::experimental

#endif
