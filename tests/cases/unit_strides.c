/* Strides that are arguments: one, for which a kernel has a second function, and others. */
#ifdef __OPENCL_VERSION__
#define STRIDED(from, to)                                                                          \
  kernel void strided_##from##_##to(global int *out, global const int *in, int inc, int out_inc) { \
    int i = get_global_linear_id();                                                                \
    out[i * out_inc] = in[i * inc] * 3;                                                            \
  }
STRIDED(1, 1)
STRIDED(1, 2)
STRIDED(2, 1)
STRIDED(3, 2)

kernel void strided_long(global long *out, global const long *in, int inc) {
  size_t i = get_global_linear_id();
  out[i] = in[inc * i] - inc;
}

/* In bytes: with the size of an element they are side by side. */
#define IN_BYTES(each)                                                                             \
  kernel void bytes_##each(global float *out, global const float *in, int by) {                    \
    int i = get_global_linear_id();                                                                \
    out[i] = *(global const float *)((global const char *)in + i * (long)by);                      \
  }
IN_BYTES(4)
IN_BYTES(8)

kernel void strided_pairs(global int *out, global const int *in, int inc) {
  int i = get_global_linear_id();
  global const int2 *pairs = (global const int2 *)in;
  out[i] = pairs[inc * i].x * 7 + pairs[inc * i].y;
}

/* A loop, a sync point, and a stride that is a number as well. */
#define SUMS(each)                                                                                 \
  kernel void sums_##each(global int *out, global const int *in, int inc) {                        \
    global const int *own = in + get_group_id(0) * get_enqueued_local_size(0) * each;              \
    int size = get_local_size(0), sum = 0;                                                         \
    for (int i = get_local_id(0); i < size - size / 3; i += size / 4 + 1)                          \
      sum += own[i * inc] * (inc + i);                                                             \
    out[get_global_linear_id()] = work_group_reduce_add(sum) + inc;                                \
  }
SUMS(1)
SUMS(2)
#else
#include "run/case.h"

#define STRIDED(from, to)                                                                          \
  CASE(strided_##from##_##to, int, int, .in_per_item = from, .out_per_item = to, .args = 2,        \
       .arg = {from, to}) {                                                                        \
    EACH(i) out[i * (to)] = mul(in[i * (from)], 3);                                                \
  }
STRIDED(1, 1)
STRIDED(1, 2)
STRIDED(2, 1)
STRIDED(3, 2)

CASE(strided_long, long, long, .args = 1, .arg = {1}) {
  EACH(i) out[i] = (long)((ulong)in[i] - 1);
}

#define IN_BYTES(each)                                                                             \
  CASE(bytes_##each, float, float, .in_per_item = (each) / 4, .args = 1, .arg = {each}) {          \
    EACH(i) out[i] = in[i * ((each) / 4)];                                                         \
  }
IN_BYTES(4)
IN_BYTES(8)

CASE(strided_pairs, int, int, .in_per_item = 2, .args = 1, .arg = {1}) {
  EACH(i) out[i] = add(mul(in[2 * i], 7), in[2 * i + 1]);
}

static int sum_of(const struct group *g, const int *in, int inc) {
  int size = (int)g->items, sum = 0;
  for (int l = 0; l < size; l++)
    for (int i = l; i < size - size / 3; i += size / 4 + 1)
      sum = add(sum, mul(in[i * inc], inc + i));
  return add(sum, inc);
}

#define SUMS(each)                                                                                 \
  CASE(sums_##each, int, int, .in_per_item = each, .args = 1, .arg = {each}, .no_offset = true,    \
       .max_dims = 1) {                                                                            \
    EACH(i) out[i] = sum_of(g, in, each);                                                          \
  }
SUMS(1)
SUMS(2)
#endif
