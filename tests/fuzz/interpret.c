/* Runs a random kernel on the host: all work-items of a group in lock-step, statement by statement,
 * each under a mask.  Straightforward on purpose; it knows nothing of regions or slots.
 *
 * It also says whether the kernel is legal: that all work-items are at every sync point, and that
 * no two touch one element of a shared array without a barrier between them. */
#include <string.h>

#include "fuzz/tree.h"

typedef uint8_t mask[FUZZ_ITEMS];

/* Who touched an element last, and in which stretch between barriers. */
enum { NOBODY = -1, MANY = -2 };
struct cell { uint32_t value; int write_epoch, writer, read_epoch, reader; };

struct machine {
  struct kernel *k;
  const struct fuzz_launch *l;
  size_t items, size[3], group[3], groups[3], group_linear;
  uint32_t id[3][FUZZ_ITEMS], global_x[FUZZ_ITEMS], global_linear[FUZZ_ITEMS];
  struct cell shared[FUZZ_SHARED][FUZZ_CELLS];
  int epoch[FUZZ_SHARED];
  uint64_t *out;
  const char *illegal;
  long steps; /* work-items times statements left */
};

/* Where break, continue and return take their work-items. */
struct flow { uint8_t *broken, *continued, *returned; uint64_t *result; };

static int slots_of(const struct var *v) { return v->length ? v->length : v->lanes; }

static uint64_t *slot(struct var *v, size_t item, int index) {
  if (!v->values) v->values = fuzz_new((size_t)slots_of(v) * FUZZ_ITEMS * sizeof *v->values);
  return &v->values[item * (size_t)slots_of(v) + (size_t)index];
}

/* An element of a private array. */
static uint64_t *element(struct machine *m, struct var *v, size_t item, uint64_t index) {
  if (index >= (uint64_t)v->length) m->illegal = "index out of range";
  return slot(v, item, (int)(index % (uint64_t)v->length));
}

static uint64_t convert(enum fuzz_type type, uint64_t bits) {
  switch (type) {
  case T_uchar: return (uint8_t)bits;
  case T_short: return (uint64_t)(int64_t)(int16_t)bits;
  case T_int: return (uint64_t)(int64_t)(int32_t)bits;
  case T_float: return bits & 0xffff;
  case T_uint: case T_double: return (uint32_t)bits;
  default: return bits;
  }
}

static bool any_item(const struct machine *m, const uint8_t *on) {
  return memchr(on, 1, m->items) != NULL;
}
static void require_all(struct machine *m, const uint8_t *on) {
  if (memchr(on, 0, m->items)) m->illegal = "a sync point that not all work-items reach";
}

#define EACH(I) for (size_t I = 0; I < m->items; I++)
#define EACH_ON(I) EACH(I) if (on[I])

/* ---- expressions */

static void eval(struct machine *m, struct expr *e, const uint8_t *on, uint64_t *to);

/* The work-item after the last one of the sub-group of item i. */
static size_t team_end(const struct machine *m, size_t i) {
  size_t end = (i / m->k->sub_group + 1) * m->k->sub_group;
  return end < m->items ? end : m->items;
}

static uint64_t item_value(const struct machine *m, int value, size_t i) {
  switch (value) {
  case LINEAR_ID: return i;
  case LOCAL_X: return m->id[0][i];
  case LOCAL_Y: return m->id[1][i];
  case LOCAL_Z: return m->id[2][i];
  case GROUP_X: return m->group[0];
  case GROUP_LINEAR: return m->group_linear;
  case ITEMS: return m->items;
  case SIZE_X: return m->size[0];
  case LANE: return i % m->k->sub_group;
  case LANES: return team_end(m, i) - i / m->k->sub_group * m->k->sub_group;
  case TEAM_ID: return i / m->k->sub_group;
  case TEAMS: return (m->items + m->k->sub_group - 1) / m->k->sub_group;
  case LANES_MAX: return m->k->sub_group;
  default: return m->global_x[i];
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
  case B_SHL: return a << (b & 31);
  case B_SHR: return a >> (b & 31);
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

static void write_shared(struct machine *m, int which, uint64_t index, size_t item, uint32_t value) {
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
  switch (e->kind) {
  case E_BINARY: EACH_ON(i) to[i] = calculate(e, to[i], other[i]); break;
  case E_NOT: EACH_ON(i) to[i] = ~to[i]; break;
  case E_ELEMENT: EACH_ON(i) to[i] = *element(m, e->var, i, to[i]); break;
  case E_SHARED: EACH_ON(i) to[i] = read_shared(m, e->index, to[i], i); break;
  default: break; /* E_CAST */
  }
}

static void eval(struct machine *m, struct expr *e, const uint8_t *on, uint64_t *to) {
  if (m->illegal) return;
  switch (e->kind) {
  case E_CONST: EACH_ON(i) to[i] = e->bits; break;
  case E_VAR: EACH_ON(i) to[i] = *slot(e->var, i, e->index); break;
  case E_ITEM: EACH_ON(i) to[i] = item_value(m, e->op, i); break;
  case E_IN: EACH_ON(i) to[i] = m->l->in[m->global_linear[i] * FUZZ_INS + (uint32_t)e->index]; break;
  case E_U: EACH_ON(i) to[i] = m->l->u[e->index]; break;
  case E_ARG: EACH_ON(i) to[i] = m->l->args[e->index]; break;
  case E_BINARY: case E_NOT: case E_CAST: case E_ELEMENT: case E_SHARED: eval_two(m, e, on, to); break;
  case E_CHOOSE: case E_AND: case E_OR: eval_lazy(m, e, on, to); break;
  case E_LANES: eval_lanes(m, e, on, to); break;
  default: eval_collective(m, e, on, to);
  }
  if (!e->wide) EACH_ON(i) to[i] = (uint32_t)to[i];
}

/* ---- statements: each takes from `on` the work-items that jump away */

static void run_block(struct machine *m, struct block *b, uint8_t *on, struct flow *f);

static void run_declaration(struct machine *m, struct stmt *s, const uint8_t *on) {
  uint64_t x[FUZZ_ITEMS];
  eval(m, s->a, on, x);
  EACH_ON(i) for (int k = 0; k < slots_of(s->var); k++)
    *slot(s->var, i, k) = convert(s->var->type, x[i] + (uint64_t)k);
}

static void run_store(struct machine *m, struct stmt *s, const uint8_t *on) {
  uint64_t x[FUZZ_ITEMS], index[FUZZ_ITEMS];
  eval(m, s->a, on, x);
  if (s->b) eval(m, s->b, on, index);
  if (m->illegal) return;
  EACH_ON(i) {
    if (s->kind == S_ASSIGN) *slot(s->var, i, s->index) = convert(s->var->type, x[i]);
    else if (s->kind == S_ELEMENT) *element(m, s->var, i, index[i]) = convert(s->var->type, x[i]);
    else if (s->kind == S_OUT) m->out[m->global_linear[i] * FUZZ_OUTS + (uint32_t)s->index] = x[i];
    else write_shared(m, s->index, index[i], i, (uint32_t)x[i]);
  }
}

/* Each lane gets the value of the one that is so much further on, round and round. */
static void run_exchange(struct machine *m, struct stmt *s, const uint8_t *on) {
  uint64_t x[FUZZ_ITEMS], distance[FUZZ_ITEMS];
  eval(m, s->a, on, x);
  eval(m, s->b, on, distance);
  if (m->illegal) return;
  EACH_ON(i) {
    size_t first = i / m->k->sub_group * m->k->sub_group, lanes = team_end(m, i) - first;
    size_t from = first + (i - first + distance[i]) % lanes;
    if (!on[from]) m->illegal = "a sub-group barrier that not all lanes reach";
    *slot(s->var, i, s->index) = convert(s->var->type, (uint32_t)x[from]);
  }
}

static void run_atomic(struct machine *m, struct stmt *s, const uint8_t *on) {
  uint64_t x[FUZZ_ITEMS], index[FUZZ_ITEMS];
  eval(m, s->a, on, x);
  eval(m, s->b, on, index);
  if (m->illegal) return;
  int writer = -10 - s->op; /* several of one operation go together */
  EACH_ON(i) {
    struct cell *c = &m->shared[s->index][index[i]];
    int epoch = m->epoch[s->index];
    if (c->read_epoch == epoch || (c->write_epoch == epoch && c->writer != writer))
      m->illegal = "an atomic beside another access";
    c->write_epoch = epoch;
    c->writer = writer;
    c->value = (uint32_t)group_combine(s->op, GT_uint, c->value, x[i]);
  }
}

static void run_if(struct machine *m, struct stmt *s, uint8_t *on, struct flow *f) {
  uint64_t x[FUZZ_ITEMS];
  mask yes, no;
  eval(m, s->a, on, x);
  if (m->illegal) return;
  memset(yes, 0, sizeof yes);
  memset(no, 0, sizeof no);
  EACH_ON(i) *(x[i] ? &yes[i] : &no[i]) = 1;
  run_block(m, &s->arms[0], yes, f);
  if (s->num_arms > 1) run_block(m, &s->arms[1], no, f);
  EACH(i) on[i] = yes[i] | no[i];
}

static void run_switch(struct machine *m, struct stmt *s, uint8_t *on, struct flow *f) {
  uint64_t x[FUZZ_ITEMS];
  mask in, done;
  eval(m, s->a, on, x);
  if (m->illegal) return;
  memset(in, 0, sizeof in);
  memset(done, 0, sizeof done);
  /* 3 is printed as default; without it, what matches no arm passes by. */
  EACH_ON(i) if ((int)x[i] >= s->num_arms) done[i] = 1;
  for (int arm = 0; arm < s->num_arms; arm++) {
    EACH_ON(i) if ((int)x[i] == arm) in[i] = 1;
    run_block(m, &s->arms[arm], in, f);
    if (s->falls >> arm & 1) continue;
    EACH(i) done[i] |= in[i];
    memset(in, 0, sizeof in);
  }
  memcpy(on, done, sizeof done);
}

static void run_loop(struct machine *m, struct stmt *s, uint8_t *on, struct flow *outer) {
  mask broken, continued, live, done;
  uint64_t x[FUZZ_ITEMS];
  struct flow f = {broken, continued, outer->returned, outer->result};
  memset(broken, 0, sizeof broken);
  memset(done, 0, sizeof done);
  memcpy(live, on, sizeof live);
  EACH_ON(i) *slot(s->var, i, 0) = 0;
  for (bool first = true; any_item(m, live) && !m->illegal; first = false) {
    if (s->kind != S_DO || !first) {
      if (!first && s->kind != S_WHILE) EACH(i) if (live[i]) ++*slot(s->var, i, 0);
      eval(m, s->a, live, x);
      if (m->illegal) return;
      EACH(i) if (live[i] && *slot(s->var, i, 0) >= x[i]) live[i] = 0, done[i] = 1;
    }
    if (s->kind == S_WHILE) EACH(i) if (live[i]) ++*slot(s->var, i, 0);
    memset(continued, 0, sizeof continued);
    run_block(m, &s->arms[0], live, &f);
    EACH(i) live[i] |= continued[i];
  }
  EACH(i) on[i] = done[i] | broken[i];
}

static void run_call(struct machine *m, struct stmt *s, const uint8_t *on) {
  struct function *fn = s->function;
  uint64_t result[FUZZ_ITEMS], x[FUZZ_ITEMS];
  mask body, returned;
  struct flow f = {NULL, NULL, returned, result};
  if (fn->together == GROUP) require_all(m, on);
  for (int i = 0; i < fn->num_params; i++) {
    struct var *p = fn->params[i];
    if (p->pointer) {
      slot(s->args[i]->var, 0, 0);
      p->values = s->args[i]->var->values;
      continue;
    }
    eval(m, s->args[i], on, x);
    if (m->illegal) return;
    EACH_ON(j) *slot(p, j, 0) = convert(p->type, x[j]);
  }
  memset(returned, 0, sizeof returned);
  memcpy(body, on, sizeof body);
  run_block(m, &fn->body, body, &f);
  if (m->illegal) return;
  EACH_ON(i) *slot(s->var, i, s->index) = convert(s->var->type, result[i]);
}

static void jump(struct machine *m, uint8_t *on, uint8_t *to) {
  EACH_ON(i) to[i] = 1;
  memset(on, 0, FUZZ_ITEMS);
}

static void run_stmt(struct machine *m, struct stmt *s, uint8_t *on, struct flow *f) {
  switch (s->kind) {
  case S_DECLARE: run_declaration(m, s, on); break;
  case S_ASSIGN: case S_ELEMENT: case S_OUT: case S_SHARE: run_store(m, s, on); break;
  case S_ATOMIC: run_atomic(m, s, on); break;
  case S_EXCHANGE: run_exchange(m, s, on); break;
  case S_BARRIER:
    require_all(m, on);
    if (s->op & 1) m->epoch[0]++, m->epoch[1]++;
    if (s->op & 2) m->epoch[2]++;
    break;
  case S_IF: run_if(m, s, on, f); break;
  case S_SWITCH: run_switch(m, s, on, f); break;
  case S_FOR: case S_WHILE: case S_DO: run_loop(m, s, on, f); break;
  case S_CALL: run_call(m, s, on); break;
  case S_BREAK: jump(m, on, f->broken); break;
  case S_CONTINUE: jump(m, on, f->continued); break;
  case S_RETURN:
    if (s->a) {
      uint64_t x[FUZZ_ITEMS];
      eval(m, s->a, on, x);
      if (m->illegal) return;
      EACH_ON(i) f->result[i] = x[i];
    }
    jump(m, on, f->returned);
  }
}

static void run_block(struct machine *m, struct block *b, uint8_t *on, struct flow *f) {
  for (struct stmt *s = b->first; s && !m->illegal && any_item(m, on); s = s->next) {
    if ((m->steps -= (long)m->items) < 0) m->illegal = "it runs too long";
    run_stmt(m, s, on, f);
  }
}

/* ---- groups */

static void run_group(struct machine *m) {
  mask on, returned;
  struct flow f = {NULL, NULL, returned, NULL};
  size_t i = 0;
  for (int d = 0; d < 3; d++) {
    size_t left = m->l->global[d] - m->group[d] * m->l->local[d];
    m->size[d] = left < m->l->local[d] ? left : m->l->local[d];
  }
  m->items = m->size[0] * m->size[1] * m->size[2];
  for (size_t z = 0; z < m->size[2]; z++)
    for (size_t y = 0; y < m->size[1]; y++)
      for (size_t x = 0; x < m->size[0]; x++, i++) {
        m->id[0][i] = (uint32_t)x, m->id[1][i] = (uint32_t)y, m->id[2][i] = (uint32_t)z;
        size_t gx = m->group[0] * m->l->local[0] + x, gy = m->group[1] * m->l->local[1] + y;
        size_t gz = m->group[2] * m->l->local[2] + z;
        m->global_x[i] = (uint32_t)gx;
        m->global_linear[i] = (uint32_t)((gz * m->l->global[1] + gy) * m->l->global[0] + gx);
      }
  for (i = 0; i < m->items; i++) {
    uint32_t id = (uint32_t)i;
    for (int w = 0; w < FUZZ_SHARED; w++)
      m->shared[w][i] = (struct cell){w == 0 ? id * 7 : w == 1 ? ~id : id * id, -1, NOBODY, -1, NOBODY};
    memset(&m->out[m->global_linear[i] * FUZZ_OUTS], 0, FUZZ_OUTS * sizeof *m->out);
  }
  memset(m->epoch, 0, sizeof m->epoch);
  memset(on, 0, sizeof on);
  memset(on, 1, m->items);
  memset(returned, 0, sizeof returned);
  run_block(m, &m->k->body, on, &f);
}

const char *interpret(struct kernel *k, const struct fuzz_launch *l, uint64_t *out) {
  static struct machine m;
  memset(&m, 0, sizeof m);
  m.k = k, m.l = l, m.out = out;
  m.steps = 40000000;
  for (int d = 0; d < 3; d++) m.groups[d] = (l->global[d] + l->local[d] - 1) / l->local[d];
  for (m.group[2] = 0; m.group[2] < m.groups[2]; m.group[2]++)
    for (m.group[1] = 0; m.group[1] < m.groups[1]; m.group[1]++)
      for (m.group[0] = 0; m.group[0] < m.groups[0]; m.group[0]++) {
        run_group(&m);
        if (m.illegal) return m.illegal;
        m.group_linear++;
      }
  return NULL;
}
