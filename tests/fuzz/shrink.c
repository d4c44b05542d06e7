/* Cuts a failing kernel down: takes away statements, unwraps what surrounds them, and puts parts of
 * expressions in the place of the whole, as long as the kernel still fails.  What is no longer legal
 * does not count as failing; who asks sees to that. */
#include "fuzz/tree.h"

struct cutter {
  struct kernel *k;
  bool (*fails)(struct kernel *, void *);
  void *data;
  bool changed;
};

static bool still(struct cutter *c) {
  bool fails = c->fails(c->k, c->data);
  c->changed |= fails;
  return fails;
}

/* ---- is a variable or function mentioned? */

static bool expr_uses(const struct expr *e, const struct var *v) {
  return e && (e->var == v || expr_uses(e->a, v) || expr_uses(e->b, v) || expr_uses(e->c, v));
}

static bool block_uses(const struct block *b, const struct var *v, const struct function *f) {
  for (const struct stmt *s = b->first; s; s = s->next) {
    if (f && s->function == f) return true;
    if (v && ((s->var == v && s->kind != S_DECLARE) || s->from[0] == v || s->from[1] == v ||
              expr_uses(s->a, v) || expr_uses(s->b, v) || expr_uses(s->c, v)))
      return true;
    for (int i = 0; v && i < MAX_PARAMS; i++)
      if (expr_uses(s->args[i], v)) return true;
    for (int i = 0; i < s->num_arms; i++)
      if (block_uses(&s->arms[i], v, f)) return true;
  }
  return false;
}

static bool used(const struct kernel *k, const struct var *v, const struct function *f) {
  for (int i = 0; i < k->num_functions; i++)
    if (block_uses(&k->functions[i]->body, v, f)) return true;
  return block_uses(&k->body, v, f);
}

static void cut_functions(struct kernel *k) {
  for (int i = k->num_functions; i-- > 0;) {
    if (used(k, NULL, k->functions[i])) continue;
    for (int j = i; j + 1 < k->num_functions; j++) k->functions[j] = k->functions[j + 1];
    k->num_functions--;
  }
}

/* ---- expressions */

static void cut_expr(struct cutter *c, struct expr **place) {
  struct expr *e = *place;
  if (!e || e->kind == E_CONST) return;
  struct expr *parts[] = {e->a, e->b, e->c};
  struct expr *zero = fuzz_new(sizeof *zero);
  zero->wide = e->wide;
  *place = zero;
  if (still(c)) return;
  for (int i = 0; i < 3; i++) {
    if (!parts[i] || parts[i]->wide != e->wide) continue;
    *place = parts[i];
    if (still(c)) return cut_expr(c, place);
  }
  *place = e;
  cut_expr(c, &e->a);
  cut_expr(c, &e->b);
  cut_expr(c, &e->c);
}

/* ---- statements */

static bool is_jump(const struct stmt *s) {
  return s->kind == S_BREAK || s->kind == S_CONTINUE || s->kind == S_RETURN;
}

static bool cut_stmt(struct cutter *c, struct stmt **place) {
  struct stmt *s = *place;
  if (s->kind == S_RETURN && s->a) return false; /* a function must return something */
  if (s->kind == S_DECLARE && used(c->k, s->var, NULL)) return false;
  *place = s->next;
  if (still(c)) return true;
  *place = s;
  return false;
}

/* Puts the statements of one arm in the place of the whole. */
static bool unwrap(struct cutter *c, struct stmt **place) {
  struct stmt *s = *place;
  for (int i = 0; i < s->num_arms; i++) {
    struct stmt **end = &s->arms[i].first;
    bool jumps = false;
    for (; *end; end = &(*end)->next) jumps |= is_jump(*end);
    if (jumps || end == &s->arms[i].first) continue;
    if (s->var && block_uses(&s->arms[i], s->var, NULL)) continue; /* the loop's counter */
    *end = s->next;
    *place = s->arms[i].first;
    if (still(c)) return true;
    *place = s;
    *end = NULL;
  }
  return false;
}

/* A loop that counts from 0, or by ones. */
static void drop_parts(struct cutter *c, struct stmt *s) {
  struct expr **const parts[] = {&s->b, &s->c};
  for (int i = 0; i < 2 && s->kind == S_FOR; i++) {
    struct expr *was = *parts[i];
    *parts[i] = NULL;
    if (was && !still(c)) *parts[i] = was;
  }
}

static bool drop_arm(struct cutter *c, struct stmt *s) {
  if (s->num_arms < 2) return false;
  s->num_arms--;
  if (still(c)) return true;
  s->num_arms++;
  return false;
}

static void cut_block(struct cutter *c, struct block *b) {
  struct stmt **place = &b->first;
  while (*place) {
    if (cut_stmt(c, place) || unwrap(c, place)) continue;
    while (drop_arm(c, *place)) continue;
    struct stmt *s = *place;
    drop_parts(c, s);
    for (int i = 0; i < s->num_arms; i++) cut_block(c, &s->arms[i]);
    place = &s->next;
  }
}

static void cut_exprs(struct cutter *c, struct block *b) {
  for (struct stmt *s = b->first; s; s = s->next) {
    cut_expr(c, &s->a);
    cut_expr(c, &s->b);
    cut_expr(c, &s->c);
    for (int i = 0; i < MAX_PARAMS; i++)
      if (s->args[i] && !s->function->params[i]->pointer) cut_expr(c, &s->args[i]);
    for (int i = 0; i < s->num_arms; i++) cut_exprs(c, &s->arms[i]);
  }
}

/* Cheap big cuts first: the second half, the second quarter, ... of the kernel's statements. */
static void cut_halves(struct cutter *c) {
  int count = 0;
  for (struct stmt *s = c->k->body.first; s; s = s->next) count++;
  for (int size = count / 2; size > 1; size /= 2) {
    struct stmt **place = &c->k->body.first;
    while (*place) {
      struct stmt *from = *place, *to = from;
      bool needed = false;
      for (int i = 0; i < size && to; i++) to = to->next;
      *place = to;
      for (struct stmt *s = from; s != to; s = s->next)
        if (s->kind == S_DECLARE && used(c->k, s->var, NULL)) needed = true;
      if (!needed && still(c)) continue;
      *place = from;
      place = &from->next;
    }
  }
}

void shrink(struct kernel *k, bool (*fails)(struct kernel *, void *), void *data) {
  struct cutter c = {.k = k, .fails = fails, .data = data};
  cut_halves(&c);
  do {
    c.changed = false;
    cut_block(&c, &k->body);
    for (int i = 0; i < k->num_functions; i++) cut_block(&c, &k->functions[i]->body);
    cut_functions(k);
    cut_exprs(&c, &k->body);
    for (int i = 0; i < k->num_functions; i++) cut_exprs(&c, &k->functions[i]->body);
  } while (c.changed);
}
