/* device_image and kernel_bundle (SYCL 2020, 4.11).  All kernels of a program are compiled before
 * it runs: each is a device image of its own, there in all three states. */
#ifndef SYCL_KERNEL_BUNDLE_HPP
#define SYCL_KERNEL_BUNDLE_HPP

#include <algorithm>
#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

#include "kernel.hpp"

namespace sycl {

template <bundle_state State> class device_image {
  friend class kernel_bundle<State>;
  friend struct std::hash<device_image>;
  kernel_id id;

public:
  explicit device_image(const kernel_id &id) : id(id) {}

  bool has_kernel(const kernel_id &which) const noexcept { return which == id; }
  bool has_kernel(const kernel_id &which, const device &device) const noexcept {
    return has_kernel(which) && is_compatible({which}, device);
  }

  friend bool operator==(const device_image &a, const device_image &b) { return a.id == b.id; }
  friend bool operator!=(const device_image &a, const device_image &b) { return !(a == b); }
};

template <bundle_state State> class kernel_bundle {
  friend struct detail::bundle_access;
  friend struct std::hash<kernel_bundle>;
  std::shared_ptr<detail::bundle_data> data;
  std::shared_ptr<const std::vector<device_image<State>>> images;

  explicit kernel_bundle(std::shared_ptr<detail::bundle_data> made) : data(std::move(made)) {
    std::vector<device_image<State>> all(data->ids.begin(), data->ids.end());
    images = std::make_shared<const std::vector<device_image<State>>>(std::move(all));
  }

public:
  using device_image_iterator = typename std::vector<device_image<State>>::const_iterator;

  backend get_backend() const noexcept { return backend::maniple; }
  sycl::context get_context() const noexcept { return data->context; }
  std::vector<device> get_devices() const noexcept { return data->devices; }
  bool empty() const noexcept { return data->ids.empty(); }
  std::vector<kernel_id> get_kernel_ids() const { return data->ids; }
  bool has_kernel(const kernel_id &id) const noexcept {
    return std::find(data->ids.begin(), data->ids.end(), id) != data->ids.end();
  }
  bool has_kernel(const kernel_id &id, const device &device) const noexcept {
    return has_kernel(id) && is_compatible({id}, device) &&
           std::find(data->devices.begin(), data->devices.end(), device) != data->devices.end();
  }
  template <typename Name> bool has_kernel() const noexcept {
    return has_kernel(sycl::get_kernel_id<Name>());
  }
  template <typename Name> bool has_kernel(const device &device) const noexcept {
    return has_kernel(sycl::get_kernel_id<Name>(), device);
  }

  template <bundle_state S = State, std::enable_if_t<S == bundle_state::executable, int> = 0>
  kernel get_kernel(const kernel_id &id) const {
    if (!has_kernel(id)) detail::fail(errc::invalid, "the bundle does not have this kernel");
    return kernel(id, data->context, data);
  }
  template <typename Name, bundle_state S = State,
            std::enable_if_t<S == bundle_state::executable, int> = 0>
  kernel get_kernel() const {
    return get_kernel(get_kernel_id<Name>());
  }

  /* Which kernel reads which constant is not known: any may read what one of the program does. */
  bool contains_specialization_constants() const noexcept {
    return !empty() && !detail::read_constants().empty();
  }
  bool native_specialization_constant() const noexcept { return false; }
  template <auto &Name> bool has_specialization_constant() const noexcept {
    const auto &read = detail::read_constants();
    return !empty() && std::find(read.begin(), read.end(), &Name) != read.end();
  }
  template <auto &Name, bundle_state S = State, std::enable_if_t<S == bundle_state::input, int> = 0>
  void set_specialization_constant(detail::specialized<Name> value) {
    data->constants.template set<Name>(value);
  }
  template <auto &Name> detail::specialized<Name> get_specialization_constant() const {
    return data->constants.template get<Name>();
  }

  device_image_iterator begin() const { return images->begin(); }
  device_image_iterator end() const { return images->end(); }

  friend bool operator==(const kernel_bundle &a, const kernel_bundle &b) {
    return a.data == b.data || (a.data->context == b.data->context &&
                                detail::same_set(a.data->devices, b.data->devices) &&
                                detail::same_set(a.data->ids, b.data->ids));
  }
  friend bool operator!=(const kernel_bundle &a, const kernel_bundle &b) { return !(a == b); }
};

namespace detail {

template <typename Context>
void check_devices(const Context &context, const std::vector<device> &devices) {
  if (devices.empty()) fail(errc::invalid, "a kernel bundle is for one device at least");
  for (const device &each : devices)
    if (!belongs_to(context, each))
      fail(errc::invalid, "the devices of a kernel bundle are of its context");
}

template <typename Id> bool runs_on_any(const Id &id, const std::vector<device> &devices) {
  for (const device &each : devices)
    if (is_compatible({id}, each)) return true;
  return false;
}

/* The kernels among `ids` that one of the devices can run. */
template <bundle_state State>
kernel_bundle<State> make_bundle(const context &context, const std::vector<device> &devices,
                                 const std::vector<kernel_id> &ids,
                                 const specialization_values &constants = {}) {
  auto data = std::make_shared<bundle_data>(bundle_data{context, {}, {}, constants});
  add_new(data->devices, devices);
  add_new(data->ids, ids);
  data->ids.erase(std::remove_if(data->ids.begin(), data->ids.end(),
                                 [&](const kernel_id &id) { return !runs_on_any(id, devices); }),
                  data->ids.end());
  return bundle_access::make<State>(std::move(data));
}

/* What compile, link and build make of the bundles: all is compiled already. */
template <bundle_state To, bundle_state From>
kernel_bundle<To> translate(const std::vector<kernel_bundle<From>> &bundles,
                            const std::vector<device> &devices) {
  if (bundles.empty() || devices.empty())
    fail(errc::invalid, "kernel bundles are compiled and linked for one device at least");
  std::vector<kernel_id> ids;
  specialization_values constants;
  for (const kernel_bundle<From> &each : bundles) {
    if (each.get_context() != bundles.front().get_context())
      fail(errc::invalid, "kernel bundles of different contexts are not linked");
    for (const device &device : devices) {
      std::vector<sycl::device> known = each.get_devices();
      if (std::find(known.begin(), known.end(), device) == known.end())
        fail(errc::invalid, "a kernel bundle is compiled and linked for devices that it has");
    }
    add_new(ids, each.get_kernel_ids());
    constants.add(bundle_access::data(each)->constants);
  }
  return make_bundle<To>(bundles.front().get_context(), devices, ids, constants);
}

template <bundle_state State, typename Selector>
using if_selects =
    std::enable_if_t<std::is_invocable_r_v<bool, Selector, const device_image<State> &>, int>;

} // namespace detail

/* --- Finding bundles (4.11.6, 4.11.7)
 * ----------------------------------------------------------- */

template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &context, const std::vector<device> &devices) {
  detail::check_devices(context, devices);
  return detail::make_bundle<State>(context, devices, get_kernel_ids());
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &context, const std::vector<device> &devices,
                                       const std::vector<kernel_id> &ids) {
  detail::check_devices(context, devices);
  for (const kernel_id &id : ids)
    if (!detail::runs_on_any(id, devices))
      detail::fail(errc::invalid, "none of the devices can run a kernel of the bundle");
  return detail::make_bundle<State>(context, devices, ids);
}
template <bundle_state State, typename Selector, detail::if_selects<State, Selector> = 0>
kernel_bundle<State> get_kernel_bundle(const context &context, const std::vector<device> &devices,
                                       Selector selector) {
  std::vector<kernel_id> chosen;
  kernel_bundle<State> all = get_kernel_bundle<State>(context, devices);
  std::vector<kernel_id> ids = all.get_kernel_ids();
  auto image = all.begin();
  for (const kernel_id &id : ids)
    if (selector(*image++)) chosen.push_back(id);
  return detail::make_bundle<State>(context, devices, chosen);
}
template <bundle_state State> kernel_bundle<State> get_kernel_bundle(const context &context) {
  return get_kernel_bundle<State>(context, context.get_devices());
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &context, const std::vector<kernel_id> &ids) {
  return get_kernel_bundle<State>(context, context.get_devices(), ids);
}
template <bundle_state State, typename Selector, detail::if_selects<State, Selector> = 0>
kernel_bundle<State> get_kernel_bundle(const context &context, Selector selector) {
  return get_kernel_bundle<State>(context, context.get_devices(), selector);
}
template <typename Name, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &context) {
  return get_kernel_bundle<State>(context, context.get_devices(), {get_kernel_id<Name>()});
}
template <typename Name, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &context, const std::vector<device> &devices) {
  return get_kernel_bundle<State>(context, devices, {get_kernel_id<Name>()});
}

template <bundle_state State>
bool has_kernel_bundle(const context &context, const std::vector<device> &devices) {
  return !get_kernel_bundle<State>(context, devices).empty();
}
template <bundle_state State>
bool has_kernel_bundle(const context &context, const std::vector<device> &devices,
                       const std::vector<kernel_id> &ids) {
  detail::check_devices(context, devices);
  return std::all_of(ids.begin(), ids.end(),
                     [&](const kernel_id &id) { return detail::runs_on_any(id, devices); });
}
template <bundle_state State> bool has_kernel_bundle(const context &context) {
  return has_kernel_bundle<State>(context, context.get_devices());
}
template <bundle_state State>
bool has_kernel_bundle(const context &context, const std::vector<kernel_id> &ids) {
  return has_kernel_bundle<State>(context, context.get_devices(), ids);
}
template <typename Name, bundle_state State> bool has_kernel_bundle(const context &context) {
  return has_kernel_bundle<State>(context, {get_kernel_id<Name>()});
}
template <typename Name, bundle_state State>
bool has_kernel_bundle(const context &context, const std::vector<device> &devices) {
  return has_kernel_bundle<State>(context, devices, {get_kernel_id<Name>()});
}

/* --- Joining, compiling, linking (4.11.9, 4.11.10)
 * ---------------------------------------------- */

template <bundle_state State>
kernel_bundle<State> join(const std::vector<kernel_bundle<State>> &bundles) {
  if (bundles.empty()) return detail::make_bundle<State>(context(), context().get_devices(), {});
  const kernel_bundle<State> &first = bundles.front();
  std::vector<kernel_id> ids;
  detail::specialization_values constants;
  for (const kernel_bundle<State> &each : bundles) {
    if (each.get_context() != first.get_context() ||
        !detail::same_set(each.get_devices(), first.get_devices()))
      detail::fail(errc::invalid, "kernel bundles that are joined have one context and the same "
                                  "devices");
    detail::add_new(ids, each.get_kernel_ids());
    constants.add(detail::bundle_access::data(each)->constants);
  }
  return detail::make_bundle<State>(first.get_context(), first.get_devices(), ids, constants);
}

/* Templates of states that are always the same, so that who does not call them does not pay for
 * them: kernel_bundle is the most of this header. */
#define SYCL_TRANSLATE(name, from, to)                                                             \
  template <bundle_state From = bundle_state::from, bundle_state To = bundle_state::to,            \
            std::enable_if_t<From == bundle_state::from, int> = 0>                                 \
  kernel_bundle<To> name(const kernel_bundle<From> &bundle, const std::vector<device> &devices,    \
                         const property_list & = {}) {                                             \
    return detail::translate<To, From>({bundle}, devices);                                         \
  }                                                                                                \
  template <bundle_state From = bundle_state::from, bundle_state To = bundle_state::to,            \
            std::enable_if_t<From == bundle_state::from, int> = 0>                                 \
  kernel_bundle<To> name(const kernel_bundle<From> &bundle, const property_list & = {}) {          \
    return detail::translate<To, From>({bundle}, bundle.get_devices());                            \
  }
SYCL_TRANSLATE(compile, input, object)
SYCL_TRANSLATE(link, object, executable)
SYCL_TRANSLATE(build, input, executable)
#undef SYCL_TRANSLATE

template <bundle_state From = bundle_state::object, bundle_state To = bundle_state::executable>
kernel_bundle<To> link(const std::vector<kernel_bundle<From>> &bundles,
                       const std::vector<device> &devices, const property_list & = {}) {
  return detail::translate<To, From>(bundles, devices);
}
/* For the devices that all of them have. */
template <bundle_state From = bundle_state::object, bundle_state To = bundle_state::executable>
kernel_bundle<To> link(const std::vector<kernel_bundle<From>> &bundles,
                       const property_list & = {}) {
  std::vector<device> common;
  if (!bundles.empty()) common = bundles.front().get_devices();
  for (const auto &each : bundles) detail::keep_common(common, each.get_devices());
  return detail::translate<To, From>(bundles, common);
}

} // namespace sycl

template <sycl::bundle_state State> struct std::hash<sycl::device_image<State>> {
  std::size_t operator()(const sycl::device_image<State> &image) const noexcept {
    return std::hash<sycl::kernel_id>()(image.id);
  }
};
/* Bundles are equal whichever order their kernels are in. */
template <sycl::bundle_state State> struct std::hash<sycl::kernel_bundle<State>> {
  std::size_t operator()(const sycl::kernel_bundle<State> &bundle) const noexcept {
    std::size_t result = std::hash<sycl::context>()(bundle.data->context);
    for (const sycl::kernel_id &id : bundle.data->ids) result += std::hash<sycl::kernel_id>()(id);
    return result;
  }
};

#endif
