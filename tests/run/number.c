#include "run/number.h"

#include <float.h>

#include "run/reference.h"

bool is(const struct operation *op, const char *name) { return !strcmp(op->name, name); }

static unsigned bits_of(const struct operand *t) { return 8 * (unsigned)type_size(t->type); }

/* What is left of a result in the type's width. */
static uint64_t wrap(const struct operand *t, uint64_t bits) {
  unsigned unused = 64 - bits_of(t);
  if (t->kind == SIGNED) return (uint64_t)((int64_t)(bits << unused) >> unused);
  return bits << unused >> unused;
}

struct number load_number(const struct operand *t, const void *data, size_t i) {
  struct number n = {.terms = 1};
  size_t size = type_size(t->type);
  switch (t->type) {
  case TYPE_half: n.real = (long double)((const half *)data)[i]; break;
  case TYPE_float: n.real = ((const float *)data)[i]; break;
  case TYPE_double: n.real = ((const double *)data)[i]; break;
  default:
    memcpy(&n.bits, (const char *)data + i * size, size); /* little endian */
    n.bits = wrap(t, n.bits);
  }
  n.magnitude = fabsl(n.real);
  return n;
}

static struct integer_type limits(const struct operand *t) {
  return integer_type(t->kind == SIGNED, bits_of(t));
}

static const struct reference *reference(const struct operation *op) {
  const struct reference *reference = reference_of(op->name);
  if (!reference) die("%s has no reference", op->name);
  return reference;
}

struct number identity(const struct operation *op, const struct operand *t) {
  const struct reference *r = reference(op);
  return (struct number){.bits = wrap(t, r->identity(limits(t))), .real = r->identity_of_reals};
}

struct number combine(const struct operation *op, const struct operand *t, struct number a,
                      struct number b) {
  const struct reference *r = reference(op);
  return (struct number){.bits = wrap(t, r->integers(limits(t), a.bits, b.bits)),
                         .real = r->reals(a.real, b.real),
                         .magnitude = a.magnitude + b.magnitude,
                         .terms = a.terms + b.terms};
}

bool near_enough(const struct operation *op, const struct operand *t, bool exact,
                 const struct number *got, const struct number *want) {
  if (t->kind != FLOATING)
    return op && op->types == LOGICAL ? !got->bits == !want->bits : got->bits == want->bits;
  if (got->real == want->real || (isnan(got->real) && isnan(want->real))) return true;
  if (exact || !op || !(is(op, "add") || is(op, "mul"))) return false;
  long double epsilon = t->type == TYPE_half    ? 0x1p-10L
                        : t->type == TYPE_float ? FLT_EPSILON
                                                : DBL_EPSILON;
  long double scale = is(op, "add") ? want->magnitude : fabsl(want->real);
  return fabsl(got->real - want->real) <= (long double)want->terms * epsilon * scale;
}

/* ---- data */

static double float_sum_data(enum type type, int pattern, uint64_t random, size_t i) {
  double half_range = (double)(random >> 12) / (double)((uint64_t)1 << 52) - 0.5;
  switch (pattern) {
  case 0: return (double)(int64_t)(random % 3) - 1; /* every partial sum is exact, half too */
  case 1: return half_range * (type == TYPE_half ? 8 : 1998);
  case 2: /* denormals, not the first operand, so few that their sum is exact in half too */
    return i % 8 != 1 ? 0 : (double)(random % 7) * (type == TYPE_half    ? 0x1p-24
                                               : type == TYPE_float ? 0x1p-149
                                                                    : 0x1p-1074);
  case 3: return -0.0;
  default: return i == 3 ? INFINITY : random % 400 == 7 ? -INFINITY : 1;
  }
}

/* Powers of two of both signs, few of them not 1, and in pattern 1 mantissas beside 1. */
static double float_product_data(enum type type, int pattern, uint64_t random, size_t i) {
  double sign = random & 1 ? -1 : 1;
  double epsilon = type == TYPE_half ? 0x1p-10 : type == TYPE_float ? 0x1p-23 : 0x1p-52;
  if (i && i % 900 == 77) return sign * (i / 900 % 2 ? 0.5 : 2);
  if (pattern == 1 && random % 64 == 2) return sign * (1 + epsilon * (double)(random >> 8 & 3));
  if (pattern == 2 && i == 5) return -0.0;
  if (pattern == 4 && i == 3) return INFINITY;
  return sign;
}

static void fill_floats(const struct operation *op, enum type type, void *data, size_t count,
                        int pattern, uint64_t seed) {
  for (size_t i = 0; i < count; i++) {
    uint64_t random = random_next(&seed);
    double x = is(op, "add") ? float_sum_data(type, pattern, random, i)
                             : float_product_data(type, pattern, random, i);
    if (type == TYPE_half) ((half *)data)[i] = (half)x;
    else if (type == TYPE_float) ((float *)data)[i] = (float)x;
    else ((double *)data)[i] = x;
  }
}

void fill_truths(int *data, size_t count, int pattern, uint64_t seed) {
  static const int truths[] = {1, INT_MIN, 256, 65536, -1};
  for (size_t i = 0; i < count; i++) {
    uint64_t random = random_next(&seed);
    int rare = random % 64 == 0, truth = truths[random >> 8 & 3];
    data[i] = pattern == 0 ? 0 : pattern == 1 ? truth : pattern == 2 ? (rare ? 0 : truth)
              : pattern == 3 ? (rare ? truth : 0) : (int)(random >> 20 & 1) * truth;
  }
}

bool fill_numbers(const struct operation *op, const struct operand *t, void *data, size_t count,
                  int pattern, uint64_t seed) {
  if (op->types == LOGICAL) fill_truths(data, count, pattern, seed);
  else if (t->kind == FLOATING && (is(op, "add") || is(op, "mul")))
    fill_floats(op, t->type, data, count, pattern, seed);
  else fill(t->type, data, count, (enum pattern)(pattern % PATTERNS), seed);
  return pattern != 1;
}
