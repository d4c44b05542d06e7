/* hand NAME SIZE N: the chains of collectives.cl in NEON intrinsics, four vectors at a time where the order does
 * not matter.  Prints the last element of the result. */
#include <arm_neon.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };
#define OWN __attribute__((noinline)) static

struct ids {
  int32x4_t v[4];
};

static inline struct ids first_ids(void) {
  static const int32_t first[] = {0, 1, 2, 3};
  int32x4_t v = vld1q_s32(first);
  return (struct ids){{v, vaddq_s32(v, vdupq_n_s32(4)), vaddq_s32(v, vdupq_n_s32(8)), vaddq_s32(v, vdupq_n_s32(12))}};
}

/* Combines f(id) of 16 work-items at a time. */
#define COMBINE(T, none, combine, f)                                                               \
  struct ids id = first_ids();                                                                     \
  T a[4] = {none, none, none, none};                                                               \
  int32x4_t last = vdupq_n_s32(r), step = vdupq_n_s32(16);                                         \
  for (int i = 0; i < size; i += 16)                                                               \
    _Pragma("clang loop unroll(full)") for (int j = 0; j < 4; j++) {                               \
      a[j] = combine(a[j], f(veorq_s32(id.v[j], last)));                                           \
      id.v[j] = vaddq_s32(id.v[j], step);                                                          \
    }                                                                                              \
  T whole = combine(combine(a[0], a[1]), combine(a[2], a[3]));

#define SAME(x) (x)
#define IS_77(x) vceqq_s32(x, vdupq_n_s32(77))

OWN int reduce_add_int(int r, int size) {
  COMBINE(int32x4_t, vdupq_n_s32(0), vaddq_s32, SAME)
  return vaddvq_s32(whole);
}
OWN int reduce_max_int(int r, int size) {
  COMBINE(int32x4_t, vdupq_n_s32(INT_MIN), vmaxq_s32, SAME)
  return vmaxvq_s32(whole);
}
OWN int any(int r, int size, int k) {
  COMBINE(uint32x4_t, vdupq_n_u32(0), vorrq_u32, IS_77)
  return (vmaxvq_u32(whole) != 0) + k;
}
OWN int all(int r, int size, int k) {
  COMBINE(uint32x4_t, vdupq_n_u32(0), vorrq_u32, IS_77)
  return (vmaxvq_u32(whole) == 0) + k;
}
OWN int broadcast(int r, int k) {
  return ((k & 15) ^ r) + k;
}

OWN int64_t reduce_add_long(int64_t r, int size) {
  static const int64_t first[] = {0, 1};
  int64x2_t id[4] = {vld1q_s64(first)}, a[4], last = vdupq_n_s64(r), step = vdupq_n_s64(8);
  for (int j = 1; j < 4; j++) id[j] = vaddq_s64(id[j - 1], vdupq_n_s64(2));
  for (int j = 0; j < 4; j++) a[j] = vdupq_n_s64(0);
  for (int i = 0; i < size; i += 8)
    _Pragma("clang loop unroll(full)") for (int j = 0; j < 4; j++) {
      a[j] = vaddq_s64(a[j], veorq_s64(id[j], last));
      id[j] = vaddq_s64(id[j], step);
    }
  return vaddvq_s64(vaddq_s64(vaddq_s64(a[0], a[1]), vaddq_s64(a[2], a[3])));
}

OWN void reduce_add_float(float *x, int size) {
  float32x4_t a[4];
  for (int j = 0; j < 4; j++) a[j] = vdupq_n_f32(0);
  for (int i = 0; i < size; i += 16)
    _Pragma("clang loop unroll(full)") for (int j = 0; j < 4; j++) a[j] = vaddq_f32(a[j], vld1q_f32(x + i + 4 * j));
  float all_of = vaddvq_f32(vaddq_f32(vaddq_f32(a[0], a[1]), vaddq_f32(a[2], a[3])));
  float32x4_t less = vdupq_n_f32(all_of * 0.001f);
  for (int i = 0; i < size; i += 16)
    _Pragma("clang loop unroll(full)") for (int j = 0; j < 4; j++)
        vst1q_f32(x + i + 4 * j, vsubq_f32(vld1q_f32(x + i + 4 * j), less));
}

/* Inside of a vector in two steps, and what came before added to it. */
#define SCAN(name, T, V, suffix, none, combine, after)                                             \
  OWN void name(T *x, int size) {                                                                  \
    V before = vdupq_n_##suffix(none), nothing = before;                                           \
    for (int i = 0; i < size; i += 4) {                                                            \
      V v = vld1q_##suffix(x + i), was = before;                                                   \
      v = combine(v, vextq_##suffix(nothing, v, 3));                                               \
      v = combine(v, vextq_##suffix(nothing, v, 2));                                               \
      v = combine(v, before);                                                                      \
      before = vdupq_laneq_##suffix(v, 3);                                                         \
      (void)was;                                                                                   \
      vst1q_##suffix(x + i, after);                                                                \
    }                                                                                              \
  }
#define OTHER_BIT(v) veorq_s32(v, vdupq_n_s32(1))
SCAN(scan_inclusive_add_int, int32_t, int32x4_t, s32, 0, vaddq_s32, OTHER_BIT(v))
SCAN(scan_exclusive_add_int, int32_t, int32x4_t, s32, 0, vaddq_s32, OTHER_BIT(vextq_s32(was, v, 3)))
SCAN(scan_inclusive_max_int, int32_t, int32x4_t, s32, INT_MIN, vmaxq_s32, OTHER_BIT(v))
SCAN(scan_inclusive_add_float, float, float32x4_t, f32, 0, vaddq_f32, vmulq_n_f32(v, 0.001f))

int main(int argc, char **argv) {
  static int x[MOST];
  static float y[MOST];
  int size = argc == 4 ? atoi(argv[2]) : 0, n = argc == 4 ? atoi(argv[3]) : 0, r = 1;
  int64_t l = 1;
  if (size < 16 || size > MOST) return 2;
  for (int i = 0; i < size; i++) y[i] = (float)(x[i] = i);
#define CHAIN(name, next, format, result)                                                          \
  if (!strcmp(argv[1], #name)) {                                                                   \
    for (int k = 0; k < n; k++) next;                                                              \
    printf(format "\n", result);                                                                   \
    return 0;                                                                                      \
  }
  CHAIN(reduce_add_int, r = reduce_add_int(r, size), "%d", r)
  CHAIN(reduce_max_int, r = reduce_max_int(r, size), "%d", r)
  CHAIN(reduce_add_long, l = reduce_add_long(l, size), "%lld", (long long)l)
  CHAIN(any, r = any(r, size, k), "%d", r)
  CHAIN(all, r = all(r, size, k), "%d", r)
  CHAIN(broadcast, r = broadcast(r, k), "%d", r)
  CHAIN(reduce_add_float, reduce_add_float(y, size), "%g", y[size - 1])
  CHAIN(scan_inclusive_add_int, scan_inclusive_add_int(x, size), "%d", x[size - 1])
  CHAIN(scan_exclusive_add_int, scan_exclusive_add_int(x, size), "%d", x[size - 1])
  CHAIN(scan_inclusive_max_int, scan_inclusive_max_int(x, size), "%d", x[size - 1])
  CHAIN(scan_inclusive_add_float, scan_inclusive_add_float(y, size), "%g", y[size - 1])
  return 2;
}
