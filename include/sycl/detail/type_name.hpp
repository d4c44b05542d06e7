/* The names of types as text, for kernels' names and messages. */
#ifndef SYCL_DETAIL_TYPE_NAME_HPP
#define SYCL_DETAIL_TYPE_NAME_HPP

#include <cstddef>
#include <string_view>

namespace sycl::detail {

/* Every kernel has a name, so its text is found without a search: compilers evaluate a loop of a
 * constant expression character by character. */
struct signature {
  const char *text;
  std::size_t size;
};
template <typename T> constexpr signature signature_of() {
  return {__PRETTY_FUNCTION__, sizeof __PRETTY_FUNCTION__ - 1};
}

/* What stands before and after the type in a signature, whatever the type is. */
inline constexpr std::size_t before_type =
    std::string_view(signature_of<int>().text).find("T = ") + 4;
inline constexpr std::size_t around_type =
    signature_of<int>().size - std::string_view("int").size();

template <typename T> constexpr std::string_view pretty_name() {
  constexpr signature whole = signature_of<T>();
  return {whole.text + before_type, whole.size - around_type};
}

template <std::size_t Size> struct fixed_text {
  char text[Size + 1] = {};
  constexpr explicit fixed_text(const char *from) {
#ifdef __clang__
    __builtin_memcpy(text, from, Size);
#else
    for (std::size_t i = 0; i < Size; i++) text[i] = from[i];
#endif
  }
};

/* The name alone, with a zero at its end. */
template <typename T>
inline constexpr fixed_text<pretty_name<T>().size()> name_text{pretty_name<T>().data()};

} // namespace sycl::detail

#endif
