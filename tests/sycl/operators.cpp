// Operators and conversions as programs use them: id, range and item beside numbers of any integer
// type, on either side; vec, marray and half beside scalars.
#define SYCL_SIMPLE_SWIZZLES
#include "check.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace {

enum plain_enum { three = 3 };

// 77 in an id, beside `number` of type T, which is 5.
template <typename T> void beside(T number) {
  sycl::id<1> i(77);
  EXPECT(i == T(77) && T(77) == i && i != number && number != i);
  EXPECT(i > number && number < i && i >= number && number <= i && !(i < number) && !(number > i));
  EXPECT(i + number == 82 && number + i == 82 && i - number == 72 && T(100) - i == 23);
  EXPECT(i * number == 385 && number * i == 385 && i / number == 15 && i % number == 2);
  EXPECT((i & number) == 5 && (i | number) == 77 && (i ^ number) == 72);
  EXPECT((i << number) == 2464 && (i >> number) == 2 && (i && number) && (number || i));
  i += number, i -= T(2), i *= T(2), i /= T(4), i %= T(32), i <<= T(2), i >>= T(1);
  i |= T(1), i &= T(15), i ^= T(2);
  EXPECT(i == ((((((((77 + 5 - 2) * 2) / 4) % 32) << 2) >> 1) | 1) & 15) ^ 2);
  sycl::range<1> r(8);
  EXPECT(r == T(8) && T(8) == r && r != number && r + number == T(13) && number * r == T(40));
}

void indices() {
  beside<int>(5);
  beside<unsigned>(5);
  beside<char>(5);
  beside<std::uint8_t>(5);
  beside<std::int16_t>(5);
  beside<long>(5);
  beside<std::size_t>(5);
  beside<long long>(5);

  sycl::id<1> i(77), other = 5, zero;
  EXPECT(i != other && i == sycl::id<1>(77) && i != three && i > three && !(i == zero));
  int numbers[100] = {}, as_int = i;
  numbers[i] = 1, numbers[i + 1] = 2, numbers[other]++;
  EXPECT(numbers[77] == 1 && numbers[78] == 2 && numbers[5] == 1 && as_int == 77);
  float as_float = i;
  EXPECT(as_float == 77.0f && i == as_int && as_int == i && i < as_int + 1);
  std::vector<int> vector(100);
  vector[i]++, vector.at(i)++;
  EXPECT(vector[77] == 2 && (i ? true : false) && !zero && (i && true));
  switch (i) {
  case 77:
    break;
  default:
    EXPECT(false);
  }
  EXPECT(i++ == 77 && ++i == 79 && i-- == 79 && --i == 77 && +i == 77 && -other == -5);
  i = 4;
  EXPECT(i == 4);

  sycl::id<2> a(1, 2), b(3, 4);
  EXPECT(a + b == sycl::id<2>(4, 6) && a * 2 == sycl::id<2>(2, 4) && 2u * a == sycl::id<2>(2, 4));
  EXPECT((a < b) == sycl::id<2>(1, 1) && (a < 2) == sycl::id<2>(1, 0) && a != b);
  sycl::range<2> r{4, 5};
  EXPECT(r.size() == 20 && (r * 2).size() == 80 && r / sycl::range<2>(2, 1) == sycl::range(2, 5));
  EXPECT(a + r == sycl::id<2>(5, 7) && r * a == sycl::id<2>(4, 10) &&
         sycl::id<2>(r) == sycl::id<2>(4, 5));
  sycl::nd_range<1> n{16, 4};
  sycl::nd_range<2> m{{4, 4}, {2, 2}};
  EXPECT(n.get_group_range() == 4 && m.get_group_range() == sycl::range(2, 2));
  sycl::id pair(1, 2);
  sycl::range triple(1, 2, 3);
  static_assert(std::is_same_v<decltype(pair), sycl::id<2>>);
  static_assert(std::is_same_v<decltype(triple), sycl::range<3>>);
}

void items() {
  sycl::queue q = test::make_queue();
  int *out = sycl::malloc_shared<int>(64, q);
  q.parallel_for(64,
                 [=](auto i) { // an item
                   out[i] = i;
                   if (i == 3 || 5 == i) out[i] = 33;
                   if (i > 7 && i < 10 && i != 8) out[i] += i % 7 + i * 2;
                   if (i.get_id() == 4) out[i] = -4;
                 })
      .wait();
  EXPECT(out[2] == 2 && out[3] == 33 && out[4] == -4 && out[5] == 33 && out[8] == 8 &&
         out[9] == 29);
  q.parallel_for(sycl::range<2>{8, 8}, [=](sycl::id<2> i) {
     out[i[0] * 8 + i[1]] = i == sycl::id<2>(1, 2);
   }).wait();
  EXPECT(out[10] == 1 && out[11] == 0);
  q.parallel_for(64, [=](int i) { out[i] = i; }).wait();
  q.parallel_for({8, 8}, [=](sycl::item<2> i) { out[i.get_linear_id()] += i[1]; }).wait();
  EXPECT(out[63] == 70);
  q.parallel_for(sycl::nd_range<1>{64, 16},
                 [=](sycl::nd_item<1> i) { // std's operators
                   int sum = sycl::reduce_over_group(i.get_group(), 2, std::plus<>());
                   int bits =
                       sycl::inclusive_scan_over_group(i.get_sub_group(), 3, std::bit_or<int>());
                   out[i.get_global_id(0)] = sum + bits;
                 })
      .wait();
  EXPECT(out[0] == 35 && out[63] == 35);
  q.parallel_for(sycl::nd_range<1>{64, 16}, [=](sycl::nd_item<1> i) {
     auto local = i.get_local_id();
     auto global = i.get_global_id();
     out[global] = local == 3 ? -3 : int(local);
     if (global == 20) out[global] = 2;
     if (i.get_local_id(0) == 0 && i.get_group(0) == 1) out[global] = -1;
   }).wait();
  EXPECT(out[3] == -3 && out[20] == 2 && out[16] == -1 && out[32] == 0 && out[63] == 15);
  sycl::free(out, q);
}

void vectors() {
  using sycl::float2, sycl::float3, sycl::float4, sycl::int4;
  float4 v(1, 2, 3, 4), two(2.0f);
  EXPECT((v + two).x() == 3 && (v * 2).y() == 4 && (2 * v).y() == 4 && (2.0f * v).w() == 8);
  EXPECT((v / 2).x() == 0.5f && (1 - v).y() == -1 && (v * 2.0).z() == 6 && (-v).x() == -1);
  v += 1, v *= 2.0f, v -= two, v /= 2; // each element: ((e + 1) * 2 - 2) / 2
  EXPECT(v.x() == 1 && v.w() == 4 && sycl::all(v == float4(1, 2, 3, 4)));
  EXPECT(sycl::any(v < 2.0f) && sycl::all(2.0f * v > v) && !sycl::any(v != v));
  v.x() = 7, v[1] = 8, v.zw() = float2(9, 10), v.xy() += float2(1, 1), v.xy() *= 2;
  EXPECT(v.x() == 16 && v.y() == 18 && v.z() == 9 && v.hi().y() == 10);
  v -= {15, 16, 6, 6}, v.yx() *= {2, 3}; // lists
  EXPECT(sycl::all(v == float4(3, 4, 3, 4)));
  v.hi() += {6, 6};
  v.lo() = v.hi();
  float2 sum = v.xz() + v.yw() + 2.0f * v.xy();
  EXPECT(sum.x() == 9 + 10 + 18 && float3(v.xyz()).z() == 9);
  float4 parts{float2(1, 2), 3.0f, 4.0f}, whole{parts.xy(), parts.zw()};
  EXPECT(sycl::all(parts == whole) && sycl::dot(parts, whole) == 30);
  float4 colours;
  colours.rgba() = parts.abgr();
  EXPECT(colours.r() == 4 && colours.a() == 1 && sycl::all(colours.bgr() == float3(2, 3, 4)));
  int4 i(1, 2, 3, 4);
  EXPECT((i % 2).x() == 1 && (i << 1).y() == 4 && (i & 1).z() == 1 && (~i).x() == ~1);
  EXPECT((i == 2).y() == -1 && (2 == i).y() == -1 && (i && i).x() == -1 && (!i).x() == 0);
  EXPECT((i++).x() == 1 && (++i).x() == 3 && i.convert<float>().w() == 6.0f);
  sycl::vec<std::int64_t, 2> wide(1);
  sycl::vec<sycl::half, 2> halves(sycl::half(1));
  EXPECT((1 + wide * 2u).y() == 3 && (halves * 2.0f + 1).y() == 3);
  i = {}, i.x() = 1, v = 2, v.zw() = v.xy() * 2;
  EXPECT(i.x() == 1 && i.w() == 0 && v.y() == 2 && v.w() == 4);
  sycl::half2 pair;
  pair = {};
  pair = sycl::half(2);
  EXPECT(pair.x() == 2);
  sycl::vec<float, 1> single(3.0f);
  float number = single;
  EXPECT(number == 3.0f);
}

void arrays() {
  sycl::marray<float, 3> m(1, 2, 3), two(2.0f);
  EXPECT((m + two)[0] == 3 && (m * 2)[1] == 4 && (2 * m)[1] == 4 && (-m)[2] == -3);
  m += 1, m *= 2.0f, m[0] = 9, m++, --m;
  EXPECT(m[0] == 9 && m[1] == 6 && m[2] == 8 && sycl::all(m > two) && !sycl::any(m == two));
  m = {};
  EXPECT(m[0] == 0 && m[2] == 0);
  m = 3;
  EXPECT(m[1] == 3);
  sycl::marray<int, 4> i(1, 2, 3, 4);
  EXPECT((i % 2)[0] == 1 && (i << 1)[1] == 4 && (~i)[0] == ~1 && (i && i)[0] && (2 > i)[0]);
  i <<= 1, i &= 6;
  EXPECT(i[0] == 2 && i[2] == 6 && i[3] == 0);
}

void halves() {
  using sycl::half;
  half a = 1.5f, b = 2, c = 0.25;
  EXPECT(a + b == 3.5f && a * 2 == 3 && 2 * a == 3 && a + 1.0 == 2.5 && a < 2 && 2 > a);
  EXPECT(a == 1.5 && a == 1.5f && 1.5f == a && a != b && a + std::size_t(1) == 2.5f && b > 0u);
  a += b, a -= 1, a *= 2.0f, a /= 2, a++, --a;
  int truncated = a;
  double same = c;
  EXPECT(a == half(2.5f) && truncated == 2 && same == 0.25 && bool(a) && -a == -2.5f);
  static_assert(std::is_same_v<decltype(a + b), half> && std::is_same_v<decltype(a + 1), half>);
  static_assert(std::is_same_v<decltype(a + 1.0f), float>);
  static_assert(std::is_same_v<decltype(1.0 + a), double>);
}

} // namespace

int main() {
  indices();
  items();
  vectors();
  arrays();
  halves();
  return test::result();
}
