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
