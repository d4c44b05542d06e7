/* Atomics whose effect does not depend on their order: what cells hold at the kernel's end. */
#include "programs/generator.h"

/* Four cells for each kind, so that different operations never meet. */
static const struct kind {
  const char *name, *newer;
  unsigned first;
  bool is_signed;
} kinds[] = {
    {"atomic_add", "atomic_fetch_add_explicit", 0, false},
    {"atomic_sub", "atomic_fetch_sub_explicit", 4, false},
    {"atomic_or", "atomic_fetch_or_explicit", 8, false},
    {"atomic_and", "atomic_fetch_and_explicit", 12, false},
    {"atomic_xor", "atomic_fetch_xor_explicit", 16, false},
    {"atomic_max", "atomic_fetch_max_explicit", 20, false},
    {"atomic_min", "atomic_fetch_min_explicit", 24, false},
    {"atomic_max", NULL, 28, true},
    {"atomic_min", NULL, 32, true},
};

static void cell(struct generator *g, const char *array, unsigned first) {
  ADD("&%s[%u + (", array, first);
  expression(g, (struct type){UINT, 1}, 1);
  ADD(" & 3)]");
}

static void simple(struct generator *g) {
  const struct kind *kind = &kinds[below(g, sizeof kinds / sizeof *kinds)];
  struct type t = {kind->is_signed ? INT : UINT, 1};
  bool newer = g->program->newer && kind->newer && chance(g, 50);
  if (newer) {
    ADD("%s(", kind->newer);
    cell(g, "words", kind->first);
  } else {
    ADD("%s(%s", kind->name, kind->is_signed ? "(volatile global int *)" : "");
    cell(g, "cells", kind->first);
  }
  ADD(", ");
  expression(g, t, 2);
  ADD(newer ? ", memory_order_relaxed, memory_scope_device);" : ");");
}

static void step(struct generator *g) {
  ADD(chance(g, 50) ? "atomic_inc(" : "atomic_dec(");
  cell(g, "cells", 0);
  ADD(");");
}

/* Every work-item draws another ticket; all together they are the same whoever draws which. */
static void ticket(struct generator *g) {
  unsigned k = below(g, 4);
  ADD("{ uint t = atomic_inc(&cells[%u]); atomic_xor(&cells[%u], t * 0x9e3779b9u ^ t >> 3); }",
      44 + k, 48 + k);
}

/* A loop until no other work-item came between. */
static void exchange_loop(struct generator *g) {
  static const char *const results[] = {"old + value", "old ^ value", "max(old, value)"};
  unsigned what = below(g, 3), first = what == 0 ? 36 : what == 1 ? 40 : 52;
  bool newer = g->program->newer && chance(g, 50);
  ADD("{ uint value = ");
  expression(g, (struct type){UINT, 1}, 2);
  ADD("; volatile global %s *cell = ", newer ? "atomic_uint" : "uint");
  cell(g, newer ? "words" : "cells", first);
  if (newer)
    ADD("; uint old = atomic_load_explicit(cell, memory_order_relaxed, memory_scope_device); "
        "while (!atomic_compare_exchange_%s_explicit(cell, &old, %s, memory_order_relaxed, "
        "memory_order_relaxed, memory_scope_device)) {} }",
        chance(g, 50) ? "weak" : "strong", results[what]);
  else
    ADD("; uint old = atomic_add(cell, 0u), seen; "
        "while ((seen = atomic_cmpxchg(cell, old, %s)) != old) old = seen; }",
        results[what]);
}

void atomic_statement(struct generator *g) {
  unsigned what = below(g, 10);
  if (what < 6)
    simple(g);
  else if (what < 7)
    step(g);
  else if (what < 8)
    ticket(g);
  else
    exchange_loop(g);
}
