// Reductions and scans of one type: every operator, every form, work-groups and sub-groups of many
// sizes, against serial loops.
#ifndef TESTS_SYCL_ALGORITHMS_HPP
#define TESTS_SYCL_ALGORITHMS_HPP

#include "check.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace test {

// --- The reference: operators in plain C++
// ---------------------------------------------------------

enum class which { add, mul, bit_and, bit_or, bit_xor, logical_and, logical_or, min, max };

inline const char *name_of(which op) {
  static const char *const names[] = {"plus",        "multiplies", "bit_and", "bit_or", "bit_xor",
                                      "logical_and", "logical_or", "minimum", "maximum"};
  return names[int(op)];
}

template <typename T> struct element { using type = T; };
template <typename T, int N> struct element<sycl::vec<T, N>> { using type = T; };
template <typename T, std::size_t N> struct element<sycl::marray<T, N>> { using type = T; };
template <typename T> using element_of = typename element<T>::type;
template <typename T> constexpr bool is_scalar = std::is_same_v<element_of<T>, T>;

// Integers wrap around.
template <typename T> auto wide(T x) {
  if constexpr (std::is_integral_v<T>)
    return std::uint64_t(x);
  else
    return x;
}

template <which op, typename T> T apply(const T &a, const T &b) {
  if constexpr (!is_scalar<T>) {
    T r;
    for (int i = 0; i < int(T::size()); i++) r[i] = apply<op, element_of<T>>(a[i], b[i]);
    return r;
  } else {
    if constexpr (op == which::add) return T(wide(a) + wide(b));
    if constexpr (op == which::mul) return T(wide(a) * wide(b));
    if constexpr (op == which::bit_and) return T(a & b);
    if constexpr (op == which::bit_or) return T(a | b);
    if constexpr (op == which::bit_xor) return T(a ^ b);
    if constexpr (op == which::logical_and) return T(a != T(0) && b != T(0));
    if constexpr (op == which::logical_or) return T(a != T(0) || b != T(0));
    if constexpr (op == which::min) return b < a ? b : a;
    if constexpr (op == which::max) return a < b ? b : a;
  }
}

template <which op, typename T> T neutral() {
  using E = element_of<T>;
  using limits = std::numeric_limits<E>;
  E value = E(0);
  if constexpr (op == which::mul || op == which::logical_and) value = E(1);
  if constexpr (op == which::bit_and) value = E(E(-1));
  if constexpr (op == which::min) value = limits::has_infinity ? limits::infinity() : limits::max();
  if constexpr (op == which::max)
    value = limits::has_infinity ? E(-limits::infinity()) : limits::lowest();
  return T(value);
}

template <which op, typename T> struct function;
#define FUNCTION(op, type)                                                                         \
  template <typename T> struct function<which::op, T> { using type_ = sycl::type<T>; };
FUNCTION(add, plus)
FUNCTION(mul, multiplies)
FUNCTION(bit_and, bit_and)
FUNCTION(bit_or, bit_or)
FUNCTION(bit_xor, bit_xor)
FUNCTION(logical_and, logical_and)
FUNCTION(logical_or, logical_or)
FUNCTION(min, minimum)
FUNCTION(max, maximum)
#undef FUNCTION

template <typename T> bool same(const T &a, const T &b) {
  if constexpr (is_scalar<T>) {
    return a == b;
  } else {
    for (int i = 0; i < int(T::size()); i++)
      if (a[i] != b[i]) return false;
    return true;
  }
}

// Small whole numbers: sums and products of them are exact, or wrap.
template <which op, typename T> T operand(std::size_t i) {
  using E = element_of<T>;
  std::uint32_t r = std::uint32_t(i + 1) * 2654435761u >> 20;
  auto one = [r](unsigned k) -> E {
    unsigned v = (r >> k) & 15;
    if (op == which::mul) return E(std::is_integral_v<E> ? v | 1 : v == 0 ? 2 : 1);
    if (op == which::logical_and) return E(v > 0);
    if (op == which::add && sizeof(E) == 2 && !std::is_integral_v<E>) return E(v & 1);
    return E(int(v) - (std::is_signed_v<E> || !std::is_integral_v<E> ? 8 : 0));
  };
  if constexpr (is_scalar<T>) {
    return one(0);
  } else {
    T value;
    for (int k = 0; k < int(T::size()); k++) value[k] = one(unsigned(k));
    return value;
  }
}

// --- What every work-item does
// ---------------------------------------------------------------------

enum form {
  reduce,
  reduce_init,
  inclusive,
  inclusive_init,
  exclusive,
  exclusive_init,
  joint_reduce,
  joint_reduce_init,
  forms
};

inline const char *name_of(form f) {
  static const char *const names[] = {"reduce_over_group",
                                      "reduce_over_group with init",
                                      "inclusive_scan_over_group",
                                      "inclusive_scan_over_group with init",
                                      "exclusive_scan_over_group",
                                      "exclusive_scan_over_group with init",
                                      "joint_reduce",
                                      "joint_reduce with init"};
  return names[f];
}

enum joint_form {
  joint_inclusive,
  joint_inclusive_init,
  joint_exclusive,
  joint_exclusive_init,
  joint_forms
};

constexpr std::size_t joint_count(std::size_t group) {
  return group * 2 + group / 2 + 1;
}

// Logical operators have an identity for bool only, and forms that need one exist with it only.
template <which op, typename T>
constexpr bool known =
    (op != which::logical_and && op != which::logical_or) || std::is_same_v<element_of<T>, bool>;

template <which op, typename T, typename Group>
void all_forms(Group g, T x, T init, const T *range, std::size_t count, T *out, T *joint_out,
               bool *ends) {
  typename function<op, T>::type_ f;
  constexpr sycl::plus<> transparent;
  std::size_t lane = g.get_local_linear_id();
  T *mine = out + lane * forms;
  mine[reduce] = sycl::reduce_over_group(g, x, f);
  mine[reduce_init] = sycl::reduce_over_group(g, x, init, f);
  mine[inclusive] = sycl::inclusive_scan_over_group(g, x, f);
  mine[inclusive_init] = sycl::inclusive_scan_over_group(g, x, f, init);
  mine[exclusive_init] = sycl::exclusive_scan_over_group(g, x, init, f);
  if constexpr (op == which::add) mine[reduce] = sycl::reduce_over_group(g, x, transparent);
  if constexpr (is_scalar<T>) {
    mine[joint_reduce_init] = sycl::joint_reduce(g, range, range + count, init, f);
    T *to = joint_out;
    bool good = sycl::joint_inclusive_scan(g, range, range + count, to, f) == to + count;
    to += count;
    good = sycl::joint_inclusive_scan(g, range, range + count, to, f, init) == to + count && good;
    to += count;
    if constexpr (known<op, T>)
      good = sycl::joint_exclusive_scan(g, range, range + count, to, f) == to + count && good;
    to += count;
    good = sycl::joint_exclusive_scan(g, range, range + count, to, init, f) == to + count && good;
    ends[lane] = good;
  }
  if constexpr (known<op, T>) {
    mine[exclusive] = sycl::exclusive_scan_over_group(g, x, f);
    if constexpr (is_scalar<T>) mine[joint_reduce] = sycl::joint_reduce(g, range, range + count, f);
  }
}

// The same, serially.
template <which op, typename T>
bool compare(const std::vector<T> &x, const T &init, const T *out, const T *joint_out,
             const bool *ends, const T *range, std::size_t count, const std::string &what) {
  auto wrong = [&](const char *form_name, std::size_t i) {
    std::string text = what + ", " + form_name + ", item " + std::to_string(i);
    return expect(false, text.c_str(), __FILE__, __LINE__);
  };
  std::size_t n = x.size();
  T sum = x[0], before = neutral<op, T>();
  for (std::size_t i = 1; i < n; i++) sum = apply<op, T>(sum, x[i]);
  T upto = x[0];
  for (std::size_t i = 0; i < n; i++) {
    if (i) upto = apply<op, T>(upto, x[i]);
    T expected[forms];
    expected[reduce] = sum;
    expected[reduce_init] = apply<op, T>(init, sum);
    expected[inclusive] = upto;
    expected[inclusive_init] = apply<op, T>(init, upto);
    expected[exclusive] = before;
    expected[exclusive_init] = i ? apply<op, T>(init, before) : init;
    before = upto;
    for (int f = 0; f < joint_reduce; f++)
      if ((f != exclusive || known<op, T>)&&!same(out[i * forms + f], expected[f]))
        return wrong(name_of(form(f)), i);
    if (is_scalar<T> && !ends[i]) return wrong("end of a joint scan's result", i);
  }
  if constexpr (is_scalar<T>) {
    T all = range[0];
    for (std::size_t i = 1; i < count; i++) all = apply<op, T>(all, range[i]);
    for (std::size_t i = 0; i < n; i++) {
      if (known<op, T> && !same(out[i * forms + joint_reduce], all))
        return wrong("joint_reduce", i);
      if (!same(out[i * forms + joint_reduce_init], apply<op, T>(init, all)))
        return wrong("joint_reduce with init", i);
    }
    T done = range[0], prior = neutral<op, T>();
    for (std::size_t i = 0; i < count; i++) {
      if (i) done = apply<op, T>(done, range[i]);
      const T expected[] = {done, apply<op, T>(init, done), prior,
                            i ? apply<op, T>(init, prior) : init};
      prior = done;
      for (int f = 0; f < joint_forms; f++)
        if ((f != joint_exclusive || known<op, T>)&&!same(joint_out[std::size_t(f) * count + i],
                                                          expected[f]))
          return wrong("joint scan", i);
    }
  }
  return true;
}

// --- One launch
// ------------------------------------------------------------------------------------

template <which op, typename T, bool Sub> class algorithm_kernel;

template <which op, typename T, bool Sub> void run(sycl::queue &q, std::size_t items) {
  const std::size_t groups = 2, all = groups * items;
  const std::size_t count = Sub ? joint_count(items < 32 ? items : 32) : joint_count(items);
  const std::size_t joint_size = is_scalar<T> ? count * joint_forms : 1;
  T *x = sycl::malloc_shared<T>(all, q), *range = sycl::malloc_shared<T>(count, q);
  T *out = sycl::malloc_shared<T>(all * forms, q);
  const std::size_t places = Sub ? all : groups; // of results of joint scans: a group uses one
  T *joint_out = sycl::malloc_shared<T>(places * joint_size, q);
  bool *ends = sycl::malloc_shared<bool>(all, q);
  std::uint32_t *sub = sycl::malloc_shared<std::uint32_t>(all, q); // which one an item is in
  for (std::size_t i = 0; i < all; i++) x[i] = operand<op, T>(i);
  for (std::size_t i = 0; i < count; i++) range[i] = operand<op, T>(i * 3 + 1);
  const T init = operand<op, T>(77);

  q.parallel_for<algorithm_kernel<op, T, Sub>>(sycl::nd_range<1>(all, items), [=](sycl::nd_item<1>
                                                                                      it) {
     std::size_t group = it.get_group_linear_id(), base = group * items;
     std::size_t at = it.get_global_linear_id();
     if constexpr (Sub) {
       auto g = it.get_sub_group();
       sub[at] = g.get_group_linear_id();
       base = at - g.get_local_linear_id();
       all_forms<op>(g, x[at], init, range, count, out + base * forms,
                     joint_out + base * joint_size, ends + base);
     } else {
       sub[at] = 0;
       all_forms<op>(it.get_group(), x[at], init, range, count, out + base * forms,
                     joint_out + group * joint_size, ends + base);
     }
   }).wait();
  q.throw_asynchronous();

  std::string what = std::string(Sub ? "sub_group, " : "group, ") + name_of(op) + ", " +
                     typeid(T).name() + ", " + std::to_string(items) + " items";
  for (std::size_t begin = 0; begin < all;) {
    std::size_t end = begin + 1, limit = begin / items * items + items;
    while (end < limit && sub[end] == sub[begin]) end++;
    compare<op, T>(std::vector<T>(x + begin, x + end), init, out + begin * forms,
                   joint_out + (Sub ? begin : begin / items) * joint_size, ends + begin, range,
                   count, what);
    begin = end;
  }
  for (void *p :
       {(void *)x, (void *)range, (void *)out, (void *)joint_out, (void *)ends, (void *)sub})
    sycl::free(p, q);
}

template <which op, typename T> void test_operator(sycl::queue &q) {
  for (std::size_t items : {1, 2, 3, 7, 16, 31, 33, 64, 100, 256, 1000, 1024})
    run<op, T, false>(q, items);
  for (std::size_t items : {1, 3, 16, 31, 32, 33, 100, 200}) run<op, T, true>(q, items);
}

template <typename T> void test_type(sycl::queue &q) {
  using E = element_of<T>;
  test_operator<which::add, T>(q);
  test_operator<which::mul, T>(q);
  test_operator<which::min, T>(q);
  test_operator<which::max, T>(q);
  test_operator<which::logical_and, T>(q);
  test_operator<which::logical_or, T>(q);
  if constexpr (std::is_integral_v<E>) {
    test_operator<which::bit_and, T>(q);
    test_operator<which::bit_or, T>(q);
    test_operator<which::bit_xor, T>(q);
  }
}

} // namespace test

#endif
