// Types without a device: half, vec and swizzles, marray, id and range, function objects, math.
#define SYCL_SIMPLE_SWIZZLES
#include "check.hpp"

#include <cmath>
#include <cstring>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>

namespace {

// All 65536 values: to float and back, and against the definition of binary16.
void halves() {
  for (unsigned bits = 0; bits < 0x10000; bits++) {
    sycl::half h = sycl::bit_cast<sycl::half>(std::uint16_t(bits));
    float f = h;
    int exponent = int(bits >> 10 & 31), fraction = int(bits & 1023);
    if (exponent == 31) {
      EXPECT(fraction ? std::isnan(f) : std::isinf(f));
      if (fraction) continue;
    } else {
      float expected = exponent ? std::ldexp(float(1024 + fraction), exponent - 25)
                                : std::ldexp(float(fraction), -24);
      EXPECT(f == (bits & 0x8000 ? -expected : expected));
    }
    EXPECT(sycl::bit_cast<std::uint16_t>(sycl::half(f)) == bits);
  }
  EXPECT(sycl::bit_cast<std::uint16_t>(sycl::half(65520.0f)) == 0x7c00); // rounds up to infinity
  EXPECT(float(sycl::half(65519.0f)) == 65504.0f);
  EXPECT(float(sycl::half(1.00048828125)) == 1.0f); // half way: to even
  EXPECT(float(sycl::half(1.00146484375)) == 1.001953125f);
  sycl::half precise = 1.00048828125L + 0x1p-60L; // rounded once: as a double it is half way
  if (sizeof(long double) > sizeof(double)) EXPECT(float(precise) == 1.0009765625f);
  sycl::half a = 1.5f, b = 2;
  EXPECT(a + b == 3.5f && a * b == 3 && b - a == 0.5f && a / b == 0.75f && -a < b);
  EXPECT(a * 2 == 3.0f && 2 * a == 3.0f && a + 0.25 == 1.75 && a++ == 1.5f && a == 2.5f);
  EXPECT(std::numeric_limits<sycl::half>::max() == 65504.0f && sizeof(sycl::half) == 2);
  std::stringstream text;
  text << b;
  EXPECT(text.str() == "2");
  static_assert(std::is_same_v<decltype(a + b), sycl::half>);
  static_assert(std::is_convertible_v<sycl::half, float>);
}

void vectors() {
  sycl::float4 v(1, 2, 3, 4);
  static_assert(sizeof(sycl::float3) == 16 && alignof(sycl::float4) == 16 &&
                sizeof(sycl::char8) == 8);
  v.xy() = v.yx(); // the two sides overlap
  EXPECT(v.x() == 2 && v.y() == 1 && v.w() == 4);
  v.swizzle<3, 0>() += 10;
  EXPECT(v.w() == 14 && v.x() == 12);
  EXPECT(v.lo().y() == 1 && v.hi().x() == 3 && v.odd().y() == 14 && v.even().y() == 3);
  v.wzyx() = sycl::float4(1, 2, 3, 4);
  EXPECT(v[0] == 4 && v[3] == 1 && v.s2() == 2);
  sycl::float4 u = (v + 1) * sycl::float4(2) - v.xxxx();
  EXPECT(u.x() == 6 && u.w() == 0);
  sycl::vec<int, 4> less = v < 3.0f;
  EXPECT(less[0] == 0 && less[3] == -1 && (!less)[0] == -1);
  sycl::int3 i = sycl::int3(7, 8, 9) % 4 | 16;
  EXPECT(i.x() == 19 && i.y() == 16 && i.z() == 17);
  sycl::float8 wide(v, sycl::float2(5), 6, 7.5f);
  EXPECT(wide.s5() == 5 && wide.s7() == 7.5f);
  EXPECT((wide.convert<int, sycl::rounding_mode::rtp>().s7() == 8));
  EXPECT((wide.convert<int, sycl::rounding_mode::rtz>().s7() == 7));
  EXPECT((wide.convert<int>().s7() == 8)); // automatic: to nearest, of floating-point elements
  EXPECT((sycl::float2(2.3f, 6.5f).convert<int>()[0] == 2));
  EXPECT((sycl::float2(2.3f, 6.5f).convert<int>()[1] == 6)); // and to even
  EXPECT(sycl::float2(1, 2).as<sycl::vec<int, 2>>()[0] == 0x3f800000);
  float memory[6] = {0, 1, 2, 3, 4, 5};
  sycl::float2 pair;
  pair.load(2, memory);
  EXPECT(pair.x() == 4);
  pair.store(0, memory);
  EXPECT(memory[1] == 5);
  sycl::vec<int, 1> one(3);
  int scalar = one;
  EXPECT(scalar == 3);
}

void marrays() {
  sycl::marray<int, 5> m(1, 2, 3, 4, 5);
  m = m * 2 + m;
  EXPECT(m[4] == 15 && (m > 9)[3] && !(m == 9)[3] && (m == 9)[2]);
  sycl::marray<float, 3> f(2.5f);
  EXPECT(f[0] == 2.5f && f[2] == 2.5f && m.size() == 5);
  sycl::marray<int, 7> joined(m, 8, 9);
  EXPECT(joined[6] == 9 && joined[0] == 3);
  ++m;
  EXPECT(m[0] == 4 && (-m)[0] == -4 && (m << 1)[0] == 8);
}

void indices() {
  sycl::range r(2, 3, 4);
  EXPECT(r.size() == 24 && r + 1ul == sycl::range(3, 4, 5) && 10ul - r == sycl::range(8, 7, 6));
  sycl::id<3> i = r;
  i += sycl::id(1, 1, 1);
  EXPECT(i == sycl::id(3, 4, 5) && i++ == sycl::id(3, 4, 5) && i[2] == 6 && (i > 4ul)[1] == 1);
  int narrow = sycl::id(7);
  EXPECT(narrow == 7);
  sycl::nd_range<2> n({4, 6}, {2, 3});
  EXPECT(n.get_group_range() == sycl::range(2, 2) && n == sycl::nd_range<2>({4, 6}, {2, 3}));
}

void functions() {
  EXPECT(sycl::plus<>()(1, 2.5) == 3.5 && sycl::minimum<int>()(3, 2) == 2);
  EXPECT(sycl::maximum<>()(3, 2) == 3 && sycl::logical_or<bool>()(false, true));
  static_assert(sycl::known_identity_v<sycl::plus<>, int> == 0);
  static_assert(sycl::known_identity_v<sycl::bit_and<>, unsigned> == ~0u);
  static_assert(sycl::known_identity_v<sycl::minimum<>, int> == std::numeric_limits<int>::max());
  static_assert(!sycl::has_known_identity_v<sycl::logical_and<>, int>);
  static_assert(sycl::has_known_identity_v<sycl::logical_and<>, bool>);
  static_assert(!sycl::has_known_identity_v<sycl::bit_or<>, float>);
  EXPECT((sycl::known_identity_v<sycl::minimum<>, float>) == INFINITY);
  EXPECT((sycl::known_identity_v<sycl::maximum<>, sycl::half>) == -INFINITY);
}

void math() {
  auto near = [](double a, double b) { return std::fabs(a - b) < 1e-6; };
  EXPECT(near(sycl::sqrt(2.0f) * sycl::rsqrt(2.0f), 1) && near(sycl::sinpi(0.5), 1));
  EXPECT(near(sycl::cospi(1.0), -1) && sycl::cospi(0.5) == 0 && near(sycl::exp10(2.0), 100));
  EXPECT(sycl::clamp(5, 0, 3) == 3 && sycl::max(2u, 7u) == 7 && sycl::abs(-3) == 3);
  EXPECT(sycl::clamp(NAN, 1.0f, 3.0f) == 1 && sycl::clamp(double(NAN), double(NAN), 3.0) == 3);
  EXPECT(sycl::clamp(5.0f, 1.0f, NAN) == 5 && sycl::clamp(5.0f, NAN, 3.0f) == 3);
  EXPECT(sycl::clamp(sycl::half(NAN), sycl::half(2), sycl::half(3)) == 2);
  EXPECT(sycl::smoothstep(-INFINITY, 2.0f, NAN) == 0 && sycl::smoothstep(0.0f, 2.0f, 1.0f) == 0.5f);
  EXPECT(sycl::clz(1) == 31 && sycl::clz(std::uint8_t(1)) == 7 && sycl::ctz(8) == 3);
  EXPECT(sycl::popcount(std::int8_t(-1)) == 8 && sycl::rotate(0x80000001u, 1u) == 3);
  EXPECT(sycl::add_sat(std::int8_t(100), std::int8_t(100)) == 127);
  EXPECT(sycl::sub_sat(3u, 5u) == 0 && sycl::mul_hi(0x80000000u, 4u) == 2);
  EXPECT(sycl::hadd(7, 8) == 7 && sycl::rhadd(7, 8) == 8 && sycl::abs_diff(-3, 4) == 7);
  sycl::float2 v = sycl::fmax(sycl::float2(1, -1), 0.0f);
  EXPECT(v.x() == 1 && v.y() == 0 && near(sycl::length(sycl::float2(3, 4)), 5));
  EXPECT(sycl::isnan(sycl::float2(NAN, 1))[0] == -1 && sycl::isnan(NAN));
  EXPECT(sycl::cross(sycl::float3(1, 0, 0), sycl::float3(0, 1, 0)).z() == 1);
  sycl::half next = sycl::nextafter(sycl::half(1), sycl::half(2));
  EXPECT(float(next) == 1.0009765625f && sycl::floor(sycl::half(1.5f)) == 1.0f);
  EXPECT(sycl::mix(1.0f, 3.0f, 0.5f) == 2 && sycl::step(1.0f, 0.5f) == 0 &&
         sycl::fma(2., 3., 1.) == 7);
}

static_assert(sycl::is_device_copyable_v<std::pair<int, std::tuple<float, std::optional<char>>>>);
static_assert(!sycl::is_device_copyable_v<std::array<std::string, 2>>);

void atomics() {
  int i = 5;
  sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> a(i);
  EXPECT(a.fetch_add(3) == 5 && a == 8 && ++a == 9 && a-- == 9 && (a += 2) == 10);
  EXPECT(a.fetch_max(50) == 10 && a.fetch_min(20) == 50 && a.exchange(7) == 20 && (a |= 8) == 15);
  int expected = 1;
  EXPECT(!a.compare_exchange_strong(expected, 2) && expected == 15 &&
         a.compare_exchange_strong(expected, 2) && i == 2);
  double d = 1.5;
  sycl::atomic_ref<double, sycl::memory_order::acq_rel, sycl::memory_scope::system> f(d);
  EXPECT(f.fetch_add(1) == 1.5 && (f -= 0.5) == 2 && f.fetch_max(9) == 2 && d == 9);
  int array[4], *p = array;
  sycl::atomic_ref<int *, sycl::memory_order::seq_cst, sycl::memory_scope::work_group> q(p);
  EXPECT(q.fetch_add(2) == array && q == array + 2 && --q == array + 1);
  sycl::atomic_fence(sycl::memory_order::seq_cst, sycl::memory_scope::device);
}

} // namespace

int main() {
  halves();
  vectors();
  marrays();
  indices();
  functions();
  math();
  atomics();
  return test::result();
}
