/* What the copies of a queue share, and what a host task sees of it. */
#ifndef SYCL_DETAIL_QUEUE_STATE_HPP
#define SYCL_DETAIL_QUEUE_STATE_HPP

#include <maniple/maniple.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "../accessor.hpp"
#include "../device.hpp"
#include "command.hpp"
#include "graph_state.hpp"

namespace sycl {

template <backend Backend> class backend_traits; /* backend.hpp */

namespace detail {

namespace hints { /* of sycl_ext_oneapi_queue_priority, sycl_ext_intel_queue_immediate_command_list
                   */
using namespace ext::oneapi::property::queue;
using namespace ext::intel::property::queue;
} // namespace hints

struct queue_state
    : with_properties<property::queue::in_order, property::queue::enable_profiling,
                      ext::oneapi::property::queue::discard_events, hints::priority_low,
                      hints::priority_normal, hints::priority_high,
                      hints::immediate_command_list, hints::no_immediate_command_list> {
  sycl::context context;
  sycl::device device;
  std::shared_ptr<error_list> errors;
  std::shared_ptr<mpl_instances> globals; /* null: device_globals are themselves here */
  mpl_queue *queue = nullptr;
  bool in_order, profiled, discards;
  graph_recorder recorder;

  queue_state(const sycl::context &context, const sycl::device &device, async_handler handler,
              const property_list &list = {})
      : with_properties(list), context(context), device(device),
        errors(std::make_shared<error_list>(std::move(handler))),
        globals(instances_of(context, device)), in_order(has_property<property::queue::in_order>()),
        profiled(has_property<property::queue::enable_profiling>()),
        discards(has_property<ext::oneapi::property::queue::discard_events>()) {
    check_hints(list);
    if (discards && profiled)
      fail(errc::invalid, "a queue has discard_events and enable_profiling, which is of its events");
    queue = mpl_create_queue(device.engine(), (in_order ? MPL_QUEUE_IN_ORDER : 0) |
                                                  (profiled ? MPL_QUEUE_PROFILING : 0));
    if (!queue) fail(errc::runtime, mpl_error_text());
  }
  queue_state(const queue_state &) = delete;
  ~queue_state() { mpl_release_queue(queue); }
  static void check_hints(const property_list &list) {
    if (list.count<hints::priority_low, hints::priority_normal, hints::priority_high>() > 1 ||
        list.count<hints::immediate_command_list, hints::no_immediate_command_list>() > 1)
      fail(errc::invalid, "a queue has two properties of which one is the other's opposite");
  }
  mpl_instances *instances() const { return globals.get(); }
  void check_executing() const {
    if (recorder.get())
      fail(errc::invalid, "a queue that is recorded to a graph has no end to wait for");
  }
};

/* A command of the host's: errors that it throws are the queue's. */
struct host_command {
  std::shared_ptr<error_list> errors;
  std::vector<std::shared_ptr<void>> keep;
  std::function<void()> function;

  static int run(void *data) {
    auto *command = static_cast<host_command *>(data);
    try {
      if (command->function) command->function();
    } catch (...) {
      command->errors->add(std::current_exception());
    }
    return 0;
  }
  static void release(void *data) { delete static_cast<host_command *>(data); }
};

inline bool is_one_of(const std::vector<std::shared_ptr<memory_block>> &list,
                      const memory_block *memory) {
  for (const auto &each : list)
    if (each.get() == memory) return true;
  return false;
}

} // namespace detail

/* What a host task sees of its queue (4.10.2); defined in backend.hpp. */
class interop_handle {
  friend class handler;
  std::shared_ptr<detail::queue_state> state;
  std::vector<std::shared_ptr<detail::memory_block>> memory; /* of its command group */

  explicit interop_handle(std::shared_ptr<detail::queue_state> state) : state(std::move(state)) {}

public:
  interop_handle() = delete;
  backend get_backend() const noexcept { return backend::maniple; }

  template <backend Backend, typename T, int D, access_mode M, access::placeholder P>
  typename backend_traits<Backend>::template return_type<buffer<T, D>>
  get_native_mem(const accessor<T, D, M, target::device, P> &) const;
  template <backend Backend>
  typename backend_traits<Backend>::template return_type<queue> get_native_queue() const;
  template <backend Backend>
  typename backend_traits<Backend>::template return_type<device> get_native_device() const;
};

} // namespace sycl

#endif
