/* Loops, conditions and switches around the accesses. */
#include "memory/maker.h"

static void compute(struct maker *m) {
  static const char *const steps[] = {
      "X = X * 33u + Y;",
      "Y ^= X >> 3;",
      "X += Y << 2;",
      "X = rounds(X, Y);",
      "F = F * 0.5f + (float)(X & 255u);",
      "D += F;",
      "Y = Y * 5u + 1u;",
      "X = X > Y ? X - Y : Y;",
  };
  put(m, "%s\n", steps[pick(m, sizeof steps / sizeof *steps)]);
}

static void branch(struct maker *m) {
  const char *by = condition(m);
  unsigned expected = pick(m, 6);
  if (expected < 2)
    put(m, "if (__builtin_expect(!!%s, %u)) {\n", by, expected);
  else
    put(m, "if (%s) {\n", by);
  statements(m, 3);
  if (one_in(m, 3)) {
    put(m, "} else {\n");
    statements(m, 2);
  }
  put(m, "}\n");
}

static void choose(struct maker *m) {
  unsigned cases = 2 + pick(m, 3);
  struct number by = m->names[pick(m, m->num_names)];
  const char *of = one_in(m, 2) && by.low >= 0 ? by.text : "X";
  put(m, "switch (%s %% %u) {\n", of, cases + 1);
  for (unsigned k = 0; k < cases; k++) {
    put(m, "case %u:\n", k);
    statements(m, 2);
    if (!one_in(m, 4)) put(m, "break;\n");
  }
  put(m, "}\n");
}

static void leave_or_go_on(struct maker *m) {
  if (pick(m, 4)) return;
  const char *by = condition(m);
  put(m, "if (%s) %s;\n", by, one_in(m, 2) ? "break" : "continue");
}

/* How often a loop goes round: a text, and at most. */
static struct number trips(struct maker *m) {
  unsigned kind = pick(m, 8), n = 1 + pick(m, 10);
  struct number i = m->names[pick(m, m->num_ids)];
  char text[TEXT_SIZE + 64];
  if (kind < 3) return number_of(n);
  if (kind < 5) return named("n1", 1, m->kernel->scalars[1].high, RANK_INT);
  if (i.low < 0) i = named("(X & 15)", 0, 15, RANK_UINT);
  if (kind == 5) {
    struct number at = at_most(m, i, 1024);
    snprintf(text, sizeof text, "M(t0[%s])", at.text);
    return named(text, 0, 7, RANK_INT);
  }
  if (kind == 6 && i.high <= 12) return i;
  snprintf(text, sizeof text, "(%s %% %u)", i.text, n + 1);
  return named(text, 0, n, i.rank);
}

static void loop(struct maker *m) {
  static const char *const types[] = {"int",    "int",  "int",   "uint",
                                      "size_t", "long", "short", "uchar"};
  static const enum rank ranks[] = {RANK_INT,   RANK_INT,  RANK_INT, RANK_UINT,
                                    RANK_ULONG, RANK_LONG, RANK_INT, RANK_INT};
  unsigned kind = pick(m, 8), t = pick(m, 8), j = m->labels++, step = 1 + pick(m, 3);
  struct number n = trips(m);
  char name[16];
  int64_t low = 0, high = n.high > 0 ? n.high - 1 : 0;
  snprintf(name, sizeof name, "j%u", j);
  if (kind < 4) {
    put(m, "for (%s %s = 0; %s < %s; %s++) {\n", types[t], name, name, n.text, name);
  } else if (kind == 4) {
    put(m, "for (%s %s = 0; %s < %s; %s += %u) {\n", types[t], name, name, n.text, name, step);
  } else if (kind == 5) {
    t = 0;
    put(m, "for (int %s = (int)%s - 1; %s >= 0; %s--) {\n", name, n.text, name, name);
  } else if (kind == 6) {
    t = 3;
    put(m, "for (uint %s = %s; %s-- > 0;) {\n", name, n.text, name);
  } else {
    t = 0;
    put(m, "{ int %s = 0;\nwhile (%s < %s) {\n", name, name, n.text);
  }
  if (m->num_names == MOST_NAMES) die("too many names");
  m->names[m->num_names++] = named(name, low, high, ranks[t]);
  m->loops++;
  if (kind != 7) leave_or_go_on(m);
  statements(m, 3);
  if (kind != 7) leave_or_go_on(m);
  m->loops--;
  if (kind == 7) put(m, "%s += %u;\n}\n", name, step);
  m->num_names--;
  put(m, "}\n");
}

static void body(struct maker *m) {
  unsigned kind = pick(m, 20);
  if (m->budget) m->budget--;
  if (kind < 8 || !m->budget) {
    put_load(m);
  } else if (kind < 11) {
    put_special(m);
  } else if (kind < 13) {
    put_store(m);
  } else if (kind == 13) {
    compute(m);
  } else if (m->depth >= DEEPEST) {
    put_load(m);
  } else if (kind < 17) {
    if (m->loops < 2)
      loop(m);
    else
      put_load(m);
  } else if (kind < 19) {
    branch(m);
  } else {
    choose(m);
  }
}

FILE *begin_statement(struct maker *m) {
  FILE *file = m->file;
  unsigned number = m->statement++;
  if (number < MEMORY_STATEMENTS && m->left_out[number]) m->file = NULL;
  return file;
}

void statement(struct maker *m) {
  FILE *file = begin_statement(m);
  body(m);
  m->file = file;
}

void statements(struct maker *m, unsigned most) {
  m->depth++;
  for (unsigned left = 1 + pick(m, most); left; left--) statement(m);
  m->depth--;
}
