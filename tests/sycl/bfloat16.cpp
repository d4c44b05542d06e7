// bfloat16 (sycl_ext_oneapi_bfloat16): all 65,536 values, and roundings against arithmetic on integers.
#include "check.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

namespace oneapi = sycl::ext::oneapi;
using oneapi::bfloat16;
using limits = std::numeric_limits<bfloat16>;

bfloat16 of_bits(unsigned bits) {
  return sycl::bit_cast<bfloat16>(std::uint16_t(bits));
}
unsigned bits_of(bfloat16 value) {
  return sycl::bit_cast<std::uint16_t>(value);
}

// The nearest of all bfloat16 by their distances, to even; finite and positive.
unsigned nearest(long double value) {
  unsigned low = 0, high = 0x7f80; // places of values: they grow with their bits
  auto at = [](unsigned bits) -> long double {
    return bits == 0x7f80 ? 0x1p128L : static_cast<long double>(float(of_bits(bits)));
  };
  while (high - low > 1) {
    unsigned middle = (low + high) / 2;
    (at(middle) <= value ? low : high) = middle;
  }
  long double down = value - at(low), up = at(high) - value;
  return down < up || (down == up && low % 2 == 0) ? low : high;
}

void values() {
  for (unsigned bits = 0; bits < 0x10000; bits++) {
    bfloat16 b = of_bits(bits);
    float f = b;
    std::uint32_t whole;
    std::memcpy(&whole, &f, sizeof whole);
    EXPECT(whole == bits << 16);
    bool nan = (bits & 0x7f80) == 0x7f80 && (bits & 0x7f);
    EXPECT(oneapi::isnan(b) == nan && bool(b) == ((bits & 0x7fff) != 0));
    if (nan) {
      EXPECT(oneapi::isnan(bfloat16(f)));
      continue;
    }
    EXPECT(bits_of(bfloat16(f)) == bits && bits_of(-b) == (bits ^ 0x8000));
    if (bits >= 0x7f7f) continue;
    float next = of_bits(bits + 1), half_way = f + (next - f) / 2; // exact, but for the least two
    if (bits > 1) EXPECT(bits_of(bfloat16(half_way)) == bits + bits % 2);
    EXPECT(bits_of(bfloat16(std::nextafter(next, f))) == bits + 1 || bits == 0);
  }
  EXPECT(bits_of(bfloat16(0x1.ffp127f)) == 0x7f80 && bits_of(bfloat16(0x1.fefffep127f)) == 0x7f7f);
  EXPECT(bits_of(limits::max()) == 0x7f7f && bits_of(limits::min()) == 0x80 &&
         bits_of(limits::denorm_min()) == 1 && bits_of(limits::infinity()) == 0x7f80);
  EXPECT(bfloat16(1) + limits::epsilon() == bfloat16(1.0078125f));
}

void operators() {
  bfloat16 a = 3, b = 0.5f, c;
  c = sycl::half(2.25f);
  EXPECT(a + b == 3.5f && a - b == 2.5f && a * b == 1.5f && a / b == 6.0f && c == 2.25f);
  EXPECT(a + 1 == 4 && 1.5 - b == 1.0f && sycl::half(2) * a == 6 && a / 2u == 1.5f);
  EXPECT(std::is_same_v<decltype(a + 1.0), bfloat16> && std::is_same_v<decltype(1 < a), bool>);
  EXPECT(a > b && b < 1 && 3 >= a && a <= 3.0 && a != b && sycl::half(3) == a);
  EXPECT(a++ == 3 && a == 4 && --a == 3 && a-- == 3 && ++a == 3);
  a += b, a *= 2, a -= 1, a /= 4;
  EXPECT(a == 1.5f && float(sycl::half(a)) == 1.5f);
  EXPECT(bfloat16(256) + 1 == 256 && bfloat16(258) + 1 == 260); // ties to even
  static_assert(std::is_convertible_v<bfloat16, bool> && std::is_convertible_v<float, bfloat16>);
  static_assert(bfloat16(2.5f) * 2 == 5);
}

void functions() {
  // fma is one rounding of the exact value; long double holds it where the exponents are near.
  unsigned seed = 7;
  auto random = [&] { return (seed = seed * 1664525u + 1013904223u) >> 16; };
  for (int i = 0; i < 200000; i++) {
    unsigned exponent = 100 + random() % 30;
    bfloat16 a = of_bits(random() % 0x80 | exponent << 7), b = of_bits(random() % 0x80 | 127 << 7);
    bfloat16 c = of_bits(random() % 0x80 | (exponent - 20 + random() % 30) << 7);
    long double exact = static_cast<long double>(float(a)) * float(b) + float(c);
    EXPECT(bits_of(oneapi::fma(a, b, c)) == nearest(exact));
    EXPECT(bits_of(oneapi::fma(-a, b, -c)) == (nearest(exact) | 0x8000));
  }
  // Far apart: the small one says to which side of a tie.
  bfloat16 tiny = of_bits(1), one_and = of_bits(0x3f81), half_ulp = 0x1p-8f;
  EXPECT(bits_of(oneapi::fma(bfloat16(1), half_ulp, one_and)) == 0x3f82);
  bfloat16 odd_product = of_bits(0x3f80 | 0x0b), other = of_bits(0x3f80 | 0x31);
  for (int side = -1; side <= 1; side++) {
    long double product = static_cast<long double>(float(odd_product)) * float(other);
    EXPECT(bits_of(oneapi::fma(odd_product, other, bfloat16(side * float(tiny)))) ==
           nearest(product + side * static_cast<long double>(0x1p-60)));
  }
  // 1.5 * 2^-8 + 1 + tiny and the like: a tie but for the last bit of all.
  EXPECT(bits_of(oneapi::fma(tiny, tiny, bfloat16(1))) == 0x3f80);
  bfloat16 nan = limits::quiet_NaN();
  EXPECT(oneapi::fmax(nan, bfloat16(2)) == 2 && oneapi::fmin(bfloat16(2), nan) == 2 &&
         oneapi::isnan(oneapi::fmax(nan, nan)));
  EXPECT(oneapi::fmax(bfloat16(1), bfloat16(2)) == 2 && oneapi::fmin(bfloat16(1), bfloat16(2)) == 1);
#define CHECK(name, ...) EXPECT(bits_of(oneapi::name(x)) == bits_of(bfloat16(float(__VA_ARGS__))))
  for (double value : {0.25, 0.75, 1.5, 2.5, 7.25, 30.0}) {
    bfloat16 x = float(value);
    CHECK(fabs, value);
    CHECK(ceil, std::ceil(value));
    CHECK(floor, std::floor(value));
    CHECK(rint, std::nearbyint(value));
    CHECK(trunc, std::trunc(value));
    CHECK(sqrt, std::sqrt(value));
    CHECK(rsqrt, 1 / std::sqrt(value));
    CHECK(cos, std::cos(value));
    CHECK(sin, std::sin(value));
    CHECK(exp, std::exp(value));
    CHECK(exp2, std::exp2(value));
    CHECK(exp10, std::pow(10.0, value));
    CHECK(log, std::log(value));
    CHECK(log2, std::log2(value));
    CHECK(log10, std::log10(value));
  }
#undef CHECK
  sycl::marray<bfloat16, 3> list(bfloat16(1.5f), bfloat16(-2.5f), nan), ones(bfloat16(1));
  EXPECT(oneapi::floor(list)[1] == -3 && oneapi::fma(list, ones, ones)[0] == 2.5f);
  EXPECT(!oneapi::isnan(list)[0] && oneapi::isnan(list)[2]);
  EXPECT(oneapi::experimental::fmax(list, ones)[1] == 1 && (list + ones)[0] == 2.5f);
}

void in_kernels(sycl::queue q) {
  bfloat16 *x = sycl::malloc_shared<bfloat16>(256, q);
  int *lanes = sycl::malloc_shared<int>(1, q);
  for (int i = 0; i < 256; i++) x[i] = float(i) / 16;
  q.parallel_for(sycl::nd_range<1>(256, 32), [=](sycl::nd_item<1> it) {
     std::size_t i = it.get_global_id(0);
     if (!i) *lanes = int(it.get_sub_group().get_local_range()[0]);
     bfloat16 left = sycl::select_from_group(it.get_sub_group(), x[i], 0);
     group_barrier(it.get_group());
     x[i] = oneapi::fma(x[i], bfloat16(2), left) + 1;
   }).wait();
  for (int i = 0; i < 256; i++) {
    bfloat16 mine = float(i) / 16, left = float(i / *lanes * *lanes) / 16;
    EXPECT(x[i] == oneapi::fma(mine, bfloat16(2), left) + 1);
  }
  sycl::free(lanes, q);
  sycl::free(x, q);
}

} // namespace

// Vectors of them, against the same of each element.
void vectors(sycl::queue q) {
  using vector = sycl::vec<bfloat16, 4>;
  auto same = [](const auto &a, float x, float y, float z, float w) {
    return float(a[0]) == x && float(a[1]) == y && float(a[2]) == z && float(a[3]) == w;
  };
  vector a{1.0f, 2.5f, bfloat16(-3.0f), 100.0f}, b(bfloat16(2.0f)), sum = a + b, c = a;
  EXPECT(same(sum, 3, 4.5f, -1, 102) && same(a * bfloat16(3.0f), 3, 7.5f, -9, 300));
  EXPECT(same(a / b, 0.5f, 1.25f, -1.5f, 50) && same(-a, -1, -2.5f, 3, -100) &&
         same(+a, 1, 2.5f, -3, 100));
  c += 0.00390625f; // half of a step at 1: to even
  EXPECT(same(c, 1, 2.5f, -3, 100));
  c++;
  --c[3];
  EXPECT(same(c, 2, 3.5f, -2, 100));
  static_assert(std::is_same_v<decltype(a < b), sycl::vec<std::int16_t, 4>>);
  EXPECT(same(a < b, -1, 0, -1, 0) && same(a == a, -1, -1, -1, -1) && same(a && b, -1, -1, -1, -1));
  EXPECT(same(!vector(bfloat16(0.0f)), -1, -1, -1, -1));
  EXPECT(same(a.convert<float>(), 1, 2.5f, -3, 100) && same(a.convert<int>(), 1, 2, -3, 100));
  EXPECT(same(a.convert<int, sycl::rounding_mode::rtp>(), 1, 3, -3, 100));
  EXPECT(same(sycl::vec<double, 4>(1, 257, 259, -0.5).convert<bfloat16>(), 1, 256, 260, -0.5f));
  EXPECT(same(sycl::int4(1, 257, 3, 4).convert<bfloat16>(), 1, 256, 3, 4));
  sycl::vec<bfloat16, 2> low = a.lo(), last = a.swizzle<3, 1>();
  EXPECT(float(low[1]) == 2.5f && float(last[0]) == 100 && float((low + last)[1]) == 5);
  EXPECT(a.as<sycl::vec<std::uint16_t, 4>>()[0] == 0x3f80);
  bfloat16 *x = sycl::malloc_shared<bfloat16>(64, q);
  for (int i = 0; i < 64; i++) x[i] = float(i);
  q.parallel_for(sycl::nd_range<1>(16, 4), [=](sycl::nd_item<1> it) {
     vector part;
     part.load(it.get_global_id(0), x);
     part = part * part + bfloat16(1.0f);
     part.store(it.get_global_id(0), x);
   }).wait();
  for (int i = 0; i < 64; i++)
    EXPECT(float(x[i]) == float(bfloat16(float(bfloat16(float(i * i))) + 1)));
  sycl::free(x, q);
}

int main() {
  values();
  operators();
  functions();
  in_kernels(test::make_queue());
  vectors(test::make_queue());
  return test::result();
}
