/* Common functions (OpenCL C 3.0, 6.15.4) and the min, max and clamp of floating point. */
#include "value.h"

/* fmin(fmax(a, low), high), of NaN too: a number if there is one.  With bounds that are known LLVM finds
 * two instructions.  Comparisons of half are of float: one conversion on each side. */
#define CLAMP(n, T) \
  MPL_VALUE T##n clamp(T##n a, T##n low, T##n high) { \
    return __builtin_elementwise_min(__builtin_elementwise_max(a, low), high); \
  }
MPL_WIDTHS(CLAMP, half)
MPL_WIDTHS(CLAMP, float)
MPL_WIDTHS(CLAMP, double)

#define ON_VECTORS(n, T) \
  MPL_VALUE T##n max(T##n a, T##n b) { return a < b ? b : a; } \
  MPL_VALUE T##n min(T##n a, T##n b) { return b < a ? b : a; } \
  MPL_VALUE T##n degrees(T##n a) { return a * (T)57.29577951308232087680; } \
  MPL_VALUE T##n radians(T##n a) { return a * (T)0.01745329251994329577; } \
  MPL_VALUE T##n mix(T##n a, T##n b, T##n t) { return a + (b - a) * t; } \
  MPL_VALUE T##n step(T##n edge, T##n a) { return a < edge ? (T##n)0 : (T##n)1; } \
  MPL_VALUE T##n smoothstep(T##n low, T##n high, T##n a) { \
    T##n t = clamp((a - low) / (high - low), (T##n)0, (T##n)1); \
    return t * t * ((T)3 - (T)2 * t); \
  } \
  MPL_VALUE T##n sign(T##n a) { \
    T##n one = __builtin_elementwise_copysign((T##n)1, a); \
    return a != a ? (T##n)0 : a == (T##n)0 ? a : one; \
  }
#define WITH_SCALAR(n, T) \
  MPL_VALUE T##n max(T##n a, T b) { return max(a, (T##n)b); } \
  MPL_VALUE T##n min(T##n a, T b) { return min(a, (T##n)b); } \
  MPL_VALUE T##n clamp(T##n a, T low, T high) { return clamp(a, (T##n)low, (T##n)high); } \
  MPL_VALUE T##n mix(T##n a, T##n b, T t) { return mix(a, b, (T##n)t); } \
  MPL_VALUE T##n step(T edge, T##n a) { return step((T##n)edge, a); } \
  MPL_VALUE T##n smoothstep(T low, T high, T##n a) { return smoothstep((T##n)low, (T##n)high, a); }

#define COMMON(T, ...) MPL_WIDTHS(ON_VECTORS, T) MPL_VECTOR_WIDTHS(WITH_SCALAR, T)
MPL_FLOAT_TYPES(COMMON)
