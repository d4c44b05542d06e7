/* Random expressions: leaves, operators, collectives of work-groups and of sub-groups. */
#include <stdlib.h>

#include "fuzz/generate.h"

unsigned pick(struct maker *m, unsigned n) {
  return (unsigned)(random_next(&m->random) >> 20) % n;
}
bool chance(struct maker *m, unsigned percent) { return pick(m, 100) < percent; }
enum level some_level(struct maker *m, unsigned percent) {
  if (chance(m, percent)) return GROUP;
  return m->k->sub_group && chance(m, percent) ? TEAM : VARYING;
}
static enum level lower(enum level a, enum level b) { return a < b ? a : b; }
static enum level higher(enum level a, enum level b) { return a > b ? a : b; }

struct expr *new_expr(enum expr_kind kind, bool wide) {
  struct expr *e = fuzz_new(sizeof *e);
  e->kind = kind;
  e->wide = wide;
  return e;
}

struct expr *constant(uint64_t bits, bool wide) {
  struct expr *e = new_expr(E_CONST, wide);
  e->bits = wide ? bits : (uint32_t)bits;
  return e;
}

struct expr *binary(enum binary op, struct expr *a, struct expr *b) {
  struct expr *e = new_expr(E_BINARY, a->wide);
  e->op = (int)op;
  e->a = a;
  e->b = b;
  return e;
}

static struct expr *cast(struct expr *a, bool wide) {
  if (a->wide == wide) return a;
  struct expr *e = new_expr(E_CAST, wide);
  e->a = a;
  return e;
}

struct expr *masked(struct expr *e, uint64_t mask) {
  return binary(B_AND, e, constant(mask, e->wide));
}

bool sync_here(const struct maker *m) {
  return m->flow == GROUP && m->together == GROUP && m->cost <= 256;
}

struct expr *item_value(enum item_value value) {
  struct expr *e = new_expr(E_ITEM, false);
  e->op = (int)value;
  return e;
}

/* ---- leaves */

static struct expr *any_constant(struct maker *m, bool wide) {
  static const uint64_t values[] = {0, 1, 2, 3, 7, 31, 255, 0x7fffffff, 0x80000000, 0xffffffff,
                                    0x8000000000000000u, ~(uint64_t)0, 0x9e3779b9};
  return constant(chance(m, 50) ? pick(m, 12) : values[pick(m, 13)], wide);
}

struct expr *index_below(struct maker *m, int count, enum level level) {
  if (chance(m, 25)) return constant(pick(m, (unsigned)count), false);
  if (level == VARYING && chance(m, 40)) level = some_level(m, 50);
  struct expr *e = make_expr(m, 1, false, level);
  return count & (count - 1) ? binary(B_REM, e, constant((uint64_t)count | 1, false))
                             : masked(e, (uint64_t)count - 1);
}

struct var *some_record(struct maker *m) {
  struct var *found = NULL;
  unsigned count = 1;
  for (int i = 0; i < m->visible; i++)
    if (m->scope[i]->record && !pick(m, ++count)) found = m->scope[i];
  return found;
}

struct var *some_var(struct maker *m, enum level level, bool assign, bool array) {
  struct var *found[256];
  unsigned count = 0;
  for (int i = 0; i < m->visible; i++) {
    struct var *v = m->scope[i];
    if (v->level < level && !assign) continue;
    if (assign && v->fixed) continue;
    if (v->record || array != (v->length > 0)) continue;
    /* A variable stays the same for all only if all assign it together. */
    if (assign && v->level > m->flow) continue;
    found[count++] = v;
  }
  return count ? found[pick(m, count)] : NULL;
}

static struct expr *var_expr(struct maker *m, bool wide, enum level level) {
  struct var *v = some_var(m, level, false, level == VARYING && chance(m, 15));
  if (!v) return any_constant(m, wide);
  struct expr *e = new_expr(v->length ? E_ELEMENT : E_VAR, wide);
  e->var = v;
  e->index = (int)pick(m, (unsigned)v->lanes);
  if (v->length) e->a = index_below(m, v->length, level);
  return e;
}

/* Of a record that varies. */
static struct expr *field_expr(struct maker *m, bool wide, enum level level) {
  if (level != VARYING) return var_expr(m, wide, level);
  struct expr *e = new_expr(E_FIELD, wide);
  e->var = some_record(m);
  e->index = (int)pick(m, FIELDS);
  e->op = (int)pick(m, (unsigned)fields[e->index].lanes);
  if (fields[e->index].length) e->a = index_below(m, fields[e->index].length, VARYING);
  return e;
}

static struct expr *in_expr(struct maker *m, bool wide) {
  struct expr *e = new_expr(E_IN, wide);
  e->op = (int)pick(m, IN_FORMS);
  e->type = e->op == IN_TYPE4 ? (int)pick(m, T_int) : (int)pick(m, INTEGERS);
  if (e->op == IN_TYPE4 && chance(m, 40)) e->type = T_int;
  unsigned count = e->op < IN_TYPE ? FUZZ_INS : 16 / (bits_of((enum fuzz_type)e->type) / 8);
  e->index = (int)pick(m, count);
  if (chance(m, 25))
    e->a = binary(B_REM, make_expr(m, 1, false, some_level(m, 20)), item_value(GLOBALS));
  return e;
}

static struct expr *stride_expr(struct maker *m, bool wide) {
  struct expr *e = new_expr(E_STRIDE, wide);
  e->op = (int)(chance(m, 50) ? LINEAR_ID : GLOBAL_LINEAR);
  e->type = (int)pick(m, INTEGERS);
  e->index = (int)pick(m, 9) - 3;
  e->more = (int)pick(m, 700) - 300;
  return e;
}

static struct expr *table_expr(struct maker *m, bool wide, enum level level) {
  struct expr *e = new_expr(E_TABLE, wide);
  e->op = chance(m, 40) ? TABLE_CONSTANT : (int)pick(m, TABLE_CONSTANT);
  e->type = (int)pick(m, INTEGERS); /* of a constant one, which are short: mostly read along */
  e->index = 4 << pick(m, FUZZ_TABLE_SIZES);
  if (e->op == TABLE_CONSTANT && level == VARYING && chance(m, 70)) {
    e->a = binary(B_ADD, item_value(chance(m, 50) ? LINEAR_ID : LOCAL_X), make_expr(m, 0, false, some_level(m, 50)));
    return e;
  }
  e->a = level == VARYING && chance(m, 50) ? stride_expr(m, chance(m, 50))
                                           : make_expr(m, 1, chance(m, 30), level);
  return e;
}

static struct expr *shared_expr(struct maker *m, bool wide, enum level level) {
  int which = (int)pick(m, FUZZ_SHARED);
  enum phase phase = m->phase[which];
  bool own = phase == OWN;
  if (m->no_shared || (own ? level != VARYING : phase != CLEAN && phase != READ))
    return var_expr(m, wide, level);
  struct expr *e = new_expr(E_SHARED, wide);
  e->index = which;
  if (own) {
    e->a = new_expr(E_ITEM, false);
    e->a->op = LINEAR_ID;
  } else {
    m->phase[which] = READ;
    struct expr *items = new_expr(E_ITEM, false);
    items->op = ITEMS;
    e->a = binary(B_REM, make_expr(m, 1, false, level), items);
  }
  return e;
}

static struct expr *leaf(struct maker *m, bool wide, enum level level) {
  struct expr *e;
  switch (pick(m, 16)) {
  case 0: return any_constant(m, wide);
  case 1:
    e = new_expr(E_ITEM, wide);
    if (level == VARYING) e->op = (int)pick(m, m->k->sub_group ? ITEM_VALUES : LANE);
    else if (level == TEAM && chance(m, 50)) e->op = (int)(LANES + pick(m, 4));
    else e->op = (int)(GROUP_X + pick(m, LANE - GROUP_X));
    return e;
  case 2:
    if (level == VARYING) return in_expr(m, wide);
    e = new_expr(E_U, wide);
    e->index = (int)pick(m, FUZZ_UNIFORMS);
    return e;
  case 3:
    e = new_expr(E_ARG, wide);
    e->index = (int)pick(m, 2);
    return e;
  case 4: return shared_expr(m, wide, level);
  case 5:
    /* Uniform, though hard to see: what varies cancels out. */
    e = new_expr(E_ITEM, wide);
    e->op = LINEAR_ID;
    return binary(B_AND, binary(B_XOR, e, e), var_expr(m, wide, level));
  case 6: return field_expr(m, wide, level);
  case 7: return table_expr(m, wide, level);
  case 8: if (level == VARYING) return stride_expr(m, wide); /* falls through */
  default: return var_expr(m, wide, level);
  }
}

/* ---- collectives */

static struct expr *collective(struct maker *m, int depth, bool wide, enum level level) {
  static const enum expr_kind kinds[] = {E_REDUCE, E_BROADCAST, E_ALL, E_ANY, E_REDUCE,
                                         E_SCAN_INCLUSIVE, E_SCAN_EXCLUSIVE, E_SCAN_EXCLUSIVE};
  struct expr *e = new_expr(kinds[pick(m, level != VARYING ? 5 : 8)], wide);
  e->type = (int)pick(m, 7);
  e->op = (int)pick(m, e->type >= GT_float ? 3 : G_COUNT);
  /* The infinities have no integer. */
  if (e->type >= GT_float && e->kind == E_SCAN_EXCLUSIVE) e->op = G_ADD;
  bool wide_type = e->type == GT_long || e->type == GT_ulong;
  e->a = make_expr(m, depth - 1, wide_type, some_level(m, 15));
  if (e->kind == E_ALL && chance(m, 50)) e->a = binary(B_OR, e->a, constant(1, e->a->wide));
  if (e->kind == E_BROADCAST) {
    struct expr *items = new_expr(E_ITEM, false);
    items->op = ITEMS;
    e->b = binary(B_REM, make_expr(m, depth - 1, false, GROUP), items);
  }
  return e;
}

/* ---- sub-group functions */

static bool lanes_here(const struct maker *m, enum level level) {
  return m->k->sub_group && level <= TEAM && level <= m->flow && m->cost <= 256;
}

static struct expr *lanes_expr(struct maker *m, int depth, bool wide, enum level level) {
  static const struct { enum lanes_takes takes; enum level arrive, result; } ops[] = {
#define X(id, function, takes, arrive, result) {takes, arrive, result},
      LANES_OPS(X)
#undef X
  };
  struct expr *e = new_expr(E_LANES, wide);
  do e->lanes = pick(m, L_COUNT);
  while (ops[e->lanes].arrive > m->flow || ops[e->lanes].result < level);
  enum lanes_takes takes = ops[e->lanes].takes;
  e->type = takes >= OPERAND ? (int)pick(m, 7) : (int)GT_int;
  e->op = (int)pick(m, e->type >= GT_float ? 3 : G_COUNT);
  if (ops[e->lanes].arrive == TEAM) e->op %= 3; /* add, min, max */
  if (e->type >= GT_float && (e->lanes == L_BEFORE || e->lanes == L_SOME_BEFORE)) e->op = G_ADD;
  e->index = 1 << pick(m, (unsigned)__builtin_ctz(m->k->sub_group) + 1);
  if (takes == NOTHING) return e;
  bool wide_type = e->type == GT_long || e->type == GT_ulong;
  e->a = make_expr(m, depth - 1, wide_type, some_level(m, 10));
  if (takes == TRUTH && chance(m, 50)) e->a = masked(e->a, 1);
  if (e->lanes == L_ALL_EQUAL) e->a = masked(e->a, 1);
  if (e->lanes == L_BROADCAST)
    e->b = binary(B_REM, make_expr(m, depth - 1, false, TEAM), item_value(LANES));
  else if (takes == PAIR)
    e->b = make_expr(m, depth - 1, false, VARYING);
  return e;
}

/* ---- trees */

/* What is computed in another type; how much of each operand is looked at is the operation's. */
static struct expr *typed(struct maker *m, int depth, bool wide, enum level level) {
  static const enum expr_kind kinds[] = {E_CALC, E_CALC, E_DIVIDE, E_DIVIDE, E_EXACT, E_CONVERT, E_ROUND};
  static const uint8_t calcs[] = {
#define X(name, operands) operands,
      FUZZ_CALCS(X)
#undef X
  };
  static const uint8_t exacts[] = {
#define X(id, operands) operands,
      FUZZ_EXACTS(X)
#undef X
  };
  struct expr *e = new_expr(kinds[pick(m, 7)], wide);
  int operands = 1;
  e->type = (int)pick(m, INTEGERS);
  switch (e->kind) {
  case E_CALC:
    e->op = (int)pick(m, C_COUNT);
    operands = calcs[e->op];
    if (e->op == C_upsample && bits_of((enum fuzz_type)e->type) == 64) e->type = T_int;
    break;
  case E_DIVIDE:
    e->op = (int)pick(m, 2);
    operands = 2;
    break;
  case E_EXACT:
    e->op = (int)pick(m, X_COUNT);
    e->type = (int[]){T_int, T_long, T_float, T_double}[pick(m, 4)];
    operands = exacts[e->op];
    break;
  case E_CONVERT: e->more = (int)pick(m, INTEGERS); break;
  default:
    e->op = (int)pick(m, ROUNDINGS);
    e->more = (int)(chance(m, 70) ? T_float : T_double);
  }
  e->a = make_expr(m, depth - 1, chance(m, 30), level);
  if (operands > 1) e->b = make_expr(m, depth - 1, chance(m, 30), some_level(m, 30));
  if (operands > 1 && e->b->kind != E_CONST && e->kind == E_DIVIDE && chance(m, 25))
    e->b = any_constant(m, true);
  if (operands > 1 && level != VARYING) e->b = make_expr(m, depth - 1, false, level);
  if (operands > 2) e->c = make_expr(m, depth - 1, false, level);
  return e;
}

static struct expr *inner(struct maker *m, int depth, bool wide, enum level level) {
  struct expr *e, *cond;
  enum level was, left;
  switch (pick(m, 13)) {
  case 0: return cast(make_expr(m, depth - 1, !wide, level), wide);
  case 1:
    e = new_expr(E_NOT, wide);
    e->a = make_expr(m, depth - 1, wide, level);
    return e;
  case 2:
    /* A condition that varies makes the arms' flow vary. */
    was = m->flow;
    left = higher(level, some_level(m, 40));
    cond = make_expr(m, depth - 1, false, left);
    e = new_expr(E_CHOOSE, wide);
    e->a = masked(cond, 1 + pick(m, 3));
    m->flow = lower(was, left);
    e->b = make_expr(m, depth - 1, wide, level);
    e->c = make_expr(m, depth - 1, wide, level);
    m->flow = was;
    return e;
  case 3:
    was = m->flow;
    left = higher(level, some_level(m, 40));
    e = new_expr(chance(m, 50) ? E_AND : E_OR, wide);
    e->a = masked(make_expr(m, depth - 1, wide, left), 1);
    m->flow = lower(was, left);
    e->b = make_expr(m, depth - 1, wide, level);
    m->flow = was;
    return e;
  case 4: case 5: return typed(m, depth, wide, level);
  default:
    e = make_expr(m, depth - 1, wide, level);
    return binary(pick(m, B_COUNT), e, make_expr(m, depth - 1, wide, level));
  }
}

struct expr *make_expr(struct maker *m, int depth, bool wide, enum level level) {
  if (depth <= 0) return leaf(m, wide, level);
  if (m->collectives && sync_here(m) && chance(m, 14)) return collective(m, depth, wide, level);
  if (lanes_here(m, level) && chance(m, 18)) return lanes_expr(m, depth, wide, level);
  return chance(m, 30) ? leaf(m, wide, level) : inner(m, depth, wide, level);
}

