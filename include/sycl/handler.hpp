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

class handler {
  friend class queue;
  friend void detail::require_access(handler &, detail::memory_block *,
                                     const std::shared_ptr<detail::memory_block> &, access_mode);
  friend detail::local_place detail::reserve_local(handler &, std::size_t, std::size_t);
  friend void detail::at_end_of(handler &, std::function<void()>);
  friend struct detail::graph_commands;

  using requirement = detail::memory_use;

  std::shared_ptr<detail::queue_state> queue;
  std::vector<detail::event_ref> waits;
  std::vector<requirement> requirements;
  std::size_t local_bytes = 0;
  std::vector<detail::local_use> locals;
  detail::specialization_values constants;
  std::shared_ptr<void> bundle_owner;
  const detail::bundle_data *bundle = nullptr; /* that kernels have to be of; null: any will do */
  bool has_action = false;
  std::unique_ptr<detail::block> kernel; /* the command is one, and this its launch */
  mpl_kernel_launch launch{};
  std::function<void()> task;                /* or it is this, */
  struct {
    void *to = nullptr; /* null: it is no transfer */
    const void *from = nullptr; /* null: of the pattern, so often */
    std::size_t size = 0;
    std::size_t pattern_size = 0;
    unsigned char pattern[16] = {};
  } transfer; /* which a GPU does by itself */
  bool is_of_host = false;                   /* a function of the application's */
  int barrier = -1;                          /* or a marker of this kind */
  std::shared_ptr<detail::graph_run> graph;  /* or the nodes of this one */
  detail::node_type type = detail::node_type::empty; /* what it is as a node */
  bool is_kept = false;                              /* it is added to a graph, and not submitted */
  bool waits_outside = false;                /* for an event of a command that no graph has */
  detail::node_list nodes;                   /* commands of a graph that it comes after */
  std::vector<std::function<void()>> at_end; /* what the host does after the kernel */

  explicit handler(std::shared_ptr<detail::queue_state> queue, bool is_kept = false)
      : queue(std::move(queue)), is_kept(is_kept) {}

  void begin_action() {
    if (has_action)
      detail::fail(errc::invalid,
                   "a command group has one command: a kernel, a copy or a host task");
    has_action = true;
  }

  /* Local memory is a work-group's (4.7.6.11): there is none for kernels of a plain range. */
  template <typename F> void check_no_local(const F &function) {
    if (!locals.empty() && detail::last_held(&function, sizeof function, locals))
      detail::fail(errc::kernel_argument, "local memory is for kernels of an nd_range");
    local_bytes = 0;
  }
  /* What the kernel does not hold is not counted. */
  template <typename F> void check_local(const F &function) {
    std::size_t limit = queue->device.about().local_memory;
    if (local_bytes <= limit) return;
    const detail::local_use *last = detail::last_held(&function, sizeof function, locals);
    local_bytes = last ? last->end : 0;
    if (local_bytes > limit)
      detail::fail(errc::memory_allocation, "the device has " + std::to_string(limit) +
                                                " bytes of local memory, and a kernel wants more");
  }

  [[noreturn]] static void refuse(const sycl::kernel &) {
    detail::fail(errc::invalid, "a kernel of this program is launched by its function object");
  }

  [[noreturn]] static void refuse_parameter() {
    detail::fail(errc::feature_not_supported, "a kernel of this program has no arguments by number, "
                                              "which a dynamic_parameter would change");
  }

  void check_constants() const {
    if (bundle)
      detail::fail(errc::invalid, "the command group uses a kernel bundle, which has the values of "
                                  "specialization constants");
  }

  void set_task(std::function<void()> function, detail::node_type what) {
    begin_action();
    task = std::move(function);
    type = what;
  }
  template <typename T> void set_pattern(void *to, const T &pattern, std::size_t count) {
    transfer.to = to;
    transfer.size = count;
    transfer.pattern_size = sizeof pattern;
    std::memcpy(transfer.pattern, &pattern, sizeof pattern);
  }
  void refuse_in_graph(const char *what) const {
    if (is_kept || queue->recorder.get())
      detail::fail(errc::invalid, std::string(what) + " cannot be a node of a graph");
  }

  inline void set_constants(detail::block &, const void *kernel_type) const;

  /* Of what only host memory has no GPU knows. */
  void check_reach() const {
    if (!queue->device.is_gpu()) return;
    for (const requirement &each : requirements)
      if (each.memory->is_host_only)
        detail::fail(errc::feature_not_supported, "a GPU does not reach the memory of a buffer with "
                                                  "property::buffer::use_host_ptr");
    if (!kernel->constants.empty() && !kernel->constants.use_keys())
      detail::fail(errc::feature_not_supported,
                   "two specialization constants of a kernel on a GPU have the same name");
  }

  template <bool Never> static void check_supported(const mpl_kernel_record &record) {
    if (Never || record.flags & MPL_RECORD_NO_DEVICE)
      detail::fail(errc::kernel_not_supported, "a kernel requires what the device does not have");
  }

  template <typename Kernel, typename Name, mpl_kernel_record &Record, int D>
  void set_kernel(std::unique_ptr<Kernel> made, const range<D> &global, const range<D> &local,
                  const id<D> &offset) {
    begin_action();
    type = detail::node_type::kernel;
    detail::kernel_registration<Name, Record>::launched();
    set_constants(*made, detail::type_key<Name>());
    check_supported<!detail::required<decltype(made->function)>::value.any_device>(Record);
    made->errors = queue->errors;
    made->record = &Record;
    made->instances = queue->instances();
    if (made->instances) made->keep.push_back(queue->globals);
    kernel = std::move(made);
    launch.kernel = &Record;
    launch.dims = D;
    for (int i = 0; i < D; i++) {
      launch.global[D - 1 - i] = global[i];
      launch.local[D - 1 - i] = local[i];
      launch.offset[D - 1 - i] = offset[i];
    }
  }

  /* What the engine would refuse too, but with the codes that SYCL names. */
  template <int D>
  void check_requirements(const nd_range<D> &range, const mpl_kernel_record &record) {
    for (int i = 0; i < D; i++)
      if (record.reqd_local[0] && range.get_local_range()[i] != record.reqd_local[D - 1 - i])
        detail::fail(errc::nd_range, "the kernel requires a local size of " +
                                         std::to_string(record.reqd_local[D - 1 - i]) +
                                         " in dimension " + std::to_string(i));
    if (record.flags & MPL_RECORD_ONE_GROUP && range.get_group_range().size() > 1)
      detail::fail(errc::nd_range, "a kernel with use_root_sync is launched with one work-group");
    if (!record.reqd_sub_group) return;
    for (std::size_t size : queue->device.get_info<info::device::sub_group_sizes>())
      if (size == record.reqd_sub_group) return;
    detail::fail(errc::kernel_not_supported, "the device has no sub-groups of " +
                                                 std::to_string(record.reqd_sub_group) +
                                                 " work-items");
  }
  template <int D> void check_range(const nd_range<D> &range) {
    std::size_t items = 1, limit = queue->device.about().max_work_group_size;
    for (int i = 0; i < D; i++) {
      std::size_t local = range.get_local_range()[i];
      if (!local) detail::fail(errc::nd_range, "the local size of an ND-range is not 0");
      if (range.get_global_range()[i] % local)
        detail::fail(errc::nd_range, "the local size " + std::to_string(local) + " of dimension " +
                                         std::to_string(i) + " does not divide the global size " +
                                         std::to_string(range.get_global_range()[i]));
      items = local > limit ? limit + 1 : items * local;
      if (items > limit)
        detail::fail(errc::nd_range, "a work-group has at most " + std::to_string(limit) +
                                         " work-items on this device");
    }
  }

  template <typename Name, int D, typename F>
  void launch_range(const range<D> &size, const id<D> &offset, const F &function) {
    using name = detail::name_of<Name, F>;
    using kernel = detail::range_kernel<name, D, F>;
    check_no_local(function);
#ifdef __MANIPLE__
    check_supported<false>(detail::item_record<kernel, D>);
    if (queue->device.is_gpu() || detail::item_record<kernel, D>.group ||
        (detail::item_record<kernel, D>.filter && mpl_is_checked())) {
      set_kernel<kernel, name, detail::item_record<kernel, D>>(
          std::make_unique<kernel>(function, size, offset), size, detail::square<D>(0), id<D>());
      return;
    }
#endif
    std::size_t pieces = detail::pieces_of(size.size(), queue->device.about().compute_units);
    set_kernel<kernel, name, detail::loop_record<kernel>>(
        std::make_unique<kernel>(function, size, offset), range<1>(pieces), range<1>(1), id<1>());
  }

  template <typename Name, int D, typename F>
  void launch_nd_range(const nd_range<D> &range, const F &function) {
    using name = detail::name_of<Name, F>;
    using kernel = detail::nd_kernel<name, D, F>;
    check_range(range);
    check_requirements(range, detail::nd_record<kernel>);
    check_local(function);
    set_kernel<kernel, name, detail::nd_record<kernel>>(
        std::make_unique<kernel>(function), range.get_global_range(), range.get_local_range(),
        range.get_offset());
  }

  template <typename Name, int D, typename F, typename... Targets>
  void reduce_range(const range<D> &size, const F &function, const Targets &...target) {
    using name = detail::name_of<Name, F>;
    using all = detail::reductions<Targets...>;
    using kernel = detail::range_reduction<name, D, F, all>;
    check_no_local(function);
    bool is_gpu = queue->device.is_gpu();
    std::size_t pieces = detail::reduction_pieces_of(size.size(), is_gpu);
    auto results = detail::make_results<all>(pieces, target...);
    set_kernel<kernel, name, detail::work_record<kernel>>(
        std::make_unique<kernel>(function, size, results), range<1>(pieces), range<1>(!is_gpu), id<1>());
  }

  template <typename Name, int D, typename F, typename... Targets>
  void reduce_nd_range(const nd_range<D> &range, const F &function, const Targets &...target) {
    using name = detail::name_of<Name, F>;
    using all = detail::reductions<Targets...>;
    using kernel = detail::nd_reduction<name, D, F, all>;
    check_range(range);
    check_requirements(range, detail::nd_record<kernel>);
    check_local(function);
    std::size_t count =
        all::by_group ? range.get_group_range().size() : range.get_global_range().size();
    auto results = detail::make_results<all>(count, target...);
    set_kernel<kernel, name, detail::nd_record<kernel>>(
        std::make_unique<kernel>(function, results), range.get_global_range(),
        range.get_local_range(), range.get_offset());
  }

  /* The last of `rest` is the kernel, those before it are reductions. */
  template <typename Name, typename Range, typename... Rest, std::size_t... I>
  void launch_last(const Range &range, std::index_sequence<I...>,
                   const std::tuple<const Rest &...> &rest) {
    const auto &function = std::get<sizeof...(Rest) - 1>(rest);
    using first = std::decay_t<std::tuple_element_t<0, std::tuple<Rest...>>>;
    if constexpr (std::is_same_v<std::decay_t<decltype(function)>, sycl::kernel>) {
      refuse(function);
    } else if constexpr (sizeof...(I) == 0) {
      launch_plain<Name>(range, function);
    } else if constexpr (detail::is_properties<first>) {
      launch_with<Name>(range, std::get<0>(rest), std::get<1 + I>(rest)...);
    } else if constexpr (detail::is_id<first> && sizeof...(I) == 1) { /* deprecated in SYCL 2020 */
      launch_range<Name>(range, std::get<0>(rest), function);
    } else {
      static_assert(
          (... && detail::is_reduction<std::decay_t<std::tuple_element_t<I, std::tuple<Rest...>>>>),
          "between the range and the kernel of parallel_for stand reductions");
      launch_reduction<Name>(range, function, std::get<I>(rest)...);
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
  template <typename Name, typename Range, typename F, std::size_t... I, typename Rest>
  void launch_before(const Range &range, const F &kernel, std::index_sequence<I...>,
                     const Rest &rest) {
    parallel_for<Name>(range, std::get<I>(rest)..., kernel);
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

  /* --- Kernels ---------------------------------------------------------------------------------
   */

  [[noreturn]] void single_task(const sycl::kernel &object) { refuse(object); }
  template <typename Name = detail::unnamed, typename P, typename F,
            std::enable_if_t<detail::is_properties<P>, int> = 0>
  void single_task(P, const F &function) {
    single_task<Name>(detail::with_kernel_properties<F, P>{function});
  }
  template <typename Name = detail::unnamed, typename F> void single_task(const F &function) {
    using name = detail::name_of<Name, F>;
    using kernel = detail::task_kernel<name, F>;
    check_no_local(function);
    set_kernel<kernel, name, detail::work_record<kernel>>(std::make_unique<kernel>(function),
                                                          range<1>(1), range<1>(1), id<1>());
  }

#define SYCL_PARALLEL_FOR(type, dimension)                                                         \
  template <typename Name = detail::unnamed, dimension typename... Rest>                           \
  void parallel_for(type size, const Rest &...rest) {                                              \
    launch_last<Name, type, Rest...>(size, std::make_index_sequence<sizeof...(Rest) - 1>(),        \
                                     std::tuple<const Rest &...>(rest...));                        \
  }
#include "detail/launch_sizes.def"

  template <typename Name = detail::unnamed, int D, typename F>
  void parallel_for_work_group(range<D> groups, const F &function) {
    parallel_for_work_group<Name>(groups, detail::square<D>(1), function);
  }
  template <typename Name = detail::unnamed, int D, typename F>
  void parallel_for_work_group(range<D> groups, range<D> local, const F &function) {
    using name = detail::name_of<Name, F>;
    using kernel = detail::group_kernel<name, D, F>;
    check_local(function);
    set_kernel<kernel, name, detail::work_record<kernel>>(std::make_unique<kernel>(function, local),
                                                          groups, detail::square<D>(1), id<D>());
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

  /* --- Memory ----------------------------------------------------------------------------------
   */

  void memcpy(void *to, const void *from, std::size_t size) {
    detail::check(mpl_check_access(from, size, false));
    detail::check(mpl_check_access(to, size, true));
    set_task([=] { std::memmove(to, from, size); }, detail::node_type::memcpy);
    transfer.to = to;
    transfer.from = from;
    transfer.size = size;
  }
  template <typename T> void copy(const T *from, T *to, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>,
                  "handler::copy takes trivially copyable elements");
    memcpy(to, from, count * sizeof(T));
  }
  void memset(void *to, int value, std::size_t size) {
    detail::check(mpl_check_access(to, size, true));
    set_task([=] { std::memset(to, value, size); }, detail::node_type::memset);
    set_pattern(to, static_cast<unsigned char>(value), size);
  }
  template <typename T> void fill(void *to, const T &pattern, std::size_t count) {
    detail::check(mpl_check_access(to, count * sizeof(T), true));
    set_task([=] { std::fill_n(static_cast<T *>(to), count, pattern); },
             detail::node_type::memfill);
    if constexpr (std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof transfer.pattern)
      set_pattern(to, pattern, count);
  }
  void prefetch(const void *, std::size_t) {
    set_task([] {}, detail::node_type::prefetch);
  }
  void mem_advise(const void *, std::size_t, int) {
    set_task([] {}, detail::node_type::memadvise);
  }

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
#include "detail/submit.hpp"

#endif
