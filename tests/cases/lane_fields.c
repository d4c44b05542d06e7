/* Neighbouring fields of which some are not stored at once with the others: volatile ones, atomic
 * ones, numbers of odd sizes; and stores that an atomic operation or a fence stands between. */
#ifdef __OPENCL_VERSION__
struct with_volatile { int a; volatile int b; };
struct pair { int a, b; };
struct odd { uchar c[13]; };
union words { struct odd value; ulong word[2]; };

kernel void volatile_last(global int *out, global const int *in) {
  size_t i = get_global_linear_id();
  int a = in[2 * i], b = in[2 * i + 1];
  global struct with_volatile *to = (global struct with_volatile *)out;
  to[i].a = a;
  to[i].b = b;
}

kernel void volatile_first(global int *out, global const int *in) {
  size_t i = get_global_linear_id();
  int a = in[2 * i], b = in[2 * i + 1];
  global struct with_volatile *to = (global struct with_volatile *)out;
  to[i].b = b;
  to[i].a = a;
}

kernel void volatile_between(global int *out, global const int *in) {
  size_t i = get_global_linear_id();
  global volatile int *second = out + 4 * i + 1, *fourth = out + 4 * i + 3;
  out[4 * i] = in[4 * i];
  *second = in[4 * i + 1];
  out[4 * i + 2] = in[4 * i + 2];
  *fourth = in[4 * i + 3];
}

kernel void volatile_loads(global int *out, global const int *in) {
  size_t i = get_global_linear_id();
  global const struct with_volatile *from = (global const struct with_volatile *)in;
  out[2 * i] = from[i].b;
  out[2 * i + 1] = from[i].a;
}

kernel void atomic_between(global int *out, global const int *in) {
  size_t i = get_global_linear_id();
  int a = in[2 * i], b = in[2 * i + 1];
  global struct pair *to = (global struct pair *)out;
  to[i].a = a;
  atomic_xor((volatile global int *)&to[i].a, 5);
  to[i].b = b;
}

kernel void exchange_between(global int *out, global const int *in) {
  size_t i = get_global_linear_id();
  int a = in[2 * i] & 3;
  global struct pair *to = (global struct pair *)out;
  to[i].a = a;
  int before = atomic_cmpxchg((volatile global int *)&to[i].a, 2, 9);
  to[i].b = before;
}

kernel void atomic_store(global int *out, global const int *in) {
  size_t i = get_global_linear_id();
  int a = in[2 * i], b = in[2 * i + 1];
  global struct pair *to = (global struct pair *)out;
  to[i].a = a;
  atomic_store_explicit((volatile global atomic_int *)&to[i].b, b,
                        memory_order_relaxed, memory_scope_device);
}

/* 13 bytes go as a word and a number of 40 bits. */
static struct odd from_first(struct odd value) {
  union words u = {.word = {0, 0}};
  u.value = value;
  for (int k = 0; k < 2; k++) u.word[k] = work_group_broadcast(u.word[k], 0);
  return u.value;
}
kernel void odd_sizes(global uchar *out, global const uchar *in) {
  size_t i = get_global_linear_id();
  ((global struct odd *)out)[i] = from_first(((global const struct odd *)in)[i]);
}
#else
#include "run/case.h"

#define PAIRS(name) CASE(name, int, int, .in_per_item = 2, .out_per_item = 2)

PAIRS(volatile_last) {
  EACH(i) out[2 * i] = in[2 * i], out[2 * i + 1] = in[2 * i + 1];
}
PAIRS(volatile_first) {
  EACH(i) out[2 * i] = in[2 * i], out[2 * i + 1] = in[2 * i + 1];
}
PAIRS(volatile_loads) {
  EACH(i) out[2 * i] = in[2 * i + 1], out[2 * i + 1] = in[2 * i];
}
PAIRS(atomic_between) {
  EACH(i) out[2 * i] = in[2 * i] ^ 5, out[2 * i + 1] = in[2 * i + 1];
}
PAIRS(exchange_between) {
  EACH(i) {
    int before = in[2 * i] & 3;
    out[2 * i] = before == 2 ? 9 : before;
    out[2 * i + 1] = before;
  }
}
PAIRS(atomic_store) {
  EACH(i) out[2 * i] = in[2 * i], out[2 * i + 1] = in[2 * i + 1];
}
CASE(volatile_between, int, int, .in_per_item = 4, .out_per_item = 4) {
  EACH(i) memcpy(out + 4 * i, in + 4 * i, 4 * sizeof *out);
}
CASE(odd_sizes, uchar, uchar, .in_per_item = 13, .out_per_item = 13, .max_dims = 1) {
  EACH(i) memcpy(out + 13 * i, in, 13);
}
#endif
