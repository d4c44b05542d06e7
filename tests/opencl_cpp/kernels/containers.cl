#define SIMPLE_SWIZZLES
#include "check.h"
#include <opencl_array>
#include <opencl_iterator>
#include <opencl_limits>
#include <opencl_marker>
#include <opencl_range>
#include <opencl_tuple>
#include <opencl_type_traits>
#include <opencl_utility>
#include <opencl_vec>
#include <opencl_vector_utility>
using namespace cl;

/* Traits and limits. */
static_assert(is_same<make_vector_t<float, 4>, float4>::value && vector_size<int3>::value == 3);
static_assert(is_same<vector_element_t<bool8>, bool>::value && is_vector<bool2>::value);
static_assert(is_same<common_type_t<int, float>, float>() && is_same<decay_t<const int[3]>, const int *>());
static_assert(is_trivially_copyable<bool4>() && is_convertible<int, float>() && !is_class<int>());
static_assert(is_same<add_pointer_t<int &>, int *>() && is_same<remove_attrs_t<const volatile int>, int>());
static_assert(is_global<add_global_t<int>>() && !is_local<add_global_t<int>>());
static_assert(is_same<make_unsigned_t<short4>, ushort4>() && is_signed<half>() && is_unsigned<bool>());
static_assert(rank<int[2][3]>::value == 2 && extent<int[2][3], 1>::value == 3);
static_assert(is_fundamental<float4>() && is_floating_point<half>() && is_null_pointer<nullptr_t>());
static_assert(is_same<conditional_t<true, int, char>, int>() && is_nothrow_move_constructible<int4>());
struct sum_of { float operator()(int, float); };
static_assert(is_same<result_of_t<sum_of(int, float)>, float>() && sizeof(aligned_storage_t<3, 8>) == 8);
enum class small : uchar {};
static_assert(is_same<underlying_type_t<small>, uchar>());
struct mark : marker_type {};
static_assert(is_marker_type<mark>() && !is_marker_type<int>());
static_assert(numeric_limits<int>::max() == 2147483647 && numeric_limits<long>::min() == LONG_MIN);
static_assert(numeric_limits<char>::lowest() == -128 && numeric_limits<ulong>::max() == ULONG_MAX);
static_assert(numeric_limits<bool>::max() && numeric_limits<bool>::digits == 1);
static_assert(numeric_limits<float>::max_digits10 == 9 && numeric_limits<double>::max_digits10 == 17);
static_assert(numeric_limits<half>::max() == 65504.0h && numeric_limits<half>::digits == 11);
static_assert(numeric_limits<float>::denorm_min() == 0x1p-149f && numeric_limits<double>::epsilon() == 0x1p-52);
static_assert(numeric_limits<int4>::is_vector && !numeric_limits<int *>::is_specialized);

template <class V> auto sum(const V &v) {
  vector_element_t<V> total = 0;
  for (auto e : range(v)) total += e;
  return total;
}

kernel void vectors(uint *failed, int *data) {
  int8 v = int8(0, 1, 2, 3, 4, 5, 6, 7);
  CHECK(sum(v) == 28 && get<3>(v) == 3 && index(v, 5) == 5);
  set<2>(v, 20);
  auto it = begin(v);
  CHECK(*(it + 2) == 20 && it[1] == 1 && end(v) - it == 8 && it < end(v));
  it += 3;
  *it = 30;
  CHECK(*it-- == 30 && *it == 20 && v.s3 == 30);
  channel_ref<int8> r = *it;
  r *= 2;
  CHECK(v.s2 == 40 && r % 7 == 5 && r++ == 40 && v.s2 == 41);
  for (auto c : range(v, 4, 6)) c = 9;
  CHECK(v.s4 == 9 && v.s5 == 9 && v.s6 == 6);
  vec<float, 4> a(1.0f, 2.0f, 3.0f, 4.0f), b(a.zw(), a.xy()), two(2.0f);
  a += two;
  a = a * 2.0f + b - two / two;
  CHECK(a.x() == 8.0f && a.y() == 11.0f && b.w() == 2.0f);
  a.wzyx() = b;
  float4 plain = a;
  CHECK(plain.x == 2.0f && plain.w == 3.0f && (float)a.swizzle<3>() == 3.0f);
  float2 xy = swizzle<channel::y, channel::x>(plain);
  CHECK(xy.y == 2.0f && (a == a).z && !(a < a).x);
  vec<int, 3> n = 7;
  n %= vec<int, 3>(4);
  CHECK(n++.x() == 3 && n.z() == 4);
}

kernel void sequences(uint *failed, int *data) {
  array<int, 4> a = {1, 2, 3, 4};
  int total = 0, places = 0;
  for (auto x : a) total += x;
  for (auto r = a.rbegin(); r != a.rend(); ++r) places = places * 10 + *r;
  CHECK(total == 10 && places == 4321 && a.size() == 4 && a.front() + a.back() == 5 && get<1>(a) == 2);
  CHECK(cl::distance(a.begin(), a.end()) == 4 && *cl::next(a.begin(), 2) == 3 && *cl::prev(a.end()) == 4);
  int plain[3] = {5, 6, 7};
  CHECK(cl::end(plain) - cl::begin(plain) == 3 && *cl::rbegin(plain) == 7);
  auto m = make_move_iterator(cl::begin(plain));
  CHECK(*m == 5 && m[2] == 7 && *(m + 1) == 6);
  int x = 1, y = 2;
  swap(x, y);
  CHECK(x == 2 && move(y) == 1 && forward<int &>(x) == 2);
}

kernel void tuples(uint *failed, int *data) {
  tuple<int, float, long> t(1, 2.5f, 3), u = t;
  static_assert(tuple_size<decltype(t)>::value == 3);
  static_assert(is_same<tuple_element_t<1, decltype(t)>, float>());
  get<0>(t) = 4;
  CHECK(get<0>(t) == 4 && get<float>(t) == 2.5f && t > u && t != u && u <= t);
  auto made = make_tuple(7, 1.5f);
  int i;
  float f;
  tie(i, f) = made;
  CHECK(i == 7 && f == 1.5f);
  tie(ignore, f) = make_tuple(1, 3.0f);
  CHECK(f == 3.0f);
  auto both = tuple_cat(t, made, tuple<>());
  CHECK(get<4>(both) == 1.5f && get<2>(both) == 3 && tuple_size<decltype(both)>::value == 5);
  swap(t, u);
  tuple<double, double, double> d = t;
  CHECK(get<0>(t) == 1 && get<0>(u) == 4 && get<1>(d) == 2.5);
  CHECK(get<1>(forward_as_tuple(1, i)) == 7 && make_tuple(1, 2) == make_tuple(1L, 2.0));
}
