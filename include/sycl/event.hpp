/* event: a command on its way. */
#ifndef SYCL_EVENT_HPP
#define SYCL_EVENT_HPP

#include <maniple/maniple.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "detail/errors.hpp"
#include "detail/mistakes.hpp"
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
  inline void wait() const;

  friend bool operator==(const event_ref &a, const event_ref &b) { return a.event == b.event; }
};

/* Host accessors that this thread has made, and the commands that wait for the end of their lives:
 * if the thread waits for one of these, it waits for ever. */
class own_claims {
  struct blocked_command {
    event_ref command;
    const mpl_queue *queue;
    event_ref claim;
  };
  std::vector<event_ref> claims;
  std::vector<blocked_command> blocked;

  static own_claims &here() {
    static thread_local own_claims all;
    return all;
  }
  void forget_ended() {
    claims.erase(std::remove_if(claims.begin(), claims.end(),
                                [](const event_ref &claim) { return claim.done(); }),
                 claims.end());
    blocked.erase(std::remove_if(blocked.begin(), blocked.end(),
                                 [](const blocked_command &each) {
                                   return each.claim.done() || each.command.done();
                                 }),
                  blocked.end());
  }
  /* The claim that a command waits for which has to come after `before`. */
  const event_ref *claim_behind(const event_ref &before) const {
    for (const event_ref &claim : claims)
      if (claim == before) return &claim;
    for (const blocked_command &each : blocked)
      if (each.command == before) return &each.claim;
    return nullptr;
  }
  const event_ref *claim_behind(const mpl_queue *queue) const {
    for (const blocked_command &each : blocked)
      if (each.queue == queue) return &each.claim;
    return nullptr;
  }

public:
  static void add(const event_ref &claim) { here().claims.push_back(claim); }

  static void submitted(const event_ref &command, const std::vector<event_ref> &waits,
                        const mpl_queue *queue, bool in_order) {
    own_claims &own = here();
    if (own.claims.empty()) return;
    own.forget_ended();
    const event_ref *claim = in_order ? own.claim_behind(queue) : nullptr;
    for (std::size_t i = 0; i < waits.size() && !claim; i++) claim = own.claim_behind(waits[i]);
    if (claim) own.blocked.push_back({command, queue, event_ref(*claim)});
  }

  template <typename What> static void check_wait(const What &what) {
    own_claims &own = here();
    if (own.blocked.empty()) return;
    own.forget_ended();
    if (own.claim_behind(what))
      mistake(MPL_MISTAKE_WAIT, errc::event,
              "waiting for a command that waits for a host_accessor of this thread");
  }
};

inline void event_ref::wait() const {
  own_claims::check_wait(*this);
  if (event) mpl_wait(event);
}

struct graph_node; /* graph_state.hpp */

struct event_state {
  event_ref event;
  bool profiled = true;
  std::shared_ptr<error_list> errors;
  std::size_t context = 0;      /* its hash; 0: any */
  std::vector<event_ref> waits; /* not their states: a chain of events must not keep itself alive */
  std::shared_ptr<graph_node> node = {}; /* of a command that was recorded, and not submitted */
  std::vector<event_ref> parts = {};     /* of a graph's: the commands of its nodes */
  bool discarded = false;                /* the program said that it does not use it */

  void check_submitted() const {
    check_known();
    if (node) fail(errc::invalid, "the event is of a command that was recorded to a graph");
  }
  void check_known() const {
    if (discarded) fail(errc::invalid, "the queue of the event's command has discard_events");
  }
};

struct event_access;

} // namespace detail

class event {
  friend struct std::hash<event>;
  friend struct detail::event_access;
  std::shared_ptr<detail::event_state> state;

  const void *identity() const {
    const mpl_event *command = state->event.get();
    return command ? static_cast<const void *>(command) : state.get();
  }

public:
  event() : state(std::make_shared<detail::event_state>()) {}
  explicit event(std::shared_ptr<detail::event_state> state) : state(std::move(state)) {}

  const detail::event_ref &engine() const { return state->event; }
  backend get_backend() const noexcept { return backend::maniple; }

  std::vector<event> get_wait_list() const {
    state->check_known();
    std::vector<event> result;
    for (const detail::event_ref &each : state->waits)
      result.push_back(event(std::make_shared<detail::event_state>(
          detail::event_state{
              each, state->profiled, state->errors, state->context, {}})));
    return result;
  }

  void wait() const {
    state->check_submitted();
    state->event.wait();
  }
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
    if (state->discarded) return status::ext_oneapi_unknown;
    state->check_submitted();
    int now = state->event.get() ? mpl_event_status(state->event.get()) : 0;
    for (const detail::event_ref &part : state->parts)
      if (now > 1 && mpl_event_status(part.get()) <= 1) now = 1; /* some of it has begun */
    return now <= 0 ? status::complete : now == 1 ? status::running : status::submitted;
  }
  template <typename Info> typename Info::return_type get_backend_info() const {
    return get_info<Info>();
  }

  /* Times of one clock, in ns; waits for the command to end. */
  template <typename Info> std::uint64_t get_profiling_info() const {
    state->check_submitted();
    if (!state->profiled)
      detail::fail(errc::invalid, "the queue or the graph was made without enable_profiling");
    mpl_event_times times{};
    if (state->event.get()) {
      wait();
      mpl_get_event_times(state->event.get(), &times);
    }
    for (const detail::event_ref &part : state->parts) {
      mpl_event_times of_part{};
      mpl_get_event_times(part.get(), &of_part);
      times.queued = std::min(times.queued, of_part.queued);
      times.started = std::min(times.started, of_part.started);
    }
    if constexpr (std::is_same_v<Info, info::event_profiling::command_submit>)
      return times.queued;
    else if constexpr (std::is_same_v<Info, info::event_profiling::command_start>)
      return times.started;
    else
      return times.ended;
  }

  /* Events of one command are equal, whichever list they come from. */
  friend bool operator==(const event &a, const event &b) { return a.identity() == b.identity(); }
  friend bool operator!=(const event &a, const event &b) { return !(a == b); }
};

namespace detail {

/* Events that tell of one command after another (sycl_khr_free_function_commands). */
struct event_access {
  static event make(std::size_t context) {
    auto state = std::make_shared<event_state>();
    state->context = context;
    return event(std::move(state));
  }
  static event discarded(event of) {
    of.state->discarded = true;
    return of;
  }
  static void check_known(const event &of) { of.state->check_known(); }
  static std::size_t context(const event &of) { return of.state->context; }
  static const std::shared_ptr<graph_node> &node(const event &of) { return of.state->node; }
  /* All copies of `signaled` are the command's from now on. */
  static void associate(const event &signaled, const event &command) {
    *signaled.state = *command.state;
  }
};

} // namespace detail
} // namespace sycl

template <> struct std::hash<sycl::event> {
  std::size_t operator()(const sycl::event &event) const noexcept {
    return std::hash<const void *>()(event.identity());
  }
};

#endif
