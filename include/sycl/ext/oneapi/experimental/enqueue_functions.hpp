/* sycl_ext_oneapi_enqueue_functions: commands as functions of a queue or a handler.  Only
 * submit_with_event gives an event. */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_ENQUEUE_FUNCTIONS_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_ENQUEUE_FUNCTIONS_HPP

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../khr/version.hpp"
#include "../../../queue.hpp"

namespace sycl {

namespace detail {

template <typename T> inline constexpr bool is_launch_range = false;
template <int D> inline constexpr bool is_launch_range<range<D>> = true;
template <int D> inline constexpr bool is_launch_range<nd_range<D>> = true;

struct launch_parts; /* what launches see of a launch_config */

} // namespace detail

namespace ext::oneapi::experimental {

template <typename Range, typename Properties = empty_properties_t> class launch_config {
  static_assert(sycl::detail::is_launch_range<Range>,
                "a launch_config is of a sycl::range or a sycl::nd_range");
  static_assert(sycl::detail::is_properties<Properties>,
                "the properties of a launch_config are a list of compile-time properties");
  friend struct sycl::detail::launch_parts;
  Range range;
  Properties properties;

public:
  launch_config(Range range, Properties properties = {}) : range(range), properties(properties) {}
};

} // namespace ext::oneapi::experimental

namespace detail {

struct launch_parts {
  template <typename Name, typename R, typename P, typename F, typename... Reductions>
  static void launch(handler &h, const ext::oneapi::experimental::launch_config<R, P> &config,
                     const F &kernel, const Reductions &...reduction) {
    if constexpr (std::is_same_v<P, ext::oneapi::experimental::empty_properties_t>)
      launch<Name>(h, config.range, kernel, reduction...);
    else
      h.parallel_for<Name>(config.range, config.properties, reduction..., kernel);
  }
  /* A kernel is followed by its reductions, a kernel object by arguments. */
  template <typename Name, typename R, typename F, typename... Rest>
  static std::enable_if_t<is_launch_range<R>> launch(handler &h, const R &range, const F &kernel,
                                                     const Rest &...rest) {
    if constexpr (std::is_same_v<F, sycl::kernel>)
      h.parallel_for(range, kernel);
    else
      h.parallel_for<Name>(range, rest..., kernel);
  }
};

} // namespace detail

namespace ext::oneapi::experimental {

/* --- Command groups ----------------------------------------------------------------------------
 */

template <typename Group, sycl::detail::if_submits<Group> = 0>
void submit(queue q, Group &&group) {
  q.submit(std::forward<Group>(group));
}
template <typename Group, typename Properties, sycl::detail::if_submits<Group> = 0>
void submit(queue q, Properties, Group &&group) {
  q.submit(std::forward<Group>(group));
}
template <typename Group, sycl::detail::if_submits<Group> = 0>
event submit_with_event(queue q, Group &&group) {
  return q.submit(std::forward<Group>(group));
}
template <typename Group, typename Properties, sycl::detail::if_submits<Group> = 0>
event submit_with_event(queue q, Properties, Group &&group) {
  return q.submit(std::forward<Group>(group));
}

/* --- Kernels: the range, the kernel, then its reductions
 * ---------------------------------------- */

template <typename KernelName = sycl::detail::unnamed, typename F, typename... Args>
void single_task(handler &h, const F &kernel, Args &&...args) {
  if constexpr (std::is_same_v<F, sycl::kernel>) {
    h.single_task(kernel);
  } else {
    static_assert(sizeof...(Args) == 0, "a kernel that is no kernel object takes no arguments");
    h.single_task<KernelName>(kernel);
  }
}
template <typename KernelName = sycl::detail::unnamed, typename F, typename... Args>
void single_task(queue q, const F &kernel, Args &&...args) {
  submit(q, [&](handler &h) { single_task<KernelName>(h, kernel, args...); });
}

/* For each thing that a range can be. */
#define SYCL_LAUNCH(name, parameter, type)                                                         \
  template <typename KernelName = sycl::detail::unnamed, parameter typename F, typename... Rest>   \
  void name(handler &h, type range, const F &kernel, Rest &&...rest) {                             \
    sycl::detail::launch_parts::launch<KernelName>(h, range, kernel, rest...);                     \
  }                                                                                                \
  template <typename KernelName = sycl::detail::unnamed, parameter typename F, typename... Rest>   \
  void name(queue q, type range, const F &kernel, Rest &&...rest) {                                \
    submit(q, [&](handler &h) { name<KernelName>(h, range, kernel, rest...); });                   \
  }
#define SYCL_LAUNCH_ONE(name, type) SYCL_LAUNCH(name, , type)
#define SYCL_COMMA                  ,
SYCL_LAUNCH_ONE(parallel_for, range<1>)
SYCL_LAUNCH_ONE(parallel_for, range<2>)
SYCL_LAUNCH_ONE(parallel_for, range<3>)
SYCL_LAUNCH(parallel_for, int D SYCL_COMMA typename P SYCL_COMMA,
            launch_config<range<D> SYCL_COMMA P>)
SYCL_LAUNCH(nd_launch, int D SYCL_COMMA, nd_range<D>)
SYCL_LAUNCH(nd_launch, int D SYCL_COMMA typename P SYCL_COMMA,
            launch_config<nd_range<D> SYCL_COMMA P>)
#undef SYCL_COMMA
#undef SYCL_LAUNCH_ONE
#undef SYCL_LAUNCH

/* --- Memory -------------------------------------------------------------------------------------
 */

enum class prefetch_type { device, host };

inline void memcpy(handler &h, void *to, const void *from, std::size_t size) {
  h.memcpy(to, from, size);
}
template <typename T> void copy(handler &h, const T *from, T *to, std::size_t count) {
  h.copy(from, to, count);
}
inline void memset(handler &h, void *to, int value, std::size_t size) {
  h.memset(to, value, size);
}
template <typename T> void fill(handler &h, T *to, const T &pattern, std::size_t count) {
  h.fill(to, pattern, count);
}
inline void prefetch(handler &h, void *data, std::size_t size,
                     prefetch_type = prefetch_type::device) {
  h.prefetch(data, size); /* host and device have one memory */
}
inline void mem_advise(handler &h, void *data, std::size_t size, int advice) {
  h.mem_advise(data, size, advice);
}

inline void memcpy(queue q, void *to, const void *from, std::size_t size) {
  q.memcpy(to, from, size);
}
template <typename T> void copy(queue q, const T *from, T *to, std::size_t count) {
  q.copy(from, to, count);
}
inline void memset(queue q, void *to, int value, std::size_t size) {
  q.memset(to, value, size);
}
template <typename T> void fill(queue q, T *to, const T &pattern, std::size_t count) {
  q.fill(to, pattern, count);
}
inline void prefetch(queue q, void *data, std::size_t size, prefetch_type = prefetch_type::device) {
  q.prefetch(data, size);
}
inline void mem_advise(queue q, void *data, std::size_t size, int advice) {
  q.mem_advise(data, size, advice);
}

/* --- Barriers
 * ----------------------------------------------------------------------------------- */

/* Later commands wait for all earlier ones, or for `events` alone. */

inline void barrier(handler &h) {
  h.ext_oneapi_barrier();
}
inline void barrier(queue q) {
  q.ext_oneapi_submit_barrier();
}
inline void partial_barrier(handler &h, const std::vector<event> &events) {
  h.ext_oneapi_barrier(events);
}
inline void partial_barrier(queue q, const std::vector<event> &events) {
  q.submit([&](handler &h) { h.ext_oneapi_barrier(events); });
}

} // namespace ext::oneapi::experimental
} // namespace sycl

#endif
