/* Commands as functions of a queue or a handler, as the draft of sycl_khr_free_function_commands had
 * them before its requirements; SYCL-CTS 2397e7b tests these.  Those of a queue give no event;
 * submit_tracked does. */
#ifndef SYCL_KHR_EARLIER_COMMANDS_HPP
#define SYCL_KHR_EARLIER_COMMANDS_HPP

#include <utility>
#include <vector>

#include "../queue.hpp"
#include "version.hpp"

namespace sycl::detail {

/* A placeholder accessor of a command that stands alone is required with it. */
template <typename T> void require_placeholder(handler &, const T &) {}
template <typename T, int D, access_mode M, target G, access::placeholder P>
void require_placeholder(handler &h, const accessor<T, D, M, G, P> &access) {
  if (access.is_placeholder()) h.require(access);
}

template <typename... T> void require_all(handler &h, const T &...each) {
  (require_placeholder(h, each), ...);
}

} // namespace sycl::detail

namespace sycl::khr {

template <typename F> void submit(const queue &q, F &&group) {
  queue(q).submit(std::forward<F>(group));
}
template <typename F> event submit_tracked(const queue &q, F &&group) {
  return queue(q).submit(std::forward<F>(group));
}

/* --- Kernels: the range, the kernel, then its reductions
 * ---------------------------------------- */

template <typename F> void launch_task(handler &h, const F &kernel) {
  h.single_task(kernel);
}
template <int D, typename F> void launch(handler &h, range<D> size, const F &kernel) {
  h.parallel_for(size, kernel);
}
template <int D, typename F, typename... Reductions>
void launch_reduce(handler &h, range<D> size, const F &kernel, const Reductions &...reduction) {
  h.parallel_for(size, reduction..., kernel);
}
template <int D, typename F>
void launch_grouped(handler &h, range<D> global, range<D> local, const F &kernel) {
  h.parallel_for(nd_range<D>(global, local), kernel);
}
template <int D, typename F, typename... Reductions>
void launch_grouped_reduce(handler &h, range<D> global, range<D> local, const F &kernel,
                           const Reductions &...reduction) {
  h.parallel_for(nd_range<D>(global, local), reduction..., kernel);
}

/* --- Memory and order
 * --------------------------------------------------------------------------- */

inline void memcpy(handler &h, void *to, const void *from, std::size_t size) {
  h.memcpy(to, from, size);
}
template <typename T> void copy(handler &h, const T *from, T *to, std::size_t count) {
  h.copy(from, to, count);
}
template <typename From, typename To> void copy(handler &h, From from, To to) {
  h.copy(from, to);
}
inline void memset(handler &h, void *to, int value, std::size_t size) {
  h.memset(to, value, size);
}
template <typename T> void fill(handler &h, T *to, const T &pattern, std::size_t count) {
  h.fill(to, pattern, count);
}
template <typename T, int D, access_mode M, target G, access::placeholder P>
void fill(handler &h, accessor<T, D, M, G, P> to, const T &value) {
  h.fill(to, value);
}
template <typename T, int D, access_mode M, target G, access::placeholder P>
void update_host(handler &h, accessor<T, D, M, G, P> access) {
  h.update_host(access);
}
inline void prefetch(handler &h, const void *data, std::size_t size) {
  h.prefetch(data, size);
}
inline void mem_advise(handler &h, const void *data, std::size_t size, int advice) {
  h.mem_advise(data, size, advice);
}
/* Later commands wait for all earlier ones, and event_barrier for those events alone. */
inline void command_barrier(handler &h) {
  h.ext_oneapi_barrier();
}
inline void event_barrier(handler &h, const std::vector<event> &events) {
  h.ext_oneapi_barrier(events);
}

#define SYCL_COMMAND(name)                                                                         \
  template <typename... Args> void name(const queue &q, Args... args) {                            \
    submit(q, [&](handler &h) {                                                                    \
      sycl::detail::require_all(h, args...);                                                       \
      name(h, args...);                                                                            \
    });                                                                                            \
  }
SYCL_COMMAND(memcpy)
SYCL_COMMAND(copy)
SYCL_COMMAND(memset)
SYCL_COMMAND(fill)
SYCL_COMMAND(update_host)
SYCL_COMMAND(prefetch)
SYCL_COMMAND(mem_advise)
SYCL_COMMAND(command_barrier)
#undef SYCL_COMMAND
inline void event_barrier(const queue &q, const std::vector<event> &events) {
  submit(q, [&](handler &h) { h.ext_oneapi_barrier(events); });
}

} // namespace sycl::khr

#endif
