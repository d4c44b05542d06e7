/* Every overload of sections 3.17 to 3.22 is there and has the type that the specification gives it;
 * what it answers is the built-in function's, which tests/builtins checks. */
#include "check.h"
#include <opencl_common>
#include <opencl_convert>
#include <opencl_geometric>
#include <opencl_integer>
#include <opencl_math>
#include <opencl_reinterpret>
#include <opencl_relational>
#include <opencl_type_traits>
#include <opencl_vector_load_store>
#include <opencl_work_group>

#define IS(R, ...) static_assert(cl::is_same<decltype(__VA_ARGS__), R>::value, #__VA_ARGS__);
#define VALUE(T)   cl::declval<T>()
#define PLACE(T)   cl::declval<T *>()

#define F1(T, f) IS(T, cl::f(VALUE(T)))
#define F2(T, f) IS(T, cl::f(VALUE(T), VALUE(T)))
#define F3(T, f) IS(T, cl::f(VALUE(T), VALUE(T), VALUE(T)))

/* A floating-point type, the int, the unsigned code of its nan and the bool of its width. */
#define FLOATING(T, I, U, B)                                                                       \
  F1(T, acos) F1(T, acosh) F1(T, acospi) F1(T, asin) F1(T, asinh) F1(T, asinpi) F1(T, atan)        \
  F1(T, atanh) F1(T, atanpi) F2(T, atan2) F2(T, atan2pi) F1(T, cos) F1(T, cosh) F1(T, cospi)       \
  F1(T, sin) F1(T, sinh) F1(T, sinpi) F1(T, tan) F1(T, tanh) F1(T, tanpi) F1(T, cbrt) F2(T, pow)   \
  F2(T, powr) F1(T, rsqrt) F1(T, sqrt) F1(T, lgamma) F1(T, log) F1(T, logb) F1(T, log2)            \
  F1(T, log10) F1(T, log1p) F1(T, exp) F1(T, expm1) F1(T, exp2) F1(T, exp10) F1(T, ceil)           \
  F2(T, copysign) F1(T, floor) F3(T, fma) F2(T, fmod) F2(T, nextafter) F2(T, remainder) F1(T, rint) \
  F1(T, round) F1(T, trunc) F2(T, fdim) F2(T, fmax) F2(T, fmin) F2(T, maxmag) F2(T, minmag)        \
  F1(T, erf) F1(T, erfc) F1(T, fabs) F2(T, hypot) F3(T, mad) F1(T, tgamma)                         \
  IS(T, cl::sincos(VALUE(T), PLACE(T))) IS(T, cl::fract(VALUE(T), PLACE(T)))                       \
  IS(T, cl::modf(VALUE(T), PLACE(T))) IS(T, cl::lgamma_r(VALUE(T), PLACE(I)))                      \
  IS(T, cl::frexp(VALUE(T), PLACE(I))) IS(T, cl::remquo(VALUE(T), VALUE(T), PLACE(I)))             \
  IS(T, cl::pown(VALUE(T), VALUE(I))) IS(T, cl::rootn(VALUE(T), VALUE(I)))                         \
  IS(T, cl::ldexp(VALUE(T), VALUE(I))) IS(I, cl::ilogb(VALUE(T))) IS(T, cl::nan(VALUE(U)))         \
  F3(T, clamp) F1(T, degrees) F2(T, max) F2(T, min) F3(T, mix) F1(T, radians) F2(T, step)          \
  F3(T, smoothstep) F1(T, sign)                                                                    \
  IS(B, cl::isequal(VALUE(T), VALUE(T))) IS(B, cl::isnotequal(VALUE(T), VALUE(T)))                 \
  IS(B, cl::isgreater(VALUE(T), VALUE(T))) IS(B, cl::isgreaterequal(VALUE(T), VALUE(T)))           \
  IS(B, cl::isless(VALUE(T), VALUE(T))) IS(B, cl::islessequal(VALUE(T), VALUE(T)))                 \
  IS(B, cl::islessgreater(VALUE(T), VALUE(T))) IS(B, cl::isordered(VALUE(T), VALUE(T)))            \
  IS(B, cl::isunordered(VALUE(T), VALUE(T))) IS(B, cl::isfinite(VALUE(T)))                         \
  IS(B, cl::isinf(VALUE(T))) IS(B, cl::isnan(VALUE(T))) IS(B, cl::isnormal(VALUE(T)))              \
  IS(B, cl::signbit(VALUE(T)))
#define FLOATINGS(n)                                                                               \
  FLOATING(half##n, int##n, ushort##n, bool##n)                                                    \
  FLOATING(float##n, int##n, uint##n, bool##n) FLOATING(double##n, int##n, ulong##n, bool##n)
FLOATINGS() FLOATINGS(2) FLOATINGS(3) FLOATINGS(4) FLOATINGS(8) FLOATINGS(16)

#define NATIVE(T)                                                                                  \
  F1(T, cos) F1(T, exp) F1(T, exp2) F1(T, exp10) F1(T, log) F1(T, log2) F1(T, log10) F1(T, recip)  \
  F1(T, rsqrt) F1(T, sin) F1(T, sqrt) F1(T, tan) F2(T, divide) F2(T, powr)
namespace native_functions {
namespace cl {
using namespace ::cl::native;
using ::cl::declval;
using ::cl::is_same;
}
NATIVE(float) NATIVE(float2) NATIVE(float3) NATIVE(float4) NATIVE(float8) NATIVE(float16)
}
namespace half_functions {
namespace cl {
using namespace ::cl::half_math;
using ::cl::declval;
using ::cl::is_same;
}
NATIVE(float) NATIVE(float2) NATIVE(float3) NATIVE(float4) NATIVE(float8) NATIVE(float16)
}

#define GEOMETRIC(T, n)                                                                            \
  F1(T##n, normalize) IS(T, cl::dot(VALUE(T##n), VALUE(T##n)))                                     \
  IS(T, cl::distance(VALUE(T##n), VALUE(T##n))) IS(T, cl::length(VALUE(T##n)))
#define FAST(n)                                                                                    \
  F1(float##n, fast_normalize) IS(float, cl::fast_length(VALUE(float##n)))                         \
  IS(float, cl::fast_distance(VALUE(float##n), VALUE(float##n)))
#define GEOMETRICS(T)                                                                              \
  GEOMETRIC(T, ) GEOMETRIC(T, 2) GEOMETRIC(T, 3) GEOMETRIC(T, 4) F2(T##3, cross) F2(T##4, cross)
GEOMETRICS(half) GEOMETRICS(float) GEOMETRICS(double) FAST() FAST(2) FAST(3) FAST(4)

/* An integer type, its unsigned one and its component's. */
#define INTEGER(T, U, S)                                                                           \
  F1(T, clz) F1(T, ctz) F1(T, popcount) F2(T, rotate) IS(U, cl::abs(VALUE(T)))                     \
  IS(U, cl::abs_diff(VALUE(T), VALUE(T))) F2(T, add_sat) F2(T, hadd) F2(T, rhadd) F3(T, clamp)     \
  F3(T, mad_hi) F3(T, mad_sat) F2(T, max) F2(T, min) F2(T, mul_hi) F2(T, sub_sat)                  \
  IS(T, cl::clamp(VALUE(T), VALUE(S), VALUE(S))) IS(T, cl::max(VALUE(T), VALUE(S)))                \
  IS(T, cl::min(VALUE(T), VALUE(S)))
#define ANY(T, B) F3(T, bitselect) IS(T, cl::select(VALUE(T), VALUE(T), VALUE(B)))
#define UPSAMPLE(R, H, L) IS(R, cl::upsample(VALUE(H), VALUE(L)))
#define INTEGERS(n)                                                                                \
  INTEGER(char##n, uchar##n, char) INTEGER(uchar##n, uchar##n, uchar)                              \
  INTEGER(short##n, ushort##n, short) INTEGER(ushort##n, ushort##n, ushort)                        \
  INTEGER(int##n, uint##n, int) INTEGER(uint##n, uint##n, uint)                                    \
  INTEGER(long##n, ulong##n, long) INTEGER(ulong##n, ulong##n, ulong)                              \
  ANY(char##n, bool##n) ANY(uchar##n, bool##n) ANY(short##n, bool##n) ANY(ushort##n, bool##n)      \
  ANY(int##n, bool##n) ANY(uint##n, bool##n) ANY(long##n, bool##n) ANY(ulong##n, bool##n)          \
  ANY(half##n, bool##n) ANY(float##n, bool##n) ANY(double##n, bool##n)                             \
  UPSAMPLE(short##n, char##n, uchar##n) UPSAMPLE(ushort##n, uchar##n, uchar##n)                    \
  UPSAMPLE(int##n, short##n, ushort##n) UPSAMPLE(uint##n, ushort##n, ushort##n)                    \
  UPSAMPLE(long##n, int##n, uint##n) UPSAMPLE(ulong##n, uint##n, uint##n)                          \
  F3(int##n, mad24) F3(uint##n, mad24) F2(int##n, mul24) F2(uint##n, mul24)                        \
  IS(bool, cl::any(VALUE(bool##n))) IS(bool, cl::all(VALUE(bool##n)))
INTEGERS() INTEGERS(2) INTEGERS(3) INTEGERS(4) INTEGERS(8) INTEGERS(16)

/* The forms of convert_cast, and loads and stores. */
#define CONVERT(T, U)                                                                              \
  IS(T, cl::convert_cast<T>(VALUE(U))) IS(T, cl::convert_cast<T>(VALUE(T)))                        \
  IS(T, cl::convert_cast<T, cl::rounding_mode::rtp>(VALUE(U)))
#define SATURATE(T, U)                                                                             \
  CONVERT(T, U) IS(T, cl::convert_cast<T, cl::saturate::on>(VALUE(U)))                             \
  IS(T, cl::convert_cast<T, cl::rounding_mode::rte, cl::saturate::on>(VALUE(U)))                   \
  IS(T, cl::convert_cast<T, cl::rounding_mode::rtn, cl::saturate::off>(VALUE(T)))
#define CONVERTS(n)                                                                                \
  CONVERT(float##n, int##n) CONVERT(half##n, double##n) CONVERT(double##n, ulong##n)               \
  SATURATE(char##n, float##n) SATURATE(ulong##n, half##n) SATURATE(uint##n, short##n)              \
  IS(int##n, cl::convert_cast<int##n>(VALUE(bool##n)))                                             \
  IS(bool##n, cl::convert_cast<bool##n>(VALUE(int##n)))
CONVERTS() CONVERTS(2) CONVERTS(3) CONVERTS(4) CONVERTS(8) CONVERTS(16)
#define LOAD(T, n)                                                                                 \
  IS(T##n, cl::vload<n>(1, PLACE(const T))) IS(T##n, cl::vload<n>(1, VALUE(cl::constant_ptr<T>)))  \
  IS(void, cl::vstore(VALUE(T##n), 1, PLACE(T)))
#define LOADS(n)                                                                                   \
  LOAD(char, n) LOAD(uchar, n) LOAD(short, n) LOAD(ushort, n) LOAD(int, n) LOAD(uint, n)           \
  LOAD(long, n) LOAD(ulong, n) LOAD(half, n) LOAD(float, n) LOAD(double, n)                        \
  IS(float##n, cl::vload_half<n>(1, PLACE(const half)))                                            \
  IS(float##n, cl::vload_half<n>(1, VALUE(cl::constant_ptr<half>)))                                \
  IS(float##n, cl::vloada_half<n>(1, PLACE(const half)))                                           \
  IS(float##n, cl::vloada_half<n>(1, VALUE(cl::constant_ptr<half>)))                               \
  IS(void, cl::vstore_half(VALUE(float##n), 1, PLACE(half)))                                       \
  IS(void, cl::vstore_half<cl::rounding_mode::rtz>(VALUE(double##n), 1, PLACE(half)))              \
  IS(void, cl::vstorea_half(VALUE(double##n), 1, PLACE(half)))                                     \
  IS(void, cl::vstorea_half<cl::rounding_mode::rtn>(VALUE(float##n), 1, PLACE(half)))
LOADS(2) LOADS(3) LOADS(4) LOADS(8) LOADS(16)
IS(float, cl::vload_half<1>(1, PLACE(const half)))
IS(void, cl::vstore_half(1.0, 1, PLACE(half)))

/* Section 3.15. */
#define GROUP(T, scope)                                                                            \
  IS(T, cl::scope##_reduce<cl::work_group_op::add>(VALUE(T)))                                      \
  IS(T, cl::scope##_scan_exclusive<cl::work_group_op::min>(VALUE(T)))                              \
  IS(T, cl::scope##_scan_inclusive<cl::work_group_op::max>(VALUE(T)))
#define GROUPS(T)                                                                                  \
  GROUP(T, work_group) GROUP(T, sub_group) IS(T, cl::work_group_broadcast(VALUE(T), 1))            \
  IS(T, cl::work_group_broadcast(VALUE(T), 1, 2))                                                  \
  IS(T, cl::work_group_broadcast(VALUE(T), 1, 2, 3)) IS(T, cl::sub_group_broadcast(VALUE(T), 1))
GROUPS(int) GROUPS(uint) GROUPS(long) GROUPS(ulong) GROUPS(half) GROUPS(float) GROUPS(double)
IS(bool, cl::work_group_all(1)) IS(bool, cl::work_group_any(true)) IS(bool, cl::sub_group_all(true))
IS(bool, cl::sub_group_any(true))

/* Section 3.14. */
#define ID(f) IS(size_t, cl::f(0u)) IS(size_t, cl::f(1))
ID(get_global_size) ID(get_global_id) ID(get_local_size) ID(get_enqueued_local_size) ID(get_local_id)
ID(get_num_groups) ID(get_group_id) ID(get_global_offset) IS(uint, cl::get_work_dim())
IS(size_t, cl::get_global_linear_id()) IS(size_t, cl::get_local_linear_id())
IS(size_t, cl::get_sub_group_size()) IS(size_t, cl::get_max_sub_group_size())
IS(size_t, cl::get_num_sub_groups()) IS(size_t, cl::get_enqueued_num_sub_groups())
IS(size_t, cl::get_sub_group_id()) IS(size_t, cl::get_sub_group_local_id())

kernel void overloads(uint *failed, int *data) {}
