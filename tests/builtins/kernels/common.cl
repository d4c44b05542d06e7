/* Common functions on scalars, on vectors, and on scalars beside vectors, of T and width N. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define CAT(a, b) CAT_(a, b)
#define CAT_(a, b) a##b
#define TN CAT(T, N)
#define STORE(x) CAT(vstore, N)(x, i, out)
#define I size_t i = get_global_id(0);
#define V(p) CAT(vload, N)(i, p)
#define S(p) p[i * N]
#define IN(p) global const T *p

__attribute__((overloadable)) T clamp_unit(T x) { return clamp(x, (T)0, (T)1); }
__attribute__((overloadable)) TN clamp_unit(TN x) { return clamp(x, (T)0, (T)1); }
__attribute__((overloadable)) T clamp_nan(T x) { return clamp(x, (T)2, (T)NAN); }
__attribute__((overloadable)) TN clamp_nan(TN x) { return clamp(x, (TN)2, (TN)NAN); }
__attribute__((overloadable)) T clamp_low(T x) { return clamp(x, (T)NAN, (T)2); }
__attribute__((overloadable)) TN clamp_low(TN x) { return clamp(x, (T)NAN, (T)2); }
__attribute__((overloadable)) T smooth_unit(T x) { return smoothstep((T)0, (T)1, x); }
__attribute__((overloadable)) TN smooth_unit(TN x) { return smoothstep((T)0, (T)1, x); }

#define COMMON_1(f, ...) \
  kernel void scalar_##f(global T *out, IN(a)) { I out[i] = f(a[i]); } \
  kernel void vector_##f(global T *out, IN(a)) { I STORE(f(V(a))); }
#define COMMON_2(f, P, Q, ...) \
  kernel void scalar_##f(global T *out, IN(a), IN(b)) { I out[i] = f(a[i], b[i]); } \
  kernel void vector_##f(global T *out, IN(a), IN(b)) { I STORE(f(V(a), V(b))); } \
  kernel void mixed_##f(global T *out, IN(a), IN(b)) { I STORE(f(P(a), Q(b))); }
#define COMMON_3(f, P, Q, R, ...) \
  kernel void scalar_##f(global T *out, IN(a), IN(b), IN(c)) { I out[i] = f(a[i], b[i], c[i]); } \
  kernel void vector_##f(global T *out, IN(a), IN(b), IN(c)) { I STORE(f(V(a), V(b), V(c))); } \
  kernel void mixed_##f(global T *out, IN(a), IN(b), IN(c)) { I STORE(f(P(a), Q(b), R(c))); }
#include "common.def"
