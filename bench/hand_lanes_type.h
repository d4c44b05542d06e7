/* The hand-written collectives of sub-groups for one element type of 4 bytes and one size.
 * Included, after hand_type.h has defined what works on one vector, with
 *   T        the type             PARTS  vectors in a sub-group: 1 or 2
 *   NAME(f)  hand_type.h's name   LANES_NAME(f)  f's name for T and PARTS
 * and, for PARTS 2, after the same with PARTS 1. */

#define V NAME(vector)

struct LANES_NAME(lanes) {
  V part[PARTS];
};
#define EACH_PART(p) for (int p = 0; p < PARTS; p++)

typedef struct LANES_NAME(lanes) LANES_NAME(type);

static inline LANES_NAME(type) LANES_NAME(same)(T value) {
  LANES_NAME(type) r;
  EACH_PART(p) r.part[p] = NAME(splat)(value);
  return r;
}

/* Lane i gets lane id[i]'s operand. */
static inline LANES_NAME(type) LANES_NAME(gather)(LANES_NAME(type) x, int_vector id[PARTS]) {
  LANES_NAME(type) r;
#if PARTS == 1
  r.part[0] = (V)permute((int_vector)x.part[0], id[0]);
#else
  EACH_PART(p) r.part[p] = (V)permute_two((int_vector)x.part[0], (int_vector)x.part[1], id[p]);
#endif
  return r;
}

static inline T LANES_NAME(total)(LANES_NAME(type) x) {
#if PARTS == 2
  x.part[0] += x.part[1];
#endif
  return NAME(add_lanes)(x.part[0]);
}

#define LANES_STEP(name)                                                                           \
  static inline __attribute__((always_inline)) LANES_NAME(type)                                    \
      LANES_NAME(name##_step)(LANES_NAME(type) x, uint32_t step __attribute__((unused)))

LANES_STEP(reduce_add) {
  return LANES_NAME(same)(LANES_NAME(total)(x));
}

LANES_STEP(reduce_max) {
#if PARTS == 2
  x.part[0] = NAME(max)(x.part[0], x.part[1]);
#endif
  return LANES_NAME(same)(NAME(max_lanes)(x.part[0]));
}

/* Keeps clang from turning the chain into branches, which the processor foresees. */
#define OPAQUE(value) __asm__("" : "+r"(value))

LANES_STEP(any) {
  int_vector found = x.part[0] == (T)77;
#if PARTS == 2
  found |= x.part[1] == (T)77;
#endif
  int some = __builtin_reduce_or(found) != 0;
  OPAQUE(some);
  return LANES_NAME(same)((T)some);
}

LANES_STEP(all) {
  int_vector found = x.part[0] != (T)77;
#if PARTS == 2
  found &= x.part[1] != (T)77;
#endif
  int every = __builtin_reduce_and(found) != 0;
  OPAQUE(every);
  return LANES_NAME(same)((T)every);
}

LANES_STEP(broadcast) {
  int_vector id[PARTS];
  EACH_PART(p) id[p] = (int_vector){0} + (int)(step % (PARTS * 16));
  return LANES_NAME(gather)(x, id);
}

LANES_STEP(shuffle) {
  int_vector id[PARTS];
  EACH_PART(p) id[p] = (lane_numbers + p * 16 + (int)step) & (PARTS * 16 - 1);
  return LANES_NAME(gather)(x, id);
}

LANES_STEP(shuffle_xor) {
  EACH_PART(p)
  x.part[p] = __builtin_shufflevector(x.part[p], x.part[p], 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10,
                                      13, 12, 15, 14);
  return x;
}

LANES_STEP(scan_inclusive_add) {
  EACH_PART(p) x.part[p] = NAME(scan_add_vector)(x.part[p]);
#if PARTS == 2
  x.part[1] += NAME(splat)(x.part[0][15]);
#endif
  return x;
}

LANES_STEP(scan_exclusive_add) {
  V zero = {0};
  x = LANES_NAME(scan_inclusive_add_step)(x, step);
#if PARTS == 2
  x.part[1] = SHIFT(x.part[1], NAME(splat)(x.part[0][15]), 1);
#endif
  x.part[0] = SHIFT(x.part[0], zero, 1);
  return x;
}

#define COLLECTIVE(name, expression)                                                               \
  static void LANES_NAME(name)(void *array, const void *base_array, uint32_t steps, T z) {         \
    V *memory = array;                                                                             \
    const V *base = base_array;                                                                    \
    LANES_NAME(type) x, b;                                                                         \
    EACH_PART(p) x.part[p] = memory[p];                                                            \
    EACH_PART(p) b.part[p] = base[p];                                                              \
    for (uint32_t step = 0; step < steps; step++) {                                                \
      LANES_NAME(type) r = LANES_NAME(name##_step)(x, step);                                       \
      EACH_PART(p) x.part[p] = r.part[p] * z + b.part[p];                                          \
    }                                                                                              \
    EACH_PART(p) memory[p] = x.part[p];                                                            \
  }
HAND_LANES(COLLECTIVE)

#undef COLLECTIVE
#undef LANES_STEP
#undef OPAQUE
#undef EACH_PART
#undef V
