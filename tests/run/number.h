/* The serial arithmetic that collectives are held against.  It shares nothing with the built-in
 * library, not even the table's identities. */
#ifndef TESTS_RUN_NUMBER_H
#define TESTS_RUN_NUMBER_H

#include "run/data.h"

enum types { NUMBERS, INTEGERS, LOGICAL };
enum kind { SIGNED, UNSIGNED, FLOATING };

struct operand { const char *name; enum type type; enum kind kind; };
struct operation { const char *name; enum types types; };

/* A number of any of the types, and what is needed to judge a result that may be rounded. */
struct number {
  uint64_t bits;         /* of an integer, sign- or zero-extended */
  long double real;
  long double magnitude; /* sum of |x| so far */
  size_t terms;
};

bool is(const struct operation *op, const char *name);
struct number load_number(const struct operand *t, const void *data, size_t i);
struct number identity(const struct operation *op, const struct operand *t);
struct number combine(const struct operation *op, const struct operand *t, struct number a,
                      struct number b);

/* Floating-point sums and products of inexact data may be combined in any order: a sum of n terms
 * may be off by (n - 1) * epsilon * sum of |x|, the conformance tests' bound; a product by
 * (n - 1) * epsilon * |product|, if its inputs keep every partial product in range.  All else is
 * exact; logical results are truths. */
bool near_enough(const struct operation *op, const struct operand *t, bool exact,
                 const struct number *got, const struct number *want);

/* Operands of `op` with one right answer or, in pattern 1, such a bound.  True if it is exact. */
enum { NUMBER_PATTERNS = 5 };
bool fill_numbers(const struct operation *op, const struct operand *t, void *data, size_t count,
                  int pattern, uint64_t seed);
void fill_truths(int *data, size_t count, int pattern, uint64_t seed);

#endif
