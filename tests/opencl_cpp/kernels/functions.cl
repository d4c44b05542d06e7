#include "check.h"
#include <opencl_common>
#include <opencl_convert>
#include <opencl_geometric>
#include <opencl_half>
#include <opencl_integer>
#include <opencl_math>
#include <opencl_math_constants>
#include <opencl_memory>
#include <opencl_reinterpret>
#include <opencl_relational>
#include <opencl_vector_load_store>
using namespace cl;

kernel void math(uint *failed, int *data) {
  float c;
  CHECK(sincos(0.0f, &c) == 0.0f && c == 1.0f);
  CHECK(cl::sqrt(2.25f) == 1.5f && sqrt(float2(4.0f, 9.0f)).y == 3.0f && cl::pow(2.0, 10.0) == 1024.0);
  CHECK(fmax(1.0f, 2.0f) == 2.0f && cl::fabs(-1.5h) == 1.5h && cl::ilogb(8.0f) == 3);
  CHECK(native::sqrt(4.0f) == 2.0f && half_math::recip(4.0f) == 0.25f && native_math::divide(6.0f, 3.0f) == 2.0f);
  CHECK(cl::mad(2.0f, 3.0f, 4.0f) == 10.0f && cl::fma(2.0f, 3.0f, 4.0f) == 10.0f);
  CHECK(clamp(5.0f, 0.0f, 1.0f) == 1.0f && mix(1.0f, 3.0f, 0.5f) == 2.0f && cl::sign(-3.0f) == -1.0f);
  CHECK(dot(float3(1, 2, 3), float3(4, 5, 6)) == 32.0f && cl::length(float2(3.0f, 4.0f)) == 5.0f);
  CHECK(cross(float3(1, 0, 0), float3(0, 1, 0)).z == 1.0f);
  float4 with_nan = cl::normalize(float4(INFINITY, 1, 0, NAN)), infinite = cl::normalize(float4(-INFINITY, 1, 0, 2));
  CHECK(all(isnan(with_nan)) && infinite.x == -1.0f && infinite.y == 0.0f && all(isnan(cl::normalize(double2(NAN, 1)))));
  CHECK(pi_v<float> == 3.14159274f && math_constants<double>::e() == 2.718281828459045);
  CHECK(sqrt2_v<float4>.w == 1.41421354f && ln2_v<half> == 0.69335938h);
  fp16 h = 1.5f;
  h += fp16(2.0f);
  CHECK((float)h == 3.5f && h > fp16(3.0f) && (float)h++ == 3.5f && (double)h == 4.5 && (bool)h);
}

kernel void integers(uint *failed, int *data) {
  CHECK(clz(1) == 31 && ctz(8u) == 3 && cl::popcount((uchar)255) == 8 && rotate(0x80000001u, 1u) == 3u);
  CHECK(cl::upsample((short)1, (ushort)2) == 65538 && add_sat(INT_MAX, 1) == INT_MAX);
  CHECK(cl::abs(-5) == 5u && max(3, 4) == 4 && cl::min((ulong)3, (ulong)4) == 3 && cl::clamp(7, 1, 5) == 5);
  CHECK(mul24(3, 4) == 12 && cl::mad24(3, 4, 5) == 17 && mul_hi(1 << 30, 8) == 2 && hadd(1, 4) == 2);
  CHECK(max(int4(1, 5, 2, 6), 3).x == 3 && cl::sub_sat((char)-100, (char)100) == -128);
}

kernel void relations(uint *failed, int *data) {
  float4 a = float4(1, 2, 3, 4), b = float4(4, 2, 1, 5);
  bool4 less = isless(a, b), same = a == b;
  CHECK(less.x && !less.y && !less.z && less.w && same.s1 && !same.s0);
  CHECK(any(less) && !all(less) && all(less || !less) && !any(less && same) && any(a < b));
  CHECK((less != same).y && (less ^ less).x == false && less.lo.x && !less.hi.x);
  CHECK(all(bool2(true)) && !all(bool3(true, false, true)) && any(bool8(same, less)));
  float4 s = select(a, b, less), t = select(a, b, a < b);
  CHECK(s.x == 4.0f && s.y == 2.0f && s.z == 3.0f && s.w == 5.0f && all(s == t));
  CHECK(select(1, 2, true) == 2 && select(1.5, 2.5, false) == 1.5 && select((char)1, (char)2, true) == 2);
  float nan_value = nan(0u);
  static_assert(__is_same(decltype(isnan(1.0f)), bool));
  CHECK(isnan(nan_value) && !isequal(nan_value, nan_value) && isunordered(1.0f, nan_value));
  CHECK(isfinite(1.0f) && isinf(INFINITY) && signbit(-0.0f) && isnormal(1.0h) && !isnormal(0.0));
  CHECK(bitselect(0xF0, 0x0F, 0xFF) == 0x0F);
}

kernel void conversions(uint *failed, int *data) {
  short4 s = short4(-5, 100, 300, 7);
  ushort4 u = convert_cast<ushort4, saturate::on>(s);
  CHECK(u.x == 0 && u.z == 300);
  char4 c = convert_cast<char4, saturate::on>(s);
  CHECK(c.x == -5 && c.z == 127);
  float4 f = float4(2.5f, -2.5f, 3.5f, 1e20f);
  int4 rte = convert_cast<int4, rounding_mode::rte>(f), rtz = convert_cast<int4>(f);
  int4 rtp = convert_cast<int4, rounding_mode::rtp, saturate::on>(f);
  CHECK(rte.x == 2 && rte.y == -2 && rte.z == 4 && rtz.x == 2 && rtz.z == 3);
  CHECK(rtp.x == 3 && rtp.y == -2 && rtp.w == INT_MAX);
  CHECK(convert_cast<float>(3) == 3.0f && convert_cast<uchar, saturate::on>(-3) == 0);
  bool4 b = convert_cast<bool4>(int4(0, 256, -1, 0));
  int4 i = convert_cast<int4>(b);
  CHECK(!b.x && b.y && b.z && i.y == 1 && i.w == 0 && convert_cast<bool>(0.25f));
  CHECK(as_type<uint>(1.0f) == 0x3f800000u && as_type<int4>(float4(1.0f)).w == 0x3f800000);
  CHECK(as_type<float3>(float4(1, 2, 3, 4)).z == 3.0f);
}

kernel void memory(uint *failed, global_ptr<int[]> data) {
  int room[16] = {0, 1, 2, 3, 4, 5, 6, 7};
  half halves[16];
  CHECK(vload<4>(1, room).z == 6 && vload<2>(3, data).x == 6);
  vstore(int3(20, 21, 22), 1, room);
  CHECK(room[3] == 20 && room[5] == 22);
  vstore_half(float2(1.5f, 2.5f), 1, halves);
  vstore_half<rounding_mode::rtz>(65519.0f, 0, halves);
  CHECK(vload_half<2>(1, halves).y == 2.5f && vload_half<1>(0, halves) == 65504.0f);
  vstorea_half<rounding_mode::rtp>(float4(1.0f), 2, halves);
  CHECK(vloada_half<4>(2, halves).w == 1.0f);
}

kernel void constructors(uint *failed, int *data) {
  float4 v = float4(1.0f, float2(2.0f, 3.0f), 4.0f);
  uint4 u = uint4(1);
  CHECK(v.w == 4.0f && v.y == 2.0f && u.w == 1u && float4(v.xy, v.zw).z == 3.0f);
  CHECK(int2().y == 0 && double2(0.5).x == 0.5 && (short8(3).s7) == 3);
}
