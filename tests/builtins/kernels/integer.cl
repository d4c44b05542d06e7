/* Each integer function on scalars and on vectors, of T, its unsigned U, width N. */
#define CAT(a, b) CAT_(a, b)
#define CAT_(a, b) a##b
#define LOAD(p) CAT(vload, N)(i, p)
#define STORE(x, p) CAT(vstore, N)(x, i, p)
#define AS(x) CAT(as_, CAT(U, N))(x)
#define AS_1(x) CAT(as_, U)(x)
#define I size_t i = get_global_id(0);
#define INT_1(f, ...) \
  kernel void scalar_##f(global U *out, global const T *a) { I out[i] = AS_1(f(a[i])); } \
  kernel void vector_##f(global U *out, global const T *a) { I STORE(AS(f(LOAD(a))), out); }
#define INT_2(f, ...) \
  kernel void scalar_##f(global U *out, global const T *a, global const T *b) { \
    I out[i] = AS_1(f(a[i], b[i])); \
  } \
  kernel void vector_##f(global U *out, global const T *a, global const T *b) { \
    I STORE(AS(f(LOAD(a), LOAD(b))), out); \
  }
#define INT_3(f, ...) \
  kernel void scalar_##f(global U *out, global const T *a, global const T *b, global const T *c) { \
    I out[i] = AS_1(f(a[i], b[i], c[i])); \
  } \
  kernel void vector_##f(global U *out, global const T *a, global const T *b, global const T *c) { \
    I STORE(AS(f(LOAD(a), LOAD(b), LOAD(c))), out); \
  }
#define PLACE(z) \
  uint offset = AS_1(z) % (8 * sizeof(T)), count = AS_1(z) / (8 * sizeof(T)) % (8 * sizeof(T) - offset + 1);
#define FIELD(f, args, ...) \
  kernel void scalar_##f(global U *out, global const T *a, global const T *b, global const T *c) { \
    I T x = a[i], y = b[i]; \
    PLACE(c[i]) \
    out[i] = AS_1(f args); \
  } \
  kernel void vector_##f(global U *out, global const T *a, global const T *b, global const T *c) { \
    I CAT(T, N) x = LOAD(a), y = LOAD(b); \
    PLACE(c[i * N]) \
    STORE(AS(f args), out); \
  }
#include "integer.def"
