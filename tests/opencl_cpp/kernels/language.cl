// What OpenCL C++ has and clang's C++ for OpenCL has not.
#include "check.h"
#include <opencl_memory>
#include <opencl_printf>
using namespace cl;

struct point { float x, y; operator float2() const { return float2(x, y); } };
struct S { char c; int i; } [[cl::packed]];
struct [[cl::aligned(64)]] aligned_one { int i; };
typedef int wide [[cl::aligned(16)]];
static_assert(sizeof(S) == 5 && alignof(aligned_one) == 64 && alignof(wide) == 16);

/* kernel void commented(int *p) {} */
static constexpr auto text = "kernel void quoted(int *p)";
// Names that are address spaces in C++ for OpenCL are ordinary here.
int add(int local, int generic) { return local + generic; }

struct from_constructor {
  int value;
  from_constructor(int v) : value(v * 2) {}
};
from_constructor built(21);

#define DECLARE(name, T) kernel void name(uint *failed, const T *data)
DECLARE(from_macro, int) { CHECK(data[3] == 3); }

kernel void references(uint *failed, const int &first, int (*rows)[4]) {
  CHECK(first == 0 && rows[2][1] == 9);
}

[[cl::required_work_group_size(8, 1, 1)]] [[cl::vec_type_hint(float4)]]
kernel void check(uint failed[], [[cl::max_size(64)]] constant_ptr<int> data) {
  CHECK(get_local_size(0) == 8 && data.get()[5] == 5);
  point p = {1.0f, 2.0f};
  float2 v = p;
  CHECK(v.y == 2.0f && add(1, 2) == 3 && built.value == 42);
  int total = 0;
  [[cl::unroll_hint(2)]] for (int i = 0; i < 4; i++) total += i;
  [[cl::ivdep]] for (int i = 0; i < 4; i++) total += i;
  CHECK(total == 12);
  auto twice = [](auto x) { return x + x; };
  CHECK(twice(2.5f) == 5.0f && R"(kernel void raw(int *p) {)"[0] == 'k' && 1'000 == 1000);
}

/* What section 2.9 says is supported, and the examples of section 2.1.2.3. */
template <int n> struct factorial {
  enum { value = n * factorial<n - 1>::value };
};
template <> struct factorial<0> {
  enum { value = 1 };
};
constexpr int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
template <class... T> int count(T... t) { return sizeof...(t); }
struct root { int a = 1; };
struct left : virtual root { int b = 2; };
struct right : virtual root { int c = 4; };
struct both : left, right { int sum() const { return a + b + c; } };

kernel void features(uint *failed, int *data) {
  constexpr int x = fibonacci(10);
  CHECK(factorial<5>::value == 120 && x == 55 && count(1, 2.0f, 'c') == 3);
  both object;
  object.a += data[1];
  CHECK(object.sum() == 8 && static_cast<left &>(object).a == 2);
  auto least = [](auto a, auto b) { return a < b ? a : b; };
  CHECK(least(3, 4) == 3 && 0b101 + 1'000 == 1005 && __OPENCL_CPP_VERSION__ == 100 and not false);
}

kernel void components(uint *failed, int *data) {
  float4 v1 = float4(1.0f, 2.0f, 3.0f, 4.0f), *pv1 = &v1;
  float2 v2 = v1.xz;
  float3 v3 = pv1->s321;
  CHECK(v2.y == 3.0f && v3.x == 4.0f && v3.z == 2.0f);
  (*pv1).rgb = float3(0.0f, 0.5f, 1.0f);
  pv1->lo.hi = 5.0f;
  CHECK(v1.x == 0.0f && v1.y == 5.0f && v1.b == 1.0f && v1.w == 4.0f);
  uint8 u1 = uint8(10, 11, 12, 13, 14, 15, 16, 17), *pu1 = &u1;
  uint4 u2 = u1.s7301;
  uint3 u3 = (&u1)->s246;
  uint2 u5 = pu1->S13, u6 = (*pu1).s0745.even;
  CHECK(u2.x == 17 && u2.w == 11 && u3.z == 16 && u5.y == 13 && u6.x == 10 && u6.y == 14);
}
