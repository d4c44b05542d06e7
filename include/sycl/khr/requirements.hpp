/* What a command of sycl_khr_free_function_commands has to wait for and what it needs, and the event
 * that tells of its end. */
#ifndef SYCL_KHR_REQUIREMENTS_HPP
#define SYCL_KHR_REQUIREMENTS_HPP

#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../kernel_bundle.hpp"
#include "../queue.hpp"
#include "version.hpp"

namespace sycl {

namespace khr {

struct signal_event {
  event value;
  signal_event(const event &e) : value(e) {}
};
struct wait_event {
  event value;
  wait_event(const event &e) : value(e) {}
};
struct wait_events {
  std::vector<event> value;
  wait_events(const std::vector<event> &events) : value(events) {}
};

template <typename T> struct is_requirement : std::false_type {};
template <> struct is_requirement<signal_event> : std::true_type {};
template <> struct is_requirement<wait_event> : std::true_type {};
template <> struct is_requirement<wait_events> : std::true_type {};
template <> struct is_requirement<kernel_bundle<bundle_state::executable>> : std::true_type {};
template <typename T, int D, access_mode M, access::placeholder P>
struct is_requirement<accessor<T, D, M, target::device, P>> : std::true_type {};
template <typename T, int D, access_mode M, access::placeholder P>
struct is_requirement<accessor<T, D, M, target::host_task, P>> : std::true_type {};
template <typename T> inline constexpr bool is_requirement_v = is_requirement<T>::value;

template <typename... Requirements> class requirements;

} // namespace khr

namespace detail {

template <typename T, typename... All>
inline constexpr int times_in = (0 + ... + int(std::is_same_v<T, All>));

using khr_bundle = kernel_bundle<bundle_state::executable>;

template <typename... R>
inline constexpr bool are_requirements =
    (... && khr::is_requirement_v<R>) && times_in<khr_bundle, R...> <= 1 &&
    times_in<khr::wait_event, R...> + times_in<khr::wait_events, R...> <= 1 &&
    times_in<khr::signal_event, R...> <= 1;

/* For commands that take events alone. */
template <typename... R>
using if_only_events =
    std::enable_if_t<(... && (std::is_same_v<R, khr::wait_event> ||
                              std::is_same_v<R, khr::wait_events> ||
                              std::is_same_v<R, khr::signal_event>)), int>;
template <typename... R>
using if_only_waits = std::enable_if_t<(... && (std::is_same_v<R, khr::wait_event> ||
                                                std::is_same_v<R, khr::wait_events>)), int>;
template <typename... R>
using if_only_signal = std::enable_if_t<(... && std::is_same_v<R, khr::signal_event>), int>;

struct requirement_parts {
  template <typename... R> static void add(handler &h, const khr::requirements<R...> &all) {
    std::apply([&](const auto &...each) { (add_one(h, each), ...); }, all.values);
  }
  template <typename... R>
  static void signal(const khr::requirements<R...> &all, const event &command) {
    std::apply([&](const auto &...each) { (signal_one(each, command), ...); }, all.values);
  }

private:
  static void add_one(handler &h, const khr_bundle &bundle) { h.use_kernel_bundle(bundle); }
  static void add_one(handler &h, const khr::wait_event &e) { h.depends_on(e.value); }
  static void add_one(handler &h, const khr::wait_events &e) { h.depends_on(e.value); }
  static void add_one(handler &, const khr::signal_event &) {}
  template <typename T, int D, access_mode M, target G, access::placeholder P>
  static void add_one(handler &h, const accessor<T, D, M, G, P> &access) {
    h.require(access);
  }

  template <typename T> static void signal_one(const T &, const event &) {}
  static void signal_one(const khr::signal_event &e, const event &command) {
    event_access::associate(e.value, command);
  }
};

/* The command that `group` makes, with these requirements. */
template <typename... R, typename F>
void submit_with(const queue &q, const khr::requirements<R...> &all, const F &group) {
  event made = queue(q).submit([&](handler &h) {
    requirement_parts::add(h, all);
    group(h);
  });
  requirement_parts::signal(all, made);
}

} // namespace detail

namespace khr {

template <typename... Requirements> class requirements {
  friend struct sycl::detail::requirement_parts;
  std::tuple<Requirements...> values;

public:
  template <bool Good = sycl::detail::are_requirements<Requirements...>,
            std::enable_if_t<Good, int> = 0>
  requirements(Requirements... values) : values(std::move(values)...) {}
};
template <typename... T> requirements(T...) -> requirements<T...>;

/* Signaled: it can be waited for. */
inline event make_event(const context &of) {
  return sycl::detail::event_access::make(std::hash<context>()(of));
}

} // namespace khr
} // namespace sycl

#endif
