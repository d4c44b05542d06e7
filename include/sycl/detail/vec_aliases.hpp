/* int4, float16 and so on, and the scalar types of namespace opencl. */
#ifndef SYCL_DETAIL_VEC_ALIASES_HPP
#define SYCL_DETAIL_VEC_ALIASES_HPP

#include <cstddef>
#include <cstdint>

namespace sycl {

using byte = std::uint8_t;
using schar = signed char;
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using longlong = long long;
using ulonglong = unsigned long long;

#define SYCL_VEC_ALIASES(type, name)                                                               \
  using name##2 = vec<type, 2>;                                                                    \
  using name##3 = vec<type, 3>;                                                                    \
  using name##4 = vec<type, 4>;                                                                    \
  using name##8 = vec<type, 8>;                                                                    \
  using name##16 = vec<type, 16>;
SYCL_VEC_ALIASES(std::int8_t, char)
SYCL_VEC_ALIASES(std::int8_t, schar)
SYCL_VEC_ALIASES(std::uint8_t, uchar)
SYCL_VEC_ALIASES(std::int16_t, short)
SYCL_VEC_ALIASES(std::uint16_t, ushort)
SYCL_VEC_ALIASES(std::int32_t, int)
SYCL_VEC_ALIASES(std::uint32_t, uint)
SYCL_VEC_ALIASES(std::int64_t, long)
SYCL_VEC_ALIASES(std::uint64_t, ulong)
SYCL_VEC_ALIASES(long long, longlong)
SYCL_VEC_ALIASES(unsigned long long, ulonglong)
SYCL_VEC_ALIASES(half, half)
SYCL_VEC_ALIASES(float, float)
SYCL_VEC_ALIASES(double, double)
/* Of SYCL 1.2.1. */
SYCL_VEC_ALIASES(std::int8_t, cl_char)
SYCL_VEC_ALIASES(std::uint8_t, cl_uchar)
SYCL_VEC_ALIASES(std::int16_t, cl_short)
SYCL_VEC_ALIASES(std::uint16_t, cl_ushort)
SYCL_VEC_ALIASES(std::int32_t, cl_int)
SYCL_VEC_ALIASES(std::uint32_t, cl_uint)
SYCL_VEC_ALIASES(std::int64_t, cl_long)
SYCL_VEC_ALIASES(std::uint64_t, cl_ulong)
SYCL_VEC_ALIASES(half, cl_half)
SYCL_VEC_ALIASES(float, cl_float)
SYCL_VEC_ALIASES(double, cl_double)
#undef SYCL_VEC_ALIASES

namespace opencl {
using cl_bool = bool;
using cl_char = std::int8_t;
using cl_uchar = std::uint8_t;
using cl_short = std::int16_t;
using cl_ushort = std::uint16_t;
using cl_int = std::int32_t;
using cl_uint = std::uint32_t;
using cl_long = std::int64_t;
using cl_ulong = std::uint64_t;
using cl_half = half;
using cl_float = float;
using cl_double = double;
} // namespace opencl

} // namespace sycl

#endif
