/* handler: what a command group says about its command. */
#ifndef SYCL_HANDLER_HPP
#define SYCL_HANDLER_HPP

#include <maniple/maniple.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "accessor.hpp"
#include "detail/command.hpp"
#include "detail/command_group.hpp"
#include "detail/gpu_reduction.hpp"
#include "detail/graph_state.hpp"
#include "detail/queue_state.hpp"
#include "device.hpp"
#include "ext/oneapi/experimental/device_global_properties.hpp"
#include "hierarchical.hpp"
#include "kernel.hpp"
#include "local_accessor.hpp"
#include "reduction.hpp"
#include "stream.hpp"

namespace sycl {

class handler : detail::command_group {
  friend class queue;
  friend void detail::require_access(handler &, detail::memory_block *,
                                     const std::shared_ptr<detail::memory_block> &, access_mode);
  friend detail::local_place detail::reserve_local(handler &, std::size_t, std::size_t);
  friend void detail::at_end_of(handler &, std::function<void()>);
  friend struct detail::graph_commands;

  explicit handler(std::shared_ptr<detail::queue_state> queue, bool is_kept = false)
      : command_group(std::move(queue), is_kept) {}

  template <typename Name, int D, typename F>
  void launch_range(const range<D> &size, const id<D> &offset, const F &function) {
    using name = detail::name_of<Name, F>;
    using kernel = detail::range_kernel<name, D, F>;
    check_no_local(&function, sizeof function);
#ifdef __MANIPLE__
    check_supported(detail::item_record<kernel, D>);
    if (queue->device.about().is_gpu || detail::item_record<kernel, D>.group ||
        (detail::item_record<kernel, D>.filter && mpl_is_checked())) {
      set_kernel<kernel, name, detail::item_record<kernel, D>>(
          detail::make_block<kernel>(function, size, offset), size, detail::square<D>(0), id<D>());
      return;
    }
#endif
    std::size_t pieces = detail::pieces_of(size.size(), queue->device.about().compute_units);
    set_kernel<kernel, name, detail::loop_record<kernel>>(
        detail::make_block<kernel>(function, size, offset), range<1>(pieces), range<1>(1), id<1>());
  }

  template <typename Name, int D, typename F>
  void launch_nd_range(const nd_range<D> &range, const F &function) {
    using name = detail::name_of<Name, F>;
    using kernel = detail::nd_kernel<name, D, F>;
    check_launch(range, detail::nd_record<kernel>);
    check_local(&function, sizeof function);
    set_kernel<kernel, name, detail::nd_record<kernel>>(
        detail::make_block<kernel>(function), range.get_global_range(), range.get_local_range(),
        range.get_offset());
  }

  template <typename Name, int D, typename F, typename... Targets>
  void reduce_range(const range<D> &size, const F &function, const Targets &...target) {
    using name = detail::name_of<Name, F>;
    using all = detail::reductions<Targets...>;
    using kernel = detail::range_reduction<name, D, F, all>;
    check_no_local(&function, sizeof function);
    bool is_gpu = queue->device.about().is_gpu;
#ifdef __MANIPLE_CUDA__
    if constexpr (all::by_group)
      if (is_gpu) {
        using gpu = detail::gpu_range_reduction<name, D, F, all>;
        std::size_t groups = gpu::groups_of(size.size());
        set_kernel<gpu, name, detail::gpu_record<gpu>>(
            detail::make_block<gpu>(function, size, detail::gpu_results<all>(groups, target...)),
            range<1>(groups * gpu::group_size), range<1>(gpu::group_size), id<1>());
        return;
      }
#endif
    std::size_t pieces = detail::reduction_pieces_of(size.size(), is_gpu);
    auto results = std::make_shared<all>(pieces, target...);
    set_kernel<kernel, name, detail::work_record<kernel>>(
        detail::make_block<kernel>(function, size, results), range<1>(pieces), range<1>(!is_gpu),
        id<1>());
  }

  template <typename Name, int D, typename F, typename... Targets>
  void reduce_nd_range(const nd_range<D> &range, const F &function, const Targets &...target) {
    using name = detail::name_of<Name, F>;
    using all = detail::reductions<Targets...>;
    using kernel = detail::nd_reduction<name, D, F, all>;
    check_launch(range, detail::nd_record<kernel>);
    check_local(&function, sizeof function);
#ifdef __MANIPLE_CUDA__
    if constexpr (all::by_group)
      if (queue->device.about().is_gpu) {
        using gpu = detail::gpu_nd_reduction<name, D, F, all>;
        detail::gpu_results<all> results(range.get_group_range().size(), target...);
        set_kernel<gpu, name, detail::gpu_record<gpu>>(
            detail::make_block<gpu>(function, results), range.get_global_range(),
            range.get_local_range(), range.get_offset());
        return;
      }
#endif
    std::size_t count =
        all::by_group ? range.get_group_range().size() : range.get_global_range().size();
    auto results = std::make_shared<all>(count, target...);
    set_kernel<kernel, name, detail::nd_record<kernel>>(
        detail::make_block<kernel>(function, results), range.get_global_range(),
        range.get_local_range(), range.get_offset());
  }

  /* The last of `rest` is the kernel, those before it are reductions. */
  template <typename Name, typename Range, typename... Rest, std::size_t... K>
  void launch_last(const Range &range, std::index_sequence<K...>,
                   const std::tuple<const Rest &...> &rest) {
    const auto &function = std::get<sizeof...(Rest) - 1>(rest);
    using first = std::decay_t<std::tuple_element_t<0, std::tuple<Rest...>>>;
    if constexpr (std::is_same_v<std::decay_t<decltype(function)>, sycl::kernel>) {
      refuse(function);
    } else if constexpr (detail::is_properties<first>) {
      launch_with<Name>(range, std::get<0>(rest), std::get<1 + K>(rest)...);
    } else if constexpr (detail::is_id<first> && sizeof...(K) == 1) { /* deprecated in SYCL 2020 */
      launch_range<Name>(range, std::get<0>(rest), function);
    } else {
      static_assert(
          (... && detail::is_reduction<std::decay_t<std::tuple_element_t<K, std::tuple<Rest...>>>>),
          "between the range and the kernel of parallel_for stand reductions");
      launch_reduction<Name>(range, function, std::get<K>(rest)...);
    }
  }
  /* The properties become a part of the kernel, which is the last of `rest`. */
  template <typename Name, typename Range, typename Properties, typename... Rest>
  void launch_with(const Range &range, const Properties &, const Rest &...rest) {
    constexpr std::size_t last = sizeof...(Rest) - 1;
    std::tuple<const Rest &...> all(rest...);
    using F = std::decay_t<std::tuple_element_t<last, std::tuple<Rest...>>>;
    detail::with_kernel_properties<F, Properties> kernel{std::get<last>(all)};
    launch_before<Name>(range, kernel, std::make_index_sequence<last>(), all);
  }
  template <typename Name, typename Range, typename F, std::size_t... K, typename Rest>
  void launch_before(const Range &size, const F &last, std::index_sequence<K...>, const Rest &in) {
    parallel_for<Name>(size, std::get<K>(in)..., last);
  }
  template <typename Name, int D> void launch_plain(const range<D> &, const sycl::kernel &object) {
    refuse(object);
  }
  template <typename Name, int D> void launch_plain(const nd_range<D> &, const sycl::kernel &o) {
    refuse(o);
  }
  template <typename Name, int D, typename F>
  void launch_plain(const range<D> &size, const F &function) {
    launch_range<Name>(size, id<D>(), function);
  }
  template <typename Name, int D, typename F>
  void launch_plain(const nd_range<D> &range, const F &function) {
    launch_nd_range<Name>(range, function);
  }
  template <typename Name, int D, typename F, typename... Targets>
  void launch_reduction(const range<D> &size, const F &function, const Targets &...target) {
    reduce_range<Name>(size, function, target...);
  }
  template <typename Name, int D, typename F, typename... Targets>
  void launch_reduction(const nd_range<D> &range, const F &function, const Targets &...target) {
    reduce_nd_range<Name>(range, function, target...);
  }

  inline event submit();
  inline event submit_now();
  inline void submit_transfer(const std::vector<mpl_event *> &waits, mpl_event **event);
  inline void submit_kernel(const std::vector<mpl_event *> &waits, mpl_event **event);
  inline void submit_host(decltype(mpl_submit_task) *submit, std::function<void()> function,
                          const std::vector<mpl_event *> &waits, mpl_event **event);

public:
  handler(const handler &) = delete;
  handler &operator=(const handler &) = delete;
  template <typename T, int D, access_mode M, target G, access::placeholder P>
  void require(const accessor<T, D, M, G, P> &access) {
    if (!access.part.memory)
      detail::fail(errc::accessor, "an accessor without a buffer was required");
    detail::require_access(*this, access.part.memory, access.part.memory->shared_from_this(), M);
  }

  void depends_on(const event &event) {
    detail::event_access::check_known(event);
    if (const detail::node_ref &node = detail::event_access::node(event)) {
      nodes.push_back(node);
      return;
    }
    waits_outside = true;
    if (event.engine().get()) waits.push_back(event.engine());
  }
  void depends_on(const std::vector<event> &events) {
    for (const event &each : events) depends_on(each);
  }

  /* --- Kernels --- */

  [[noreturn]] void single_task(const sycl::kernel &object) { refuse(object); }
  template <typename Name = detail::unnamed, typename P, typename F,
            std::enable_if_t<detail::is_properties<P>, int> = 0>
  void single_task(P, const F &function) {
    single_task<Name>(detail::with_kernel_properties<F, P>{function});
  }
  template <typename Name = detail::unnamed, typename F> void single_task(const F &function) {
    using name = detail::name_of<Name, F>;
    using kernel = detail::task_kernel<name, F>;
    check_no_local(&function, sizeof function);
    set_kernel<kernel, name, detail::work_record<kernel>>(detail::make_block<kernel>(function),
                                                          range<1>(1), range<1>(1), id<1>());
  }

#define SYCL_PARALLEL_FOR(type, dimension)                                                         \
  template <typename Name = detail::unnamed, dimension typename... Rest>                           \
  void parallel_for(type size, const Rest &...rest) {                                              \
    if constexpr (sizeof...(Rest) == 1)                                                            \
      launch_plain<Name>(size, rest...);                                                           \
    else                                                                                           \
      launch_last<Name, type, Rest...>(size, std::make_index_sequence<sizeof...(Rest) - 1>(),      \
                                       std::tuple<const Rest &...>(rest...));                      \
  }
#include "detail/launch_sizes.def"

  template <typename Name = detail::unnamed, int D, typename F>
  void parallel_for_work_group(range<D> groups, const F &function) {
    using kernel = detail::group_kernel<detail::name_of<Name, F>, D, F>;
    range<D> required = required_of_hierarchy<F, D>(detail::work_record<kernel>);
    parallel_for_work_group<Name>(groups, required[0] ? required : detail::square<D>(1), function);
  }
  template <typename Name = detail::unnamed, int D, typename F>
  void parallel_for_work_group(range<D> groups, range<D> local, const F &function) {
    using name = detail::name_of<Name, F>;
    using kernel = detail::group_kernel<name, D, F>;
    check_local(&function, sizeof function);
    check_supported(detail::work_record<kernel>);
    check_required_sizes(detail::work_record<kernel>);
    check_local_size(local, required_of_hierarchy<F, D>(detail::work_record<kernel>));
    set_kernel<kernel, name, detail::work_record<kernel>>(
        detail::make_block<kernel>(function, local), groups, detail::square<D>(1), id<D>());
  }

  template <typename Name = detail::unnamed, int D, typename P, typename F,
            std::enable_if_t<detail::is_properties<P>, int> = 0>
  void parallel_for_work_group(range<D> groups, P, const F &function) {
    parallel_for_work_group<Name>(groups, detail::with_kernel_properties<F, P>{function});
  }
  template <typename Name = detail::unnamed, int D, typename P, typename F,
            std::enable_if_t<detail::is_properties<P>, int> = 0>
  void parallel_for_work_group(range<D> groups, range<D> local, P, const F &function) {
    parallel_for_work_group<Name>(groups, local, detail::with_kernel_properties<F, P>{function});
  }

  template <typename F> void host_task(F &&function) {
    is_of_host = true;
    if constexpr (std::is_invocable_v<F, interop_handle>) {
      interop_handle seen(queue);
      for (const requirement &each : requirements) seen.memory.push_back(each.memory);
      set_task([f = std::forward<F>(function), seen]() mutable { f(seen); },
               detail::node_type::host_task);
    } else {
      set_task(std::forward<F>(function), detail::node_type::host_task);
    }
  }

  /* sycl_ext_oneapi_enqueue_barrier: later commands of the queue wait for all earlier ones, or for
   * those of `events` alone. */
  void ext_oneapi_barrier() {
    begin_action();
    type = detail::node_type::ext_oneapi_barrier;
    barrier = MPL_MARKER_BARRIER;
  }
  void ext_oneapi_barrier(const std::vector<event> &events) {
    begin_action();
    type = detail::node_type::ext_oneapi_barrier;
    depends_on(events);
    barrier = events.empty() ? MPL_MARKER_BARRIER : MPL_MARKER_WAITS;
  }

  /* The nodes of a graph (sycl_ext_oneapi_graph). */
  inline void ext_oneapi_graph(
      ext::oneapi::experimental::command_graph<ext::oneapi::experimental::graph_state::executable>
          &graph);

  /* Arguments are of kernel objects, and none of these is launched here. */
  template <typename T> void set_arg(int, T &&) {}
  template <typename... T> void set_args(T &&...) {}
  template <typename T>
  [[noreturn]] void set_arg(int, ext::oneapi::experimental::dynamic_parameter<T> &) {
    refuse_parameter();
  }
  template <typename T> [[noreturn]] void require(ext::oneapi::experimental::dynamic_parameter<T>) {
    refuse_parameter();
  }

  template <bundle_state State, std::enable_if_t<State == bundle_state::executable, int> = 0>
  void use_kernel_bundle(const kernel_bundle<State> &chosen) {
    if (chosen.get_context() != queue->context)
      detail::fail(errc::invalid, "the kernel bundle has another context than the queue");
    if (!constants.empty())
      detail::fail(errc::invalid, "the command group has set specialization constants: it cannot "
                                  "use a kernel bundle");
    bundle_owner = detail::bundle_access::data(chosen);
    bundle = detail::bundle_access::data(chosen).get();
  }

  template <auto &Name> void set_specialization_constant(detail::specialized<Name> value) {
    check_constants();
    constants.set<Name>(value);
  }
  template <auto &Name> detail::specialized<Name> get_specialization_constant() const {
    check_constants();
    return constants.get<Name>();
  }

  /* --- Memory --- */

  void memcpy(void *to, const void *from, std::size_t size) {
    detail::check(mpl_check_access(from, size, false));
    detail::check(mpl_check_access(to, size, true));
    set_task([=] { std::memmove(to, from, size); }, detail::node_type::memcpy);
    transfer.to = to;
    transfer.from = from;
    transfer.size = size;
  }
  template <typename T> void copy(const T *from, T *to, std::size_t count) {
    static_assert(is_device_copyable_v<T>, "handler::copy takes device copyable elements");
    memcpy(to, from, count * sizeof(T));
  }
  void memset(void *to, int value, std::size_t size) {
    detail::check(mpl_check_access(to, size, true));
    set_task([=] { std::memset(to, value, size); }, detail::node_type::memset);
    if (detail::has_gpu()) set_pattern(to, static_cast<unsigned char>(value), size);
  }
  template <typename T> void fill(void *to, const T &pattern, std::size_t count) {
    detail::check(mpl_check_access(to, count * sizeof(T), true));
    set_task([=] { std::fill_n(static_cast<T *>(to), count, pattern); },
             detail::node_type::memfill);
    if (detail::has_gpu()) set_pattern(to, pattern, count);
  }
  void prefetch(const void *, std::size_t) {
    set_task([] {}, detail::node_type::prefetch);
  }
  void mem_advise(const void *, std::size_t, int) {
    set_task([] {}, detail::node_type::memadvise);
  }

  /* Rows of memory (sycl_ext_oneapi_memcpy2d; detail/rows.hpp). */
  void ext_oneapi_memcpy2d(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch,
                           std::size_t width, std::size_t height);
  template <typename T>
  void ext_oneapi_copy2d(const T *from, std::size_t from_pitch, T *to, std::size_t to_pitch,
                         std::size_t width, std::size_t height);
  void ext_oneapi_memset2d(void *to, std::size_t pitch, int value, std::size_t width,
                           std::size_t height);
  template <typename T>
  void ext_oneapi_fill2d(void *to, std::size_t pitch, const T &pattern, std::size_t width,
                         std::size_t height);

  /* Of device_globals (sycl_ext_oneapi_device_global), with an offset in bytes or elements. */
  template <typename T, typename P, std::enable_if_t<detail::host_writes<P>, int> = 0>
  void memcpy(ext::oneapi::experimental::device_global<T, P> &to, const void *from,
              std::size_t size = sizeof(T), std::size_t offset = 0);
  template <typename T, typename P, std::enable_if_t<detail::host_reads<P>, int> = 0>
  void memcpy(void *to, const ext::oneapi::experimental::device_global<T, P> &from,
              std::size_t size = sizeof(T), std::size_t offset = 0);
  template <typename T, typename P, std::enable_if_t<detail::host_writes<P>, int> = 0>
  void
  copy(const std::remove_all_extents_t<T> *from, ext::oneapi::experimental::device_global<T, P> &to,
       std::size_t count = sizeof(T) / sizeof(std::remove_all_extents_t<T>), std::size_t start = 0);
  template <typename T, typename P, std::enable_if_t<detail::host_reads<P>, int> = 0>
  void
  copy(const ext::oneapi::experimental::device_global<T, P> &from, std::remove_all_extents_t<T> *to,
       std::size_t count = sizeof(T) / sizeof(std::remove_all_extents_t<T>), std::size_t start = 0);

  /* Between an accessor and memory of the host, or two accessors: element by element in row-major
   * order. */
  template <typename T, int D, access_mode M, target G, access::placeholder P, typename U>
  void copy(accessor<T, D, M, G, P> from, std::shared_ptr<U> to) {
    set_task(
        [=] {
          std::copy(from.begin(), from.end(),
                    reinterpret_pointer<std::remove_const_t<T>>(to.get()));
        },
        detail::node_type::memcpy);
  }
  template <typename U, typename T, int D, access_mode M, target G, access::placeholder P>
  void copy(std::shared_ptr<U> from, accessor<T, D, M, G, P> to) {
    set_task([=] { std::copy_n(reinterpret_pointer<const T>(from.get()), to.size(), to.begin()); },
             detail::node_type::memcpy);
  }
  template <typename T, int D, access_mode M, target G, access::placeholder P, typename U>
  void copy(accessor<T, D, M, G, P> from, U *to) {
    set_task(
        [=] {
          std::copy(from.begin(), from.end(), reinterpret_pointer<std::remove_const_t<T>>(to));
        },
        detail::node_type::memcpy);
  }
  template <typename U, typename T, int D, access_mode M, target G, access::placeholder P>
  void copy(const U *from, accessor<T, D, M, G, P> to) {
    set_task([=] { std::copy_n(reinterpret_pointer<const T>(from), to.size(), to.begin()); },
             detail::node_type::memcpy);
  }
  template <typename T, int D, access_mode M, target G, access::placeholder P, typename U, int E,
            access_mode N, target H, access::placeholder Q>
  void copy(accessor<T, D, M, G, P> from, accessor<U, E, N, H, Q> to) {
    if (to.byte_size() < from.byte_size())
      detail::fail(errc::invalid, "the destination of a copy is smaller than its source");
    set_task([=] { std::copy(from.begin(), from.end(), to.begin()); }, detail::node_type::memcpy);
  }
  template <typename T, int D, access_mode M, target G, access::placeholder P>
  void update_host(accessor<T, D, M, G, P>) {
    set_task([] {}, detail::node_type::memcpy); /* the host sees the same memory */
  }
  template <typename T, int D, access_mode M, target G, access::placeholder P>
  void fill(accessor<T, D, M, G, P> to, const T &value) {
    set_task([=] { std::fill(to.begin(), to.end(), value); }, detail::node_type::memfill);
  }

private:
  void check_rows(const void *rows, std::size_t pitch, std::size_t width, std::size_t height,
                  bool written) const;
  template <typename T, typename U> static std::remove_const_t<T> *reinterpret_pointer(U *pointer) {
    return reinterpret_cast<std::remove_const_t<T> *>(pointer);
  }
  template <typename T, typename U>
  static std::enable_if_t<std::is_const_v<T>, T *> reinterpret_pointer(const U *pointer) {
    return reinterpret_cast<T *>(pointer);
  }
};

} // namespace sycl

#include "detail/graph.hpp"
#include "detail/rows.hpp"
#include "detail/submit.hpp"

#endif
