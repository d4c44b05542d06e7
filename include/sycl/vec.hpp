/* vec: OpenCL's vector types (SYCL 2020, 4.14.2). */
#ifndef SYCL_VEC_HPP
#define SYCL_VEC_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "access.hpp"
#include "bit_cast.hpp"
#include "half.hpp"
#include "range_id.hpp"

namespace sycl {

enum class rounding_mode { automatic, rte, rtz, rtp, rtn };

struct elem {
  static constexpr int x = 0, y = 1, z = 2, w = 3, r = 0, g = 1, b = 2, a = 3;
  static constexpr int s0 = 0, s1 = 1, s2 = 2, s3 = 3, s4 = 4, s5 = 5, s6 = 6, s7 = 7;
  static constexpr int s8 = 8, s9 = 9, sA = 10, sB = 11, sC = 12, sD = 13, sE = 14, sF = 15;
};

template <typename DataT, int NumElements> class vec;
template <typename T, access::address_space Space, access::decorated Decorated> class multi_ptr;

} // namespace sycl

#include "detail/swizzle.hpp"

namespace sycl {

namespace detail {

/* The nearest To where a number does not fit: what C++ leaves undefined must not reach the elements
 * beside it. */
template <typename To, typename From> constexpr To saturate(From value) {
  using limits = std::numeric_limits<To>;
  constexpr From past = From(limits::max() / 2 + 1) * 2, low = From(limits::min());
  return value < low      ? limits::min()
         : value < past   ? To(value)
         : value == value ? limits::max()
                          : To(0);
}

/* What else may be an element: std::byte, and floating-point numbers of extensions. */
template <typename T> inline constexpr bool is_other_floating = false;
template <typename T>
inline constexpr bool is_vec_element =
    is_number<T> || std::is_same_v<T, std::byte> || is_other_floating<T>;

/* Whether `near`, to which `from` was rounded, is past it (1), before it (-1) or the same (0). */
template <typename To, typename From> constexpr int past(To near, From from) {
  const double at = double(std::conditional_t<std::is_same_v<To, double>, double, float>(near));
  if constexpr (std::is_integral_v<From>) { /* what is not exact has no fraction */
    using limits = std::numeric_limits<From>;
    if (at >= double(limits::max() / 2 + 1) * 2) return 1;
    if (at < double(limits::min())) return -1;
    return (From(at) > from) - (From(at) < from);
  } else {
    const double whole =
        double(std::conditional_t<std::is_same_v<From, double>, double, float>(from));
    return (at > whole) - (at < whole);
  }
}
/* The next number above (1) or below (-1). */
template <typename To> To step(To from, int direction) {
  using bits = std::conditional_t<sizeof(To) == 2, std::int16_t,
                                  std::conditional_t<sizeof(To) == 4, std::int32_t, std::int64_t>>;
  bits all = bit_cast<bits>(from);
  if (from == To(0.0f)) all = direction > 0 ? 0 : std::numeric_limits<bits>::min();
  return bit_cast<To>(bits(all + ((all < 0) == (direction < 0) ? 1 : -1)));
}
/* To a floating-point number; C++ rounds to the nearest. */
template <typename To, rounding_mode Mode, typename From> constexpr To round_to(From from) {
  To near = static_cast<To>(from);
  if constexpr (Mode == rounding_mode::rtz || Mode == rounding_mode::rtp ||
                Mode == rounding_mode::rtn) {
    int off = past(near, from);
    bool up = Mode == rounding_mode::rtp || (Mode == rounding_mode::rtz && from < From(0));
    if (off == (up ? -1 : 1)) return step(near, -off);
  }
  return near;
}

template <typename To, rounding_mode Mode, typename From> constexpr To convert(From from) {
  if constexpr (std::is_same_v<To, bool>) {
    return from != From(0);
  } else if constexpr ((is_floating<From> || is_other_floating<From>)&&std::is_integral_v<To>) {
    using wide = std::conditional_t<std::is_same_v<From, double>, double, float>;
    wide value = wide(from);
    if constexpr (Mode == rounding_mode::rte || Mode == rounding_mode::automatic)
      return saturate<To>(std::rint(value)); /* 4.14.2.2: of floating-point elements */
    if constexpr (Mode == rounding_mode::rtp) return saturate<To>(std::ceil(value));
    if constexpr (Mode == rounding_mode::rtn) return saturate<To>(std::floor(value));
    return saturate<To>(value);
  } else if constexpr (is_floating<To> || is_other_floating<To>) {
    return round_to<To, Mode>(from);
  } else {
    return static_cast<To>(from);
  }
}

} // namespace detail

template <typename DataT, int NumElements>
class vec : public detail::named_elements<vec<DataT, NumElements>>,
            public detail::converts<vec<DataT, NumElements>, DataT, NumElements == 1> {
  static_assert(NumElements == 1 || NumElements == 2 || NumElements == 3 || NumElements == 4 ||
                    NumElements == 8 || NumElements == 16,
                "a sycl::vec has 1, 2, 3, 4, 8 or 16 elements");
  static_assert(
      detail::is_vec_element<DataT>,
      "the elements of a sycl::vec are bool, integers, floating-point numbers or std::byte");
  static constexpr std::size_t slots = NumElements == 3 ? 4 : NumElements;
  static constexpr std::size_t bytes = slots * sizeof(DataT);

  alignas(bytes < 64 ? bytes : 64) DataT element[slots];

  template <typename Part> constexpr int put(int at, const Part &part) {
    if constexpr (detail::is_vector<Part>) {
      for (int i = 0; i < detail::count_of<Part>; i++) element[at + i] = part[i];
      return at + detail::count_of<Part>;
    } else {
      element[at] = static_cast<DataT>(part);
      return at + 1;
    }
  }

public:
  using element_type = DataT;
  using value_type = DataT;
  using vector_t = vec;

  constexpr vec() : element() {}
  constexpr vec(const vec &) = default;
  constexpr vec &operator=(const vec &) = default;

  explicit constexpr vec(const DataT &value) : element() {
    for (std::size_t i = 0; i < slots; i++) element[i] = value;
  }

  /* Scalars, vectors and swizzles, NumElements elements together. */
  template <typename... Parts, std::enable_if_t<(sizeof...(Parts) > 1) &&
                                                    (... && (detail::is_vector<Parts> ||
                                                             std::is_convertible_v<Parts, DataT>)),
                                                int> = 0>
  constexpr vec(const Parts &...part) : element() {
    static_assert((... + detail::count_of<Parts>) == NumElements,
                  "the arguments of a sycl::vec must have as many elements as it has");
    int at = 0;
    ((at = put(at, part)), ...);
  }

  /* One scalar of another type is all that a vec of one element needs: {x} of that is no narrowing.
   */
  template <typename Part,
            std::enable_if_t<NumElements == 1 && detail::is_number<Part> &&
                                 !std::is_same_v<Part, DataT> && std::is_convertible_v<Part, DataT>,
                             int> = 0>
  explicit constexpr vec(const Part &part) : element() {
    put(0, part);
  }

  template <typename T, std::enable_if_t<std::is_convertible_v<const T &, DataT>, int> = 0>
  constexpr vec &operator=(const T &value) { /* a template, so that {} is an empty vec */
    return *this = vec(static_cast<DataT>(value));
  }

  static constexpr std::size_t byte_size() noexcept { return bytes; }
  static constexpr std::size_t size() noexcept { return NumElements; }
  static constexpr std::size_t get_size() { return bytes; }
  static constexpr std::size_t get_count() { return NumElements; }

  constexpr DataT &operator[](int i) { return element[i]; }
  constexpr const DataT &operator[](int i) const { return element[i]; }

  template <int... K> constexpr detail::swizzled_vec<vec, K...> swizzle() {
    return detail::swizzled_vec<vec, K...>(*this);
  }
  template <int... K> constexpr detail::swizzled_vec<const vec, K...> swizzle() const {
    return detail::swizzled_vec<const vec, K...>(*this);
  }

  template <typename To, rounding_mode Mode = rounding_mode::automatic>
  vec<To, NumElements> convert() const {
    vec<To, NumElements> result;
    for (int i = 0; i < NumElements; i++) result[i] = detail::convert<To, Mode>(element[i]);
    return result;
  }

  template <typename To> To as() const {
    static_assert(sizeof(To) == sizeof(vec), "sycl::vec::as needs a vector of the same size");
    return bit_cast<To>(*this);
  }

  /* The vector number `offset` of an array of elements. */
  template <access::address_space Space, access::decorated Decorated>
  void load(std::size_t offset, multi_ptr<const DataT, Space, Decorated> from) {
    load(offset, from.get_raw());
  }
  template <access::address_space Space, access::decorated Decorated>
  void load(std::size_t offset, multi_ptr<DataT, Space, Decorated> from) {
    load(offset, from.get_raw());
  }
  void load(std::size_t offset, const DataT *from) {
    std::memcpy(static_cast<void *>(element), from + offset * NumElements,
                NumElements * sizeof(DataT));
  }
  template <access::address_space Space, access::decorated Decorated>
  void store(std::size_t offset, multi_ptr<DataT, Space, Decorated> to) const {
    store(offset, to.get_raw());
  }
  void store(std::size_t offset, DataT *to) const {
    std::memcpy(static_cast<void *>(to + offset * NumElements), element,
                NumElements * sizeof(DataT));
  }
};

template <typename T, typename... U, std::enable_if_t<(std::is_same_v<T, U> && ...), int> = 0>
vec(T, U...) -> vec<T, sizeof...(U) + 1>;

namespace detail {

template <typename A, typename B> constexpr bool are_vector_operands() {
  if constexpr (is_vector<A> && is_vector<B>)
    return std::is_same_v<element_of<A>, element_of<B>> && count_of<A> == count_of<B>;
  else if constexpr (is_vector<A>)
    return std::is_convertible_v<B, element_of<A>>;
  else if constexpr (is_vector<B>)
    return std::is_convertible_v<A, element_of<B>>;
  else
    return false;
}

/* A constant of the two types, of which the compiler keeps the value. */
template <typename A, typename B>
inline constexpr bool vector_operands = are_vector_operands<A, B>();

template <typename A, typename B>
using vector_with = std::conditional_t<is_vector<A>, A, B>; /* the operand that is one */

template <typename A, typename B> using if_vectors = std::enable_if_t<vector_operands<A, B>, int>;

template <typename A> using if_vector = std::enable_if_t<is_vector<A>, int>;

/* The element that `operand` has at `i`: a scalar counts as a vector of equal elements. */
template <typename T, typename Operand> constexpr T element_at(const Operand &operand, int i) {
  if constexpr (is_vector<Operand>)
    return operand[i];
  else
    return (void)i, static_cast<T>(operand);
}

/* Integers that comparisons of T give: as wide as T. */
template <std::size_t> struct truth_of_size;
template <> struct truth_of_size<1> { using type = std::int8_t; };
template <> struct truth_of_size<2> { using type = std::int16_t; };
template <> struct truth_of_size<4> { using type = std::int32_t; };
template <> struct truth_of_size<8> { using type = std::int64_t; };
template <typename T> using truth = typename truth_of_size<sizeof(T)>::type;

namespace of_vectors { /* detail/swizzle.hpp */

/* What is combined and assigned may be a list: `v += {1, 2}` has a vector there. */
#define SYCL_VEC_ARITHMETIC(op)                                                                    \
  template <typename A, typename B, if_vectors<A, B> = 0>                                          \
  constexpr auto operator op(const A &a, const B &b) {                                             \
    using V = vector_of<vector_with<A, B>>;                                                        \
    using T = typename V::element_type;                                                            \
    V result;                                                                                      \
    for (int i = 0; i < int(V::size()); i++)                                                       \
      result[i] = static_cast<T>(element_at<T>(a, i) op element_at<T>(b, i));                      \
    return result;                                                                                 \
  }                                                                                                \
  template <typename T, int N, typename B = vec<T, N>, if_vectors<vec<T, N>, B> = 0>               \
  constexpr vec<T, N> &operator op##=(vec<T, N> &a, const B &b) {                                  \
    return a = a op b;                                                                             \
  }                                                                                                \
  template <typename V, int... K, typename B = vector_of<swizzled_vec<V, K...>>,                   \
            if_vectors<swizzled_vec<V, K...>, B> = 0>                                              \
  constexpr const swizzled_vec<V, K...> &operator op##=(const swizzled_vec<V, K...> &a,            \
                                                        const B &b) {                              \
    return a = a op b;                                                                             \
  }
SYCL_VEC_ARITHMETIC(+)
SYCL_VEC_ARITHMETIC(-)
SYCL_VEC_ARITHMETIC(*)
SYCL_VEC_ARITHMETIC(/)
SYCL_VEC_ARITHMETIC(%)
SYCL_VEC_ARITHMETIC(&)
SYCL_VEC_ARITHMETIC(|)
SYCL_VEC_ARITHMETIC(^)
SYCL_VEC_ARITHMETIC(<<)
SYCL_VEC_ARITHMETIC(>>)
#undef SYCL_VEC_ARITHMETIC

/* True is -1, as in OpenCL C. */
#define SYCL_VEC_COMPARISON(op)                                                                    \
  template <typename A, typename B, if_vectors<A, B> = 0>                                          \
  constexpr auto operator op(const A &a, const B &b) {                                             \
    using V = vector_of<vector_with<A, B>>;                                                        \
    using T = typename V::element_type;                                                            \
    vec<truth<T>, int(V::size())> result;                                                          \
    for (int i = 0; i < int(V::size()); i++)                                                       \
      result[i] = element_at<T>(a, i) op element_at<T>(b, i) ? -1 : 0;                             \
    return result;                                                                                 \
  }
SYCL_VEC_COMPARISON(==)
SYCL_VEC_COMPARISON(!=)
SYCL_VEC_COMPARISON(<)
SYCL_VEC_COMPARISON(>)
SYCL_VEC_COMPARISON(<=)
SYCL_VEC_COMPARISON(>=)
SYCL_VEC_COMPARISON(&&)
SYCL_VEC_COMPARISON(||)
#undef SYCL_VEC_COMPARISON

#define SYCL_VEC_UNARY(op)                                                                         \
  template <typename A, if_vector<A> = 0> constexpr auto operator op(const A &a) {                 \
    vector_of<A> result;                                                                           \
    for (int i = 0; i < count_of<A>; i++) result[i] = static_cast<element_of<A>>(op a[i]);         \
    return result;                                                                                 \
  }
SYCL_VEC_UNARY(+)
SYCL_VEC_UNARY(-)
SYCL_VEC_UNARY(~)
#undef SYCL_VEC_UNARY

template <typename A, if_vector<A> = 0> constexpr auto operator!(const A &a) {
  vec<truth<element_of<A>>, count_of<A>> result;
  for (int i = 0; i < count_of<A>; i++) result[i] = !a[i] ? -1 : 0;
  return result;
}

#define SYCL_VEC_STEP(op)                                                                          \
  template <typename T, int N> constexpr vec<T, N> &operator op(vec<T, N> &a) {                    \
    for (int i = 0; i < N; i++) op a[i];                                                           \
    return a;                                                                                      \
  }                                                                                                \
  template <typename T, int N> constexpr vec<T, N> operator op(vec<T, N> &a, int) {                \
    vec<T, N> old = a;                                                                             \
    op a;                                                                                          \
    return old;                                                                                    \
  }                                                                                                \
  template <typename V, int... K, std::enable_if_t<!std::is_const_v<V>, int> = 0>                  \
  constexpr const swizzled_vec<V, K...> &operator op(const swizzled_vec<V, K...> &a) {             \
    for (int i = 0; i < int(sizeof...(K)); i++) op a[i];                                           \
    return a;                                                                                      \
  }                                                                                                \
  template <typename V, int... K, std::enable_if_t<!std::is_const_v<V>, int> = 0>                  \
  constexpr auto operator op(const swizzled_vec<V, K...> &a, int) {                                \
    vector_of<swizzled_vec<V, K...>> old = a;                                                      \
    op a;                                                                                          \
    return old;                                                                                    \
  }
SYCL_VEC_STEP(++)
SYCL_VEC_STEP(--)
#undef SYCL_VEC_STEP

} // namespace of_vectors
} // namespace detail
} // namespace sycl

#include "detail/vec_aliases.hpp"

#endif
