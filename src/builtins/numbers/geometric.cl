/* Geometric functions (OpenCL C 3.0, 6.15.5). */
#include "value.h"

#define CROSS(T) \
  MPL_VALUE T##3 cross(T##3 a, T##3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; } \
  MPL_VALUE T##4 cross(T##4 a, T##4 b) { return (T##4)(cross(a.xyz, b.xyz), (T)0); }

#define DOT(T) \
  MPL_VALUE T dot(T a, T b) { return a * b; } \
  MPL_VALUE T dot(T##2 a, T##2 b) { return a.x * b.x + a.y * b.y; } \
  MPL_VALUE T dot(T##3 a, T##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; } \
  MPL_VALUE T dot(T##4 a, T##4 b) { return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w); } \
  MPL_HELPER T largest(T a) { return __builtin_elementwise_abs(a); } \
  MPL_HELPER T largest(T##2 a) { return __builtin_elementwise_max(largest(a.x), largest(a.y)); } \
  MPL_HELPER T largest(T##3 a) { return __builtin_elementwise_max(largest(a.xy), largest(a.z)); } \
  MPL_HELPER T largest(T##4 a) { return __builtin_elementwise_max(largest(a.xy), largest(a.zw)); }

/* Squares must not overflow or vanish: elements are scaled by a power of two that brings the
 * largest near 1.  A power of two is its exponent field; `scale` is that of the largest element,
 * held off the ends so that its inverse is a normal number, and `unscale` the inverse. */
#define SCALE(T, U, exponent_mask, lowest, highest, inverse) \
  MPL_HELPER T power_of_two(T a) { \
    U e = __builtin_astype(a, U) & exponent_mask; \
    e = e < lowest ? lowest : e > highest ? highest : e; \
    return __builtin_astype(e, T); \
  } \
  MPL_HELPER T inverse_power(T a) { \
    U bits = inverse - __builtin_astype(a, U); \
    return __builtin_astype(bits, T); \
  }
SCALE(float, uint, 0x7f800000u, 0x00800000u, 0x7e000000u, 0x7f000000u)
SCALE(double, ulong, 0x7ff0000000000000ul, 0x0010000000000000ul, 0x7fc0000000000000ul, 0x7fe0000000000000ul)

#define LENGTHS(n, T) \
  MPL_VALUE T length(T##n a) { \
    T scale = power_of_two(largest(a)); \
    T##n b = a * inverse_power(scale); \
    return __builtin_elementwise_sqrt(dot(b, b)) * scale; \
  } \
  MPL_VALUE T##n normalize(T##n a) { \
    T##n infinite = __builtin_elementwise_abs(a) == (T##n)INFINITY \
      ? __builtin_elementwise_copysign((T##n)1, a) : a * (T)0; \
    T top = largest(a); \
    a = top == (T)INFINITY ? infinite : a; \
    T##n b = a * inverse_power(power_of_two(largest(a))); \
    T##n unit = b / __builtin_elementwise_sqrt(dot(b, b)); \
    return top == (T)0 ? a : unit; \
  } \
  MPL_VALUE T distance(T##n a, T##n b) { return length(a - b); } \
  MPL_VALUE T fast_length(T##n a) { return __builtin_elementwise_sqrt(dot(a, a)); } \
  MPL_VALUE T fast_distance(T##n a, T##n b) { return fast_length(a - b); } \
  MPL_VALUE T##n fast_normalize(T##n a) { \
    T square = dot(a, a); \
    return square == (T)0 ? a : a * ((T)1 / __builtin_elementwise_sqrt(square)); \
  }

/* half: through float, where nothing can overflow. */
#define HALF_LENGTHS(n, T) \
  MPL_VALUE half length(half##n a) { return (half)fast_length(MPL_CONVERT(float, n, a)); } \
  MPL_VALUE half##n normalize(half##n a) { \
    return MPL_CONVERT(half, n, normalize(MPL_CONVERT(float, n, a))); \
  } \
  MPL_VALUE half distance(half##n a, half##n b) { \
    return (half)fast_length(MPL_CONVERT(float, n, a) - MPL_CONVERT(float, n, b)); \
  }

#define WIDTHS(X, T) X(, T) X(2, T) X(3, T) X(4, T)
CROSS(half) CROSS(float) CROSS(double)
DOT(float) DOT(double)
WIDTHS(LENGTHS, float)
WIDTHS(LENGTHS, double)
#define HALF_DOT(n, T) \
  MPL_VALUE half dot(half##n a, half##n b) { \
    return (half)dot(MPL_CONVERT(float, n, a), MPL_CONVERT(float, n, b)); \
  }
WIDTHS(HALF_DOT, half)
WIDTHS(HALF_LENGTHS, half)
