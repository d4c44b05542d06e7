#include "hand.h"
#include "hand_lanes.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)

/* Indices of __builtin_shufflevector: lane i of the first operand, or LANES + i of the second. */
#define S(i, k)     ((i) < (k) ? LANES + (i) : (i) - (k))
#define R(i, k)     (((i) + (k)) % LANES)
#define EIGHT(F, k) F(0, k), F(1, k), F(2, k), F(3, k), F(4, k), F(5, k), F(6, k), F(7, k)
#define SIXTEEN(F, k)                                                                              \
  EIGHT(F, k), F(8, k), F(9, k), F(10, k), F(11, k), F(12, k), F(13, k), F(14, k), F(15, k)

/* Lane i of the result is lane id[i] of one vector, or of two after one another. */
typedef int32_t int_vector __attribute__((vector_size(64), may_alias));
static const int_vector lane_numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
#ifdef __AVX512F__
static inline int_vector permute(int_vector x, int_vector id) {
  return (int_vector)_mm512_permutexvar_epi32((__m512i)id, (__m512i)x);
}
static inline int_vector permute_two(int_vector x, int_vector y, int_vector id) {
  return (int_vector)_mm512_permutex2var_epi32((__m512i)x, (__m512i)id, (__m512i)y);
}
#else
static inline int_vector permute(int_vector x, int_vector id) {
  return __builtin_shufflevector(x, id);
}
static inline int_vector permute_two(int_vector x, int_vector y, int_vector id) {
  int_vector second = id > 15;
  return (permute(x, id & 15) & ~second) | (permute(y, id & 15) & second);
}
#endif

#define LANES             16
#define SHIFT(v, fill, k) __builtin_shufflevector(v, fill, SIXTEEN(S, k))
#define ROTATE(v, k)      __builtin_shufflevector(v, v, SIXTEEN(R, k))
#define T                 int32_t
#define NAME(f)           JOIN(int, f)
#include "hand_type.h"
#define PARTS         1
#define LANES_NAME(f) JOIN(int_16, f)
#include "hand_lanes_type.h"
#undef PARTS
#undef LANES_NAME
#define PARTS         2
#define LANES_NAME(f) JOIN(int_32, f)
#include "hand_lanes_type.h"
#undef PARTS
#undef LANES_NAME
#undef T
#undef NAME
#define T       float
#define NAME(f) JOIN(float, f)
#include "hand_type.h"
#define PARTS         1
#define LANES_NAME(f) JOIN(float_16, f)
#include "hand_lanes_type.h"
#undef PARTS
#undef LANES_NAME
#define PARTS         2
#define LANES_NAME(f) JOIN(float_32, f)
#include "hand_lanes_type.h"
#undef PARTS
#undef LANES_NAME
#undef T
#undef NAME
#undef LANES
#undef SHIFT
#undef ROTATE

#define LANES             8
#define SHIFT(v, fill, k) __builtin_shufflevector(v, fill, EIGHT(S, k))
#define ROTATE(v, k)      __builtin_shufflevector(v, v, EIGHT(R, k))
#define T                 int64_t
#define NAME(f)           JOIN(long, f)
#include "hand_type.h"
#undef T
#undef NAME
#define T       double
#define NAME(f) JOIN(double, f)
#include "hand_type.h"

#define COLLECTIVE(name, bar, expression) .name = JOIN(TYPE_NAME, name),
const struct hand_type hand_types[] = {
#define TYPE_NAME int
    {"int", 4, HAND_COLLECTIVES(COLLECTIVE)},
#undef TYPE_NAME
#define TYPE_NAME float
    {"float", 4, HAND_COLLECTIVES(COLLECTIVE)},
#undef TYPE_NAME
#define TYPE_NAME long
    {"long", 8, HAND_COLLECTIVES(COLLECTIVE)},
#undef TYPE_NAME
#define TYPE_NAME double
    {"double", 8, HAND_COLLECTIVES(COLLECTIVE)},
};
const int num_hand_types = sizeof hand_types / sizeof *hand_types;

/* Both sizes behind one function. */
#define COLLECTIVE_OF(T, element, name)                                                            \
  static void T##_lanes_##name(void *x, const void *base, size_t count, uint32_t steps,            \
                               double z) {                                                         \
    if (count == 16)                                                                               \
      T##_16_##name(x, base, steps, (element)z);                                                   \
    else                                                                                           \
      T##_32_##name(x, base, steps, (element)z);                                                   \
  }
#undef COLLECTIVE
#define COLLECTIVE(name, expression)                                                               \
  COLLECTIVE_OF(int, int32_t, name)                                                                \
  COLLECTIVE_OF(float, float, name)
HAND_LANES(COLLECTIVE)
#undef COLLECTIVE

const struct hand_lanes hand_lanes[] = {
#define COLLECTIVE(name, expression) .name = int_lanes_##name,
    {&hand_types[0], HAND_LANES(COLLECTIVE)},
#undef COLLECTIVE
#define COLLECTIVE(name, expression) .name = float_lanes_##name,
    {&hand_types[1], HAND_LANES(COLLECTIVE)},
};
const int num_hand_lanes = sizeof hand_lanes / sizeof *hand_lanes;
