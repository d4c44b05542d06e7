/* Relational functions of T, whose integer of the same size is S, unsigned U; vectors of width N. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define CAT(a, b) CAT_(a, b)
#define CAT_(a, b) a##b
#define TN CAT(T, N)
#define SN CAT(S, N)
#define LOAD(p) CAT(vload, N)(i, p)
#define STORE(x, p) CAT(vstore, N)(x, i, p)
#define I size_t i = get_global_id(0);
#define RELATION_1(f, ...) \
  kernel void scalar_##f(global S *out, global const T *a) { I int r = f(a[i]); out[i] = (S)r; } \
  kernel void vector_##f(global S *out, global const T *a) { I SN r = f(LOAD(a)); STORE(r, out); }
#define RELATION_2(f, ...) \
  kernel void scalar_##f(global S *out, global const T *a, global const T *b) { \
    I int r = f(a[i], b[i]); \
    out[i] = (S)r; \
  } \
  kernel void vector_##f(global S *out, global const T *a, global const T *b) { \
    I SN r = f(LOAD(a), LOAD(b)); \
    STORE(r, out); \
  }
#include "relational.def"

/* Choices: by the sign of c, by its bits; and the votes over the signs of c's elements. */
kernel void select_signed(global T *out, global const T *a, global const T *b, global const S *c) {
  I STORE(select(LOAD(a), LOAD(b), LOAD(c)), out);
}
kernel void select_unsigned(global T *out, global const T *a, global const T *b, global const S *c) {
  I STORE(select(LOAD(a), LOAD(b), CAT(as_, CAT(U, N))(LOAD(c))), out);
}
kernel void select_scalar(global T *out, global const T *a, global const T *b, global const S *c) {
  I out[i] = select(a[i], b[i], c[i]);
}
kernel void bitselect_vector(global T *out, global const T *a, global const T *b, global const S *c) {
  I STORE(bitselect(LOAD(a), LOAD(b), CAT(as_, TN)(LOAD(c))), out);
}
kernel void votes(global int *out, global const S *c) {
  I out[i] = any(LOAD(c)) + 2 * all(LOAD(c)) + 4 * any(LOAD(c).x);
}
