/* event: a command on its way. */
#ifndef SYCL_EVENT_HPP
#define SYCL_EVENT_HPP

#include <maniple/maniple.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "detail/errors.hpp"
#include "info.hpp"

namespace sycl {

namespace detail {

/* A counted reference to an engine's event; empty: a command that has ended. */
class event_ref {
  mpl_event *event = nullptr;

public:
  event_ref() = default;
  explicit event_ref(mpl_event *taken) : event(taken) {}
  event_ref(const event_ref &other) : event(other.event) {
    if (event) mpl_retain_event(event);
  }
  event_ref(event_ref &&other) noexcept : event(std::exchange(other.event, nullptr)) {}
  event_ref &operator=(event_ref other) noexcept {
    std::swap(event, other.event);
    return *this;
  }
  ~event_ref() {
    if (event) mpl_release_event(event);
  }

  mpl_event *get() const { return event; }
  bool done() const { return !event || mpl_event_status(event) <= 0; }
  void wait() const {
    if (event) mpl_wait(event);
  }
};

struct event_state {
  event_ref event;
  bool profiled = true;
  std::shared_ptr<error_list> errors;
  std::vector<event_ref> waits; /* not their states: a chain of events must not keep itself alive */
};

} // namespace detail

class event {
  friend struct std::hash<event>;
  std::shared_ptr<detail::event_state> state;

public:
  event() : state(std::make_shared<detail::event_state>()) {}
  explicit event(std::shared_ptr<detail::event_state> state) : state(std::move(state)) {}

  const detail::event_ref &engine() const { return state->event; }
  backend get_backend() const noexcept { return backend::maniple; }

  std::vector<event> get_wait_list() const {
    std::vector<event> result;
    for (const detail::event_ref &each : state->waits)
      result.push_back(event(std::make_shared<detail::event_state>(
          detail::event_state{each, state->profiled, state->errors, {}})));
    return result;
  }

  void wait() const { state->event.wait(); }
  static void wait(const std::vector<event> &list) {
    for (const event &each : list) each.wait();
  }
  void wait_and_throw() const {
    wait();
    if (state->errors) state->errors->report();
  }
  static void wait_and_throw(const std::vector<event> &list) {
    wait(list);
    for (const event &each : list) each.wait_and_throw();
  }

  template <typename Info> typename Info::return_type get_info() const {
    static_assert(std::is_same_v<Info, info::event::command_execution_status>,
                  "an event knows info::event::command_execution_status");
    using status = info::event_command_status;
    int now = state->event.get() ? mpl_event_status(state->event.get()) : 0;
    return now <= 0 ? status::complete : now == 1 ? status::running : status::submitted;
  }
  template <typename Info> typename Info::return_type get_backend_info() const {
    return get_info<Info>();
  }

  /* Times of one clock, in ns; waits for the command to end. */
  template <typename Info> std::uint64_t get_profiling_info() const {
    if (!state->profiled)
      detail::fail(errc::invalid,
                   "the queue was made without sycl::property::queue::enable_profiling");
    mpl_event_times times{};
    if (state->event.get()) {
      wait();
      mpl_get_event_times(state->event.get(), &times);
    }
    if constexpr (std::is_same_v<Info, info::event_profiling::command_submit>)
      return times.queued;
    else if constexpr (std::is_same_v<Info, info::event_profiling::command_start>)
      return times.started;
    else
      return times.ended;
  }

  friend bool operator==(const event &a, const event &b) { return a.state == b.state; }
  friend bool operator!=(const event &a, const event &b) { return !(a == b); }
};

} // namespace sycl

template <> struct std::hash<sycl::event> {
  std::size_t operator()(const sycl::event &event) const noexcept {
    return std::hash<const void *>()(event.state.get());
  }
};

#endif
