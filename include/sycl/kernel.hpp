/* kernel_id and kernel (SYCL 2020, 4.11.3, 4.11.13), and what copies of a kernel bundle share. */
#ifndef SYCL_KERNEL_HPP
#define SYCL_KERNEL_HPP

#include <maniple/maniple.h>

#include <algorithm>
#include <functional>
#include <memory>
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

/* The entry of that type: the given one, if there is none yet. */
inline kernel_entry *enter(kernel_entry &made) {
  for (kernel_entry *each : kernel_entries())
    if (each->type == made.type) return each;
  kernel_entries().push_back(&made);
  return &made;
}

/* Instantiating launched() makes the kernel known before main. */
template <typename Name, mpl_kernel_record &Record> class kernel_registration {
  inline static kernel_entry made{type_key<Name>(), name_text<Name>.text, {&Record}};
  inline static kernel_entry *const entry = enter(made);

public:
  static void launched() { entry->record.store(&Record, std::memory_order_release); }
};

} // namespace detail

class kernel_id;
namespace detail {
bool has_type(const std::vector<kernel_id> &, const void *type);
}

class kernel_id {
  friend class kernel;
  friend bool detail::has_type(const std::vector<kernel_id> &, const void *);
  friend bool is_compatible(const std::vector<kernel_id> &, const device &);
  friend struct std::hash<kernel_id>;
  const detail::kernel_entry *entry;

public:
  explicit kernel_id(const detail::kernel_entry *entry) : entry(entry) {}
  const char *get_name() const noexcept { return entry->name; }

  friend bool operator==(const kernel_id &a, const kernel_id &b) { return a.entry == b.entry; }
  friend bool operator!=(const kernel_id &a, const kernel_id &b) { return !(a == b); }
};

namespace detail {
inline bool has_type(const std::vector<kernel_id> &ids, const void *type) {
  for (const kernel_id &id : ids)
    if (id.entry->type == type) return true;
  return false;
}
} // namespace detail

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

template <bundle_state State> class kernel_bundle;

namespace detail {

/* What copies of a bundle share. */
struct bundle_data {
  sycl::context context;
  std::vector<device> devices;
  std::vector<kernel_id> ids;
  specialization_values constants;
};

struct bundle_access {
  template <bundle_state State>
  static kernel_bundle<State> make(std::shared_ptr<bundle_data> data) {
    return kernel_bundle<State>(std::move(data));
  }
  template <bundle_state State>
  static const std::shared_ptr<bundle_data> &data(const kernel_bundle<State> &of) {
    return of.data;
  }
};

template <typename T> void add_new(std::vector<T> &to, const std::vector<T> &from) {
  for (const T &each : from)
    if (std::find(to.begin(), to.end(), each) == to.end()) to.push_back(each);
}
template <typename T> void keep_common(std::vector<T> &in, const std::vector<T> &with) {
  in.erase(std::remove_if(in.begin(), in.end(),
                          [&](const T &each) {
                            return std::find(with.begin(), with.end(), each) == with.end();
                          }),
           in.end());
}
template <typename T> bool same_set(const std::vector<T> &a, const std::vector<T> &b) {
  return a.size() == b.size() && std::is_permutation(a.begin(), a.end(), b.begin());
}

} // namespace detail

/* Whether the device can run the sizes that the kernels require. */
inline bool is_compatible(const std::vector<kernel_id> &ids, const device &device) {
  for (const kernel_id &id : ids) {
    const mpl_kernel_record *record = id.entry->record.load(std::memory_order_acquire);
    if (record->flags & MPL_RECORD_NO_DEVICE) return false;
    std::size_t items = 1;
    for (std::uint32_t size : record->reqd_local) items *= size ? size : 1;
    if (items > device.about().max_work_group_size) return false;
    bool known = !record->reqd_sub_group;
    for (std::size_t size : detail::sub_group_sizes(device.about()))
      known = known || size == record->reqd_sub_group;
    if (!known) return false;
  }
  return true;
}
template <typename Name> bool is_compatible(const device &device) {
  return is_compatible({get_kernel_id<Name>()}, device);
}

class kernel {
  friend struct std::hash<kernel>;
  kernel_id id;
  sycl::context context;
  std::shared_ptr<void> bundle; /* its detail::bundle_data */

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
  kernel(const kernel_id &id, const sycl::context &context, std::shared_ptr<void> bundle)
      : id(id), context(context), bundle(std::move(bundle)) {}

  backend get_backend() const noexcept { return backend::maniple; }
  sycl::context get_context() const { return context; }
  template <bundle_state State = bundle_state::executable>
  kernel_bundle<State> get_kernel_bundle() const {
    return detail::bundle_access::make<State>(
        std::static_pointer_cast<detail::bundle_data>(bundle));
  }

  template <typename Info> typename Info::return_type get_info() const {
    if constexpr (std::is_same_v<Info, info::kernel::attributes>)
      return "";
    else
      detail::fail(errc::invalid, "only kernels of an interoperability function have num_args");
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

  template <typename Query> auto ext_oneapi_get_info(const queue &q) const; /* root_group.hpp */
  template <typename Query, int D>
  auto ext_oneapi_get_info(const queue &q, range<D> local, std::size_t bytes = 0) const;

  template <typename Info> typename Info::return_type get_backend_info() const {
    return get_info<Info>();
  }

  friend bool operator==(const kernel &a, const kernel &b) {
    return a.id == b.id && a.bundle == b.bundle;
  }
  friend bool operator!=(const kernel &a, const kernel &b) { return !(a == b); }
};

} // namespace sycl

template <> struct std::hash<sycl::kernel_id> {
  std::size_t operator()(const sycl::kernel_id &id) const noexcept {
    return std::hash<const void *>()(id.entry);
  }
};
template <> struct std::hash<sycl::kernel> {
  std::size_t operator()(const sycl::kernel &kernel) const noexcept {
    return std::hash<sycl::kernel_id>()(kernel.id);
  }
};

#endif
