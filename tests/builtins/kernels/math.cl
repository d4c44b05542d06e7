/* Each math function on scalars and on vectors, of T and width N (options of the build). */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define CAT(a, b) CAT_(a, b)
#define CAT_(a, b) a##b
#define TN CAT(T, N)
#define INTN CAT(int, N)
#define LOAD(p) CAT(vload, N)(i, p)
#define STORE(x, p) CAT(vstore, N)(x, i, p)
#define I size_t i = get_global_id(0);

#define MATH_1(f, ...) \
  kernel void scalar_##f(global T *out, global const T *a) { I out[i] = f(a[i]); } \
  kernel void vector_##f(global T *out, global const T *a) { I STORE(f(LOAD(a)), out); }
#define MATH_2(f, ...) \
  kernel void scalar_##f(global T *out, global const T *a, global const T *b) { I out[i] = f(a[i], b[i]); } \
  kernel void vector_##f(global T *out, global const T *a, global const T *b) { I STORE(f(LOAD(a), LOAD(b)), out); }
#define MATH_3(f, ...) \
  kernel void scalar_##f(global T *out, global const T *a, global const T *b, global const T *c) { \
    I out[i] = f(a[i], b[i], c[i]); \
  } \
  kernel void vector_##f(global T *out, global const T *a, global const T *b, global const T *c) { \
    I STORE(f(LOAD(a), LOAD(b), LOAD(c)), out); \
  }
#define MATH_INT(f, ...) \
  kernel void scalar_##f(global T *out, global const T *a, global const int *b) { I out[i] = f(a[i], b[i]); } \
  kernel void vector_##f(global T *out, global const T *a, global const int *b) { I STORE(f(LOAD(a), LOAD(b)), out); }
#define MATH_OUT(f, reference, ulp, U, ...) \
  kernel void scalar_##f(global T *out, global U *second, global const T *a) { \
    I U u; \
    out[i] = f(a[i], &u); \
    second[i] = u; \
  } \
  kernel void vector_##f(global T *out, global U *second, global const T *a) { \
    I CAT(U, N) u; \
    STORE(f(LOAD(a), &u), out); \
    STORE(u, second); \
  }
#define MATH_OUT_2(f, reference, ulp, U, ...) \
  kernel void scalar_##f(global T *out, global U *second, global const T *a, global const T *b) { \
    I U u; \
    out[i] = f(a[i], b[i], &u); \
    second[i] = u; \
  } \
  kernel void vector_##f(global T *out, global U *second, global const T *a, global const T *b) { \
    I CAT(U, N) u; \
    STORE(f(LOAD(a), LOAD(b), &u), out); \
    STORE(u, second); \
  }
#include "math.def"
