/* Properties of kernels (sycl_ext_oneapi_kernel_properties): the work-group and sub-group sizes
 * that a kernel needs, as types.  What [[sycl::reqd_work_group_size]] and
 * [[sycl::reqd_sub_group_size]] say to a compiler that knows them, these say to any. */
#ifndef SYCL_KERNEL_PROPERTIES_HPP
#define SYCL_KERNEL_PROPERTIES_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "ext/oneapi/experimental/properties.hpp"
#include "info.hpp"

namespace sycl {

namespace ext::oneapi::experimental {

struct work_group_size_key {
  template <std::size_t... Sizes>
  using value_t =
      property_value<work_group_size_key, std::integral_constant<std::size_t, Sizes>...>;
};
struct work_group_size_hint_key {
  template <std::size_t... Sizes>
  using value_t =
      property_value<work_group_size_hint_key, std::integral_constant<std::size_t, Sizes>...>;
};
struct sub_group_size_key {
  template <std::uint32_t Size>
  using value_t = property_value<sub_group_size_key, std::integral_constant<std::uint32_t, Size>>;
};
struct device_has_key {
  template <aspect... Aspects>
  using value_t = property_value<device_has_key, std::integral_constant<aspect, Aspects>...>;
};
struct use_root_sync_key { /* root_group.hpp */
  using value_t = property_value<use_root_sync_key>;
};

} // namespace ext::oneapi::experimental

namespace detail {

template <std::size_t... Sizes> struct sizes_of_property {
  static_assert(sizeof...(Sizes) >= 1 && sizeof...(Sizes) <= 3 && (... && (Sizes > 0)),
                "a work-group has one to three sizes, none of them 0");
  constexpr std::size_t operator[](int dimension) const {
    constexpr std::size_t size[] = {Sizes...};
    return size[dimension];
  }
};

} // namespace detail

namespace ext::oneapi::experimental {

#define SYCL_SIZES_PROPERTY(key)                                                                   \
  template <std::size_t First, std::size_t... Sizes>                                               \
  struct property_value<key, std::integral_constant<std::size_t, First>,                           \
                        std::integral_constant<std::size_t, Sizes>...>                             \
      : sycl::detail::sizes_of_property<First, Sizes...> {                                         \
    using key_t = key;                                                                             \
  };                                                                                               \
  template <std::size_t Size>                                                                      \
  struct property_value<key, std::integral_constant<std::size_t, Size>>                            \
      : sycl::detail::sizes_of_property<Size> {                                                    \
    using key_t = key;                                                                             \
  };
SYCL_SIZES_PROPERTY(work_group_size_key)
SYCL_SIZES_PROPERTY(work_group_size_hint_key)
#undef SYCL_SIZES_PROPERTY

template <std::uint32_t Size>
struct property_value<sub_group_size_key, std::integral_constant<std::uint32_t, Size>>
    : sycl::detail::one_parameter<std::integral_constant<std::uint32_t, Size>> {
  static_assert(Size > 0, "sub_group_size is not 0");
  using key_t = sub_group_size_key;
};

template <aspect First, aspect... Aspects>
struct property_value<device_has_key, std::integral_constant<aspect, First>,
                      std::integral_constant<aspect, Aspects>...> {
  using key_t = device_has_key;
  static constexpr std::array<aspect, 1 + sizeof...(Aspects)> value{{First, Aspects...}};
};
template <aspect One> struct property_value<device_has_key, std::integral_constant<aspect, One>> {
  using key_t = device_has_key;
  static constexpr std::array<aspect, 1> value{{One}};
};
template <> struct property_value<device_has_key> {
  using key_t = device_has_key;
  static constexpr std::array<aspect, 0> value{};
};

template <std::size_t... Sizes>
inline constexpr work_group_size_key::value_t<Sizes...> work_group_size;
template <std::size_t... Sizes>
inline constexpr work_group_size_hint_key::value_t<Sizes...> work_group_size_hint;
template <std::uint32_t Size> inline constexpr sub_group_size_key::value_t<Size> sub_group_size;
template <aspect... Aspects> inline constexpr device_has_key::value_t<Aspects...> device_has;
inline constexpr use_root_sync_key::value_t use_root_sync;

template <> struct is_property_key<work_group_size_key> : std::true_type {};
template <> struct is_property_key<work_group_size_hint_key> : std::true_type {};
template <> struct is_property_key<sub_group_size_key> : std::true_type {};
template <> struct is_property_key<device_has_key> : std::true_type {};
template <> struct is_property_key<use_root_sync_key> : std::true_type {};

template <typename T> struct has_compile_time_kernel_effect : std::false_type {};
template <std::size_t... Sizes>
struct has_compile_time_kernel_effect<
    property_value<work_group_size_key, std::integral_constant<std::size_t, Sizes>...>>
    : std::true_type {};
template <std::size_t... Sizes>
struct has_compile_time_kernel_effect<
    property_value<work_group_size_hint_key, std::integral_constant<std::size_t, Sizes>...>>
    : std::true_type {};
template <std::uint32_t Size>
struct has_compile_time_kernel_effect<
    property_value<sub_group_size_key, std::integral_constant<std::uint32_t, Size>>>
    : std::true_type {};
template <aspect... Aspects>
struct has_compile_time_kernel_effect<
    property_value<device_has_key, std::integral_constant<aspect, Aspects>...>> : std::true_type {};
template <typename T>
inline constexpr bool has_compile_time_kernel_effect_v = has_compile_time_kernel_effect<T>::value;

struct properties_tag {};

} // namespace ext::oneapi::experimental

namespace detail {

/* What a kernel needs: 0 for any.  Dimensions in the engine's order. */
struct requirements {
  std::uint32_t local[3] = {}, sub_group = 0;
  bool one_group = false;
  bool any_device = true; /* false: it has aspects that no device has */
};

template <std::size_t... Sizes>
constexpr void add_to(requirements &r,
                      experimental::property_value<experimental::work_group_size_key,
                                                   std::integral_constant<std::size_t, Sizes>...>) {
  constexpr std::size_t count = sizeof...(Sizes);
  constexpr std::array<std::size_t, count> size = {{Sizes...}};
  for (std::size_t i = 0; i < 3; i++)
    r.local[i] = i < count ? std::uint32_t(size[count - 1 - i]) : 1;
}
template <std::uint32_t Size>
constexpr void add_to(requirements &r,
                      experimental::property_value<experimental::sub_group_size_key,
                                                   std::integral_constant<std::uint32_t, Size>>) {
  r.sub_group = Size;
}
template <aspect... Aspects>
constexpr void add_to(requirements &r,
                      experimental::property_value<experimental::device_has_key,
                                                   std::integral_constant<aspect, Aspects>...>) {
  r.any_device = (... && any_device_has_v<Aspects>);
}
constexpr void add_to(requirements &r, experimental::use_root_sync_key::value_t) {
  r.one_group = true;
}
template <typename Other> constexpr void add_to(requirements &, const Other &) {} /* a hint */

template <typename... P>
constexpr requirements requirements_of(const experimental::properties<property_values<P...>> *) {
  requirements r;
  (add_to(r, P()), ...);
  return r;
}

/* Of a function object that has get(properties_tag); of any other: none. */
template <typename F, typename = void> struct required { static constexpr requirements value{}; };
template <typename F>
struct required<
    F, std::void_t<decltype(std::declval<const F &>().get(experimental::properties_tag()))>> {
  using type =
      std::decay_t<decltype(std::declval<const F &>().get(experimental::properties_tag()))>;
  static constexpr requirements value = requirements_of(static_cast<const type *>(nullptr));
};

#ifdef __MANIPLE__
/* Functions with [[sycl::reqd_work_group_size(...)]], [[sycl::reqd_sub_group_size(...)]] and
 * [[sycl::device_has(...)]] begin with a call of these (src/compiler/front_end/attributes.cpp). */
template <std::size_t... Sizes>
[[clang::annotate("maniple.reqd_work_group_size", Sizes...)]] constexpr void
reqd_work_group_size() {
  static_assert(sizeof...(Sizes) >= 1 && sizeof...(Sizes) <= 3 && (... && (Sizes > 0)),
                "reqd_work_group_size has one to three sizes, none of them 0");
}
template <std::uint32_t Size>
[[clang::annotate("maniple.reqd_sub_group_size", Size)]] constexpr void reqd_sub_group_size() {
  static_assert(Size > 0, "reqd_sub_group_size is not 0");
}
template <aspect... Aspects>
[[clang::annotate("maniple.device_has", (... && any_device_has_v<Aspects>))]] constexpr void
device_has() {}
#endif

/* A function object and the properties that stood beside it. */
template <typename F, typename Properties> struct with_kernel_properties {
  F function;

  template <typename... Args>
  auto operator()(Args &&...args) const
      -> decltype(std::declval<const F &>()(std::forward<Args>(args)...)) {
    return function(std::forward<Args>(args)...);
  }
  Properties get(experimental::properties_tag) const; /* never called */
};

} // namespace detail
} // namespace sycl

#endif
