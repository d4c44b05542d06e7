/* Floating-point numbers: integers of a magnitude that is bounded. */
#include "programs/generator.h"

#include <string.h>

static const struct pattern {
  const char *operands, *text;
  double needs;
} patterns[] = {
#define REAL(operands, text, needs) {operands, text, needs},
#include "programs/reals.def"
#undef REAL
};

static void scalar_literal(struct generator *g, struct type t, double bound) {
  int most = bound > 200 ? 200 : (int)bound;
  int value = (int)below(g, (unsigned)(2 * most + 1)) - most;
  ADD("%d.0%s", value, t.base == FLOAT ? "f" : "");
}

void real_literal(struct generator *g, struct type t, double bound) {
  char name[48];
  ADD("(%s)(", type_name(g, t, name));
  for (unsigned k = 0; k < t.n; k++) {
    if (k) ADD(", ");
    scalar_literal(g, t, bound);
  }
  ADD(")");
}

/* A variable, brought within the bound. */
static void small_leaf(struct generator *g, struct type t, double bound) {
  char name[48];
  type_name(g, t, name);
  if (bound >= REAL_BOUND) {
    leaf(g, t);
  } else if (bound < 2 || chance(g, 30)) {
    real_literal(g, t, bound);
  } else if (chance(g, 50)) {
    ADD("fmod(");
    leaf(g, t);
    ADD(", (%s)%d.0%s)", name, (int)bound, t.base == FLOAT ? "f" : "");
  } else {
    ADD("clamp(");
    leaf(g, t);
    ADD(", (%s)-%d.0%s, (%s)%d.0%s)", name, (int)bound, t.base == FLOAT ? "f" : "", name,
        (int)bound, t.base == FLOAT ? "f" : "");
  }
}

static void produce(struct generator *g, struct type t, int depth, double bound) {
  if (depth <= 0 || bound < 1 || chance(g, 15)) {
    small_leaf(g, t, bound);
    return;
  }
  const struct pattern *pattern;
  do pattern = &patterns[below(g, sizeof patterns / sizeof *patterns)];
  while (bound < pattern->needs || !strchr(pattern->operands, t.n > 1 ? 'v' : 's'));
  expand(g, pattern->text, t, depth, bound);
}

void real(struct generator *g, struct type t, int depth, double bound) {
  struct node node = node_begin(g);
  produce(g, t, depth, bound);
  char name[48];
  if (node_dropped(g, node)) ADD("(%s)(%d)", type_name(g, t, name), bound < 1 ? 0 : 1);
}
