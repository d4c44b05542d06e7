/* Expressions of random kernels, of all work-items of a group side by side. */
#include "fuzz/interpret.h"

static uint64_t item_value(const struct machine *m, int value, size_t i) {
  switch (value) {
  case LINEAR_ID: return i;
  case LOCAL_X: return m->id[0][i];
  case LOCAL_Y: return m->id[1][i];
  case LOCAL_Z: return m->id[2][i];
  case GLOBAL_X: return m->global[0][i];
  case GLOBAL_Y: return m->global[1][i];
  case GLOBAL_Z: return m->global[2][i];
  case GLOBAL_LINEAR: return m->global_linear[i];
  case GROUP_X: return m->group[0];
  case GROUP_Y: return m->group[1];
  case GROUP_Z: return m->group[2];
  case GROUP_LINEAR: return m->group_linear;
  case ITEMS: return m->items;
  case SIZE_X: return m->size[0];
  case SIZE_Y: return m->size[1];
  case SIZE_Z: return m->size[2];
  case GROUPS_X: return m->groups[0];
  case GLOBALS: return all_items(m->l);
  case OFFSET_X: return (uint32_t)m->l->offset[0];
  case LANE: return i % m->k->sub_group;
  case LANES: return team_end(m, i) - i / m->k->sub_group * m->k->sub_group;
  case TEAM_ID: return i / m->k->sub_group;
  case TEAMS: return (m->items + m->k->sub_group - 1) / m->k->sub_group;
  default: return m->k->sub_group; /* LANES_MAX */
  }
}

static uint64_t calculate(const struct expr *e, uint64_t a, uint64_t b) {
  switch ((enum binary)e->op) {
  case B_ADD: return a + b;
  case B_SUB: return a - b;
  case B_MUL: return a * b;
  case B_AND: return a & b;
  case B_OR: return a | b;
  case B_XOR: return a ^ b;
  case B_SHL: return a << (b & (e->wide ? 63 : 31));
  case B_SHR: return a >> (b & (e->wide ? 63 : 31));
  case B_DIV: return a / (b | 1);
  case B_REM: return a % (divides_by_count(e) ? b : b | 1);
  case B_LT: return a < b;
  case B_SLT: return e->wide ? (int64_t)a < (int64_t)b : (int32_t)a < (int32_t)b;
  case B_EQ: return a == b;
  case B_NE: return a != b;
  case B_MIN: return a < b ? a : b;
  default: return a > b ? a : b;
  }
}

static uint64_t read_shared(struct machine *m, int which, uint64_t index, size_t item) {
  struct cell *c = &m->shared[which][index % FUZZ_CELLS];
  int epoch = m->epoch[which];
  if (index >= m->items) m->illegal = "index out of range";
  if (c->write_epoch == epoch && c->writer != (int)item) m->illegal = "read beside a write";
  c->reader = c->read_epoch == epoch && c->reader != (int)item ? MANY : (int)item;
  c->read_epoch = epoch;
  return c->value;
}

void write_shared(struct machine *m, int which, uint64_t index, size_t item, uint32_t value) {
  struct cell *c = &m->shared[which][index % FUZZ_CELLS];
  int epoch = m->epoch[which];
  if (index >= m->items) m->illegal = "index out of range";
  if (c->write_epoch == epoch && c->writer != (int)item) m->illegal = "two writes";
  if (c->read_epoch == epoch && c->reader != (int)item) m->illegal = "write beside a read";
  c->writer = (int)item;
  c->write_epoch = epoch;
  c->value = value;
}

/* The operand as the collective's type has it: integers sign- or zero-extended. */
uint64_t group_operand(int type, uint64_t bits) {
  switch (type) {
  case GT_int: return (uint64_t)(int64_t)(int32_t)bits;
  case GT_uint: return (uint32_t)bits;
  case GT_float: case GT_double: return bits & 255;
  case GT_half: return bits & 3;
  default: return bits;
  }
}

uint64_t group_identity(int op, int type) {
  bool is_signed = type == GT_int || type == GT_long;
  uint64_t top = (uint64_t)1 << (type == GT_int || type == GT_uint ? 31 : 63);
  switch (op) {
  case G_MIN: return is_signed ? top - 1 : top + (top - 1);
  case G_MAX: return is_signed ? ~(top - 1) : 0;
  case G_MUL: return 1;
  case G_AND: return ~(uint64_t)0;
  default: return 0;
  }
}

uint64_t group_combine(int op, int type, uint64_t a, uint64_t b) {
  bool is_signed = type == GT_int || type == GT_long;
  bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;
  uint64_t r;
  switch (op) {
  case G_ADD: r = a + b; break;
  case G_MIN: r = less ? a : b; break;
  case G_MAX: r = less ? b : a; break;
  case G_MUL: r = a * b; break;
  case G_AND: r = a & b; break;
  case G_OR: r = a | b; break;
  default: r = a ^ b;
  }
  return type <= GT_ulong ? group_operand(type, r) : r;
}

static void eval_collective(struct machine *m, struct expr *e, const uint8_t *on, uint64_t *to) {
  uint64_t x[FUZZ_ITEMS], from[FUZZ_ITEMS];
  require_all(m, on);
  eval(m, e->a, on, x);
  if (m->illegal) return;
  uint64_t sum = e->kind == E_ALL, before;
  switch (e->kind) {
  case E_ALL: case E_ANY:
    EACH(i) sum = e->kind == E_ALL ? sum && (uint32_t)x[i] : sum || (uint32_t)x[i];
    EACH(i) to[i] = sum;
    return;
  case E_BROADCAST:
    eval(m, e->b, on, from);
    EACH(i) if (from[i] != from[0] || from[i] >= m->items) m->illegal = "broadcast of different ids";
    if (!m->illegal) EACH(i) to[i] = group_operand(e->type, x[from[0]]);
    return;
  default:
    sum = group_operand(e->type, group_identity(e->op, e->type));
    if (e->type >= GT_float && e->op == G_MIN) sum = 255; /* no operand is larger */
    EACH(i) {
      before = sum;
      sum = group_combine(e->op, e->type, sum, group_operand(e->type, x[i]));
      to[i] = e->kind == E_SCAN_EXCLUSIVE ? before : sum;
    }
    if (e->kind == E_REDUCE) EACH(i) to[i] = sum;
  }
}

static void eval_lanes(struct machine *m, struct expr *e, const uint8_t *on, uint64_t *to) {
  uint64_t a[FUZZ_ITEMS] = {0}, b[FUZZ_ITEMS] = {0};
  if (e->a) eval(m, e->a, on, a);
  if (e->b) eval(m, e->b, on, b);
  for (size_t first = 0; first < m->items && !m->illegal; first += m->k->sub_group)
    m->illegal = lanes_answer(e, m->k->sub_group, first, team_end(m, first), on, a, b, to);
}

static void eval_lazy(struct machine *m, struct expr *e, const uint8_t *on, uint64_t *to) {
  uint64_t cond[FUZZ_ITEMS];
  mask yes, no;
  eval(m, e->a, on, cond);
  memset(yes, 0, sizeof yes);
  memset(no, 0, sizeof no);
  EACH_ON(i) *(cond[i] ? &yes[i] : &no[i]) = 1;
  if (e->kind == E_CHOOSE) {
    if (any_item(m, yes)) eval(m, e->b, yes, to);
    if (any_item(m, no)) eval(m, e->c, no, to);
    return;
  }
  const uint8_t *more = e->kind == E_AND ? yes : no;
  EACH_ON(i) to[i] = e->kind == E_OR;
  if (!any_item(m, more)) return;
  eval(m, e->b, more, cond);
  EACH(i) if (more[i]) to[i] = cond[i] != 0;
}

static void eval_two(struct machine *m, struct expr *e, const uint8_t *on, uint64_t *to) {
  uint64_t other[FUZZ_ITEMS];
  eval(m, e->a, on, to);
  if (e->b) eval(m, e->b, on, other);
  if (m->illegal) return;
  switch (e->kind) {
  case E_BINARY: EACH_ON(i) to[i] = calculate(e, to[i], other[i]); break;
  case E_NOT: EACH_ON(i) to[i] = ~to[i]; break;
  case E_ELEMENT: EACH_ON(i) to[i] = *element(m, e->var, i, to[i], e->index); break;
  case E_SHARED: EACH_ON(i) to[i] = read_shared(m, e->index, to[i], i); break;
  default: break; /* E_CAST */
  }
}

static void eval_typed(struct machine *m, struct expr *e, const uint8_t *on, uint64_t *to) {
  uint64_t b[FUZZ_ITEMS] = {0}, c[FUZZ_ITEMS] = {0};
  eval(m, e->a, on, to);
  if (e->b) eval(m, e->b, on, b);
  if (e->c) eval(m, e->c, on, c);
  if (m->illegal) return;
  EACH_ON(i) to[i] = calculate_typed(e, to[i], b[i], c[i]);
}

/* Memory that nobody writes, by an index that may be another item's. */
static void eval_in(struct machine *m, struct expr *e, const uint8_t *on, uint64_t *to) {
  size_t size = e->op >= IN_TYPE ? bits_of((enum fuzz_type)e->type) / 8 : sizeof *m->l->in;
  if (e->a) eval(m, e->a, on, to);
  else EACH_ON(i) to[i] = m->global_linear[i];
  EACH_ON(i) {
    uint64_t bits = 0;
    if (to[i] >= all_items(m->l)) m->illegal = "index out of range";
    else memcpy(&bits, (const char *)&m->l->in[to[i] * FUZZ_INS] + (size_t)e->index * size, size);
    to[i] = e->op >= IN_TYPE ? convert((enum fuzz_type)e->type, bits) : bits;
  }
}

static void eval_table(struct machine *m, struct expr *e, const uint8_t *on, uint64_t *to) {
  eval(m, e->a, on, to);
  EACH_ON(i) switch ((enum table_form)e->op) {
  case TABLE_CHAR: to[i] = m->l->u[128 + (int8_t)to[i]]; break;
  case TABLE_USHORT: to[i] = m->l->u[(uint16_t)to[i] >> 8]; break;
  case TABLE_INT: to[i] = m->l->u[to[i] & 127]; break;
  case TABLE_CONSTANT: to[i] = FUZZ_IN_TABLE(to[i] & (uint64_t)(e->index - 1)); break;
  default: to[i] = m->l->u[to[i] & 255];
  }
}

static void eval_field(struct machine *m, struct expr *e, const uint8_t *on, uint64_t *to) {
  if (e->a) eval(m, e->a, on, to);
  else EACH_ON(i) to[i] = (uint64_t)e->op;
  EACH_ON(i) to[i] = *field(m, e->var, i, e->index, to[i]);
}

static void eval_stride(struct machine *m, struct expr *e, const uint8_t *on, uint64_t *to) {
  EACH_ON(i) {
    int64_t x = (int64_t)item_value(m, e->op, i) * e->index + e->more;
    to[i] = convert((enum fuzz_type)e->type, (uint64_t)x);
  }
}

void eval(struct machine *m, struct expr *e, const uint8_t *on, uint64_t *to) {
  if (m->illegal) return;
  switch (e->kind) {
  case E_CONST: EACH_ON(i) to[i] = e->bits; break;
  case E_VAR: EACH_ON(i) to[i] = *slot(e->var, i, e->index); break;
  case E_ITEM: EACH_ON(i) to[i] = item_value(m, e->op, i); break;
  case E_IN: eval_in(m, e, on, to); break;
  case E_TABLE: eval_table(m, e, on, to); break;
  case E_FIELD: eval_field(m, e, on, to); break;
  case E_STRIDE: eval_stride(m, e, on, to); break;
  case E_CALC: case E_DIVIDE: case E_CONVERT: case E_ROUND: case E_EXACT:
    eval_typed(m, e, on, to);
    break;
  case E_U: EACH_ON(i) to[i] = m->l->u[e->index]; break;
  case E_ARG: EACH_ON(i) to[i] = m->l->args[e->index]; break;
  case E_BINARY: case E_NOT: case E_CAST: case E_ELEMENT: case E_SHARED: eval_two(m, e, on, to); break;
  case E_CHOOSE: case E_AND: case E_OR: eval_lazy(m, e, on, to); break;
  case E_LANES: eval_lanes(m, e, on, to); break;
  default: eval_collective(m, e, on, to);
  }
  if (!e->wide) EACH_ON(i) to[i] = (uint32_t)to[i];
}
