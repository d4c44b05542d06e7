// vec, swizzles and marray beyond their operators: conversions of what does not fit, swizzles that
// are written, function objects and built-in functions of them, against elements one by one.
#define SYCL_SIMPLE_SWIZZLES
#include "check.hpp"

#include <cmath>
#include <limits>

namespace {

using sycl::float2, sycl::float3, sycl::float4, sycl::int2, sycl::int4;

// An element that does not fit must leave the others alone, also where the compiler knows it.
void conversions() {
  sycl::queue q = test::make_queue();
  int *o = sycl::malloc_shared<int>(16, q);
  q.single_task([=] {
     float4 f(1.5f, -2.5f, 300.7f, -1e9f);
     auto c = f.convert<signed char, sycl::rounding_mode::rtz>();
     auto up = f.convert<short, sycl::rounding_mode::rtp>();
     auto down = f.convert<short, sycl::rounding_mode::rtn>();
     auto even = f.convert<unsigned, sycl::rounding_mode::rte>();
     for (int i = 0; i < 4; i++) {
       o[i] = c[i];
       o[4 + i] = up[i];
       o[8 + i] = down[i];
       o[12 + i] = int(even[i]);
     }
   }).wait();
  const int expected[16] = {1, -2, 127, -128, 2, -2, 301, -32768, 1, -3, 300, -32768, 2, 0, 301, 0};
  for (int i = 0; i < 16; i++) EXPECT(o[i] == expected[i]);
  sycl::free(o, q);
  auto wide = sycl::vec<double, 2>(1e300, -1e300).convert<std::int64_t>();
  EXPECT(wide[0] == std::numeric_limits<std::int64_t>::max());
  EXPECT(wide[1] == std::numeric_limits<std::int64_t>::min());
  EXPECT(float2(NAN, 255.9f).convert<std::uint8_t>()[0] == 0);
  EXPECT(float2(NAN, 255.9f).convert<std::uint8_t>()[1] == 255);
  EXPECT(float4(1, 2.5f, 3, 4).yx().convert<int, sycl::rounding_mode::rtp>()[0] == 3);
}

// To a floating-point number that is not the same: towards 0, up, down, to the nearest.
template <typename To, typename From> void rounded(From from, To zero, To up, To down, To nearest) {
  using mode = sycl::rounding_mode;
  sycl::queue q = test::make_queue();
  To *to = sycl::malloc_shared<To>(5, q);
  q.single_task([=] {
     sycl::vec<From, 2> of(from);
     to[0] = of.template convert<To, mode::rtz>()[1];
     to[1] = of.template convert<To, mode::rtp>()[1];
     to[2] = of.template convert<To, mode::rtn>()[1];
     to[3] = of.template convert<To, mode::rte>()[1];
     to[4] = of.template convert<To>()[1];
   }).wait();
  EXPECT(to[0] == zero && to[1] == up && to[2] == down && to[3] == nearest && to[4] == nearest);
  sycl::free(to, q);
}

void rounding() {
  using sycl::half;
  const float tiny = std::numeric_limits<float>::denorm_min(), inf = INFINITY,
              most = std::numeric_limits<float>::max();
  rounded<float>(16777217, 16777216.0f, 16777218.0f, 16777216.0f, 16777216.0f);
  rounded<float>(-16777217, -16777216.0f, -16777216.0f, -16777218.0f, -16777216.0f);
  rounded<float>(~std::uint64_t(0), 0x1.fffffep63f, 0x1p64f, 0x1.fffffep63f, 0x1p64f);
  rounded<double>(std::numeric_limits<std::int64_t>::max(), 0x1.fffffffffffffp62, 0x1p63,
                  0x1.fffffffffffffp62, 0x1p63);
  rounded<float>(0.1, std::nextafter(0.1f, 0.0f), 0.1f, std::nextafter(0.1f, 0.0f), 0.1f);
  rounded<float>(-0.1, -std::nextafter(0.1f, 0.0f), -std::nextafter(0.1f, 0.0f), -0.1f, -0.1f);
  rounded<float>(1e-60, 0.0f, tiny, 0.0f, 0.0f);
  rounded<float>(-1e-60, -0.0f, -0.0f, -tiny, -0.0f);
  rounded<float>(1e300, most, inf, most, inf);
  rounded<float>(-1e300, -most, -most, -inf, -inf);
  rounded<float>(double(inf), inf, inf, inf, inf);
  rounded<half>(70000.0f, half(65504.0f), half(inf), half(65504.0f), half(inf));
  rounded<half>(-1000001, half(-65504.0f), half(-65504.0f), half(-inf), half(-inf));
  rounded<half>(1 + 0x1p-12f, half(1.0f), half(1 + 0x1p-10f), half(1.0f), half(1.0f));
  rounded<float>(3.5, 3.5f, 3.5f, 3.5f, 3.5f);
}

void swizzles() {
  float4 a(1, 2, 3, 4);
  a.swizzle<sycl::elem::s0>()++;
  ++a.yz();
  EXPECT(a[0] == 2 && a[1] == 3 && a[2] == 4 && a[3] == 4);
  float2 old = a.wx()--;
  EXPECT(old[0] == 4 && old[1] == 2 && a[3] == 3 && a[0] == 1);
  a.xy() += a.zw();
  EXPECT(a[0] == 5 && a[1] == 6);
  a.xy() = a.yx();
  EXPECT(a[0] == 6 && a[1] == 5);
  float2 twice = a.xy() * 2.0f;
  EXPECT(twice[0] == 12 && twice[1] == 10);
  static_assert(std::is_same_v<decltype(sycl::normalize(a.xyz())), float3>);
  EXPECT(sycl::length(float4(0, 3, 4, 0).yz()) == 5);
  EXPECT(sycl::dot(a.xy(), float2(1, 1)) == 11 && sycl::dot(a.xy(), a.yx()) == 60);
  EXPECT(sycl::distance(float4(1, 1, 4, 5).xy(), float4(1, 1, 4, 5).zw()) == 5);
}

void geometry() {
  sycl::marray<double, 3> x(1, 0, 0), y(0, 1, 0), z = sycl::cross(x, y);
  EXPECT(z[0] == 0 && z[1] == 0 && z[2] == 1);
  float4 c = sycl::cross(float4(0, 2, 0, 7), float4(0, 0, 2, 7));
  EXPECT(c[0] == 4 && c[1] == 0 && c[2] == 0 && c[3] == 0);
  EXPECT(sycl::dot(x, y) == 0 && sycl::distance(x, y) == std::sqrt(2.0));
  float4 s = sycl::step(2.0f, float4(1, 2, 3, NAN)), t = sycl::smoothstep(0.0f, 2.0f, float4(1));
  EXPECT(s[0] == 0 && s[1] == 1 && s[2] == 1 && t[3] == 0.5f);
  EXPECT(sycl::step(float2(2, 0), float2(1, 1))[0] == 0 && sycl::step(1.0, 2.0) == 1);
}

void function_objects() {
  int4 a(1, 5, 3, 7), b(2, 4, 3, 8);
  int4 low = sycl::minimum<>()(a, b), high = sycl::maximum<int4>()(a, b);
  for (int i = 0; i < 4; i++)
    EXPECT(low[i] == (b[i] < a[i] ? b[i] : a[i]) && high[i] == (b[i] > a[i] ? b[i] : a[i]));
  sycl::marray<float, 2> m(1, 4), n(3, 2);
  EXPECT(sycl::maximum<>()(m, n)[0] == 3 && sycl::minimum<>()(m, n)[1] == 2);
  static_assert(std::is_same_v<decltype(sycl::maximum<>()(1, 2.0)), double>);
  EXPECT(sycl::maximum<>()(1, 2.5) == 2.5 && sycl::minimum<>()(1, 2.5) == 1);
}

// Of one element, from a variable of another type: a pack of one argument takes it (4.14.2.1).
void of_one_element() {
  double wide = 2.75;
  int whole = -3;
  sycl::vec<float, 1> a{wide}, b{whole};
  sycl::vec<double, 1> c{whole};
  EXPECT(a[0] == 2.75f && b[0] == -3.0f && c[0] == -3.0);
  EXPECT((sycl::vec<float, 1>{wide}.convert<int, sycl::rounding_mode::rtn>()[0] == 2));
  EXPECT((sycl::vec<int, 1>{wide}[0] == 2 && sycl::vec<sycl::half, 1>{wide}[0] == 2.75f));
  sycl::marray<float, 1> m{wide};
  sycl::marray<int, 1> n{wide};
  EXPECT(m[0] == 2.75f && n[0] == 2);
}

// What converts to a number calls the function of that number (4.17.5).
template <typename T> struct like {
  T value;
  operator T() const { return value; }
};

void conversions_of_arguments() {
  static_assert(std::is_same_v<decltype(sycl::sqrt(like<double>())), double>);
  static_assert(std::is_same_v<decltype(sycl::clz(like<short>())), short>);
  static_assert(
      std::is_same_v<decltype(sycl::native::divide(like<float>(), like<float>())), float>);
  EXPECT(sycl::sqrt(like<float>{4}) == 2 && sycl::max(like<int>{3}, like<int>{5}) == 5);
  EXPECT(sycl::ldexp(like<double>{1}, like<int>{4}) == 16 && sycl::isnan(like<float>{NAN}));
  EXPECT(sycl::native::divide(like<float>{1}, like<float>{4}) == 0.25f);
}

} // namespace

static_assert(std::is_same_v<sycl::cl_half4, sycl::half4> &&
              std::is_same_v<sycl::cl_uint16, sycl::uint16>);

int main() {
  conversions();
  rounding();
  swizzles();
  geometry();
  function_objects();
  of_one_element();
  conversions_of_arguments();
  return test::result();
}
