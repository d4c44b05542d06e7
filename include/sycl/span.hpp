/* span: a view of contiguous objects, as std::span of C++20 is (SYCL 2020, 3.9.2). */
#ifndef SYCL_SPAN_HPP
#define SYCL_SPAN_HPP

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace sycl {

inline constexpr std::size_t dynamic_extent = std::size_t(-1);

template <typename T, std::size_t Extent = dynamic_extent> class span {
  T *first = nullptr;
  std::size_t count = Extent == dynamic_extent ? 0 : Extent;

public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = T *;
  using reference = T &;
  using iterator = T *;
  using reverse_iterator = std::reverse_iterator<T *>;
  static constexpr std::size_t extent = Extent;

  template <std::size_t E = Extent, std::enable_if_t<E == dynamic_extent || E == 0, int> = 0>
  constexpr span() {}
  template <std::size_t E = Extent, std::enable_if_t<E == dynamic_extent, int> = 0>
  constexpr span(T *first, std::size_t count) : first(first), count(count) {}
  template <std::size_t E = Extent, std::enable_if_t<E != dynamic_extent, int> = 0>
  constexpr explicit span(T *first, std::size_t) : first(first) {}
  template <std::size_t N, std::enable_if_t<Extent == dynamic_extent || Extent == N, int> = 0>
  constexpr span(T (&array)[N]) : first(array), count(N) {}
  template <typename Container, std::size_t E = Extent,
            std::enable_if_t<
                E == dynamic_extent &&
                    std::is_convertible_v<decltype(std::data(std::declval<Container &>())), T *>,
                int> = 0>
  constexpr span(Container &container) : first(std::data(container)), count(std::size(container)) {}

  constexpr T *data() const noexcept { return first; }
  constexpr std::size_t size() const noexcept { return count; }
  constexpr std::size_t size_bytes() const noexcept { return count * sizeof(T); }
  constexpr bool empty() const noexcept { return count == 0; }
  constexpr T &operator[](std::size_t i) const { return first[i]; }
  constexpr T &front() const { return first[0]; }
  constexpr T &back() const { return first[count - 1]; }
  constexpr T *begin() const noexcept { return first; }
  constexpr T *end() const noexcept { return first + count; }
  constexpr reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  constexpr reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
  constexpr span<T> subspan(std::size_t offset, std::size_t n = dynamic_extent) const {
    return span<T>(first + offset, n == dynamic_extent ? count - offset : n);
  }
};

template <typename T, std::size_t N> span(T (&)[N]) -> span<T, N>;
template <typename T> span(T *, std::size_t) -> span<T>;
template <typename Container>
span(Container &) -> span<std::remove_pointer_t<decltype(std::data(std::declval<Container &>()))>>;

} // namespace sycl

#endif
