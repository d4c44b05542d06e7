/* sycl_ext_oneapi_properties: property lists whose type says what is in them, whatever the order in
 * which it was said. */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_PROPERTIES_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_PROPERTIES_HPP

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../../../bit_cast.hpp"
#include "../../../detail/type_name.hpp"
#include "../../../khr/version.hpp"

namespace sycl {

namespace ext::oneapi::experimental {

template <typename Values> class properties;

template <typename Key, typename... Parameters> struct property_value;

} // namespace ext::oneapi::experimental

namespace detail {

namespace experimental = ext::oneapi::experimental;

/* --- The value of one property
 * ------------------------------------------------------------------ */

template <typename Parameter, typename = void> struct one_parameter { using value_t = Parameter; };
template <typename Parameter>
struct one_parameter<Parameter, std::void_t<decltype(Parameter::value)>> {
  using value_t = Parameter;
  static constexpr auto value = Parameter::value;
};

template <typename T> inline constexpr bool is_constant_property = false;
template <typename Key, typename... P>
inline constexpr bool is_constant_property<experimental::property_value<Key, P...>> = true;

/* Of a property that is known when the program runs, the key is the value's own type. */
template <typename T> struct key_of_property { using type = T; };
template <typename Key, typename... P>
struct key_of_property<experimental::property_value<Key, P...>> {
  using type = Key;
};

template <typename T> inline constexpr bool is_properties = false;
template <typename Values>
inline constexpr bool is_properties<experimental::properties<Values>> = true;

template <typename T>
inline constexpr bool is_property_value = std::is_class_v<T> && !is_properties<T>;

/* --- Lists of them
 * ------------------------------------------------------------------------------ */

template <typename... Values> struct property_values {};
using no_values = property_values<>;

/* The place that each has by the name of its key. */
template <typename... Values>
constexpr std::array<std::size_t, sizeof...(Values) + 1> property_order() {
  constexpr std::size_t count = sizeof...(Values);
  std::array<std::string_view, count + 1> name{
      {pretty_name<typename key_of_property<Values>::type>()..., std::string_view()}};
  std::array<std::size_t, count + 1> order{};
  for (std::size_t i = 0; i < count; i++) {
    std::size_t at = i;
    for (; at && name[i] < name[order[at - 1]]; at--) order[at] = order[at - 1];
    order[at] = i;
  }
  return order;
}
template <typename... Values, std::size_t... K>
auto sort_properties(std::index_sequence<K...>) -> property_values<
    std::tuple_element_t<property_order<Values...>()[K], std::tuple<Values...>>...>;
template <typename... Values>
using sorted_properties =
    decltype(sort_properties<Values...>(std::index_sequence_for<Values...>()));

/* The value of a key in a list; void if it is not there. */
template <typename Key, typename... Values> struct find_property { using type = void; };
template <typename Key, typename First, typename... Rest>
struct find_property<Key, First, Rest...> {
  using type = std::conditional_t<std::is_same_v<typename key_of_property<First>::type, Key>, First,
                                  typename find_property<Key, Rest...>::type>;
};
template <typename Key, typename... Values>
using found_property = typename find_property<Key, Values...>::type;

template <typename Key, typename... Values>
inline constexpr int
    count_of_key = (0 + ... + int(std::is_same_v<typename key_of_property<Values>::type, Key>));

template <typename Value> constexpr Value pick_property() {
  return Value();
}
template <typename Value, typename First, typename... Rest>
constexpr Value pick_property(const First &first, const Rest &...rest) {
  if constexpr (std::is_same_v<Value, First>)
    return first;
  else
    return pick_property<Value>(rest...);
}

template <typename Value> struct held_property { Value value; };

} // namespace detail

namespace ext::oneapi::experimental {

/* Those with several parameters have a specialisation each, beside their key. */
template <typename Key, typename... Parameters> struct property_value { using key_t = Key; };
template <typename Key, typename Parameter>
struct property_value<Key, Parameter> : sycl::detail::one_parameter<Parameter> {
  using key_t = Key;
};

template <typename Key, typename... A, typename... B>
constexpr bool operator==(property_value<Key, A...>, property_value<Key, B...>) {
  return std::is_same_v<property_value<Key, A...>, property_value<Key, B...>>;
}
template <typename Key, typename... A, typename... B>
constexpr bool operator!=(property_value<Key, A...> a, property_value<Key, B...> b) {
  return !(a == b);
}

template <typename T> struct is_property_key : std::false_type {};
template <typename Key, typename Object> struct is_property_key_of : std::false_type {};
template <typename T> struct is_property_value : is_property_key<T> {};
template <typename Key, typename... P>
struct is_property_value<property_value<Key, P...>> : is_property_key<Key> {};
template <typename T, typename Object>
struct is_property_value_of : is_property_key_of<T, Object> {};
template <typename Key, typename... P, typename Object>
struct is_property_value_of<property_value<Key, P...>, Object> : is_property_key_of<Key, Object> {};

template <typename... Values>
class properties<sycl::detail::property_values<Values...>>
    : private sycl::detail::held_property<Values>... {
  static_assert((... &&
                 (sycl::detail::count_of_key<typename sycl::detail::key_of_property<Values>::type,
                                             Values...> == 1)),
                "a list has each property once");
  static_assert(std::is_same_v<sycl::detail::sorted_properties<Values...>,
                               sycl::detail::property_values<Values...>>,
                "the type of a property list is written with decltype");

  template <typename Key> using found = sycl::detail::found_property<Key, Values...>;
  template <typename Key>
  using if_constant = std::enable_if_t<sycl::detail::is_constant_property<found<Key>>, int>;
  template <typename Key>
  using if_at_run_time = std::enable_if_t<
      !std::is_void_v<found<Key>> && !sycl::detail::is_constant_property<found<Key>>, int>;

public:
  template <typename... Given,
            std::enable_if_t<(... && sycl::detail::is_property_value<Given>), int> = 0>
  constexpr properties(Given... given)
      : sycl::detail::held_property<Values>{sycl::detail::pick_property<Values>(given...)}... {
    static_assert(
        (... && !std::is_void_v<found<typename sycl::detail::key_of_property<Given>::type>>),
        "a property is given that the type of the list does not have");
  }

  template <typename Key> static constexpr bool has_property() {
    return !std::is_void_v<found<Key>>;
  }
  template <typename Key, if_constant<Key> = 0> static constexpr found<Key> get_property() {
    return {};
  }
  template <typename Key, if_at_run_time<Key> = 0, typename = void>
  constexpr Key get_property() const {
    return sycl::detail::held_property<Key>::value;
  }
};

template <typename... Given,
          std::enable_if_t<(... && sycl::detail::is_property_value<Given>), int> = 0>
properties(Given...) -> properties<sycl::detail::sorted_properties<Given...>>;

using empty_properties_t = properties<sycl::detail::no_values>;

template <typename T>
struct is_property_list : std::bool_constant<sycl::detail::is_properties<T>> {};
template <typename T> inline constexpr bool is_property_list_v = is_property_list<T>::value;

} // namespace ext::oneapi::experimental

template <typename... Values>
struct is_device_copyable<ext::oneapi::experimental::properties<detail::property_values<Values...>>>
    : std::bool_constant<(... && is_device_copyable_v<Values>)> {};

} // namespace sycl

#endif
