/* sycl_khr_free_function_commands: commands as functions of a queue, with what they need beside the
 * range.  They give no event: a requirement, signal_event, names one that exists. */
#ifndef SYCL_KHR_FREE_FUNCTION_COMMANDS_HPP
#define SYCL_KHR_FREE_FUNCTION_COMMANDS_HPP

#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#if __has_include(<span>) && __cplusplus >= 202002L
#include <span>
#endif

#include "earlier_commands.hpp"
#include "requirements.hpp"

namespace sycl {

namespace detail {

template <typename T> inline constexpr bool is_requirements = false;
template <typename... R> inline constexpr bool is_requirements<khr::requirements<R...>> = true;

template <typename F> using if_kernel = std::enable_if_t<!is_requirements<F>, int>;

template <typename R> inline constexpr bool is_for_kernels = true;
template <typename T, int D, access_mode M, access::placeholder P>
inline constexpr bool is_for_kernels<accessor<T, D, M, target::host_task, P>> = false;

/* A function object is launched after its reductions, a kernel object without its arguments. */
template <typename Range, typename F, typename... Rest>
void launch_kernel(handler &h, const Range &range, const F &kernel, const Rest &...rest) {
  if constexpr (std::is_same_v<F, sycl::kernel>)
    h.parallel_for(range, kernel);
  else
    h.parallel_for(range, rest..., kernel);
}

template <typename Range, typename... R, typename F, typename... Rest>
void launch_with(const queue &q, const Range &range, const khr::requirements<R...> &needs,
                 const F &kernel, const Rest &...rest) {
  static_assert((... && is_for_kernels<R>), "a kernel has accessors of target::device");
  submit_with(q, needs, [&](handler &h) { launch_kernel(h, range, kernel, rest...); });
}

} // namespace detail

namespace khr {

/* --- Kernels ----------------------------------------------------------------------------------
 * The range, requirements, the kernel, then its reductions; of a kernel object, arguments. */

#define SYCL_LAUNCH(name, size)                                                                    \
  template <typename F, typename... Rest, sycl::detail::if_kernel<F> = 0>                          \
  void name(const queue &q, size r, const F &k, Rest &&...rest) {                                  \
    sycl::detail::launch_with(q, r, requirements<>(), k, rest...);                                 \
  }                                                                                                \
  template <typename... R, typename F, typename... Rest>                                           \
  void name(const queue &q, size r, const requirements<R...> &needs, const F &k, Rest &&...rest) { \
    sycl::detail::launch_with(q, r, needs, k, rest...);                                            \
  }
#define SYCL_LAUNCH_GROUPED(name, D)                                                               \
  template <typename F, typename... Rest, sycl::detail::if_kernel<F> = 0>                          \
  void name(const queue &q, range<D> r, range<D> local, const F &k, Rest &&...rest) {              \
    sycl::detail::launch_with(q, nd_range<D>(r, local), requirements<>(), k, rest...);             \
  }                                                                                                \
  template <typename... R, typename F, typename... Rest>                                           \
  void name(const queue &q, range<D> r, range<D> local, const requirements<R...> &needs,           \
            const F &k, Rest &&...rest) {                                                          \
    sycl::detail::launch_with(q, nd_range<D>(r, local), needs, k, rest...);                        \
  }
#define SYCL_LAUNCHES(D)                                                                           \
  SYCL_LAUNCH(launch, range<D>)                                                                    \
  SYCL_LAUNCH(launch_reduce, range<D>)                                                             \
  SYCL_LAUNCH_GROUPED(launch_grouped, D)                                                           \
  SYCL_LAUNCH_GROUPED(launch_grouped_reduce, D)
SYCL_LAUNCHES(1)
SYCL_LAUNCHES(2)
SYCL_LAUNCHES(3)
#undef SYCL_LAUNCHES
#undef SYCL_LAUNCH_GROUPED
#undef SYCL_LAUNCH

template <typename... R, typename F, typename... Args>
void launch_task(const queue &q, const requirements<R...> &needs, const F &k, Args &&...) {
  static_assert((... && sycl::detail::is_for_kernels<R>), "a kernel has accessors of target::device");
  static_assert(std::is_same_v<F, kernel> || sizeof...(Args) == 0,
                "only kernel objects are given arguments");
  sycl::detail::submit_with(q, needs, [&](handler &h) { h.single_task(k); });
}
template <typename F, typename... Args, sycl::detail::if_kernel<F> = 0>
void launch_task(const queue &q, const F &k, Args &&...args) {
  launch_task(q, requirements<>(), k, args...);
}

template <typename... R, typename F>
void launch_host(const queue &q, const requirements<R...> &needs, F &&task) {
  sycl::detail::submit_with(q, needs, [&](handler &h) { h.host_task(task); });
}
template <typename F> void launch_host(const queue &q, F &&task) {
  launch_host(q, requirements<>(), task);
}

/* --- Memory -----------------------------------------------------------------------------------
 */

/* Accessors among the arguments are required with them. */
#define SYCL_COMMAND(name, function, parameters, ...)                                              \
  void name(const queue &q, parameters, const requirements<R...> &needs = {}) {                    \
    sycl::detail::submit_with(q, needs, [&](handler &h) {                                          \
      sycl::detail::require_all(h, __VA_ARGS__);                                                   \
      h.function(__VA_ARGS__);                                                                     \
    });                                                                                            \
  }
#define SYCL_COMMA ,
#define SYCL_EVENTS sycl::detail::if_only_events<R...> = 0
#define SYCL_ACCESSOR(T, D, M) accessor<T SYCL_COMMA D SYCL_COMMA M SYCL_COMMA target::device>
template <typename... R, SYCL_EVENTS>
SYCL_COMMAND(enqueue_memcpy, memcpy, void *to SYCL_COMMA const void *from SYCL_COMMA std::size_t size,
             to, from, size)
template <typename T, typename... R, SYCL_EVENTS>
SYCL_COMMAND(enqueue_copy, copy, const T *from SYCL_COMMA T *to SYCL_COMMA std::size_t count, from,
             to, count)
template <typename S, typename T, int D, access_mode M, typename... R, SYCL_EVENTS>
SYCL_COMMAND(enqueue_copy, copy, const S *from SYCL_COMMA SYCL_ACCESSOR(T, D, M) to, from, to)
template <typename S, typename T, int D, access_mode M, typename... R, SYCL_EVENTS>
SYCL_COMMAND(enqueue_copy, copy, std::shared_ptr<S> from SYCL_COMMA SYCL_ACCESSOR(T, D, M) to, from,
             to)
template <typename S, int D, access_mode M, typename T, typename... R, SYCL_EVENTS>
SYCL_COMMAND(enqueue_copy, copy, SYCL_ACCESSOR(S, D, M) from SYCL_COMMA T *to, from, to)
template <typename S, int D, access_mode M, typename T, typename... R, SYCL_EVENTS>
SYCL_COMMAND(enqueue_copy, copy, SYCL_ACCESSOR(S, D, M) from SYCL_COMMA std::shared_ptr<T> to, from,
             to)
template <typename S, int D, access_mode M, typename T, int E, access_mode N, typename... R,
          SYCL_EVENTS>
SYCL_COMMAND(enqueue_copy, copy, SYCL_ACCESSOR(S, D, M) from SYCL_COMMA SYCL_ACCESSOR(T, E, N) to,
             from, to)
template <typename... R, SYCL_EVENTS>
SYCL_COMMAND(enqueue_memset, memset, void *to SYCL_COMMA int value SYCL_COMMA std::size_t size, to,
             value, size)
template <typename T, typename... R, SYCL_EVENTS>
SYCL_COMMAND(enqueue_fill, fill, T *to SYCL_COMMA const T &pattern SYCL_COMMA std::size_t count, to,
             pattern, count)
template <typename T, int D, access_mode M, typename... R, SYCL_EVENTS>
SYCL_COMMAND(enqueue_fill, fill, SYCL_ACCESSOR(T, D, M) to SYCL_COMMA const T &value, to, value)
template <typename T, int D, access_mode M, typename... R, SYCL_EVENTS>
SYCL_COMMAND(enqueue_update_host, update_host, SYCL_ACCESSOR(T, D, M) of, of)
template <typename... R, SYCL_EVENTS>
SYCL_COMMAND(enqueue_prefetch, prefetch, void *data SYCL_COMMA std::size_t size, data, size)
template <typename... R, SYCL_EVENTS>
SYCL_COMMAND(enqueue_mem_advise, mem_advise,
             void *data SYCL_COMMA std::size_t size SYCL_COMMA int advice, data, size, advice)
#undef SYCL_ACCESSOR
#undef SYCL_EVENTS
#undef SYCL_COMMA
#undef SYCL_COMMAND

/* --- Barriers
 * ----------------------------------------------------------------------------------- */

template <typename... R, sycl::detail::if_only_events<R...> = 0>
void enqueue_barrier(const queue &q, const requirements<R...> &needs = {}) {
  sycl::detail::submit_with(q, needs, [](handler &h) { h.ext_oneapi_barrier(); });
}
template <typename... R, sycl::detail::if_only_waits<R...> = 0>
void enqueue_signal_event(const queue &q, const event &e, const requirements<R...> &needs = {}) {
  std::size_t of = sycl::detail::event_access::context(e);
  if (of && of != std::hash<context>()(q.get_context()))
    sycl::detail::fail(errc::invalid, "the event has another context than the queue");
  event made = queue(q).submit([&](handler &h) {
    sycl::detail::requirement_parts::add(h, needs);
    h.ext_oneapi_barrier();
  });
  sycl::detail::event_access::associate(e, made);
}
template <typename... R, sycl::detail::if_only_signal<R...> = 0>
void enqueue_wait_events(const queue &q, const std::vector<event> &events,
                         const requirements<R...> &needs = {}) {
  sycl::detail::submit_with(q, needs, [&](handler &h) { h.ext_oneapi_barrier(events); });
}
template <typename... R, sycl::detail::if_only_signal<R...> = 0>
void enqueue_wait_event(const queue &q, const event &e, const requirements<R...> &needs = {}) {
  enqueue_wait_events(q, std::vector<event>{e}, needs);
}
#ifdef __cpp_lib_span
template <typename... R, sycl::detail::if_only_signal<R...> = 0>
void enqueue_wait_events(const queue &q, const std::span<event> &events,
                         const requirements<R...> &needs = {}) {
  enqueue_wait_events(q, std::vector<event>(events.begin(), events.end()), needs);
}
#endif

} // namespace khr
} // namespace sycl

#endif
