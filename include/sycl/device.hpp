/* platform, device, context and the selectors of devices. */
#ifndef SYCL_DEVICE_HPP
#define SYCL_DEVICE_HPP

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "detail/peer_access.hpp"
#include "exception.hpp"
#include "info.hpp"
#include "property.hpp"

namespace sycl {

class context;
class device;

namespace detail {

/* What copies of a device share: the engine's device and what it says of itself. */
struct device_state {
  mpl_device *device;
  properties about{};
  std::shared_ptr<device_state> parent; /* of a sub-device, which ends with this */
  info::partition_property partition = info::partition_property::no_partition;
  peer_list peers{};

  device_state(mpl_device *device, std::shared_ptr<device_state> parent = nullptr,
               info::partition_property how = info::partition_property::no_partition)
      : device(device), parent(std::move(parent)), partition(how) {
    mpl_describe_device(device, &about, sizeof about);
  }
  device_state(const device_state &) = delete;
  ~device_state() {
    if (parent) mpl_release_sub_device(device);
  }
};

inline const std::vector<std::shared_ptr<device_state>> &root_devices() {
  static const auto all = [] {
    std::vector<std::shared_ptr<device_state>> list;
    for (std::uint32_t i = 0; i < mpl_count_devices(); i++)
      list.push_back(std::make_shared<device_state>(mpl_get_device(i)));
    if (list.empty()) fail(errc::runtime, "maniple has no device");
    return list;
  }();
  return all;
}

inline const std::shared_ptr<device_state> &first_device() {
  return root_devices().front();
}

template <typename T, typename = void> inline constexpr bool is_selector = false;
template <typename T>
inline constexpr bool is_selector<
    T, std::void_t<decltype(int(std::declval<const T &>()(std::declval<const device &>())))>> =
    true;

} // namespace detail

class platform {
public:
  platform() = default;
  template <typename Selector, std::enable_if_t<detail::is_selector<Selector>, int> = 0>
  explicit platform(const Selector &selector);

  backend get_backend() const noexcept { return backend::maniple; }
  inline std::vector<device> get_devices(info::device_type = info::device_type::all) const;
  template <typename Info> typename Info::return_type get_info() const {
    return Info::get(detail::first_device()->about);
  }
  template <typename Info> typename Info::return_type get_backend_info() const {
    return get_info<Info>();
  }
  inline bool has(aspect) const;
  bool has_extension(const std::string &) const { return false; }
  static std::vector<platform> get_platforms() { return {platform()}; }
  inline context khr_get_default_context() const; /* sycl_khr_default_context */

  friend bool operator==(const platform &, const platform &) { return true; }
  friend bool operator!=(const platform &, const platform &) { return false; }
};

class device {
  friend class context;
  friend class queue;
  friend struct std::hash<device>;
  std::shared_ptr<detail::device_state> state;

public:
  explicit device(std::shared_ptr<detail::device_state> state) : state(std::move(state)) {}
  device() : state(detail::first_device()) {}
  template <typename Selector, std::enable_if_t<detail::is_selector<Selector>, int> = 0>
  explicit device(const Selector &selector);

  mpl_device *engine() const { return state->device; }
  const detail::properties &about() const { return state->about; }

  backend get_backend() const noexcept { return backend::maniple; }
  bool is_cpu() const { return has(aspect::cpu); }
  bool is_gpu() const { return has(aspect::gpu); } /* what it is said to be: about().is_gpu is */
  bool is_accelerator() const { return has(aspect::accelerator); }
  platform get_platform() const { return {}; }
  bool has_extension(const std::string &) const { return false; }

  template <typename Info> typename Info::return_type get_info() const {
    if constexpr (std::is_same_v<Info, info::device::platform>) {
      return get_platform();
    } else if constexpr (std::is_same_v<Info, info::device::parent_device>) {
      if (!state->parent) detail::fail(errc::invalid, "the device is no sub-device");
      return device(state->parent);
    } else if constexpr (std::is_same_v<Info, info::device::partition_type_property>) {
      return state->partition;
    } else if constexpr (std::is_same_v<Info, info::device::partition_type_affinity_domain>) {
      return info::partition_affinity_domain::not_applicable;
    } else {
      return Info::get(state->about);
    }
  }
  template <typename Info> typename Info::return_type get_backend_info() const {
    return get_info<Info>();
  }

  bool has(aspect which) const { return detail::has_aspect(state->about, which); }

  /* sycl_ext_oneapi_peer_access: all of the CPU's devices have one memory. */
  bool ext_oneapi_can_access_peer(
      const device &peer,
      ext::oneapi::peer_access = ext::oneapi::peer_access::access_supported) const {
    return state != peer.state && !state->about.is_gpu && !peer.state->about.is_gpu;
  }
  void ext_oneapi_enable_peer_access(const device &peer) {
    if (!ext_oneapi_can_access_peer(peer))
      detail::fail(errc::feature_not_supported, "the device does not reach memory of that device");
    if (!state->peers.add(peer.state))
      detail::fail(errc::invalid, "access to the memory of that device is enabled already");
  }
  void ext_oneapi_disable_peer_access(const device &peer) {
    if (!state->peers.remove(peer.state))
      detail::fail(errc::invalid, "access to the memory of that device is not enabled");
  }

  template <info::partition_property How,
            std::enable_if_t<How == info::partition_property::partition_equally, int> = 0>
  std::vector<device> create_sub_devices(std::size_t units) const {
    std::size_t all = state->about.compute_units;
    if (!units || units > all)
      detail::fail(errc::invalid, "a sub-device has at least one compute unit and no more than "
                                  "the device has");
    std::vector<device> result;
    for (std::size_t i = 0; i < all / units; i++) result.push_back(part(units, How));
    return result;
  }
  template <info::partition_property How,
            std::enable_if_t<How == info::partition_property::partition_by_counts, int> = 0>
  std::vector<device> create_sub_devices(const std::vector<std::size_t> &counts) const {
    std::size_t sum = 0;
    for (std::size_t count : counts) sum += count;
    if (sum > state->about.compute_units)
      detail::fail(errc::invalid, "the sub-devices have more compute units than the device");
    std::vector<device> result;
    for (std::size_t count : counts) result.push_back(part(count, How));
    return result;
  }
  template <
      info::partition_property How,
      std::enable_if_t<How == info::partition_property::partition_by_affinity_domain, int> = 0>
  std::vector<device> create_sub_devices(info::partition_affinity_domain) const {
    detail::fail(errc::feature_not_supported, "the device cannot be partitioned by affinity");
  }

  static std::vector<device> get_devices(info::device_type type = info::device_type::all) {
    std::vector<device> result;
    for (const auto &each : detail::root_devices())
      if (type == info::device_type::all || type == info::device_type::automatic ||
          type == info::device::device_type::get(each->about))
        result.push_back(device(each));
    return result;
  }

  friend bool operator==(const device &a, const device &b) {
    return a.state == b.state;
  }
  friend bool operator!=(const device &a, const device &b) {
    return !(a == b);
  }

private:
  device part(std::size_t units, info::partition_property how) const {
    mpl_device *made = units ? mpl_create_sub_device(state->device, std::uint32_t(units)) : nullptr;
    if (!made) detail::fail(errc::invalid, "the device cannot be partitioned like this");
    return device(std::make_shared<detail::device_state>(made, state, how));
  }
};

inline std::vector<device> platform::get_devices(info::device_type type) const {
  return device::get_devices(type);
}
inline bool platform::has(aspect which) const {
  return device().has(which);
}

/* --- Selectors: the device with the highest score; none if all are negative
 * ----------------------- */

inline int default_selector_v(const device &) {
  return 1;
}
inline int cpu_selector_v(const device &device) {
  return device.is_cpu() ? 1 : -1;
}
inline int gpu_selector_v(const device &device) {
  return device.is_gpu() ? 1 : -1;
}
inline int accelerator_selector_v(const device &device) {
  return device.is_accelerator() ? 1 : -1;
}

/* Of SYCL 1.2.1. */
#define SYCL_OLD_SELECTOR(name)                                                                    \
  struct name {                                                                                    \
    int operator()(const device &device) const { return name##_v(device); }                        \
  };
SYCL_OLD_SELECTOR(default_selector)
SYCL_OLD_SELECTOR(cpu_selector)
SYCL_OLD_SELECTOR(gpu_selector)
SYCL_OLD_SELECTOR(accelerator_selector)
#undef SYCL_OLD_SELECTOR

inline auto aspect_selector(const std::vector<aspect> &needed,
                            const std::vector<aspect> &refused = {}) {
  return [=](const device &device) {
    for (aspect which : needed)
      if (!device.has(which)) return -1;
    for (aspect which : refused)
      if (device.has(which)) return -1;
    return 1;
  };
}
template <typename... Aspects> auto aspect_selector(aspect first, Aspects... rest) {
  return aspect_selector(std::vector<aspect>{first, rest...});
}
template <aspect... Aspects> auto aspect_selector() {
  return aspect_selector(std::vector<aspect>{Aspects...});
}

namespace detail {

template <typename Selector> device select(const Selector &selector) {
  const std::shared_ptr<device_state> *best = nullptr;
  int highest = -1;
  for (const auto &each : root_devices()) {
    int score = selector(device(each));
    if (score > highest) {
      highest = score;
      best = &each;
    }
  }
  if (!best)
    fail(errc::runtime,
         "no device of this platform is one that the selector takes (GPUs are devices of programs "
         "that `maniple c++ --target=cuda` compiles; MANIPLE_DEVICE_TYPE=gpu has the CPU take the "
         "place of one)");
  return device(*best);
}

} // namespace detail

template <typename Selector, std::enable_if_t<detail::is_selector<Selector>, int>>
device::device(const Selector &selector) : device(detail::select(selector)) {}

template <typename Selector, std::enable_if_t<detail::is_selector<Selector>, int>>
platform::platform(const Selector &selector) {
  detail::select(selector);
}

/* --- Context -------------------------------------------------------------------------------------
 */

namespace detail {

/* What the device_globals of a program are on the devices of one context. */
class global_instances {
  std::mutex lock;
  std::vector<std::pair<const mpl_device *, std::shared_ptr<mpl_instances>>> all;

public:
  std::shared_ptr<mpl_instances> of(mpl_device *device) {
    std::lock_guard<std::mutex> guard(lock);
    for (const auto &each : all)
      if (each.first == device) return each.second;
    std::shared_ptr<mpl_instances> made(mpl_create_instances_on(device), mpl_destroy_instances);
    if (!made) fail(errc::memory_allocation, "no memory for the device_globals of a device");
    all.emplace_back(device, made);
    return made;
  }
};

} // namespace detail

class context : public detail::with_properties<> {
  friend struct std::hash<context>;
  struct data {
    std::vector<device> devices;
    async_handler handler;
    mutable detail::global_instances globals{};
  };
  std::shared_ptr<const data> state;

  struct made {}; /* tells this constructor from the program's */
  context(made, std::vector<device> devices, async_handler handler, const property_list &properties)
      : with_properties(properties), state(new data{std::move(devices), std::move(handler)}) {
    if (state->devices.empty()) detail::fail(errc::invalid, "a context needs a device");
  }

public:
  explicit context(const property_list &properties = {})
      : context(made(), std::vector<device>{device()}, {}, properties) {}
  explicit context(async_handler handler, const property_list &properties = {})
      : context(made(), std::vector<device>{device()}, std::move(handler), properties) {}
  explicit context(const device &device, const property_list &properties = {})
      : context(made(), std::vector<sycl::device>{device}, {}, properties) {}
  explicit context(const device &device, async_handler handler,
                   const property_list &properties = {})
      : context(made(), std::vector<sycl::device>{device}, std::move(handler), properties) {}
  explicit context(const platform &platform, const property_list &properties = {})
      : context(made(), platform.get_devices(), {}, properties) {}
  explicit context(const platform &platform, async_handler handler,
                   const property_list &properties = {})
      : context(made(), platform.get_devices(), std::move(handler), properties) {}
  explicit context(const std::vector<device> &devices, const property_list &properties = {})
      : context(made(), devices, async_handler(), properties) {}
  explicit context(const std::vector<device> &devices, async_handler handler,
                   const property_list &properties = {})
      : context(made(), devices, std::move(handler), properties) {}

  backend get_backend() const noexcept { return backend::maniple; }
  platform get_platform() const { return {}; }
  std::vector<device> get_devices() const { return state->devices; }
  const async_handler &handler() const { return state->handler; }
  std::shared_ptr<mpl_instances> instances(const device &of) const {
    return state->globals.of(of.engine());
  }

  template <typename Info> typename Info::return_type get_info() const {
    if constexpr (std::is_same_v<Info, info::context::platform>)
      return get_platform();
    else if constexpr (std::is_same_v<Info, info::context::devices>)
      return get_devices();
    else
      return Info::get(state->devices.front().about());
  }
  template <typename Info> typename Info::return_type get_backend_info() const {
    return get_info<Info>();
  }

  friend bool operator==(const context &a, const context &b) { return a.state == b.state; }
  friend bool operator!=(const context &a, const context &b) { return !(a == b); }
};

namespace detail {

inline const context &platform_context() {
  static const context whole{platform()};
  return whole;
}

/* The context of queues that are made without one: the platform's, of all root devices. */
inline context default_context(const device &of) {
  const context &whole = platform_context();
  for (const device &each : whole.get_devices())
    if (each == of) return whole;
  return context(of);
}

/* A device is one of a context if it, or a device that it is a part of, is. */
inline bool belongs_to(const context &context, device device) {
  for (;;) {
    for (const sycl::device &each : context.get_devices())
      if (each == device) return true;
    if (device.get_info<info::device::partition_type_property>() ==
        info::partition_property::no_partition)
      return false;
    device = device.get_info<info::device::parent_device>();
  }
}

/* The first device of the platform's context has a program's device_globals themselves. */
inline std::shared_ptr<mpl_instances> instances_of(const context &context, const device &device) {
  if (!device.about().is_gpu && context == platform_context() && device == sycl::device()) return nullptr;
  return context.instances(device);
}

} // namespace detail

inline context platform::khr_get_default_context() const {
  return detail::default_context(device());
}

namespace property::buffer {
class context_bound {
  sycl::context bound;

public:
  context_bound(sycl::context context) : bound(std::move(context)) {}
  sycl::context get_context() const { return bound; }
};
} // namespace property::buffer

inline exception::exception(context where, std::error_code code, const std::string &what)
    : shared(std::make_shared<state>(
          state{join(what, code), code, std::make_shared<context>(std::move(where))})) {}
inline exception::exception(context where, std::error_code code, const char *what)
    : exception(std::move(where), code, std::string(what)) {}
inline exception::exception(context where, std::error_code code)
    : exception(std::move(where), code, std::string()) {}
inline exception::exception(context where, int value, const std::error_category &category,
                            const std::string &what)
    : exception(std::move(where), std::error_code(value, category), what) {}
inline exception::exception(context where, int value, const std::error_category &category,
                            const char *what)
    : exception(std::move(where), std::error_code(value, category), what) {}
inline exception::exception(context where, int value, const std::error_category &category)
    : exception(std::move(where), std::error_code(value, category)) {}
inline context exception::get_context() const {
  if (!has_context()) detail::fail(errc::invalid, "the exception has no context");
  return *shared->where;
}

} // namespace sycl

template <> struct std::hash<sycl::platform> {
  std::size_t operator()(const sycl::platform &) const noexcept { return 1; }
};
template <> struct std::hash<sycl::device> {
  std::size_t operator()(const sycl::device &device) const noexcept {
    return std::hash<const void *>()(device.state.get());
  }
};
template <> struct std::hash<sycl::context> {
  std::size_t operator()(const sycl::context &context) const noexcept {
    return std::hash<const void *>()(context.state.get());
  }
};

#endif
