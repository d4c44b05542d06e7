/* Expressions: nodes, literals, variables, conversions, calls. */
#include "programs/generator.h"

#include <stdio.h>

static void integer_literal(struct generator *g, struct type t) {
  static const long long edges[] = {0, 1, 2, 3, 7, 8, 15, 31, 63, 64, 100, 127};
  unsigned bits = base_size(t.base) * 8;
  unsigned long long all = bits == 64 ? ~0ull : (1ull << bits) - 1, value;
  switch (below(g, 4)) {
  case 0:
    value = random_next(&g->random) & all;
    break;
  case 1:
    value = chance(g, 50) ? all : chance(g, 50) ? all >> 1 : (all >> 1) + 1;
    break;
  default:
    value = (unsigned long long)edges[below(g, sizeof edges / sizeof *edges)];
    break;
  }
  char name[48];
  type_name(g, t, name);
  if (!is_signed(t)) {
    ADD("(%s)%llu%s", name, value, bits == 64 ? "UL" : "u");
    return;
  }
  if (value <= all >> 1)
    ADD("(%s)%llu%s", name, value, bits == 64 ? "L" : "");
  else /* the least value's magnitude is no literal of the type */
    ADD("(%s)(-%llu%s - 1)", name, all - value, bits == 64 ? "L" : "");
}

void literal(struct generator *g, struct type t) {
  char name[48];
  if (is_real(t)) {
    real_literal(g, t, REAL_BOUND);
  } else if (t.base == RECORD) {
    ADD("(%s)", type_name(g, t, name));
    initialiser(g, t, 0, 0);
  } else if (t.n == 1) {
    ADD("(");
    integer_literal(g, t);
    ADD(")");
  } else {
    ADD("(%s)(", type_name(g, t, name));
    for (unsigned k = 0; k < t.n; k++) {
      if (k) ADD(", ");
      integer_literal(g, (struct type){t.base, 1});
    }
    ADD(")");
  }
}

static void constant_members(struct generator *g, const struct record *record) {
  ADD("{");
  for (unsigned k = 0; k < (record->is_union ? 1 : record->count); k++) {
    const struct member *member = &record->members[k];
    ADD("%s%s", k ? ", " : "", member->count ? "{" : "");
    for (unsigned i = 0; i < (member->count ? member->count : 1); i++) {
      if (i) ADD(", ");
      constant(g, member->type);
    }
    if (member->count) ADD("}");
  }
  ADD("}");
}

/* What stands for a node that was dropped: no chance in it. */
void constant(struct generator *g, struct type t) {
  char name[48];
  ADD("(%s)", type_name(g, t, name));
  if (t.base == RECORD)
    constant_members(g, &g->records[t.n]);
  else
    ADD("(1)");
}

/* {...} of a structure or array, in full. */
void initialiser(struct generator *g, struct type t, unsigned count, int depth) {
  if (count) {
    ADD("{");
    for (unsigned k = 0; k < count; k++) {
      if (k) ADD(", ");
      initialiser(g, t, 0, depth);
    }
    ADD("}");
  } else if (t.base == RECORD) {
    const struct record *record = &g->records[t.n];
    ADD("{");
    for (unsigned k = 0; k < (record->is_union ? 1 : record->count); k++) {
      if (k) ADD(", ");
      initialiser(g, record->members[k].type, record->members[k].count, depth);
    }
    ADD("}");
  } else if (depth > 0) {
    expression(g, t, depth - 1);
  } else {
    literal(g, t);
  }
}

/* A variable of the type, or a literal. */
void leaf(struct generator *g, struct type t) {
  struct wish wish = {.type = t, .space = -1, .scope = ~0u};
  struct place place;
  if (chance(g, 90) && find_place(g, &wish, &place))
    add_place(g, &place);
  else if (t.base != RECORD && chance(g, 70))
    converted_leaf(g, t);
  else
    literal(g, t);
}

/* The elements that a vector of n takes from one of `from`. */
static void swizzle(struct generator *g, unsigned from, unsigned n) {
  static const char *const halves[] = {"lo", "hi", "even", "odd"};
  if (from == 2 * n && chance(g, 40)) {
    ADD(".%s", halves[below(g, 4)]);
    return;
  }
  bool letters = from <= 4 && n <= 4 && chance(g, 40);
  ADD(letters ? "." : ".s");
  for (unsigned k = 0; k < n; k++)
    if (letters)
      ADD("%c", "xyzw"[below(g, from)]);
    else
      ADD("%x", below(g, from));
}

/* Any variable, made to be of this type. */
void converted_leaf(struct generator *g, struct type t) {
  struct wish wish = {.any_value = true, .space = -1, .scope = ~0u};
  struct place place;
  if (!find_place(g, &wish, &place)) {
    literal(g, t);
    return;
  }
  char name[48];
  struct type from = place.type;
  type_name(g, t, name);
  if (is_real(t) && !is_real(from)) { /* in bounds: 63 */
    struct type narrow = with_base(t, INT);
    char inner[48];
    ADD("convert_%s(", name);
    from = place.type;
    ADD("convert_%s(", type_name(g, narrow, inner));
    if (from.n == 1 && t.n > 1) {
      narrow.base = from.base;
      ADD("(%s)", type_name(g, narrow, inner));
    }
    ADD("(");
    add_place(g, &place);
    if (from.n > 1 && from.n != t.n) swizzle(g, from.n, t.n);
    ADD(")) & 63)");
    return;
  }
  /* floating-point numbers may be less than zero: not to unsigned types as they are */
  bool saturate = is_integer(t) && is_real(from);
  ADD("convert_%s%s(", name, saturate ? "_sat" : "");
  if (from.n == 1 && t.n > 1) ADD("(%s)(", type_name(g, (struct type){from.base, t.n}, name));
  add_place(g, &place);
  if (from.n > 1 && from.n != t.n) swizzle(g, from.n, t.n);
  if (from.n == 1 && t.n > 1) ADD(")");
  ADD(")");
}

/* A vector of several parts. */
static void parts(struct generator *g, struct type t, int depth) {
  char name[48];
  ADD("(%s)(", type_name(g, t, name));
  for (unsigned left = t.n; left;) {
    unsigned n = 1u << below(g, 4);
    if (n > left || n == t.n) n = 1;
    expression(g, (struct type){t.base, (unsigned char)n}, depth - 1);
    left -= n;
    if (left) ADD(", ");
  }
  ADD(")");
}

const struct function *find_function(struct generator *g, const struct type *result, bool pure) {
  for (int tries = 0; g->function_count && tries < 6; tries++) {
    const struct function *f = &g->functions[below(g, g->function_count)];
    if (pure && !f->pure) continue;
    if (result && (f->result.base != result->base || f->result.n != result->n)) continue;
    if (g->times * f->cost < 3000 && g->cost + g->times * f->cost < 30000) return f;
  }
  return NULL;
}

void call(struct generator *g, const struct function *f, int depth) {
  g->cost += g->times * f->cost;
  ADD("%s(", f->name);
  for (unsigned k = 0; k < f->count; k++) {
    if (k) ADD(", ");
    expression(g, f->parameters[k].type, depth - 1);
  }
  ADD(")");
}

static void record_value(struct generator *g, struct type t, int depth) {
  const struct function *f = depth > 0 && chance(g, 40) ? find_function(g, &t, true) : NULL;
  if (f) {
    call(g, f, depth);
  } else if (depth > 1 && chance(g, 30)) {
    char name[48];
    ADD("(%s)", type_name(g, t, name));
    initialiser(g, t, 0, 1);
  } else if (depth > 0 && chance(g, 15)) {
    ADD("(");
    condition(g, depth - 1);
    ADD(" ? ");
    expression(g, t, depth - 1);
    ADD(" : ");
    expression(g, t, depth - 1);
    ADD(")");
  } else {
    leaf(g, t);
  }
}

static void produce(struct generator *g, struct type t, int depth) {
  const struct function *f;
  if (t.base == RECORD) {
    record_value(g, t, depth);
  } else if (t.n > 1 && chance(g, 15) && vector_load(g, t)) {
    return;
  } else if (depth <= 0 || chance(g, 15)) {
    if (chance(g, 75))
      leaf(g, t);
    else if (chance(g, 50))
      converted_leaf(g, t);
    else
      literal(g, t);
  } else if (chance(g, 12) && (f = find_function(g, &t, true))) {
    call(g, f, depth);
  } else if (is_real(t)) {
    real(g, t, depth, REAL_BOUND);
  } else if (t.n > 1 && chance(g, 15)) {
    parts(g, t, depth);
  } else {
    form(g, t, depth);
  }
}

void expression(struct generator *g, struct type t, int depth) {
  struct node node = node_begin(g);
  if (g->small && depth > 1 && chance(g, 75)) depth = 1;
  produce(g, t, depth);
  if (node_dropped(g, node)) constant(g, t);
}

static void comparison(struct generator *g, int depth) {
  static const char *const operators[] = {"<", "<=", ">", ">=", "==", "!="};
  struct type t = random_scalar(g);
  ADD("(");
  expression(g, t, depth - 1);
  ADD(" %s ", operators[below(g, 6)]);
  expression(g, t, depth - 1);
  ADD(")");
}

/* A scalar, true or false. */
void condition(struct generator *g, int depth) {
  struct node node = node_begin(g);
  unsigned what = depth <= 0 ? below(g, 3) : below(g, 9);
  if (what < 2) {
    comparison(g, depth);
  } else if (what < 4) {
    ADD("((");
    expression(g, random_integer(g, 1), depth - 1);
    ADD(" & %u) != 0)", 1 + below(g, 7));
  } else if (what < 6) {
    ADD("(");
    condition(g, depth - 1);
    ADD(chance(g, 50) ? " && " : " || ");
    condition(g, depth - 1);
    ADD(")");
  } else if (what < 7) {
    ADD("(!");
    condition(g, depth - 1);
    ADD(")");
  } else {
    ADD("(");
    expand(g, chance(g, 50) ? "any(%q)" : "all(%q)", (struct type){INT, 1}, depth, 0);
    ADD(" != 0)");
  }
  if (node_dropped(g, node)) ADD("(true)");
}

/* One truth for the whole work-group, whatever its work-items do. */
void uniform_condition(struct generator *g) {
  unsigned uniform[MAX_VARIABLES], count = 0;
  for (unsigned k = 0; k < g->variable_count; k++)
    if (g->variables[k].uniform && is_integer(g->variables[k].type) &&
        g->variables[k].type.n == 1 && !g->variables[k].count)
      uniform[count++] = k;
  if (!count || chance(g, 20)) {
    ADD("((get_group_id(0) & 1) == %u)", below(g, 2));
  } else {
    const char *equal = chance(g, 50) ? "==" : "!=";
    unsigned bit = 1u << below(g, 3);
    ADD("((%s & %u) %s 0)", g->variables[uniform[below(g, count)]].name, bit, equal);
  }
}
