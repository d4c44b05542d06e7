/* The specification's functions are overloads for the types that they name: what converts to one of
 * these, wherever it is, is an argument.  Groups of 8. */
#include "check.h"
#include <opencl_atomic>
#include <opencl_common>
#include <opencl_convert>
#include <opencl_integer>
#include <opencl_math>
#include <opencl_memory>
#include <opencl_relational>
#include <opencl_work_group>
#include <opencl_work_item>
using namespace cl;

enum colour { red = 1, green = 2 };
enum wide : ulong { far = 1ul << 40 };
struct number {
  int v;
  operator int() const { return v; }
};
struct real {
  float v;
  operator float() const { return v; }
};
struct small {
  char v;
  operator char() const { return v; }
};
constant<int> seven = {7};
constant<float> quarter = {0.25f};
#define SAME(T, ...) static_assert(__is_same(decltype(__VA_ARGS__), T))
#define OP(name) work_group_op::name

kernel void check(uint *failed, int *data) {
  local<int> three;
  local<atomic<int>> shared;
  priv<float> half_of_it = {0.5f};
  priv<ulong> large = {1ul << 40};
  atomic<int> own{5};
  atomic<float> eighth{0.125f};
  number four{4};
  real two{2.0f};
  small nine{9};
  int4 vector = (int4)(1, 2, 3, 4);
  size_t i = get_local_id(0);
  if (i == 0) {
    three = 3;
    shared = 6;
  }
  work_group_barrier(mem_fence::local);

  SAME(int, cl::work_group_reduce<OP(add)>(three));
  SAME(int, cl::work_group_reduce<OP(add)>(nine));
  SAME(int, cl::work_group_reduce<OP(add)>(green));
  SAME(ulong, cl::work_group_reduce<OP(add)>(far));
  SAME(ulong, cl::work_group_reduce<OP(add)>(large));
  SAME(float, cl::work_group_reduce<OP(add)>(two));
  CHECK(work_group_reduce<OP(add)>(three) == 24 && work_group_reduce<OP(add)>(shared) == 48);
  CHECK(work_group_reduce<OP(add)>(half_of_it) == 4 && work_group_reduce<OP(add)>(own) == 40);
  CHECK(work_group_reduce<OP(max)>(four) == 4 && work_group_reduce<OP(min)>(two) == 2);
  CHECK(work_group_reduce<OP(add)>(nine) == 72 && work_group_reduce<OP(add)>(green) == 16);
  CHECK(work_group_reduce<OP(add)>(far) == 1ul << 43 && work_group_reduce<OP(max)>(large) == 1ul << 40);
  CHECK(work_group_reduce<OP(add)>(seven) == 56 && work_group_reduce<OP(add)>(quarter) == 2);
  CHECK(work_group_reduce<OP(add)>(vector.z) == 24);
  CHECK(work_group_scan_inclusive<OP(add)>(three) == 3 * (int)(i + 1));
  CHECK(work_group_scan_exclusive<OP(add)>(own) == 5 * (int)i);
  CHECK(cl::work_group_broadcast(three, 7) == 3 && cl::work_group_broadcast(shared, four, 0) == 6);
  CHECK(work_group_broadcast(seven, red) == 7 && work_group_broadcast(own, three, 0, 0) == 5);
  CHECK(work_group_all(three) && work_group_any(own) && !work_group_any(number{0}));

  SAME(int, cl::max(own, 3));
  SAME(float, cl::sqrt(two));
  CHECK(max(three, 1) == 3 && max(own, seven) == 7 && cl::min(shared, own) == 5);
  CHECK(clamp(four, 0, three) == 3 && min(green, red) == 1 && cl::abs(nine) == 9);
  CHECK(cl::max(vector.y, 1) == 2 && cl::max(vector.hi, vector.x).y == 4 && mul24(seven, three) == 21 && popcount(seven) == 3);
  CHECK(sqrt(quarter) == 0.5f && fmax(two, eighth) == 2 && cl::fmin(half_of_it, quarter) == 0.25f);
  CHECK(!isnan(eighth) && isless(eighth, quarter) && isequal(two, 2.0f) && isgreater(1.0f, eighth));
  SAME(bool, isnan(two));
  CHECK(convert_cast<float>(three) == 3 && convert_cast<int>(four) == 4 && convert_cast<uint>(green) == 2);
}
