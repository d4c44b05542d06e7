/* Statements: whatever leads somewhere else in C.  Labels stand anywhere, also in loops and between
 * the cases of switches; cases stand in loops (T. Duff, "Re: Explanation, please!", 1988).  Each
 * way back uses up fuel, so every function ends. */
#include "flow/flow.h"
#include "run/host.h"

enum { MOST_LABELS = 7, DEEPEST = 3, COUNTERS = 12 };

struct maker {
  FILE *file;
  uint64_t random;
  bool uniform;
  unsigned labels, placed; /* of L0, L1 ...: placed in this order */
  unsigned counters, budget;
};

static unsigned pick(struct maker *m, unsigned n) {
  return (unsigned)(random_next(&m->random) >> 33) % n;
}

bool flow_is_uniform(uint64_t seed) {
  return seed % 3 == 0;
}

/* A number that decides where to go. */
static const char *decider(struct maker *m) {
  static const char *const varying[] = {"X",        "(X >> 5)", "(X ^ Y)",
                                        "(Y >> 9)", "(c + X)",  "(X * Y >> 7)"};
  static const char *const shared[] = {"u", "(u >> 3)", "(u ^ c)", "c", "(uint)n", "(u * 7 >> 5)"};
  return m->uniform || !pick(m, 4) ? shared[pick(m, 6)] : varying[pick(m, 6)];
}

static void condition(struct maker *m) {
  const char *by = decider(m); /* in an order of its own: that of arguments is the compiler's */
  unsigned of = 2 + pick(m, 6), less = 1 + pick(m, of - 1);
  fprintf(m->file, "(%s %% %u < %u)", by, of, less);
}

static void compute(struct maker *m) {
  static const char *const steps[] = {
      "X = X * 33 + Y;",
      "Y ^= X >> 3;",
      "X += p(X & 3);",
      "p(Y & 3) += X;",
      "Y = Y * 5 + IN(X);",
      "X -= c * 11;",
      "if (X & 4) Y++;",
      "X = X << 7 | X >> 25;",
      "p(c & 3) ^= Y; Y += 17;",
      "X ^= p(u & 3);",
      "Y = X > Y ? X - Y : Y - X;",
  };
  fprintf(m->file, "EACH { %s }\n", steps[pick(m, sizeof steps / sizeof *steps)]);
  if (!pick(m, 3)) fprintf(m->file, "u = u * 9 + %u;\n", pick(m, 100));
}

static void label(struct maker *m) {
  if (m->placed < m->labels) fprintf(m->file, "L%u:;\n", m->placed++);
}

static void jump(struct maker *m) {
  if (pick(m, 6)) {
    fputs("if ", m->file);
    condition(m);
  }
  fprintf(m->file, "{ BURN goto L%u; }\n", pick(m, m->labels));
}

static void meet(struct maker *m) {
  static const char *const ways[] = {"MAX_OF(X & 255)", "SUM_OF(Y >> 20)", "FIRST(X)", "BARRIER"};
  fprintf(m->file, "%s\n", ways[pick(m, 4)]);
}

static void statements(struct maker *m, unsigned depth);

static void branch(struct maker *m, unsigned depth) {
  fputs("if ", m->file);
  condition(m);
  fputs(" {\n", m->file);
  statements(m, depth + 1);
  if (pick(m, 2)) {
    fputs("} else {\n", m->file);
    statements(m, depth + 1);
  }
  fputs("}\n", m->file);
}

static void leave_or_go_on(struct maker *m) {
  if (pick(m, 3)) return;
  fputs("if ", m->file);
  condition(m);
  fputs(pick(m, 2) ? " break;\n" : " { BURN continue; }\n", m->file);
}

/* The only ways out stand under a condition; fuel burns in front of it too. */
static void loop_left_inside(struct maker *m, unsigned depth) {
  fputs("for (;;) {\nif (", m->file);
  condition(m);
  fputs(" || c++ % 4 == 3) {\nBURN\n", m->file);
  statements(m, depth + 1);
  leave_or_go_on(m);
  fputs("}\n", m->file);
  for (unsigned n = 1 + pick(m, 3); n; n--) compute(m);
  fputs("}\n", m->file);
}

static void loop(struct maker *m, unsigned depth) {
  unsigned kind = pick(m, 4), t = m->counters++ % COUNTERS;
  if (kind == 3) {
    loop_left_inside(m, depth);
    return;
  }
  if (kind == 0) {
    const char *by = decider(m);
    fprintf(m->file, "for (t%u = 0; t%u < %s %% %u; t%u++) {\nBURN\n", t, t, by, 2 + pick(m, 4), t);
  } else if (kind == 1) {
    fputs("while ", m->file);
    condition(m);
    fputs(" {\nBURN\n", m->file);
  } else
    fputs("do {\nBURN\n", m->file);
  statements(m, depth + 1);
  leave_or_go_on(m);
  statements(m, depth + 1);
  fputs("}\n", m->file);
  if (kind < 2) return;
  fputs("while ", m->file);
  condition(m);
  fputs(";\n", m->file);
}

/* The loop is inside of the switch, or around it; or there is none. */
static void choose(struct maker *m, unsigned depth) {
  unsigned cases = 2 + pick(m, 4), looped = pick(m, 3);
  if (looped == 1) fputs("do {\nBURN\n", m->file);
  fprintf(m->file, "switch (%s %% %u) {\n", decider(m), cases + 1);
  for (unsigned k = 0; k < cases; k++) {
    if (k + 1 < cases || pick(m, 2))
      fprintf(m->file, "case %u:\n", k);
    else
      fputs("default:\n", m->file);
    if (!k && looped == 2) fputs("do {\nBURN\n", m->file);
    statements(m, depth + 1);
    if (looped != 2 && pick(m, 2)) fputs("break;\n", m->file);
  }
  if (looped == 2) {
    fputs("} while ", m->file);
    condition(m);
    fputs(";\n", m->file);
  }
  fputs("}\n", m->file);
  if (looped != 1) return;
  fputs("} while ", m->file);
  condition(m);
  fputs(";\n", m->file);
}

static void statement(struct maker *m, unsigned depth) {
  unsigned kind = pick(m, 14);
  if (m->budget) m->budget--;
  if (kind < 4 || !m->budget)
    compute(m);
  else if (kind < 7)
    label(m);
  else if (kind < 10)
    jump(m);
  else if (kind == 10 && m->uniform)
    meet(m);
  else if (depth == DEEPEST)
    compute(m);
  else if (kind == 11)
    choose(m, depth);
  else if (kind == 12)
    loop(m, depth);
  else
    branch(m, depth);
}

static void statements(struct maker *m, unsigned depth) {
  for (unsigned left = 1 + pick(m, depth ? 3 : 6); left; left--) statement(m, depth);
}

void flow_generate(FILE *file, uint64_t seed) {
  struct maker m = {.file = file, .random = seed, .uniform = flow_is_uniform(seed), .budget = 40};
  m.labels = 1 + pick(&m, MOST_LABELS);
  fprintf(file, "FUNCTION(%llu) {\nHEAD\n", (unsigned long long)seed);
  for (unsigned k = 0; k < COUNTERS; k++) fprintf(file, "uint t%u = 0;\n", k);
  for (unsigned k = 2 + pick(&m, 3); k; k--) statements(&m, 0);
  while (m.placed < m.labels) {
    label(&m);
    compute(&m);
    if (pick(&m, 2)) jump(&m);
  }
  fputs("end:;\nTAIL\n}\n", file);
}
