/* What a command group says about its command, as it is collected, and the checks of that. */
#ifndef SYCL_DETAIL_COMMAND_GROUP_HPP
#define SYCL_DETAIL_COMMAND_GROUP_HPP

#include <maniple/maniple.h>

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../device.hpp"
#include "../kernel.hpp"
#include "../local_accessor.hpp"
#include "command.hpp"
#include "graph_state.hpp"
#include "queue_state.hpp"

namespace sycl::detail {

struct command_group {
  using requirement = memory_use;

  std::shared_ptr<queue_state> queue;
  std::vector<event_ref> waits;
  std::vector<requirement> requirements;
  std::size_t local_bytes = 0;
  std::vector<local_use> locals;
  specialization_values constants;
  std::shared_ptr<void> bundle_owner;
  const bundle_data *bundle = nullptr; /* that kernels have to be of; null: any will do */
  bool has_action = false;
  std::unique_ptr<block> kernel; /* the command is one, and this its launch */
  mpl_kernel_launch launch{};
  std::function<void()> task;                /* or it is this, */
  usm_transfer transfer;                     /* which a program with a GPU leaves to the engine */
  bool is_of_host = false;                   /* a function of the application's */
  int barrier = -1;                          /* or a marker of this kind */
  std::shared_ptr<graph_run> graph;          /* or the nodes of this one */
  node_type type = node_type::empty;         /* what it is as a node */
  bool is_kept = false;                      /* it is added to a graph, and not submitted */
  bool waits_outside = false;                /* for an event of a command that no graph has */
  node_list nodes;                           /* commands of a graph that it comes after */
  std::vector<std::function<void()>> at_end; /* what the host does after the kernel */

  explicit command_group(std::shared_ptr<queue_state> queue, bool is_kept)
      : queue(std::move(queue)), is_kept(is_kept) {}

  void begin_action() {
    if (has_action)
      fail(errc::invalid, "a command group has one command: a kernel, a copy or a host task");
    has_action = true;
  }

  /* Local memory is a work-group's (4.7.6.11): there is none for kernels of a plain range. */
  void check_no_local(const void *function, std::size_t size) {
    if (!locals.empty() && last_held(function, size, locals))
      fail(errc::kernel_argument, "local memory is for kernels of an nd_range");
    local_bytes = 0;
  }
  /* What the kernel does not hold is not counted. */
  void check_local(const void *function, std::size_t size) {
    std::size_t limit = queue->device.about().local_memory;
    if (local_bytes <= limit) return;
    const local_use *last = last_held(function, size, locals);
    local_bytes = last ? last->end : 0;
    if (local_bytes > limit)
      fail(errc::memory_allocation, "the device has " + std::to_string(limit) +
                                        " bytes of local memory, and a kernel wants more");
  }

  [[noreturn]] static void refuse(const sycl::kernel &) {
    fail(errc::invalid, "a kernel of this program is launched by its function object");
  }

  [[noreturn]] static void refuse_parameter() {
    fail(errc::feature_not_supported, "a kernel of this program has no arguments by number, "
                                      "which a dynamic_parameter would change");
  }

  void check_constants() const {
    if (bundle)
      fail(errc::invalid, "the command group uses a kernel bundle, which has the values of "
                          "specialization constants");
  }

  void set_task(std::function<void()> function, node_type what) {
    begin_action();
    task = std::move(function);
    type = what;
  }
  template <typename T> void set_pattern(void *to, const T &pattern, std::size_t count) {
    transfer.to = to;
    transfer.size = count;
    const auto *bytes = reinterpret_cast<const unsigned char *>(&pattern);
    transfer.pattern.assign(bytes, bytes + sizeof pattern);
  }
  void refuse_in_graph(const char *what) const {
    if (is_kept || queue->recorder.get())
      fail(errc::invalid, std::string(what) + " cannot be a node of a graph");
  }

  inline void set_constants(block &, const void *kernel_type) const;

  void check_reach() const {
    if (!queue->device.about().is_gpu) return;
    for (const requirement &each : requirements) each.memory->lend();
    if (!kernel->constants.empty() && !kernel->constants.use_keys())
      fail(errc::feature_not_supported,
           "two specialization constants of a kernel on a GPU have the same name");
  }

  static void check_supported(const mpl_kernel_record &record, bool any_device = true) {
    if (!any_device || record.flags & MPL_RECORD_NO_DEVICE)
      fail(errc::kernel_not_supported, "a kernel requires what the device does not have");
  }

  /* What does not depend on the kernel's type, which a program has many of. */
  void set_block(std::unique_ptr<block> made, const mpl_kernel_record &record,
                 const void *kernel_type, bool any_device) {
    type = node_type::kernel;
    set_constants(*made, kernel_type);
    check_supported(record, any_device);
    if (record.flags & MPL_RECORD_NO_GROUPS) check_required_sizes(record);
    made->errors = queue->errors;
    made->record = &record;
    made->instances = queue->instances();
    if (made->instances) made->keep.push_back(queue->globals);
    launch.instances = made->instances;
    launch.kernel = &record;
    kernel = std::move(made);
  }
  template <int D>
  void set_size(const range<D> &global, const range<D> &local, const id<D> &offset) {
    launch.dims = D;
    for (int i = 0; i < D; i++) {
      launch.global[D - 1 - i] = global[i];
      launch.local[D - 1 - i] = local[i];
      launch.offset[D - 1 - i] = offset[i];
    }
  }
  template <typename Kernel, typename Name, mpl_kernel_record &Record, int D>
  void set_kernel(std::unique_ptr<block> made, const range<D> &global, const range<D> &local,
                  const id<D> &offset) {
    begin_action();
    kernel_registration<Name, Record>::launched();
    set_block(std::move(made), Record, type_key<Name>(),
              required<decltype(Kernel::function)>::value.any_device);
    set_size(global, local, offset);
  }

  /* What the engine would refuse too, but with the codes that SYCL names.  A kernel that the device
   * cannot have is told of first, whatever the range is (5.8.1). */
  template <int D> void check_launch(const nd_range<D> &range, const mpl_kernel_record &record) {
    check_supported(record);
    check_required_sizes(record);
    check_range(range);
    check_local_size(range.get_local_range(), required_size<D>(record.reqd_local));
    if (record.flags & MPL_RECORD_ONE_GROUP && range.get_group_range().size() > 1)
      fail(errc::nd_range, "a kernel with use_root_sync is launched with one work-group");
  }
  /* In SYCL's order, all 0 if none is required. */
  template <int D> static range<D> required_size(const std::uint32_t (&sizes)[3]) {
    range<D> result = square<D>(0);
    for (int i = 0; i < D; i++) result[i] = sizes[D - 1 - i];
    return result;
  }
  template <int D>
  static void check_local_size(const range<D> &local, const range<D> &required) {
    for (int i = 0; i < D; i++)
      if (required[D - 1] && local[i] != required[i])
        fail(errc::nd_range, "the kernel requires a local size of " + std::to_string(required[i]) +
                                 " in dimension " + std::to_string(i));
  }
  /* By a property, or by an attribute, of which the compiler tells. */
  template <typename F, int D>
  static range<D> required_of_hierarchy(const mpl_kernel_record &record) {
    constexpr const auto &needs = required<F>::value;
    return required_size<D>(needs.local[0] ? needs.local : record.reqd_local);
  }

  void check_required_sizes(const mpl_kernel_record &record) {
    std::size_t items = 1, limit = queue->device.about().max_work_group_size;
    for (std::size_t size : record.reqd_local)
      if (size) items = size > limit / items ? limit + 1 : items * size;
    if (items > limit)
      fail(errc::kernel_not_supported, "the kernel requires a work-group of more than " +
                                           std::to_string(limit) + " work-items");
    if (!record.reqd_sub_group) return;
    for (std::size_t size : queue->device.get_info<info::device::sub_group_sizes>())
      if (size == record.reqd_sub_group) return;
    fail(errc::kernel_not_supported, "the device has no sub-groups of " +
                                         std::to_string(record.reqd_sub_group) + " work-items");
  }
  template <int D> void check_range(const nd_range<D> &range) {
    std::size_t items = 1, limit = queue->device.about().max_work_group_size;
    for (int i = 0; i < D; i++) {
      std::size_t local = range.get_local_range()[i];
      if (!local) fail(errc::nd_range, "the local size of an ND-range is not 0");
      if (range.get_global_range()[i] % local)
        fail(errc::nd_range, "the local size " + std::to_string(local) + " of dimension " +
                                 std::to_string(i) + " does not divide the global size " +
                                 std::to_string(range.get_global_range()[i]));
      items = local > limit ? limit + 1 : items * local;
      if (items > limit)
        fail(errc::nd_range,
             "a work-group has at most " + std::to_string(limit) + " work-items on this device");
    }
  }
};

} // namespace sycl::detail

#endif
