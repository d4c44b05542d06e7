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

namespace sycl {

namespace ext::oneapi::experimental {

template <std::size_t... Sizes> struct work_group_size_property {
  static_assert(sizeof...(Sizes) >= 1 && sizeof...(Sizes) <= 3 && (... && (Sizes > 0)),
                "work_group_size has one to three sizes, none of them 0");
};
template <std::size_t... Sizes> struct work_group_size_hint_property {};
template <std::uint32_t Size> struct sub_group_size_property {
  static_assert(Size > 0, "sub_group_size is not 0");
};

struct use_root_sync_property {};
inline constexpr use_root_sync_property use_root_sync; /* root_group.hpp */

template <std::size_t... Sizes> inline constexpr work_group_size_property<Sizes...> work_group_size;
template <std::size_t... Sizes>
inline constexpr work_group_size_hint_property<Sizes...> work_group_size_hint;
template <std::uint32_t Size> inline constexpr sub_group_size_property<Size> sub_group_size;

struct properties_tag {};
template <typename... Properties> struct properties {
  constexpr properties(Properties...) {}
};
using empty_properties_t = properties<>;

} // namespace ext::oneapi::experimental

namespace detail {

namespace experimental = ext::oneapi::experimental;

template <typename T> inline constexpr bool is_properties = false;
template <typename... P> inline constexpr bool is_properties<experimental::properties<P...>> = true;

/* What a kernel needs: 0 for any.  Dimensions in the engine's order. */
struct requirements {
  std::uint32_t local[3] = {}, sub_group = 0;
  bool one_group = false;
};

template <std::size_t... Sizes>
constexpr void add_to(requirements &r, experimental::work_group_size_property<Sizes...>) {
  constexpr std::size_t count = sizeof...(Sizes);
  constexpr std::array<std::size_t, count> size = {{Sizes...}};
  for (std::size_t i = 0; i < 3; i++)
    r.local[i] = i < count ? std::uint32_t(size[count - 1 - i]) : 1;
}
template <std::size_t... Sizes>
constexpr void add_to(requirements &, experimental::work_group_size_hint_property<Sizes...>) {}
template <std::uint32_t Size>
constexpr void add_to(requirements &r, experimental::sub_group_size_property<Size>) {
  r.sub_group = Size;
}

constexpr void add_to(requirements &r, experimental::use_root_sync_property) {
  r.one_group = true;
}

template <typename... P>
constexpr requirements requirements_of(const experimental::properties<P...> *) {
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
/* Kernels with [[sycl::reqd_work_group_size(...)]] and [[sycl::reqd_sub_group_size(...)]] begin
 * with a call of these (src/compiler/front_end/attributes.cpp). */
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
