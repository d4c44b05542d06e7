/* How a command group's command gets to the engine: what a handler collected, in the order of the
 * buffers that it uses. */
#ifndef SYCL_DETAIL_SUBMIT_HPP
#define SYCL_DETAIL_SUBMIT_HPP

#include "../handler.hpp"

namespace sycl {

inline void detail::require_access(handler &group, memory_block *memory,
                                   const std::shared_ptr<memory_block> &shared, access_mode mode) {
  for (handler::requirement &each : group.requirements)
    if (each.memory.get() == memory) { /* once, with all that is asked of it */
      if (each.mode != mode) each.mode = access_mode::read_write;
      return;
    }
  group.requirements.push_back({shared, mode});
}

/* Commands of the host have no argument block: what they use is looked at when they are made. */
inline bool detail::is_required(const memory_block *memory) {
  const block *running = static_cast<const block *>(mpl_get_arguments());
  if (!running) return true;
  for (const std::shared_ptr<void> &each : running->keep)
    if (each.get() == memory) return true;
  return false;
}

inline void detail::at_end_of(handler &group, std::function<void()> function) {
  group.at_end.push_back(std::move(function));
}

inline detail::local_place detail::reserve_local(handler &group, std::size_t bytes,
                                                 std::size_t align) {
  static std::atomic<std::size_t> serial{first_local_serial};
  std::size_t at = (group.local_bytes + align - 1) / align * align;
  if (bytes > std::size_t(-1) / 2 || at > std::size_t(-1) / 2)
    fail(errc::memory_allocation, "no device has as much local memory as a command group wants");
  group.local_bytes = at + bytes;
  group.locals.push_back({++serial, at + bytes});
  return {at, group.locals.back().serial};
}

/* The values of specialization constants that the kernel reads, and whether it may be launched. */
inline void detail::command_group::set_constants(detail::block &made,
                                                 const void *kernel_type) const {
  if (bundle && !detail::has_type(bundle->ids, kernel_type))
    detail::fail(errc::kernel_not_supported, "the kernel is not in the bundle that the command "
                                             "group uses");
  made.constants = bundle ? bundle->constants : constants;
}

inline void handler::submit_kernel(const std::vector<mpl_event *> &waits, mpl_event **event) {
  check_reach();
  for (const requirement &each : requirements) kernel->keep.push_back(each.memory);
  launch.local_memory = local_bytes;
  detail::block *args = kernel.release();
  launch.args = args;
  launch.release = [](void *data) { detail::block::drop(data); };
  if (int error = mpl_submit_kernel(queue->queue, &launch, waits.data(),
                                    std::uint32_t(waits.size()), event)) {
    std::string what = mpl_error_text();
    detail::block::drop(args);
    detail::fail(detail::code_of(error), what);
  }
  if (mpl_on_end(*event, detail::block::ended, args)) detail::block::drop(args);
}

inline void handler::submit_transfer(const std::vector<mpl_event *> &waits, mpl_event **event) {
  std::uint32_t count = std::uint32_t(waits.size());
  if (transfer.from)
    detail::check(mpl_submit_copy(queue->queue, transfer.to, transfer.from, transfer.size,
                                  waits.data(), count, event));
  else
    detail::check(mpl_submit_fill(queue->queue, transfer.to, transfer.pattern.data(),
                                  transfer.pattern.size(), transfer.size, waits.data(), count, event));
}

inline void handler::submit_host(decltype(mpl_submit_task) *submit, std::function<void()> function,
                                 const std::vector<mpl_event *> &waits, mpl_event **event) {
  auto command = std::make_unique<detail::host_command>();
  command->errors = queue->errors;
  command->function = std::move(function);
  for (const requirement &each : requirements) command->keep.push_back(each.memory);
  detail::check(submit(queue->queue, detail::host_command::run, detail::host_command::release,
                       command.release(), waits.data(), std::uint32_t(waits.size()), event));
}

/* Waits are collected and the command is noted as the last one of its buffers under one lock:
 * another thread's command group comes before or after as a whole. */
inline event handler::submit() {
  std::shared_ptr<detail::graph> recorded = queue->recorder.get();
  if (recorded || !nodes.empty()) return detail::used_graphs.load()->record(*this, std::move(recorded));
  return graph ? detail::used_graphs.load()->run(*this) : submit_now();
}

inline event handler::submit_now() {
  std::unique_lock<std::mutex> guard(detail::order_lock(), std::defer_lock);
  if (!requirements.empty()) guard.lock();
  for (const requirement &each : requirements) each.memory->add_waits(each.mode, waits);
  std::vector<mpl_event *> list;
  list.reserve(waits.size());
  for (const detail::event_ref &each : waits) list.push_back(each.get());

  bool empty = false;
  for (std::uint32_t i = 0; i < launch.dims; i++) empty = empty || launch.global[i] == 0;
  if (kernel)
    if (std::function<void()> ending = kernel->ending()) at_end.push_back(std::move(ending));
  bool has_end = !at_end.empty();
  auto end = [all = std::move(at_end)] {
    for (const std::function<void()> &each : all) each();
  };
  mpl_event *made = nullptr;
  if (kernel && !empty) {
    submit_kernel(list, &made);
    if (has_end) {
      detail::event_ref kernel_event(made);
      submit_host(mpl_submit_step, std::move(end), {made}, &made);
    }
  } else if (kernel) {
    submit_host(mpl_submit_step, std::move(end), list, &made);
  } else if (barrier >= 0) {
    detail::check(
        mpl_submit_marker(queue->queue, barrier, list.data(), std::uint32_t(list.size()), &made));
  } else if (transfer.to && detail::has_gpu()) {
    submit_transfer(list, &made);
  } else {
    submit_host(is_of_host ? mpl_submit_task : mpl_submit_step, std::move(task), list, &made);
  }
  auto state = std::make_shared<detail::event_state>();
  state->event = detail::event_ref(made);
  state->profiled = queue->profiled;
  state->errors = queue->errors;
  state->context = std::hash<context>()(queue->context);
  for (const requirement &each : requirements) each.memory->note(each.mode, state->event);
  guard = {};
  detail::own_claims::submitted(state->event, waits, queue->queue, queue->in_order);
  state->waits = std::move(waits);
  return event(std::move(state));
}

} // namespace sycl

#endif
