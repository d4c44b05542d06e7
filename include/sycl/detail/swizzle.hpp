/* Swizzles: some elements of a vec, in some order, as something that reads and writes like a vec;
 * and the named elements (x, lo, even ...) that vec and swizzles have. */
#ifndef SYCL_DETAIL_SWIZZLE_HPP
#define SYCL_DETAIL_SWIZZLE_HPP

#include <cstddef>
#include <type_traits>
#include <utility>

namespace sycl {

template <typename DataT, int NumElements> class vec;

namespace detail {

template <typename Vec, int... K> class swizzled_vec;

template <typename T> struct vector_traits {
  static constexpr bool vector = false;
  static constexpr int count = 1;
};
template <typename T, int N> struct vector_traits<vec<T, N>> {
  static constexpr bool vector = true;
  static constexpr int count = N;
  using element = T;
  using as_vec = vec<T, N>;
};
template <typename V, int... K> struct vector_traits<swizzled_vec<V, K...>> {
  static constexpr bool vector = true;
  static constexpr int count = sizeof...(K);
  using element = typename vector_traits<std::remove_const_t<V>>::element;
  using as_vec = vec<element, count>;
};

template <typename T> inline constexpr bool is_vector = vector_traits<std::decay_t<T>>::vector;
template <typename T> inline constexpr int count_of = vector_traits<std::decay_t<T>>::count;
template <typename T> using element_of = typename vector_traits<std::decay_t<T>>::element;
template <typename T> using vector_of = typename vector_traits<std::decay_t<T>>::as_vec;

#ifdef SYCL_SIMPLE_SWIZZLES
#define SYCL_EACH_1(m, ...)                                                                        \
  m(r, 0, __VA_ARGS__) m(g, 1, __VA_ARGS__) m(b, 2, __VA_ARGS__) m(a, 3, __VA_ARGS__)
#define SYCL_EACH_2(m, ...)                                                                        \
  m(r, 0, __VA_ARGS__) m(g, 1, __VA_ARGS__) m(b, 2, __VA_ARGS__) m(a, 3, __VA_ARGS__)
#define SYCL_EACH_3(m, ...)                                                                        \
  m(r, 0, __VA_ARGS__) m(g, 1, __VA_ARGS__) m(b, 2, __VA_ARGS__) m(a, 3, __VA_ARGS__)
#define SYCL_EACH_4(m, ...)                                                                        \
  m(r, 0, __VA_ARGS__) m(g, 1, __VA_ARGS__) m(b, 2, __VA_ARGS__) m(a, 3, __VA_ARGS__)
template <typename Derived, bool Has> struct colour_swizzles {};
template <typename Derived> struct colour_swizzles<Derived, true> {
#include "simple_swizzles.def"
};

#define SYCL_EACH_1(m, ...)                                                                        \
  m(x, 0, __VA_ARGS__) m(y, 1, __VA_ARGS__) m(z, 2, __VA_ARGS__) m(w, 3, __VA_ARGS__)
#define SYCL_EACH_2(m, ...)                                                                        \
  m(x, 0, __VA_ARGS__) m(y, 1, __VA_ARGS__) m(z, 2, __VA_ARGS__) m(w, 3, __VA_ARGS__)
#define SYCL_EACH_3(m, ...)                                                                        \
  m(x, 0, __VA_ARGS__) m(y, 1, __VA_ARGS__) m(z, 2, __VA_ARGS__) m(w, 3, __VA_ARGS__)
#define SYCL_EACH_4(m, ...)                                                                        \
  m(x, 0, __VA_ARGS__) m(y, 1, __VA_ARGS__) m(z, 2, __VA_ARGS__) m(w, 3, __VA_ARGS__)
template <typename Derived>
struct simple_swizzles : colour_swizzles<Derived, count_of<Derived> == 4> {
#include "simple_swizzles.def"
};
#else
template <typename Derived> struct simple_swizzles {};
#endif

/* The operators of vectors are in a namespace of their own, which a vector's base class associates
 * with it: they are templates of any two operands, and what other classes of SYCL combine need not
 * be tried for them. */
namespace of_vectors {
class operand {};
} // namespace of_vectors

/* Derived has swizzle<K...>() and operator[]. */
template <typename Derived>
class named_elements : public simple_swizzles<Derived>, of_vectors::operand {
  constexpr Derived &self() { return static_cast<Derived &>(*this); }
  constexpr const Derived &self() const { return static_cast<const Derived &>(*this); }

  /* Elements first, first + step ... of the vector, `Count` of them.  The upper half of an odd
   * number of elements has one that does not exist and reads as the last one that does. */
  template <int First, int Step, std::size_t... K> constexpr auto pick(std::index_sequence<K...>) {
    constexpr int last = count_of<Derived> - 1;
    return self()
        .template swizzle<(First + Step * int(K) < last ? First + Step * int(K) : last)...>();
  }
  template <int First, int Step, std::size_t... K>
  constexpr auto pick(std::index_sequence<K...>) const {
    constexpr int last = count_of<Derived> - 1;
    return self()
        .template swizzle<(First + Step * int(K) < last ? First + Step * int(K) : last)...>();
  }

public:
#define SYCL_NAMED_ELEMENT(name, index, most)                                                      \
  template <typename D = Derived,                                                                  \
            std::enable_if_t<(count_of<D> > index && count_of<D> <= most), int> = 0>               \
  constexpr decltype(auto) name() {                                                                \
    return self()[index];                                                                          \
  }                                                                                                \
  template <typename D = Derived,                                                                  \
            std::enable_if_t<(count_of<D> > index && count_of<D> <= most), int> = 0>               \
  constexpr decltype(auto) name() const {                                                          \
    return self()[index];                                                                          \
  }
  SYCL_NAMED_ELEMENT(x, 0, 4)
  SYCL_NAMED_ELEMENT(y, 1, 4)
  SYCL_NAMED_ELEMENT(z, 2, 4)
  SYCL_NAMED_ELEMENT(w, 3, 4)
  SYCL_NAMED_ELEMENT(r, 0, 4)
  SYCL_NAMED_ELEMENT(g, 1, 4)
  SYCL_NAMED_ELEMENT(b, 2, 4)
  SYCL_NAMED_ELEMENT(a, 3, 4)
  SYCL_NAMED_ELEMENT(s0, 0, 16)
  SYCL_NAMED_ELEMENT(s1, 1, 16)
  SYCL_NAMED_ELEMENT(s2, 2, 16)
  SYCL_NAMED_ELEMENT(s3, 3, 16)
  SYCL_NAMED_ELEMENT(s4, 4, 16)
  SYCL_NAMED_ELEMENT(s5, 5, 16)
  SYCL_NAMED_ELEMENT(s6, 6, 16)
  SYCL_NAMED_ELEMENT(s7, 7, 16)
  SYCL_NAMED_ELEMENT(s8, 8, 16)
  SYCL_NAMED_ELEMENT(s9, 9, 16)
  SYCL_NAMED_ELEMENT(sA, 10, 16)
  SYCL_NAMED_ELEMENT(sB, 11, 16)
  SYCL_NAMED_ELEMENT(sC, 12, 16)
  SYCL_NAMED_ELEMENT(sD, 13, 16)
  SYCL_NAMED_ELEMENT(sE, 14, 16)
  SYCL_NAMED_ELEMENT(sF, 15, 16)
#undef SYCL_NAMED_ELEMENT

#define SYCL_NAMED_PART(name, first, step)                                                         \
  template <typename D = Derived, int N = count_of<D>, std::enable_if_t<(N > 1), int> = 0>         \
  constexpr auto name() {                                                                          \
    return pick<first, step>(std::make_index_sequence<(N + 1) / 2>());                             \
  }                                                                                                \
  template <typename D = Derived, int N = count_of<D>, std::enable_if_t<(N > 1), int> = 0>         \
  constexpr auto name() const {                                                                    \
    return pick<first, step>(std::make_index_sequence<(N + 1) / 2>());                             \
  }
  SYCL_NAMED_PART(lo, 0, 1)
  SYCL_NAMED_PART(hi, ((N + 1) / 2), 1)
  SYCL_NAMED_PART(even, 0, 2)
  SYCL_NAMED_PART(odd, 1, 2)
#undef SYCL_NAMED_PART
};

template <typename Vec, int... K>
class swizzled_vec : public named_elements<swizzled_vec<Vec, K...>>,
                     public converts<swizzled_vec<Vec, K...>, element_of<Vec>, sizeof...(K) == 1> {
  Vec &whole;

public:
  using element_type = element_of<Vec>;
  using value_type = element_type;

private:
  using plain = vec<element_type, int(sizeof...(K))>;
  static constexpr int index[sizeof...(K)] = {K...};
  static_assert((... && (K >= 0 && K < count_of<Vec>)), "a swizzle names elements that a vec has");

public:
  constexpr explicit swizzled_vec(Vec &vector) : whole(vector) {}
  constexpr swizzled_vec(const swizzled_vec &) = default;

  static constexpr std::size_t size() noexcept { return sizeof...(K); }
  static constexpr std::size_t byte_size() noexcept { return plain::byte_size(); }
  static constexpr std::size_t get_count() { return size(); }
  static constexpr std::size_t get_size() { return byte_size(); }

  constexpr auto &operator[](int i) const { return whole[index[i]]; }

  constexpr operator plain() const {
    plain result;
    for (int i = 0; i < int(size()); i++) result[i] = (*this)[i];
    return result;
  }

  /* The value first, then the elements: the two may overlap (v.xy() = v.yx()). */
  constexpr const swizzled_vec &operator=(const plain &value) const {
    for (int i = 0; i < int(size()); i++) (*this)[i] = value[i];
    return *this;
  }
  constexpr const swizzled_vec &operator=(const swizzled_vec &other) const {
    return *this = plain(other);
  }
  template <typename Other, int... J>
  constexpr const swizzled_vec &operator=(const swizzled_vec<Other, J...> &other) const {
    return *this = static_cast<plain>(other);
  }
  constexpr const swizzled_vec &operator=(const element_type &value) const {
    for (int i = 0; i < int(size()); i++) (*this)[i] = value;
    return *this;
  }

  template <int... J> constexpr swizzled_vec<Vec, index[J]...> swizzle() const {
    return swizzled_vec<Vec, index[J]...>(whole);
  }
  template <typename To, rounding_mode Mode = rounding_mode::automatic> auto convert() const {
    return plain(*this).template convert<To, Mode>();
  }
  template <typename To> To as() const { return plain(*this).template as<To>(); }
  template <typename Pointer> void store(std::size_t offset, Pointer to) const {
    plain(*this).store(offset, to);
  }
  template <typename Pointer> void load(std::size_t offset, Pointer from) const {
    plain value;
    value.load(offset, from);
    *this = value;
  }
};

} // namespace detail
} // namespace sycl

#endif
