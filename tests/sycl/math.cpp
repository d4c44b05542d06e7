// Built-in functions against plain arithmetic: relations, selections, second results, integers.
#include "check.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace {

using sycl::float2, sycl::float4, sycl::int4, sycl::half;

void relations() {
  const float nan = NAN, inf = INFINITY;
  float4 a(1, 2, nan, inf), b(2, 2, 2, inf);
  int4 less = sycl::isless(a, b), equal = sycl::isequal(a, b), other = sycl::isnotequal(a, b);
  EXPECT(less[0] == -1 && less[1] == 0 && less[2] == 0 && less[3] == 0);
  EXPECT(equal[1] == -1 && equal[2] == 0 && equal[3] == -1 && other[2] == -1 && other[1] == 0);
  EXPECT(sycl::isordered(1.0, 2.0) && !sycl::isordered(1.0f, nan) && sycl::isunordered(nan, 1.0f));
  EXPECT(sycl::islessgreater(1.0f, 2.0f) && !sycl::islessgreater(nan, 2.0f));
  EXPECT(sycl::isgreaterequal(2.0f, 2.0f) && !sycl::isgreater(2.0f, 2.0f) &&
         sycl::islessequal(half(1), half(1)));
  EXPECT(sycl::isnan(a)[2] == -1 && sycl::isinf(a)[3] == -1 && sycl::isfinite(a)[0] == -1 &&
         sycl::isnormal(half(0)) == false && sycl::signbit(-0.0));
  static_assert(std::is_same_v<decltype(sycl::isless(1.0f, 2.0f)), bool>);
  static_assert(std::is_same_v<decltype(sycl::isnan(sycl::double2())), sycl::vec<std::int64_t, 2>>);
  sycl::marray<double, 2> m(1, 3), n(2, 2);
  EXPECT(sycl::isless(m, n)[0] && !sycl::isless(m, n)[1]);
  EXPECT(sycl::any(sycl::isless(m, n)) && !sycl::all(sycl::isless(m, n)));
  EXPECT(sycl::any(int4(0, 0, -1, 0)) == 1 && sycl::any(int4(1)) == 0 && sycl::all(int4(-1)) == 1);
}

void selections() {
  float4 a(1, 2, 3, 4), b(5, 6, 7, 8), r = sycl::select(a, b, int4(-1, 0, 1, -2));
  EXPECT(r[0] == 5 && r[1] == 2 && r[2] == 3 && r[3] == 8);
  r = sycl::select(a, b, sycl::isgreater(a, float4(2)));
  EXPECT(r[1] == 2 && r[2] == 7);
  EXPECT(sycl::select(1, 2, true) == 2 && sycl::select(1.0, 2.0, false) == 1.0);
  sycl::marray<short, 2> m(1, 2), n(3, 4);
  EXPECT(sycl::select(m, n, sycl::marray<bool, 2>(true, false))[0] == 3);
  EXPECT(sycl::bitselect(0x0f0f, 0x1234, 0xff00) == 0x120f);
  EXPECT(sycl::bitselect(1.0f, -2.0f, -0.0f) == -1.0f); // the sign alone
  // The template parameters of 4.17.9, whose arguments may be parts of vectors.
  EXPECT(sycl::select<float>(1, 2, true) == 2 &&
         sycl::bitselect<short, short, short>(1, 6, 4) == 5);
  using sycl::int2;
  int2 which(-1, 0);
  auto part = a.hi();
  auto picked = sycl::select<decltype(part), sycl::float2, int2>(part, b.lo(), which);
  EXPECT(picked[0] == 5 && picked[1] == 4);
  int4 ones(-1), twos(2);
  auto bits = sycl::bitselect<int4, int4, int4>(ones, twos, int4(1, 2, 4, 0));
  EXPECT(bits[0] == -2 && bits[1] == -1 && bits[2] == -5 && bits[3] == -1);
  auto mixed = sycl::bitselect(ones.lo(), twos.hi(), int2(1, 0));
  EXPECT(mixed[0] == -2 && mixed[1] == -1);
  auto halves =
      sycl::select<sycl::marray<sycl::half, 2>, sycl::marray<sycl::half, 2>, sycl::marray<bool, 2>>(
          {1.0f, 2.0f}, {3.0f, 4.0f}, {false, true});
  EXPECT(halves[0] == 1.0f && halves[1] == 4.0f);
}

void second_results() {
  float whole, part = sycl::fract(-1.25f, &whole);
  EXPECT(part == 0.75f && whole == -2);
  EXPECT(sycl::fract(-1e-30f, &whole) < 1 && whole == -1);
  float4 rounded, rest = sycl::modf(float4(1.5f, -1.5f, 2, -0.25f), &rounded);
  EXPECT(rest[0] == 0.5f && rest[1] == -0.5f && rounded[1] == -1 && rest[3] == -0.25f);
  int4 exponent;
  float4 mantissa = sycl::frexp(float4(8, 3, 0.5f, 1), &exponent);
  EXPECT(mantissa[0] == 0.5f && exponent[0] == 4 && mantissa[1] == 0.75f && exponent[1] == 2);
  int sign, quotient;
  EXPECT(std::fabs(sycl::lgamma_r(-0.5, &sign) - std::log(3.5449077018110318)) < 1e-12);
  EXPECT(sign == -1);
  EXPECT(sycl::remquo(7.0, 2.0, &quotient) == -1 && (quotient & 7) == 4);
  // Seven bits of the quotient (4.17.5), which these are small enough to compute as they are.
  for (float x : {8.0f, -24.0f, 381.0f, -1000.0f, 98304.0f, 12345678.0f})
    for (float d : {1.0f, 3.0f, -0.375f}) {
      long near = std::lrint(double(x) / d);
      EXPECT(sycl::remquo(x, d, &quotient) == std::remainder(x, d) && quotient == near % 128);
      EXPECT(sycl::remquo(double(x), double(d), &quotient) == std::remainder(double(x), d) &&
             quotient == near % 128);
    }
  EXPECT(sycl::remquo(3.0e38f, 2.0e38f, &quotient) == std::remainder(3.0e38f, 2.0e38f) &&
         quotient == 2);
  EXPECT(sycl::remquo(half(24), half(3), &quotient) == half(0) && quotient == 8);
  double cosine, sine = sycl::sincos(0.5, &cosine);
  EXPECT(sine == std::sin(0.5) && cosine == std::cos(0.5));
  half half_cosine;
  auto pointer = sycl::address_space_cast<sycl::access::address_space::private_space,
                                          sycl::access::decorated::no>(&half_cosine);
  EXPECT(sycl::sincos(half(0), pointer) == half(0) && half_cosine == half(1));
  // Programs may name the template's arguments: the pointer's type, before it those of vectors.
  EXPECT(sycl::modf<float *>(2.5f, &whole) == 0.5f && whole == 2);
  EXPECT(sycl::remquo<int *>(7.0f, 2.0f, &quotient) == -1);
  EXPECT((sycl::modf<float4, float4 *>(float4(3.5f), &rounded)[2]) == 0.5f && rounded[2] == 3);
  int4 quotients;
  EXPECT((sycl::remquo<float4, float4, int4 *>(float4(7), float4(2), &quotients)[3]) == -1);
  EXPECT(sycl::remquo(float4(7).swizzle<3, 2, 1, 0>(), float4(2), &quotients)[0] == -1);
}

// What converts to a number is one; a half may convert to float on the way.
template <typename T> struct converts {
  T value;
  operator T() const { return value; }
};
void converted() {
  EXPECT(sycl::sqrt(converts<half>{4}) == half(2) && sycl::floor(converts<double>{1.5}) == 1);
  EXPECT(sycl::fmax(converts<float>{1}, converts<float>{2}) == 2);
  static_assert(std::is_same_v<decltype(sycl::acos(converts<half>{0})), half>);
}

void nans() {
  static_assert(std::is_same_v<decltype(sycl::nan(1u)), float> &&
                std::is_same_v<decltype(sycl::nan(1ul)), double> &&
                std::is_same_v<decltype(sycl::nan((unsigned short)1)), half>);
  EXPECT(std::isnan(sycl::nan(0u)) && std::isnan(sycl::nan(~0ul)) &&
         std::isnan(float(sycl::nan((unsigned short)0))));
  EXPECT((sycl::bit_cast<std::uint32_t>(sycl::nan(5u)) & 0x3fffff) == 5);
  auto list = sycl::nan(sycl::vec<std::uint64_t, 2>(3, 4));
  static_assert(std::is_same_v<decltype(list), sycl::double2>);
  EXPECT(std::isnan(list[0]) && (sycl::bit_cast<std::uint64_t>(list[1]) & 7) == 4);
  auto array = sycl::nan(sycl::marray<std::uint16_t, 3>(1, 2, 3));
  static_assert(std::is_same_v<decltype(array), sycl::marray<half, 3>>);
}

// Each against 64-bit arithmetic, over the corners of 8-bit numbers.
void integers() {
  using limits = std::numeric_limits<std::int8_t>;
  const int corners[] = {-128, -127, -3, -1, 0, 1, 2, 100, 127};
  for (int x : corners)
    for (int y : corners)
      for (int z : corners) {
        std::int8_t a = std::int8_t(x), b = std::int8_t(y), c = std::int8_t(z);
        int sum = x * y + z;
        int saturated = sum < limits::min()   ? limits::min()
                        : sum > limits::max() ? limits::max()
                                              : sum;
        EXPECT(sycl::mad_sat(a, b, c) == saturated);
        EXPECT(sycl::mad_hi(a, b, c) == std::int8_t((x * y >> 8) + z));
      }
  EXPECT(sycl::mad_sat(~0ul, ~0ul, ~0ul) == ~0ul && sycl::mad_sat(3ul, 5ul, 2ul) == 17);
  EXPECT(sycl::mul24(-5, 7) == -35 && sycl::mad24(100u, 200u, 5u) == 20005);
  EXPECT(sycl::upsample(std::int8_t(-1), std::uint8_t(2)) == std::int16_t(-254));
  EXPECT(sycl::upsample(1u, 2u) == 0x100000002ul);
}

void others() {
  EXPECT(std::fabs(sycl::rootn(27.0, 3) - 3) < 1e-12 && sycl::rootn(-8.0f, 3) == -2 &&
         std::isnan(sycl::rootn(-4.0f, 2)));
  EXPECT(sycl::native::divide(1.0f, 4.0f) == 0.25f && sycl::native::recip(4.0f) == 0.25f);
  EXPECT(sycl::half_precision::sqrt(float2(4))[1] == 2 &&
         sycl::half_precision::recip(2.0f) == 0.5f);
  EXPECT(sycl::fast_length(float2(3, 4)) == 5 && sycl::fast_normalize(float2(0, 2))[1] == 1 &&
         sycl::fast_distance(1.0f, 3.0f) == 2);
}

// Multiples of pi to 4 units in the last place, of small results too; exact where a result is.
template <typename T> void pi_functions() {
  const long double pi = 3.14159265358979323846264338327950288L;
  auto near = [](T got, long double exact) {
    T unit = std::nextafter(std::fabs(T(exact)), T(INFINITY)) - std::fabs(T(exact));
    return std::fabs((long double)got - exact) <= 4 * (long double)unit;
  };
  for (int i = -4000; i <= 4000; i++) {
    if (i % 1000 == 0) continue;
    T x = T(i) / 2000 + T(i % 7) / 100000; // [-2, 2], among them what is near a half
    long double r = std::remainder((long double)x, 2.0L), a = std::fabs(r), near_half = 0.5L - a;
    long double sine = a <= 0.5L ? std::sin(r * pi) : std::copysign(std::sin((1 - a) * pi), r);
    EXPECT(near(sycl::sinpi(x), sine) && near(sycl::cospi(x), std::sin(near_half * pi)));
  }
  EXPECT(near(sycl::cospi(T(0.4863334355)), std::sin((0.5L - T(0.4863334355)) * pi)));
  EXPECT(sycl::cospi(T(0.5)) == 0 && sycl::cospi(T(-1.5)) == 0 && sycl::cospi(T(3)) == -1);
  EXPECT(sycl::sinpi(T(0.5)) == 1 && sycl::sinpi(T(1.5)) == -1);
  for (T n : {T(1), T(2), T(3)})
    EXPECT(!std::signbit(sycl::sinpi(n)) && std::signbit(sycl::sinpi(-n)) && sycl::sinpi(n) == 0);
}

} // namespace

int main() {
  relations();
  selections();
  second_results();
  converted();
  nans();
  integers();
  others();
  pi_functions<float>();
  pi_functions<double>();
  return test::result();
}
