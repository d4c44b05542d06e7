/* Properties of queues, buffers, accessors and reductions. */
#ifndef SYCL_PROPERTY_HPP
#define SYCL_PROPERTY_HPP

#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "access.hpp"
#include "exception.hpp"

namespace sycl {

class context;
class queue;
template <typename T, int Dimensions, typename AllocatorT> class buffer;
template <typename DataT, int Dimensions, access_mode Mode, target Target,
          access::placeholder IsPlaceholder>
class accessor;
template <typename DataT, int Dimensions, access_mode Mode> class host_accessor;
template <typename DataT, int Dimensions> class local_accessor;

namespace property {

struct no_init {};

namespace queue {
struct enable_profiling {};
struct in_order {};
} // namespace queue

namespace buffer {
struct use_host_ptr {};
class use_mutex {
  std::mutex *mutex;

public:
  use_mutex(std::mutex &mutex) : mutex(&mutex) {}
  std::mutex *get_mutex_ptr() const { return mutex; }
};
class context_bound; /* device.hpp */
} // namespace buffer

namespace reduction {
struct initialize_to_identity {};
} // namespace reduction

} // namespace property

/* Hints, which queues accept; and that the program does not use the events of the queue's commands. */
namespace ext::oneapi::property::queue {
struct discard_events {};
struct priority_low {};
struct priority_normal {};
struct priority_high {};
} // namespace ext::oneapi::property::queue
namespace ext::intel::property::queue {
struct immediate_command_list {};
struct no_immediate_command_list {};
} // namespace ext::intel::property::queue

inline const property::no_init no_init;
inline const property::no_init noinit;

template <typename T> struct is_property : std::false_type {};
#define SYCL_PROPERTY(type)                                                                        \
  template <> struct is_property<property::type> : std::true_type {};
SYCL_PROPERTY(no_init)
SYCL_PROPERTY(queue::enable_profiling)
SYCL_PROPERTY(queue::in_order)
SYCL_PROPERTY(buffer::use_host_ptr)
SYCL_PROPERTY(buffer::use_mutex)
SYCL_PROPERTY(buffer::context_bound)
SYCL_PROPERTY(reduction::initialize_to_identity)
#undef SYCL_PROPERTY
template <typename T> inline constexpr bool is_property_v = is_property<T>::value;

template <typename Property, typename Object> struct is_property_of : std::false_type {};
template <> struct is_property_of<property::queue::enable_profiling, queue> : std::true_type {};
template <> struct is_property_of<property::queue::in_order, queue> : std::true_type {};
#define SYCL_QUEUE_PROPERTY(type)                                                                      \
  template <> struct is_property<ext::type> : std::true_type {};                                   \
  template <> struct is_property_of<ext::type, queue> : std::true_type {};
SYCL_QUEUE_PROPERTY(oneapi::property::queue::discard_events)
SYCL_QUEUE_PROPERTY(oneapi::property::queue::priority_low)
SYCL_QUEUE_PROPERTY(oneapi::property::queue::priority_normal)
SYCL_QUEUE_PROPERTY(oneapi::property::queue::priority_high)
SYCL_QUEUE_PROPERTY(intel::property::queue::immediate_command_list)
SYCL_QUEUE_PROPERTY(intel::property::queue::no_immediate_command_list)
#undef SYCL_QUEUE_PROPERTY
template <typename T, int D, typename A>
struct is_property_of<property::buffer::use_host_ptr, buffer<T, D, A>> : std::true_type {};
template <typename T, int D, typename A>
struct is_property_of<property::buffer::use_mutex, buffer<T, D, A>> : std::true_type {};
template <typename T, int D, typename A>
struct is_property_of<property::buffer::context_bound, buffer<T, D, A>> : std::true_type {};
template <typename T, int D, access_mode M, target G, access::placeholder P>
struct is_property_of<property::no_init, accessor<T, D, M, G, P>> : std::true_type {};
template <typename T, int D, access_mode M>
struct is_property_of<property::no_init, host_accessor<T, D, M>> : std::true_type {};
template <typename Property, typename Object>
inline constexpr bool is_property_of_v = is_property_of<Property, Object>::value;

class property_list {
  struct entry {
    const void *type;
    std::shared_ptr<const void> value;
  };
  std::vector<entry> all;

  template <typename T> static const void *type_of() {
    static const char address = 0;
    return &address;
  }
  template <typename T> const entry *find() const {
    for (const entry &e : all)
      if (e.type == type_of<T>()) return &e;
    return nullptr;
  }

public:
  template <typename... Properties,
            std::enable_if_t<(... && is_property_v<std::decay_t<Properties>>), int> = 0>
  property_list(Properties... properties) {
    all.reserve(sizeof...(properties));
    (all.push_back({type_of<Properties>(), std::make_shared<Properties>(std::move(properties))}),
     ...);
  }

  /* Whether there is none but these. */
  template <typename... Known> bool has_only() const {
    for (const entry &e : all)
      if (!(... || (e.type == type_of<Known>()))) return false;
    return true;
  }

  /* How many of these there are. */
  template <typename... Some> int count() const { return (0 + ... + (find<Some>() != nullptr)); }

  template <typename T> bool has_property() const noexcept { return find<T>() != nullptr; }
  template <typename T> T get_property() const {
    const entry *found = find<T>();
    if (!found) detail::fail(errc::invalid, "the object does not have this property");
    return *static_cast<const T *>(found->value.get());
  }
};

namespace detail {

template <typename... Known> const property_list &check_properties(const property_list &list) {
  if (!list.has_only<Known...>())
    fail(errc::invalid, "a property list has a property that this object does not know");
  return list;
}

/* Of an object that knows no property: a kernel copies it, so it holds no list. */
class without_properties {
public:
  template <typename T> bool has_property() const noexcept { return false; }
  template <typename T> T get_property() const {
    fail(errc::invalid, "the object does not have this property");
  }
};

/* has_property and get_property of the objects that are made with a property_list. */
template <typename... Known> class with_properties {
protected:
  property_list properties;
  with_properties() = default;
  explicit with_properties(const property_list &list)
      : properties(check_properties<Known...>(list)) {}

public:
  template <typename T> bool has_property() const noexcept { return properties.has_property<T>(); }
  template <typename T> T get_property() const { return properties.get_property<T>(); }
};

} // namespace detail
} // namespace sycl

#endif
