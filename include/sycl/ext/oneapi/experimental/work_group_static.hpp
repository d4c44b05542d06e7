/* sycl_ext_oneapi_work_group_static: variables of a work-group.  `maniple c++` makes each of them one
 * of static storage and of the thread (src/compiler/front_end/group_statics.cpp); for other compilers a
 * program says `static thread_local` itself. */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_WORK_GROUP_STATIC_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_WORK_GROUP_STATIC_HPP

#include <memory>
#include <type_traits>

#include "../../../khr/version.hpp"

namespace sycl::ext::oneapi::experimental {

template <typename T> class work_group_static final {
  static_assert(std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>,
                "work_group_static is for types with a trivial constructor and destructor");
  T storage;

public:
  work_group_static() = default;
  work_group_static(const work_group_static &) = delete;
  work_group_static &operator=(const work_group_static &) = delete;

  operator T &() const noexcept { return *&*this; }
  template <typename U = T, std::enable_if_t<!std::is_array_v<U>, int> = 0>
  const work_group_static &operator=(const T &value) const noexcept {
    *&*this = value;
    return *this;
  }
  T *operator&() const noexcept { return const_cast<T *>(std::addressof(storage)); }
};

} // namespace sycl::ext::oneapi::experimental

#endif
