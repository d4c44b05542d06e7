/* The hand-written collectives for one element type.  Included with
 *   T      the type             LANES  16 or 8: lanes of a 64-byte vector
 *   NAME(f)  f's name for T */

typedef T NAME(vector) __attribute__((vector_size(64), may_alias));
#define V NAME(vector)

static inline V NAME(splat)(T value) { return (V){0} + value; }

/* Log steps inside a register: lane i takes lane i - k, or the identity. */
static inline V NAME(scan_add_vector)(V v) {
  V zero = NAME(splat)(0);
  v += SHIFT(v, zero, 1);
  v += SHIFT(v, zero, 2);
  v += SHIFT(v, zero, 4);
#if LANES == 16
  v += SHIFT(v, zero, 8);
#endif
  return v;
}

/* As OpenCL defines it, a < b ? b : a; clang's own maximum of vectors does more for NaN. */
static inline V NAME(max)(V a, V b) {
  __typeof__(a < b) less = a < b;
  return (V)((less & (__typeof__(less))b) | (~less & (__typeof__(less))a));
}

/* The first lane repeated is an identity for max. */
static inline V NAME(scan_max_vector)(V v) {
  V first = NAME(splat)(v[0]);
  v = NAME(max)(v, SHIFT(v, first, 1));
  v = NAME(max)(v, SHIFT(v, first, 2));
  v = NAME(max)(v, SHIFT(v, first, 4));
#if LANES == 16
  v = NAME(max)(v, SHIFT(v, first, 8));
#endif
  return v;
}

static inline T NAME(add_lanes)(V v) {
#if LANES == 16
  v += ROTATE(v, 8);
#endif
  v += ROTATE(v, 4);
  v += ROTATE(v, 2);
  v += ROTATE(v, 1);
  return v[0];
}

static inline T NAME(max_lanes)(V v) {
#if LANES == 16
  v = NAME(max)(v, ROTATE(v, 8));
#endif
  v = NAME(max)(v, ROTATE(v, 4));
  v = NAME(max)(v, ROTATE(v, 2));
  v = NAME(max)(v, ROTATE(v, 1));
  return v[0];
}

/* All work-items make their next operand. */
#define NEXT(result)                                                                               \
  for (size_t j = 0; j < count; j++)                                                               \
    x[j] = (T)(result) * z + base[j];                                                              \
  __asm__ volatile("" ::"r"(x) : "memory")

#define STEP(name)                                                                                 \
  static inline __attribute__((always_inline)) void NAME(name##_step)(                             \
      T *restrict x, const T *restrict base, size_t count, T z, uint32_t step)

#define AT(i) (*(const V *)(x + (i)))

STEP(reduce_add) {
  V a = {0}, b = a, c = a, d = a;
  size_t i = 0;
  for (; i + 4 * LANES <= count; i += 4 * LANES) {
    a += AT(i);
    b += AT(i + LANES);
    c += AT(i + 2 * LANES);
    d += AT(i + 3 * LANES);
  }
  for (; i < count; i += LANES)
    a += AT(i);
  T sum = NAME(add_lanes)((a + b) + (c + d));
  NEXT(sum);
}

STEP(reduce_max) {
  V a = AT(0), b = a;
  size_t i = 0;
  for (; i + 2 * LANES <= count; i += 2 * LANES) {
    a = NAME(max)(a, AT(i));
    b = NAME(max)(b, AT(i + LANES));
  }
  for (; i < count; i += LANES)
    a = NAME(max)(a, AT(i));
  T largest = NAME(max_lanes)(NAME(max)(a, b));
  NEXT(largest);
}

STEP(any) {
  int found = 0;
  for (size_t i = 0; i < count; i++)
    found |= x[i] == (T)77;
  NEXT(found);
}

STEP(all) {
  int found = 1;
  for (size_t i = 0; i < count; i++)
    found &= x[i] != (T)77;
  NEXT(found);
}

STEP(broadcast) {
  T value = x[step & (count - 1)];
  NEXT(value);
}

STEP(scan_inclusive_add) {
  V carry = {0};
  for (size_t i = 0; i < count; i += LANES) {
    V sums = NAME(scan_add_vector)(AT(i));
    *(V *)(x + i) = sums + carry;
    carry += NAME(splat)(sums[LANES - 1]);
  }
  NEXT(x[j]);
}

STEP(scan_exclusive_add) {
  V carry = {0}, zero = {0};
  for (size_t i = 0; i < count; i += LANES) {
    V sums = NAME(scan_add_vector)(AT(i));
    *(V *)(x + i) = SHIFT(sums, zero, 1) + carry;
    carry += NAME(splat)(sums[LANES - 1]);
  }
  NEXT(x[j]);
}

STEP(scan_inclusive_max) {
  V carry = NAME(splat)(x[0]);
  for (size_t i = 0; i < count; i += LANES) {
    V largest = NAME(scan_max_vector)(AT(i));
    V all_lanes = NAME(splat)(largest[LANES - 1]);
    *(V *)(x + i) = NAME(max)(largest, carry);
    carry = NAME(max)(carry, all_lanes);
  }
  NEXT(x[j]);
}

/* Plain C: the two loops that a barrier separates. */
STEP(barrier) {
  NEXT(x[j]);
}

#define COLLECTIVE(name, bar, expression)                                                          \
  static void NAME(name)(void *x, const void *base, size_t count, uint32_t steps, double z) {      \
    for (uint32_t step = 0; step < steps; step++)                                                  \
      NAME(name##_step)(__builtin_assume_aligned(x, 64), __builtin_assume_aligned(base, 64),       \
                        count, (T)z, step);                                                        \
  }
HAND_COLLECTIVES(COLLECTIVE)

#undef COLLECTIVE
#undef V
#undef NEXT
#undef STEP
#undef AT
