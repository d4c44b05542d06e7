/* multi_ptr (SYCL 2020, 4.7.7.1): what it converts to and is made of, by itself and when the program
 * says so, and the operators whose operands may be such conversions. */
#include <sycl/sycl.hpp>

#include <cstdio>
#include <type_traits>

#include "check.hpp"

namespace {

using sycl::access::address_space;
using sycl::access::decorated;

template <typename T, decorated D = decorated::legacy, address_space S = address_space::global_space>
using to = sycl::multi_ptr<T, S, D>;

template <typename From, typename To>
constexpr bool implicit = std::is_convertible_v<From, To>;
template <typename From, typename To>
constexpr bool only_explicit = !implicit<From, To> && std::is_constructible_v<To, From>;

/* The legacy flavour becomes a pointer by itself, which may then be one to const, one to void or a
 * truth value, as any pointer. */
static_assert(implicit<to<int>, int *> && implicit<to<const int>, const int *>);
static_assert(implicit<to<int>, const int *> && !implicit<to<const int>, int *>);
static_assert(implicit<to<int>, void *> && implicit<to<int>, const void *>);
static_assert(implicit<to<int>, bool> && implicit<to<void>, void *>);
static_assert(!implicit<to<int>, float *> && !std::is_constructible_v<float *, to<int>>);
static_assert(!implicit<to<int>, long> && !std::is_constructible_v<long, to<int>>);
static_assert(implicit<int *, to<int>> && implicit<int *, to<const int>> && implicit<int *, to<void>>);

/* The others do when the program says so. */
template <decorated D> constexpr bool explicit_flavour() {
  static_assert(only_explicit<to<int, D>, int *> && only_explicit<to<void, D>, void *>);
  static_assert(!implicit<to<int, D>, const int *> && !implicit<to<int, D>, void *>);
  static_assert(!implicit<to<int, D>, bool>);
  static_assert(only_explicit<int *, to<int, D>> && implicit<std::nullptr_t, to<int, D>>);
  return true;
}
static_assert(explicit_flavour<decorated::yes>() && explicit_flavour<decorated::no>());

/* To const, to void, to generic space; back from it in words alone. */
template <decorated D> constexpr bool between() {
  using generic = to<int, D, address_space::generic_space>;
  static_assert(implicit<to<int, D>, to<const int, D>> && !implicit<to<const int, D>, to<int, D>>);
  static_assert(implicit<to<int, D>, to<void, D>> && only_explicit<to<void, D>, to<int, D>>);
  static_assert(implicit<to<int, D>, generic> && only_explicit<generic, to<int, D>>);
  static_assert(implicit<to<int, D>, to<int, decorated::yes>>);
  static_assert(implicit<to<int, D>, to<int, decorated::no>>);
  static_assert(std::is_trivially_copyable_v<generic> && sizeof(generic) == sizeof(int *));
  return true;
}
static_assert(between<decorated::legacy>() && between<decorated::yes>() && between<decorated::no>());

/* SYCL 1.2.1's has no decoration. */
static_assert(std::is_same_v<
              decltype(sycl::make_ptr<int, address_space::global_space>(std::declval<int *>())), to<int>>);

/* Which function is called when a pointer and a multi_ptr are taken. */
struct overloaded {
  char operator()(const int *) const;
  long operator()(to<int>) const;
};
static_assert(std::is_same_v<std::invoke_result_t<overloaded, to<int>>, long>);
static_assert(std::is_same_v<std::invoke_result_t<overloaded, int *>, char>);

int element[8] = {0, 1, 2, 3, 4, 5, 6, 7};

template <typename Pointer> void arithmetic() {
  Pointer p(element);
  const std::size_t two = 2;
  short three = 3;
  static_assert(std::is_same_v<decltype(p + two), Pointer>);
  static_assert(std::is_same_v<decltype(p - p), std::ptrdiff_t>);
  EXPECT(*(p + two) == 2 && *(p + 1u) == 1 && *((p + 7) - three) == 4);
  EXPECT(p[two] == 2 && p[three] == 3 && p[1ul] == 1);
  EXPECT((p + 5) - (p + 1) == 4);
  Pointer q = p++;
  EXPECT(*q == 0 && *p == 1 && *++q == 1 && *q-- == 1 && *--p == 0);
  p += 6;
  p -= two;
  EXPECT(*p == 4);
  EXPECT(p > q && q < p && p >= p && p <= p && p != q && p == q + 4);
  EXPECT(p != nullptr && nullptr != p && !(p == nullptr) && !(nullptr == p));
  Pointer null = nullptr;
  EXPECT(null == nullptr && nullptr == null && null.get() == nullptr && null < p);
  p = nullptr;
  EXPECT(p == null);
}

void legacy_operators() {
  to<int> p = element;
  to<const int> c = p;
  to<void> v = p;
  int *raw = element + 2;
  const int *constant = raw;
  EXPECT(p + 2 == raw && raw == p + 2 && p != raw && raw != p && p < raw && raw > p);
  EXPECT(p <= raw && raw >= p && c + 2 == constant && constant == c + 2 && p + 2 == constant);
  EXPECT(v == p.get() && p - 0 == p && !!p && (p ? 1 : 0));
  const int *as_const = p;
  const void *as_void = p;
  EXPECT(as_const == element && as_void == element && v.get() == element);
  int *end = p + std::size_t(8);
  EXPECT(end == element + 8);
  to<int> null;
  EXPECT(!null && null == 0 && p != 0);
}

void explicit_operators() {
  to<int, decorated::no> p(element);
  EXPECT(static_cast<int *>(p) == element);
  EXPECT(static_cast<to<int>>(p) == element);
}

} // namespace

int main(void) {
  arithmetic<to<int>>();
  arithmetic<to<int, decorated::yes>>();
  arithmetic<to<int, decorated::no>>();
  arithmetic<to<const int, decorated::no, address_space::generic_space>>();
  legacy_operators();
  explicit_operators();
  return test::result();
}
