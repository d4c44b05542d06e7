/* queue: where command groups are submitted. */
#ifndef SYCL_QUEUE_HPP
#define SYCL_QUEUE_HPP

#include <maniple/maniple.h>

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "handler.hpp"

namespace sycl {

namespace detail {
template <typename T> using if_submits = std::enable_if_t<is_call<void, T &, handler &>, int>;
}

/* Nothing but a pointer, which is not null: oneDPL tells by the first word whether there is a queue. */
class queue {
  friend struct std::hash<queue>;
  friend struct detail::graph_commands;
  std::shared_ptr<detail::queue_state> state;

  struct made {}; /* tells this constructor from the program's */
  queue(made, const context &context, const device &device, async_handler handler,
        const property_list &properties) {
    bool known = false;
    for (const auto &each : context.get_devices()) known = known || each == device;
    if (!known) detail::fail(errc::invalid, "the device of a queue is one of its context");
    if (!handler) handler = context.handler();
    state = std::make_shared<detail::queue_state>(context, device, std::move(handler), properties);
  }

  template <typename F> event command(F &&group) { /* which may change what it holds */
    handler h(state);
    group(h);
    return state->discards ? detail::event_access::discarded(h.submit()) : h.submit();
  }
  /* A shortcut: the command after `events`. */
  template <typename F> event after(const std::vector<event> &events, const F &group) {
    return command([&](handler &h) {
      h.depends_on(events);
      group(h);
    });
  }

public:
  explicit queue(const property_list &properties = {}) : queue(device(), properties) {}
  explicit queue(const async_handler &handler, const property_list &properties = {})
      : queue(device(), handler, properties) {}
  template <typename Selector, std::enable_if_t<detail::is_selector<Selector>, int> = 0>
  explicit queue(const Selector &selector, const property_list &properties = {})
      : queue(device(selector), properties) {}
  template <typename Selector, std::enable_if_t<detail::is_selector<Selector>, int> = 0>
  explicit queue(const Selector &selector, const async_handler &handler,
                 const property_list &properties = {})
      : queue(device(selector), handler, properties) {}
  explicit queue(const device &device, const property_list &properties = {})
      : queue(device, async_handler(), properties) {}
  explicit queue(const device &device, const async_handler &handler,
                 const property_list &properties = {})
      : queue(made(), detail::default_context(device), device, handler, properties) {}
  template <typename Selector, std::enable_if_t<detail::is_selector<Selector>, int> = 0>
  explicit queue(const context &context, const Selector &selector,
                 const property_list &properties = {})
      : queue(context, device(selector), properties) {}
  template <typename Selector, std::enable_if_t<detail::is_selector<Selector>, int> = 0>
  explicit queue(const context &context, const Selector &selector, const async_handler &handler,
                 const property_list &properties = {})
      : queue(context, device(selector), handler, properties) {}
  explicit queue(const context &context, const device &device, const property_list &properties = {})
      : queue(made(), context, device, {}, properties) {}
  explicit queue(const context &context, const device &device, const async_handler &handler,
                 const property_list &properties = {})
      : queue(made(), context, device, handler, properties) {}

  mpl_queue *engine() const { return state->queue; }
  backend get_backend() const noexcept { return backend::maniple; }
  context get_context() const { return state->context; }
  device get_device() const { return state->device; }
  bool is_in_order() const { return state->in_order; }
  template <typename T> bool has_property() const noexcept { return state->has_property<T>(); }
  template <typename T> T get_property() const { return state->get_property<T>(); }

  template <typename Info> typename Info::return_type get_info() const {
    if constexpr (std::is_same_v<Info, info::queue::context>)
      return get_context();
    else
      return get_device();
  }
  template <typename Info> typename Info::return_type get_backend_info() const {
    return get_info<Info>();
  }

  /* What `group` throws comes out of here, and nothing is submitted. */
  template <typename F> event submit(F group) { return command(group); }
  template <typename F> event submit(F group, const queue &) { return command(group); }

  void wait() {
    state->check_executing();
    detail::own_claims::check_wait(static_cast<const mpl_queue *>(state->queue));
    mpl_finish(state->queue);
  }
  void wait_and_throw() {
    wait();
    throw_asynchronous();
  }
  void throw_asynchronous() { state->errors->report(); }

  event ext_oneapi_submit_barrier() {
    return command([](handler &h) { h.ext_oneapi_barrier(); });
  }
  event ext_oneapi_submit_barrier(const std::vector<event> &events) {
    return command([&](handler &h) { h.ext_oneapi_barrier(events); });
  }
  /* Graphs (sycl_ext_oneapi_graph). */
  ext::oneapi::experimental::queue_state ext_oneapi_get_state() const {
    return state->recorder.get() ? ext::oneapi::experimental::queue_state::recording
                                 : ext::oneapi::experimental::queue_state::executing;
  }
  inline ext::oneapi::experimental::command_graph<
      ext::oneapi::experimental::graph_state::modifiable>
  ext_oneapi_get_graph() const;
  using executable_graph =
      ext::oneapi::experimental::command_graph<ext::oneapi::experimental::graph_state::executable>;
  inline event ext_oneapi_graph(executable_graph &graph);
  inline event ext_oneapi_graph(executable_graph &graph, event before);
  inline event ext_oneapi_graph(executable_graph &graph, const std::vector<event> &before);

  bool ext_oneapi_empty() const { return khr_empty(); }
  bool khr_empty() const { return mpl_is_empty(state->queue); } /* sycl_khr_queue_empty_query */
  void khr_flush() const { mpl_flush(state->queue); }           /* sycl_khr_queue_flush */

  /* --- Shortcuts -------------------------------------------------------------------------------
   */

  template <typename Name = detail::unnamed, typename F> event single_task(const F &function) {
    return command([&](handler &h) { h.single_task<Name>(function); });
  }
  template <typename Name = detail::unnamed, typename F>
  event single_task(event before, const F &function) {
    return single_task<Name>(std::vector<event>{before}, function);
  }
  template <typename Name = detail::unnamed, typename F>
  event single_task(const std::vector<event> &before, const F &function) {
    return after(before, [&](handler &h) { h.single_task<Name>(function); });
  }

  template <typename Name = detail::unnamed, typename P, typename F,
            std::enable_if_t<detail::is_properties<P>, int> = 0>
  event single_task(P properties, const F &function) {
    return command([&](handler &h) { h.single_task<Name>(properties, function); });
  }
  template <typename Name = detail::unnamed, typename P, typename F,
            std::enable_if_t<detail::is_properties<P>, int> = 0>
  event single_task(event before, P properties, const F &function) {
    return single_task<Name>(std::vector<event>{before}, properties, function);
  }
  template <typename Name = detail::unnamed, typename P, typename F,
            std::enable_if_t<detail::is_properties<P>, int> = 0>
  event single_task(const std::vector<event> &before, P properties, const F &function) {
    return after(before, [&](handler &h) { h.single_task<Name>(properties, function); });
  }

#define SYCL_PARALLEL_FOR(type, dimension)                                                         \
  template <                                                                                       \
      typename Name = detail::unnamed, dimension typename First, typename... Rest,                 \
      std::enable_if_t<                                                                            \
          !std::is_same_v<First, event> && !std::is_same_v<First, std::vector<event>>, int> = 0>   \
  event parallel_for(type size, const First &first, const Rest &...rest) {                         \
    return command([&](handler &h) { h.parallel_for<Name>(size, first, rest...); });               \
  }                                                                                                \
  template <typename Name = detail::unnamed, dimension typename... Rest>                           \
  event parallel_for(type size, event before, const Rest &...rest) {                               \
    return parallel_for<Name>(size, std::vector<event>{before}, rest...);                          \
  }                                                                                                \
  template <typename Name = detail::unnamed, dimension typename... Rest>                           \
  event parallel_for(type size, const std::vector<event> &before, const Rest &...rest) {           \
    return after(before, [&](handler &h) { h.parallel_for<Name>(size, rest...); });                \
  }
#include "detail/launch_sizes.def"

#define SYCL_SHORTCUT(name, parameters, ...)                                                       \
  event name parameters {                                                                          \
    return command([&](handler &h) { h.name(__VA_ARGS__); });                                      \
  }
#define SYCL_SHORTCUT_AFTER(name, parameters, ...)                                                 \
  event name parameters {                                                                          \
    return after(before, [&](handler &h) { h.name(__VA_ARGS__); });                                \
  }
#define SYCL_COMMA ,
#define SYCL_SHORTCUTS(prefix, name, parameters, ...)                                              \
  prefix SYCL_SHORTCUT(name, (parameters), __VA_ARGS__)                                            \
  prefix SYCL_SHORTCUT_AFTER(name, (parameters SYCL_COMMA const std::vector<event> &before),       \
                             __VA_ARGS__)                                                          \
  prefix event name(parameters SYCL_COMMA event before) {                                          \
    return name(__VA_ARGS__, std::vector<event>{before});                                          \
  }
  SYCL_SHORTCUTS(, memcpy, void *to SYCL_COMMA const void *from SYCL_COMMA std::size_t size, to,
                 from, size)
  SYCL_SHORTCUTS(, memset, void *to SYCL_COMMA int value SYCL_COMMA std::size_t size, to, value,
                 size)
  SYCL_SHORTCUTS(, prefetch, const void *data SYCL_COMMA std::size_t size, data, size)
  SYCL_SHORTCUTS(, mem_advise, const void *data SYCL_COMMA std::size_t size SYCL_COMMA int advice,
                 data, size, advice)
  SYCL_SHORTCUTS(template <typename T>, copy,
                 const T *from SYCL_COMMA T *to SYCL_COMMA std::size_t count, from, to, count)
  SYCL_SHORTCUTS(template <typename T>, fill,
                 void *to SYCL_COMMA const T &pattern SYCL_COMMA std::size_t count, to, pattern,
                 count)
  /* Rows of memory (sycl_ext_oneapi_memcpy2d). */
#define SYCL_SIZE SYCL_COMMA std::size_t
  SYCL_SHORTCUTS(, ext_oneapi_memcpy2d,
                 void *to SYCL_SIZE to_pitch SYCL_COMMA const void *from SYCL_SIZE from_pitch
                     SYCL_SIZE width SYCL_SIZE height,
                 to, to_pitch, from, from_pitch, width, height)
  SYCL_SHORTCUTS(template <typename T>, ext_oneapi_copy2d,
                 const T *from SYCL_SIZE from_pitch SYCL_COMMA T *to SYCL_SIZE to_pitch SYCL_SIZE
                     width SYCL_SIZE height,
                 from, from_pitch, to, to_pitch, width, height)
  SYCL_SHORTCUTS(, ext_oneapi_memset2d,
                 void *to SYCL_SIZE pitch SYCL_COMMA int value SYCL_SIZE width SYCL_SIZE height, to,
                 pitch, value, width, height)
  SYCL_SHORTCUTS(template <typename T>, ext_oneapi_fill2d,
                 void *to SYCL_SIZE pitch SYCL_COMMA const T &pattern SYCL_SIZE width SYCL_SIZE
                     height,
                 to, pitch, pattern, width, height)
#undef SYCL_SIZE
#undef SYCL_SHORTCUT
#undef SYCL_SHORTCUT_AFTER
#undef SYCL_SHORTCUTS
#undef SYCL_COMMA

  /* Of device_globals (sycl_ext_oneapi_device_global). */
#define SYCL_GLOBAL_COPY(name, allowed, to_type, from_type, all)                                   \
  template <typename T, typename P, std::enable_if_t<detail::allowed<P>, int> = 0>                 \
  event name(to_type to, from_type from, std::size_t size = all, std::size_t offset = 0,           \
             const std::vector<event> &before = {}) {                                              \
    return after(before, [&](handler &h) { h.name<T, P>(to, from, size, offset); });               \
  }                                                                                                \
  template <typename T, typename P, std::enable_if_t<detail::allowed<P>, int> = 0>                 \
  event name(to_type to, from_type from, std::size_t size, std::size_t offset, event before) {     \
    return name<T, P>(to, from, size, offset, std::vector<event>{before});                         \
  }
#define SYCL_GLOBAL ext::oneapi::experimental::device_global<T SYCL_COMMA P>
#define SYCL_COMMA  ,
  SYCL_GLOBAL_COPY(memcpy, host_writes, SYCL_GLOBAL &, const void *, sizeof(T))
  SYCL_GLOBAL_COPY(memcpy, host_reads, void *, const SYCL_GLOBAL &, sizeof(T))
  SYCL_GLOBAL_COPY(copy, host_writes, const std::remove_all_extents_t<T> *, SYCL_GLOBAL &,
                   sizeof(T) / sizeof(std::remove_all_extents_t<T>))
  SYCL_GLOBAL_COPY(copy, host_reads, const SYCL_GLOBAL &, std::remove_all_extents_t<T> *,
                   sizeof(T) / sizeof(std::remove_all_extents_t<T>))
#undef SYCL_COMMA
#undef SYCL_GLOBAL
#undef SYCL_GLOBAL_COPY

  /* With accessors, which may be placeholders. */
  template <typename T, int D, access_mode M, target G, access::placeholder P, typename To>
  event copy(accessor<T, D, M, G, P> from, To to) {
    return command([&](handler &h) {
      if (from.is_placeholder()) h.require(from);
      if constexpr (detail::is_accessor<To>) {
        if (to.is_placeholder()) h.require(to);
      }
      h.copy(from, to);
    });
  }
  template <typename From, typename T, int D, access_mode M, target G, access::placeholder P,
            std::enable_if_t<!detail::is_accessor<From>, int> = 0>
  event copy(From from, accessor<T, D, M, G, P> to) {
    return command([&](handler &h) {
      if (to.is_placeholder()) h.require(to);
      h.copy(from, to);
    });
  }
  template <typename T, int D, access_mode M, target G, access::placeholder P>
  event update_host(accessor<T, D, M, G, P> of) {
    return command([&](handler &h) {
      if (of.is_placeholder()) h.require(of);
      h.update_host(of);
    });
  }
  template <typename T, int D, access_mode M, target G, access::placeholder P>
  event fill(accessor<T, D, M, G, P> to, const T &value) {
    return command([&](handler &h) {
      if (to.is_placeholder()) h.require(to);
      h.fill(to, value);
    });
  }

  friend bool operator==(const queue &a, const queue &b) {
    return a.state == b.state;
  }
  friend bool operator!=(const queue &a, const queue &b) {
    return !(a == b);
  }
};

} // namespace sycl

template <> struct std::hash<sycl::queue> {
  std::size_t operator()(const sycl::queue &queue) const noexcept {
    return std::hash<const void *>()(queue.state.get());
  }
};

#endif
