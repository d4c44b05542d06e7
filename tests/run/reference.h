/* How operations combine two numbers, from the words of the specifications: one row each, which
 * shares nothing with the built-in library, not even the table's identities.
 *
 *   X(op, integers, identity, reals, identity of reals)
 *
 * Integers a and b are extended to 64 bits by their sign, and what is left of the result in the
 * type's width counts; `type` has what a type's sign and width decide.  Operations of integers
 * alone have no reals. */
#ifndef TESTS_RUN_REFERENCE_H
#define TESTS_RUN_REFERENCE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define EACH_REFERENCE(X)                                                                          \
  X(add, a + b, 0, x + y, 0)                                                                       \
  X(mul, a *b, 1, x *y, 1)                                                                         \
  X(min, is_less(type, b, a) ? b : a, type.highest, y < x ? y : x, INFINITY)                       \
  X(max, is_less(type, a, b) ? b : a, type.lowest, x < y ? y : x, -INFINITY)                       \
  X(and, a &b, ~(uint64_t)0, NAN, NAN)                                                             \
  X(or, a | b, 0, NAN, NAN)                                                                        \
  X(xor, (a | b) & ~(a & b), 0, NAN, NAN)                                                          \
  X(logical_and, a &&b, 1, NAN, NAN)                                                               \
  X(logical_or, a || b, 0, NAN, NAN)                                                               \
  X(logical_xor, !a != !b, 0, NAN, NAN)

struct integer_type {
  bool is_signed;
  uint64_t highest, lowest;
};

static inline struct integer_type integer_type(bool is_signed, unsigned bits) {
  uint64_t half = (uint64_t)1 << (bits - 1);
  return is_signed ? (struct integer_type){true, half - 1, 0 - half}
                   : (struct integer_type){false, half - 1 + half, 0};
}

static inline bool is_less(struct integer_type type, uint64_t a, uint64_t b) {
  return type.is_signed ? (int64_t)a < (int64_t)b : a < b;
}

struct reference {
  const char *op;
  uint64_t (*integers)(struct integer_type, uint64_t, uint64_t);
  uint64_t (*identity)(struct integer_type);
  long double (*reals)(long double, long double);
  long double identity_of_reals;
};

#define FUNCTIONS(op, of_integers, identity, of_reals, none)                                       \
  static inline uint64_t integers_##op(struct integer_type type, uint64_t a, uint64_t b) {         \
    (void)type;                                                                                    \
    return of_integers;                                                                            \
  }                                                                                                \
  static inline uint64_t identity_##op(struct integer_type type) {                                 \
    (void)type;                                                                                    \
    return identity;                                                                               \
  }                                                                                                \
  static inline long double reals_##op(long double x, long double y) {                             \
    (void)x, (void)y;                                                                              \
    return of_reals;                                                                               \
  }
EACH_REFERENCE(FUNCTIONS)
#undef FUNCTIONS

/* Null if it has none. */
static inline const struct reference *reference_of(const char *op) {
#define ROW(op, of_integers, identity, of_reals, none)                                             \
  {#op, integers_##op, identity_##op, reals_##op, none},
  static const struct reference references[] = {EACH_REFERENCE(ROW)};
#undef ROW
  for (size_t i = 0; i < sizeof references / sizeof *references; i++)
    if (!strcmp(references[i].op, op)) return &references[i];
  return NULL;
}

#endif
