#include "hand.h"

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)

/* Indices of __builtin_shufflevector: lane i of the first operand, or LANES + i of the second. */
#define S(i, k)     ((i) < (k) ? LANES + (i) : (i) - (k))
#define R(i, k)     (((i) + (k)) % LANES)
#define EIGHT(F, k) F(0, k), F(1, k), F(2, k), F(3, k), F(4, k), F(5, k), F(6, k), F(7, k)
#define SIXTEEN(F, k)                                                                              \
  EIGHT(F, k), F(8, k), F(9, k), F(10, k), F(11, k), F(12, k), F(13, k), F(14, k), F(15, k)

#define LANES             16
#define SHIFT(v, fill, k) __builtin_shufflevector(v, fill, SIXTEEN(S, k))
#define ROTATE(v, k)      __builtin_shufflevector(v, v, SIXTEEN(R, k))
#define T                 int32_t
#define NAME(f)           JOIN(int, f)
#include "hand_type.h"
#undef T
#undef NAME
#define T       float
#define NAME(f) JOIN(float, f)
#include "hand_type.h"
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
