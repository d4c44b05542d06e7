/* sycl_ext_oneapi_local_memory: an object of the work-group for each call. */
#ifndef SYCL_EXT_ONEAPI_GROUP_LOCAL_MEMORY_HPP
#define SYCL_EXT_ONEAPI_GROUP_LOCAL_MEMORY_HPP

#include <maniple/kernel.h>

#include <new>
#include <type_traits>
#include <utility>

#include "../../group_functions.hpp"
#include "../../khr/version.hpp"
#include "../../multi_ptr.hpp"

namespace sycl {

namespace detail {

template <typename Group> inline constexpr bool is_work_group = false;
template <int D> inline constexpr bool is_work_group<group<D>> = true;

template <typename T, typename Group>
using group_object = std::enable_if_t<is_work_group<Group> && std::is_trivially_destructible_v<T>,
                                      multi_ptr<T, access::address_space::local_space>>;

/* By one work-item, and all see it. */
template <typename Group, typename F> void made_by_leader(const Group &g, const F &make) {
  if (g.leader()) make();
  group_barrier(g);
}

} // namespace detail

namespace ext::oneapi {

/* Inlined into each of their callers, so that each of these has a place of its own. */
template <typename T, typename Group>
[[gnu::always_inline]] inline sycl::detail::group_object<T, Group>
group_local_memory_for_overwrite(Group g) {
  void *place = mpl_group_place(sizeof(T), alignof(T));
  if constexpr (!std::is_trivially_default_constructible_v<T>)
    sycl::detail::made_by_leader(g, [=] { ::new (place) T; });
  else
    (void)g;
  return {static_cast<T *>(place)};
}

template <typename T, typename Group, typename... Args>
[[gnu::always_inline]] inline sycl::detail::group_object<T, Group>
group_local_memory(Group g, Args &&...args) {
  void *place = mpl_group_place(sizeof(T), alignof(T));
  sycl::detail::made_by_leader(g, [&] {
    if constexpr (std::is_array_v<T>)
      ::new (place) T{std::forward<Args>(args)...};
    else
      ::new (place) T(std::forward<Args>(args)...);
  });
  return {static_cast<T *>(place)};
}

} // namespace ext::oneapi
} // namespace sycl

#endif
