/* sycl_ext_oneapi_device_global: variables of the program that each device of each context has for
 * itself. */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_DEVICE_GLOBAL_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_DEVICE_GLOBAL_HPP

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../khr/version.hpp"
#include "../../../multi_ptr.hpp"
#include "../../../queue.hpp"
#include "device_global_properties.hpp"

namespace sycl {

namespace detail {

/* Where it may be constant-initialised (C++20), what it begins as is kept for later instances;
 * elsewhere all begin as zeros. */
#if __cpp_consteval
#if defined(__clang__) /* the arguments may be of the arrays in an array */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wmissing-braces"
#endif
template <typename T> struct global_value {
  T initial, value;

  template <typename... Args>
  constexpr explicit global_value(Args &&...args)
      : initial{std::forward<Args>(args)...}, value{std::forward<Args>(args)...} {}
  constexpr global_value(const global_value &other) : global_value(other, all_of<T>()) {}
  template <typename U>
  constexpr explicit global_value(std::in_place_t, const global_value<U> &other)
      : initial(static_cast<T>(other.initial)), value(static_cast<T>(other.initial)) {}
  constexpr const void *begins_as() const { return &initial; }

private:
  template <typename A>
  using all_of = std::make_index_sequence<std::is_array_v<A> ? std::extent_v<A> : 0>;
  template <std::size_t... K>
  constexpr global_value(const global_value &other,
                         std::index_sequence<K...>) requires(sizeof...(K) != 0)
      : initial{other.initial[K]...}, value{other.initial[K]...} {}
  constexpr global_value(const global_value &other, std::index_sequence<>)
      : initial(other.initial), value(other.initial) {}
};
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#else
template <typename T> struct global_value {
  static_assert(std::is_trivially_default_constructible_v<T>,
                "before C++20 a device_global is of a type whose default constructor is trivial");
  T value{};

  global_value() = default;
  constexpr global_value(const global_value &) {}
  template <typename U> constexpr explicit global_value(std::in_place_t, const global_value<U> &) {}
  constexpr const void *begins_as() const { return nullptr; }
};
#endif

struct global_access;

template <typename T, bool Copies> struct global_storage : global_value<T> {
  using global_value<T>::global_value;
  constexpr global_storage(const global_storage &) = default;
};
template <typename T> struct global_storage<T, false> : global_value<T> {
  using global_value<T>::global_value;
  global_storage(const global_storage &) = delete;
};

} // namespace detail

namespace ext::oneapi::experimental {

template <typename T, typename Properties>
class device_global : sycl::detail::global_storage<T, !sycl::detail::is_in_one_image<Properties>> {
  static_assert(std::is_trivially_destructible_v<T>,
                "a device_global is of a type whose destructor is trivial");
  static_assert(sycl::detail::is_properties<Properties>,
                "the properties of a device_global are a list of compile-time properties");
  using storage = sycl::detail::global_storage<T, !sycl::detail::is_in_one_image<Properties>>;
  friend struct sycl::detail::global_access;
  template <typename, typename> friend class device_global;

  T *find() const noexcept {
    auto *args = static_cast<const sycl::detail::block *>(mpl_get_arguments());
    return place(args ? args->instances : nullptr);
  }
  T *place(mpl_instances *set) const noexcept {
    return static_cast<T *>(
        mpl_instance(set, &this->value, this->begins_as(), sizeof(T), alignof(T)));
  }

  template <typename U>
  using subscript = std::remove_reference_t<decltype(std::declval<U &>()[std::ptrdiff_t()])>;
  template <typename U>
  using if_arrow = std::enable_if_t<std::is_pointer_v<U> || std::is_class_v<U>, U>;

public:
  using element_type = std::remove_extent_t<T>;

#if __cpp_consteval
  template <typename... Args>
  requires(sizeof...(Args) != 1 ||
           !(... &&
             sycl::detail::is_device_global<
                 std::remove_cvref_t<Args>>)) consteval explicit device_global(Args &&...args)
      : storage(std::forward<Args>(args)...) {}
#else
  device_global() = default;
#endif
  constexpr device_global(const device_global &) = default;
  template <
      typename U, typename P, typename Own = Properties,
      std::enable_if_t<!sycl::detail::is_in_one_image<Own> && std::is_convertible_v<U, T>, int> = 0>
  constexpr device_global(const device_global<U, P> &other)
      : storage(std::in_place, static_cast<const sycl::detail::global_value<U> &>(other)) {}
  device_global(const device_global &&) = delete;
  device_global &operator=(const device_global &) = delete;
  device_global &operator=(const device_global &&) = delete;

  /* Of kernels only. */
  template <access::decorated Decorated>
  multi_ptr<T, access::address_space::global_space, Decorated> get_multi_ptr() noexcept {
    return address_space_cast<access::address_space::global_space, Decorated>(find());
  }
  template <access::decorated Decorated>
  multi_ptr<const T, access::address_space::global_space, Decorated>
  get_multi_ptr() const noexcept {
    return address_space_cast<access::address_space::global_space, Decorated>(
        static_cast<const T *>(find()));
  }
  T &get() noexcept {
    return *find();
  }
  const T &get() const noexcept {
    return *find();
  }
  operator T &() noexcept {
    return *find();
  }
  operator const T &() const noexcept {
    return *find();
  }
  device_global &operator=(const T &value) noexcept {
    *find() = value;
    return *this;
  }
  template <typename U = T> subscript<U> &operator[](std::ptrdiff_t i) noexcept {
    return (*find())[i];
  }
  template <typename U = T> const subscript<U> &operator[](std::ptrdiff_t i) const noexcept {
    return (*find())[i];
  }
  template <typename U = T> if_arrow<U> &operator->() noexcept {
    return *find();
  }
  template <typename U = T> const if_arrow<U> &operator->() const noexcept {
    return *find();
  }

  template <typename Key> static constexpr bool has_property() {
    return Properties::template has_property<Key>();
  }
  template <typename Key> static constexpr auto get_property() {
    return Properties::template get_property<Key>();
  }
};

} // namespace ext::oneapi::experimental

namespace detail {

/* Which variables kernels use is what maniple's compiler alone can tell. */
#ifndef __MANIPLE_GROUP_STATICS__
inline struct any_variable {
  mpl_kernel_variables all{};

  any_variable() { mpl_tell_kernel_variables(&all); }
  ~any_variable() { mpl_forget_kernel_variables(&all); }
} any_variable_is_used;
#endif

/* What the host sees of one: bytes, as they are on a device in a context. */
struct global_access {
  template <typename T, typename P>
  static char *bytes(const experimental::device_global<T, P> &of, const queue_state &queue,
                     std::size_t size, std::size_t offset) {
    static_assert(is_device_copyable_v<std::remove_all_extents_t<T>>,
                  "a device_global that is copied is of a type that is device copyable");
    if (size > sizeof(T) || offset > sizeof(T) - size)
      fail(errc::invalid, "a copy goes beyond the end of a device_global");
    if (is_in_one_image<P> && !mpl_is_kernel_variable(&of))
      fail(errc::kernel_not_supported,
           "a device_global of one image is copied which no kernel uses");
    char *place = reinterpret_cast<char *>(of.place(queue.instances()));
    if (!place) fail(errc::memory_allocation, "there is no memory for a device_global here");
    return place + offset;
  }
};

} // namespace detail

#define SYCL_TO_GLOBAL                                                                             \
  template <typename T, typename P, std::enable_if_t<detail::host_writes<P>, int>>
#define SYCL_FROM_GLOBAL                                                                           \
  template <typename T, typename P, std::enable_if_t<detail::host_reads<P>, int>>

SYCL_TO_GLOBAL void handler::memcpy(ext::oneapi::experimental::device_global<T, P> &to,
                                    const void *from, std::size_t size, std::size_t offset) {
  refuse_in_graph("a copy to a device_global");
  memcpy(detail::global_access::bytes(to, *queue, size, offset), from, size);
}
SYCL_FROM_GLOBAL void handler::memcpy(void *to,
                                      const ext::oneapi::experimental::device_global<T, P> &from,
                                      std::size_t size, std::size_t offset) {
  refuse_in_graph("a copy from a device_global");
  memcpy(to, detail::global_access::bytes(from, *queue, size, offset), size);
}
SYCL_TO_GLOBAL void handler::copy(const std::remove_all_extents_t<T> *from,
                                  ext::oneapi::experimental::device_global<T, P> &to,
                                  std::size_t count, std::size_t start) {
  constexpr std::size_t size = sizeof(std::remove_all_extents_t<T>), most = sizeof(T) / size;
  if (count > most || start > most)
    detail::fail(errc::invalid, "a copy goes beyond the end of a device_global");
  memcpy(to, from, count * size, start * size);
}
SYCL_FROM_GLOBAL void handler::copy(const ext::oneapi::experimental::device_global<T, P> &from,
                                    std::remove_all_extents_t<T> *to, std::size_t count,
                                    std::size_t start) {
  constexpr std::size_t size = sizeof(std::remove_all_extents_t<T>), most = sizeof(T) / size;
  if (count > most || start > most)
    detail::fail(errc::invalid, "a copy goes beyond the end of a device_global");
  memcpy(to, from, count * size, start * size);
}

#undef SYCL_TO_GLOBAL
#undef SYCL_FROM_GLOBAL

} // namespace sycl

#endif
