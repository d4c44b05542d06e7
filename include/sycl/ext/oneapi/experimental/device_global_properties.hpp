/* What a device_global is said to be, and what the host may do with one of these properties. */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_DEVICE_GLOBAL_PROPERTIES_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_DEVICE_GLOBAL_PROPERTIES_HPP

#include <type_traits>

#include "properties.hpp"

namespace sycl {

namespace ext::oneapi::experimental {

template <typename T, typename Properties = empty_properties_t> class device_global;

struct device_image_scope_key {
  using value_t = property_value<device_image_scope_key>;
};
enum class host_access_enum { read, write, read_write, none };
struct host_access_key {
  template <host_access_enum Access>
  using value_t = property_value<host_access_key, std::integral_constant<host_access_enum, Access>>;
};
enum class init_mode_enum { reprogram, reset };
struct init_mode_key {
  template <init_mode_enum Trigger>
  using value_t = property_value<init_mode_key, std::integral_constant<init_mode_enum, Trigger>>;
};
struct implement_in_csr_key {
  template <bool Enable>
  using value_t = property_value<implement_in_csr_key, std::bool_constant<Enable>>;
};

inline constexpr device_image_scope_key::value_t device_image_scope;
template <host_access_enum Access> inline constexpr host_access_key::value_t<Access> host_access;
inline constexpr auto host_access_read = host_access<host_access_enum::read>;
inline constexpr auto host_access_write = host_access<host_access_enum::write>;
inline constexpr auto host_access_read_write = host_access<host_access_enum::read_write>;
inline constexpr auto host_access_none = host_access<host_access_enum::none>;
template <init_mode_enum Trigger> inline constexpr init_mode_key::value_t<Trigger> init_mode;
inline constexpr auto init_mode_reprogram = init_mode<init_mode_enum::reprogram>;
inline constexpr auto init_mode_reset = init_mode<init_mode_enum::reset>;
template <bool Enable> inline constexpr implement_in_csr_key::value_t<Enable> implement_in_csr;
inline constexpr auto implement_in_csr_on = implement_in_csr<true>;
inline constexpr auto implement_in_csr_off = implement_in_csr<false>;

#define SYCL_GLOBAL_PROPERTY(key)                                                                  \
  template <> struct is_property_key<key> : std::true_type {};                                     \
  template <typename T, typename P>                                                                \
  struct is_property_key_of<key, device_global<T, P>> : std::true_type {};
SYCL_GLOBAL_PROPERTY(device_image_scope_key)
SYCL_GLOBAL_PROPERTY(host_access_key)
SYCL_GLOBAL_PROPERTY(init_mode_key)
SYCL_GLOBAL_PROPERTY(implement_in_csr_key)
#undef SYCL_GLOBAL_PROPERTY

} // namespace ext::oneapi::experimental

namespace detail {

template <typename T> inline constexpr bool is_device_global = false;
template <typename T, typename P>
inline constexpr bool is_device_global<experimental::device_global<T, P>> = true;

template <typename P> inline constexpr bool is_in_one_image = false;
template <typename L>
inline constexpr bool is_in_one_image<experimental::properties<L>> =
    experimental::properties<L>::template has_property<experimental::device_image_scope_key>();

/* Whether the host may read or write a global of these properties. */
template <typename P> constexpr experimental::host_access_enum host_access_of() {
  if constexpr (P::template has_property<experimental::host_access_key>())
    return P::template get_property<experimental::host_access_key>().value;
  else
    return experimental::host_access_enum::read_write;
}
template <typename P>
inline constexpr bool
    host_reads = host_access_of<P>() == experimental::host_access_enum::read
                 || host_access_of<P>() == experimental::host_access_enum::read_write;
template <typename P>
inline constexpr bool
    host_writes = host_access_of<P>() == experimental::host_access_enum::write
                  || host_access_of<P>() == experimental::host_access_enum::read_write;

} // namespace detail
} // namespace sycl

#endif
