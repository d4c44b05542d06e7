/* What the parts of the generator share: generate_expr.c makes expressions, generate.c statements. */
#ifndef TESTS_FUZZ_GENERATE_H
#define TESTS_FUZZ_GENERATE_H

#include "fuzz/tree.h"
#include "run/host.h"

/* What has happened to a shared array since the last barrier: nothing; each wrote and read its own
 * element; all only read; each wrote one element by a permutation; atomics; who knows. */
enum phase { CLEAN, OWN, READ, PERMUTED, ATOMIC, DIRTY };

struct maker {
  uint64_t random;
  struct kernel *k;
  struct function *function;     /* being made, or null */
  struct var *scope[256];
  int visible;
  enum phase phase[FUZZ_SHARED];
  int atomic_op[FUZZ_SHARED];
  enum level flow;               /* who is here together */
  enum level together;           /* of the kernel or function: who returns together */
  bool collectives;
  bool no_shared;                /* in an expression that is evaluated again and again */
  int loops;                     /* around this place, in this function */
  enum level loop_level;         /* break and continue only where these are together */
  bool in_switch;                /* break would leave the switch */
  int depth, budget;
  int cost;                      /* product of trip counts around this place */
  struct block *block;
};

unsigned pick(struct maker *m, unsigned n);      /* below n */
bool chance(struct maker *m, unsigned percent);
/* GROUP so often; else, if the kernel has sub-group functions, TEAM so often; else VARYING. */
enum level some_level(struct maker *m, unsigned percent);

/* An expression that is a uint, or a ulong if `wide`, the same for all of `level`. */
struct expr *make_expr(struct maker *m, int depth, bool wide, enum level level);
struct expr *new_expr(enum expr_kind kind, bool wide);
struct expr *constant(uint64_t bits, bool wide);
struct expr *binary(enum binary op, struct expr *a, struct expr *b);
struct expr *masked(struct expr *e, uint64_t mask);
struct expr *item_value(enum item_value value);

/* An index of an array of so many elements: a constant, or of this level or above. */
struct expr *index_below(struct maker *m, int count, enum level level);
struct var *some_record(struct maker *m); /* null: that in global memory */

/* One that can be seen here, null if there is none: for reading in a place of this level, or for
 * assigning. */
struct var *some_var(struct maker *m, enum level level, bool assign, bool array);
bool sync_here(const struct maker *m); /* all work-items are, and not too often */

#endif
