/* Expressions by the patterns of forms.def. */
#include "programs/generator.h"

#include <stdio.h>
#include <string.h>

static const struct pattern {
  const char *operands, *text;
} patterns[] = {
#define FORM(operands, text) {operands, text},
#include "programs/forms.def"
#undef FORM
};

static bool suits(const struct generator *g, const char *operands, struct type t) {
  unsigned size = base_size(t.base);
  if (strchr(operands, '+') && is_signed(t)) return false;
  if (strchr(operands, '-') && !is_signed(t)) return false;
  if (strchr(operands, 'n') && !g->program->newer) return false;
  if (strchr(operands, 'x') && size < 4) return false;
  if (strchr(operands, 'h') && size < 2) return false;
  if (strchr(operands, 'i')) return size == 4;
  if (strchr(operands, 'e')) return t.n > 1 && t.n != 3;
  return strchr(operands, t.n > 1 ? 'v' : size < 4 ? 's' : 'w') != NULL;
}

void form(struct generator *g, struct type t, int depth) {
  const struct pattern *pattern;
  do pattern = &patterns[below(g, sizeof patterns / sizeof *patterns)];
  while (!suits(g, pattern->operands, t));
  expand(g, pattern->text, t, depth, 0);
}

/* A type of as many bits; 3 elements take the room of 4, but their 4th is not to be seen. */
static struct type same_bits(struct generator *g, struct type t) {
  struct type other;
  if (t.n == 3) return with_base(t, chance(g, 50) ? as_unsigned(t).base : as_signed(t).base);
  unsigned bits = base_size(t.base) * t.n;
  do other = random_integer(g, 1u << below(g, 5));
  while (base_size(other.base) * other.n != bits);
  return other;
}

static struct type half_type(struct type t, bool low) {
  struct type half = with_base(t, t.base - 2);
  return low ? as_unsigned(half) : half;
}

static struct type source_vector(struct generator *g, struct type t) {
  static const unsigned char widths[] = {2, 4, 4, 8, 16};
  return (struct type){t.base, widths[below(g, sizeof widths)]};
}

static struct type real_of(struct generator *g, struct type t, unsigned n) {
  (void)t;
  return (struct type){chance(g, 70) ? FLOAT : DOUBLE, (unsigned char)n};
}

/* A vector comparison of floats gives integers of the same size: both sides of one type. */
struct expansion {
  struct generator *g;
  struct type t, vector, reals;
  int depth;
  double bound;
};

static bool name_part(struct expansion *e, char letter) {
  struct generator *g = e->g;
  char name[48];
  switch (letter) {
  case 'T':
    ADD("%s", type_name(g, e->t, name));
    return true;
  case 'U':
    ADD("%s", type_name(g, as_unsigned(e->t), name));
    return true;
  case 'S':
    ADD("%s", type_name(g, as_signed(e->t), name));
    return true;
  case 'k':
    ADD("%u", below(g, 50));
    return true;
  case 'K':
    ADD("%u", 60 + below(g, 61));
    return true;
  case ' ':
    ADD("%% ");
    return true;
  }
  return false;
}

static bool integer_part(struct expansion *e, char letter) {
  struct generator *g = e->g;
  int depth = e->depth - 1;
  switch (letter) {
  case 'a':
    expression(g, e->t, depth);
    return true;
  case 'u':
    expression(g, as_unsigned(e->t), depth);
    return true;
  case 's':
    expression(g, as_signed(e->t), depth);
    return true;
  case 'c':
    condition(g, depth);
    return true;
  case 'x':
    expression(g, random_integer(g, e->t.n), depth);
    return true;
  case 'v':
    expression(g, random_integer(g, 1), depth);
    return true;
  case 'y':
    expression(g, same_bits(g, e->t), depth);
    return true;
  case 'q':
    expression(g, as_signed(random_integer(g, random_width(g))), depth);
    return true;
  case 'h':
    expression(g, half_type(e->t, false), depth);
    return true;
  case 'l':
    expression(g, half_type(e->t, true), depth);
    return true;
  case 'z':
    e->vector = source_vector(g, e->t);
    expression(g, e->vector, depth);
    return true;
  case 'Z':
    expression(g, e->vector, depth);
    return true;
  }
  return false;
}

static double root(double x) {
  double r = 1;
  while ((r + 1) * (r + 1) <= x) r++;
  return r;
}

static void masked(struct expansion *e) {
  struct generator *g = e->g;
  struct type t = random_integer(g, e->t.n);
  char name[48];
  expression(g, t, e->depth - 1);
  ADD(" & (%s)", type_name(g, t, name));
}

static void real_part(struct expansion *e, char letter) {
  struct generator *g = e->g;
  int depth = e->depth - 1;
  if (!e->reals.n) e->reals = real_of(g, e->t, e->t.n);
  struct type scalar = {FLOAT, 1};
  switch (letter) {
  case 'f':
    expression(g, e->reals, depth);
    return;
  case 'g':
    expression(g, scalar, depth);
    return;
  case '1':
    real(g, e->t, depth, e->bound);
    return;
  case '2':
    real(g, e->t, depth, (double)(long)(e->bound / 2));
    return;
  case '8':
    real(g, e->t, depth, (double)(long)(e->bound / 8));
    return;
  case 'r':
    real(g, e->t, depth, root(e->bound));
    return;
  case 'd':
    real(g, e->t, depth, root(e->bound / 2));
    return;
  case 'o':
    real(g, with_base(e->t, e->t.base == FLOAT ? DOUBLE : FLOAT), depth, e->bound);
    return;
  case 'e':
    masked(e);
    return;
  case 'D':
    if (e->vector.n < 2) e->vector = (struct type){e->t.base, (unsigned char)(2 + below(g, 3))};
    real(g, e->vector, depth, root(e->bound / 4));
    return;
  case 'V':
    real(g, (struct type){e->t.base, (unsigned char)random_width(g)}, depth, e->bound);
    return;
  }
  die("no %%%c in a pattern", letter);
}

void expand(struct generator *g, const char *pattern, struct type t, int depth, double bound) {
  struct expansion e = {.g = g, .t = t, .depth = depth, .bound = bound};
  for (const char *p = pattern; *p; p++) {
    if (*p != '%')
      text_bytes(g->out, p, 1);
    else if (p++, !name_part(&e, *p) && !integer_part(&e, *p))
      real_part(&e, *p);
  }
}
