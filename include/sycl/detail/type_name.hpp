/* The names of types as text, for kernels' names and messages. */
#ifndef SYCL_DETAIL_TYPE_NAME_HPP
#define SYCL_DETAIL_TYPE_NAME_HPP

#include <cstddef>
#include <string_view>

namespace sycl::detail {

template <typename T> constexpr std::string_view pretty_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  std::size_t begin = text.find("T = ") + 4;
  std::size_t end = text.find_first_of(";]", begin);
  /* A name that has such a character itself (a lambda in a template) goes up to the last one. */
  if (text.find('[', begin) < end || text.find('{', begin) < end) end = text.rfind(']');
  return text.substr(begin, end - begin);
}

template <std::size_t Size> struct fixed_text {
  char text[Size + 1] = {};
  constexpr explicit fixed_text(std::string_view from) {
    for (std::size_t i = 0; i < Size; i++) text[i] = from[i];
  }
};

/* The name alone, with a zero at its end. */
template <typename T>
inline constexpr fixed_text<pretty_name<T>().size()> name_text{pretty_name<T>()};

} // namespace sycl::detail

#endif
