/* kernel_id, kernel and kernel_bundle, as far as queries of kernels need them: all kernels of a
 * program are compiled before it runs. */
#ifndef SYCL_KERNEL_BUNDLE_HPP
#define SYCL_KERNEL_BUNDLE_HPP

#include <maniple/maniple.h>

#include <algorithm>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "detail/command.hpp"
#include "device.hpp"

namespace sycl {

enum class bundle_state { input, object, executable };

namespace detail {

struct kernel_entry {
  const void *type; /* key of the kernel's name */
  const char *name;
  std::atomic<const mpl_kernel_record *>
      record; /* of its last launch; before the first, any of its */
};

/* Names of all kernels, in no order; entries are made before main and never go. */
inline std::vector<kernel_entry *> &kernel_entries() {
  static std::vector<kernel_entry *> all;
  return all;
}

template <typename T> const void *type_key() {
  static const char address = 0;
  return &address;
}

/* Instantiating launched() makes the kernel known before main. */
template <typename Name, mpl_kernel_record &Record> class kernel_registration {
  static kernel_entry *make() {
    for (kernel_entry *each : kernel_entries())
      if (each->type == type_key<Name>()) return each;
    static kernel_entry made{type_key<Name>(), name_text<Name>.text, {&Record}};
    kernel_entries().push_back(&made);
    return &made;
  }
  inline static kernel_entry *const entry = make();

public:
  static void launched() { entry->record.store(&Record, std::memory_order_release); }
};

} // namespace detail

class kernel_id {
  friend class kernel;
  friend struct std::hash<kernel_id>;
  const detail::kernel_entry *entry;

public:
  explicit kernel_id(const detail::kernel_entry *entry) : entry(entry) {}
  const char *get_name() const noexcept { return entry->name; }

  friend bool operator==(const kernel_id &a, const kernel_id &b) { return a.entry == b.entry; }
  friend bool operator!=(const kernel_id &a, const kernel_id &b) { return !(a == b); }
};

namespace info::device {
struct built_in_kernel_ids {
  using return_type = std::vector<kernel_id>;
  static return_type get(const detail::properties &) { return {}; }
};
} // namespace info::device

template <typename Name> kernel_id get_kernel_id() {
  for (const detail::kernel_entry *each : detail::kernel_entries())
    if (each->type == detail::type_key<Name>()) return kernel_id(each);
  detail::fail(errc::invalid, "the program has no kernel of this name");
}

inline std::vector<kernel_id> get_kernel_ids() {
  std::vector<kernel_id> result;
  for (const detail::kernel_entry *each : detail::kernel_entries())
    result.push_back(kernel_id(each));
  return result;
}

class kernel {
  kernel_id id;
  sycl::context context;

  mpl_kernel_properties about(const device &device) const {
    mpl_kernel_properties properties{};
    mpl_describe_kernel(device.engine(), id.entry->record.load(std::memory_order_acquire),
                        &properties, sizeof properties);
    return properties;
  }
  const mpl_kernel_record *record() const {
    return id.entry->record.load(std::memory_order_acquire);
  }

public:
  kernel(const kernel_id &id, const sycl::context &context) : id(id), context(context) {}

  backend get_backend() const noexcept { return backend::maniple; }
  sycl::context get_context() const { return context; }

  template <typename Info> typename Info::return_type get_info() const {
    if constexpr (std::is_same_v<Info, info::kernel::attributes>)
      return "";
    else
      return 1; /* num_args: the function object */
  }

  template <typename Info> typename Info::return_type get_info(const device &device) const {
    namespace query = info::kernel_device_specific;
    mpl_kernel_properties properties = about(device);
    const mpl_kernel_record *known = record();
    if constexpr (std::is_same_v<Info, query::work_group_size>) {
      return properties.max_work_group_size;
    } else if constexpr (std::is_same_v<Info, query::global_work_size>) {
      detail::fail(errc::invalid, "only custom devices and built-in kernels have such a size");
    } else if constexpr (std::is_same_v<Info, query::compile_work_group_size>) {
      return range<3>(known->reqd_local[2], known->reqd_local[1], known->reqd_local[0]);
    } else if constexpr (std::is_same_v<Info, query::preferred_work_group_size_multiple>) {
      return properties.preferred_multiple;
    } else if constexpr (std::is_same_v<Info, query::private_mem_size>) {
      return properties.private_size;
    } else if constexpr (std::is_same_v<Info, query::max_num_sub_groups>) {
      std::uint32_t size = properties.sub_group_size ? properties.sub_group_size : 1;
      return (properties.max_work_group_size + size - 1) / size;
    } else if constexpr (std::is_same_v<Info, query::max_sub_group_size>) {
      return properties.sub_group_size;
    } else if constexpr (std::is_same_v<Info, query::compile_sub_group_size>) {
      return known->reqd_sub_group;
    } else {
      static_assert(std::is_same_v<Info, query::compile_num_sub_groups>,
                    "a kernel knows the descriptors of sycl::info::kernel_device_specific");
      return 0;
    }
  }
};

template <bundle_state State> class kernel_bundle {
  sycl::context context;
  std::vector<device> devices;
  std::vector<kernel_id> ids;

public:
  kernel_bundle(const sycl::context &context, std::vector<device> devices,
                std::vector<kernel_id> ids)
      : context(context), devices(std::move(devices)), ids(std::move(ids)) {}

  backend get_backend() const noexcept { return backend::maniple; }
  sycl::context get_context() const noexcept { return context; }
  std::vector<device> get_devices() const noexcept { return devices; }
  bool empty() const noexcept { return ids.empty(); }
  std::vector<kernel_id> get_kernel_ids() const { return ids; }
  bool has_kernel(const kernel_id &id) const noexcept {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  }
  bool has_kernel(const kernel_id &id, const device &) const noexcept { return has_kernel(id); }
  bool contains_specialization_constants() const noexcept { return false; }
  bool native_specialization_constant() const noexcept { return false; }

  template <bundle_state S = State, std::enable_if_t<S == bundle_state::executable, int> = 0>
  kernel get_kernel(const kernel_id &id) const {
    if (!has_kernel(id)) detail::fail(errc::invalid, "the bundle does not have this kernel");
    return kernel(id, context);
  }
  template <typename Name, bundle_state S = State,
            std::enable_if_t<S == bundle_state::executable, int> = 0>
  kernel get_kernel() const {
    return get_kernel(get_kernel_id<Name>());
  }

  friend bool operator==(const kernel_bundle &a, const kernel_bundle &b) {
    return a.context == b.context && a.devices == b.devices && a.ids == b.ids;
  }
  friend bool operator!=(const kernel_bundle &a, const kernel_bundle &b) { return !(a == b); }
};

template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &context, const std::vector<device> &devices,
                                       const std::vector<kernel_id> &ids) {
  return {context, devices, ids};
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &context, const std::vector<kernel_id> &ids) {
  return {context, context.get_devices(), ids};
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &context, const std::vector<device> &devices) {
  return {context, devices, get_kernel_ids()};
}
template <bundle_state State> kernel_bundle<State> get_kernel_bundle(const context &context) {
  return {context, context.get_devices(), get_kernel_ids()};
}
template <typename Name, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &context) {
  return {context, context.get_devices(), {get_kernel_id<Name>()}};
}
template <typename Name, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &context, const std::vector<device> &devices) {
  return {context, devices, {get_kernel_id<Name>()}};
}

template <bundle_state State> bool has_kernel_bundle(const context &) {
  return true;
}
template <bundle_state State> bool has_kernel_bundle(const context &, const std::vector<device> &) {
  return true;
}
template <typename Name, bundle_state State> bool has_kernel_bundle(const context &) {
  return true;
}

inline bool is_compatible(const std::vector<kernel_id> &, const device &) {
  return true;
}
template <typename Name> bool is_compatible(const device &) {
  return true;
}

} // namespace sycl

template <> struct std::hash<sycl::kernel_id> {
  std::size_t operator()(const sycl::kernel_id &id) const noexcept {
    return std::hash<const void *>()(id.entry);
  }
};

#endif
