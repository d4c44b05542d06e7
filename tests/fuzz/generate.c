/* Makes random legal kernels.
 *
 * Legal: sync points stand where all work-items arrive; every exchange of data between work-items
 * is fenced by barriers.  For the first, the generator knows which variables and which flow are
 * uniform; for the second, each shared array is in a phase that says what may be done with it
 * before the next barrier.  The interpreter checks both again. */
#include <stdlib.h>

#include "fuzz/generate.h"

/* ---- statements */

static struct stmt *add_stmt(struct maker *m, enum stmt_kind kind) {
  struct stmt *s = fuzz_new(sizeof *s), **end = &m->block->first;
  while (*end) end = &(*end)->next;
  s->kind = kind;
  return *end = s;
}

static struct var *new_var(struct maker *m, enum level level) {
  struct var *v = fuzz_new(sizeof *v);
  v->id = m->k->num_vars;
  v->type = (enum fuzz_type)pick(m, T_COUNT);
  v->lanes = 1;
  v->level = level;
  m->k->vars[m->k->num_vars++] = v;
  return v;
}

static void show(struct maker *m, struct var *v) {
  if (m->visible < 256) m->scope[m->visible++] = v;
}

static void add_barrier(struct maker *m, int flags) {
  add_stmt(m, S_BARRIER)->op = flags;
  if (flags & 1) m->phase[0] = m->phase[1] = CLEAN;
  if (flags & 2) m->phase[2] = CLEAN;
}

static void add_declaration(struct maker *m) {
  if (m->k->num_vars >= 400) return;
  enum level level = some_level(m, 30);
  if (level > m->flow) level = VARYING;
  struct expr *e = make_expr(m, 3, chance(m, 30), level);
  struct var *v = new_var(m, level);
  struct stmt *s = add_stmt(m, S_DECLARE);
  if (level == VARYING && chance(m, 8)) {
    s->from[0] = some_record(m);
    v->record = true;
    e = NULL;
  } else {
    if (level == VARYING && chance(m, 20)) v->length = 2 << pick(m, 3);
    if (chance(m, v->length ? 30 : 20)) v->lanes = (int[]){2, 3, 4, 4, 8}[pick(m, 5)];
  }
  s->var = v;
  s->a = e;
  show(m, v);
}

static void add_assignment(struct maker *m) {
  struct var *v = some_var(m, VARYING, true, chance(m, 15));
  if (!v) return add_declaration(m);
  struct expr *index = NULL;
  if (v->length) index = index_below(m, v->length, VARYING);
  struct expr *e = make_expr(m, 3, chance(m, 30), v->level);
  struct stmt *s = add_stmt(m, v->length ? S_ELEMENT : S_ASSIGN);
  s->var = v;
  s->a = e;
  s->b = index;
  s->index = (int)pick(m, (unsigned)v->lanes);
}

static void add_field(struct maker *m) {
  struct var *v = some_record(m);
  struct expr *e = make_expr(m, 3, chance(m, 30), VARYING), *index = NULL;
  int which = (int)pick(m, FIELDS);
  if (fields[which].length) index = index_below(m, fields[which].length, VARYING);
  struct stmt *s = add_stmt(m, S_FIELD);
  s->var = v;
  s->index = which;
  s->op = (int)pick(m, (unsigned)fields[which].lanes);
  s->a = e;
  s->b = index;
}

static void add_copy(struct maker *m) {
  struct var *to = some_record(m), *from = some_record(m);
  if (to == from) return add_field(m);
  struct stmt *s = add_stmt(m, S_COPY);
  s->var = to;
  s->from[0] = from;
}

static void add_swap(struct maker *m) {
  struct var *v = some_var(m, VARYING, true, true);
  if (!v) return add_assignment(m);
  struct expr *a = index_below(m, v->length, VARYING), *b = index_below(m, v->length, VARYING);
  struct stmt *s = add_stmt(m, S_SWAP);
  s->var = v;
  s->a = a;
  s->b = b;
  s->op = chance(m, 70);
  s->index = (int)pick(m, (unsigned)v->lanes);
}

/* One whose components another can be computed from. */
static struct var *vector_like(struct maker *m, struct var *to) {
  struct var *found = to;
  unsigned count = 1;
  for (int i = 0; i < m->visible; i++) {
    struct var *v = m->scope[i];
    if (v != to && v->type == to->type && v->lanes > 1 && !v->length && v->level >= to->level &&
        !pick(m, ++count))
      found = v;
  }
  return found;
}

static void add_vector(struct maker *m) {
  static const int ops[] = {C_rotate, C_mul_hi, C_abs_diff, C_hadd,  C_rhadd, C_add_sat, C_sub_sat,
                            V_MUL,    V_AND,    V_XOR,      C_min,   C_max,   V_ADD,     V_SUB,
                            V_CHOOSE};
  struct var *v = some_var(m, VARYING, true, false);
  if (!v || v->lanes < 2) return add_assignment(m);
  struct stmt *s = add_stmt(m, S_VECTOR);
  bool number = v->type >= T_float;
  s->var = v;
  s->op = number ? ops[10 + pick(m, 5)] : ops[pick(m, 15)];
  for (int k = 0; k < 2; k++) {
    s->from[k] = vector_like(m, v);
    bool straight = s->from[k]->lanes >= v->lanes && chance(m, 60);
    for (int lane = 0; lane < v->lanes; lane++)
      s->swizzle[k][lane] = (uint8_t)(straight ? lane : (int)pick(m, (unsigned)s->from[k]->lanes));
  }
}

/* Brings a shared array into a phase, with a barrier if one is needed and may stand here. */
static bool enter_phase(struct maker *m, int which, enum phase phase, int op) {
  enum phase now = m->phase[which];
  bool same = now == phase && phase != PERMUTED && (phase != ATOMIC || m->atomic_op[which] == op);
  if (now != CLEAN && !same) {
    if (!sync_here(m)) return false;
    add_barrier(m, which == 2 ? (chance(m, 30) ? 3 : 2) : (chance(m, 30) ? 3 : 1));
  }
  m->phase[which] = phase;
  m->atomic_op[which] = op;
  return true;
}

static void add_share(struct maker *m) {
  int which = (int)pick(m, FUZZ_SHARED);
  bool permuted = chance(m, 30) && (m->flow == GROUP || !m->loops); /* once each, by a loop too */
  if (!enter_phase(m, which, permuted ? PERMUTED : OWN, 0)) return;
  struct expr *index = item_value(LINEAR_ID);
  if (permuted) { /* the array now takes no further access before the next barrier */
    struct expr *shift = masked(make_expr(m, 1, false, GROUP), 0xffff);
    index = binary(B_REM, binary(B_ADD, index, shift), item_value(ITEMS));
  }
  struct expr *e = make_expr(m, 3, false, VARYING);
  struct stmt *s = add_stmt(m, S_SHARE);
  s->index = which;
  s->b = index;
  s->a = e;
}

static void add_atomic(struct maker *m) {
  static const enum group_op ops[] = {G_ADD, G_MIN, G_MAX, G_AND, G_OR, G_XOR};
  int which = (int)pick(m, FUZZ_SHARED), op = (int)ops[pick(m, 6)];
  if (!enter_phase(m, which, ATOMIC, op)) return;
  struct expr *index = binary(B_REM, make_expr(m, 1, false, some_level(m, 50)), item_value(ITEMS));
  struct expr *e = make_expr(m, 2, false, VARYING);
  struct stmt *s = add_stmt(m, S_ATOMIC);
  s->index = which;
  s->op = op;
  s->a = e;
  s->b = index;
}

static void add_out(struct maker *m) {
  if (m->function) return;
  struct expr *e = make_expr(m, 3, true, VARYING);
  struct stmt *s = add_stmt(m, S_OUT);
  s->index = (int)pick(m, FUZZ_OUTS - 1);
  s->a = e;
}

static void make_block(struct maker *m, struct block *block, int statements);

static void merge_phases(struct maker *m, const enum phase *other) {
  for (int i = 0; i < FUZZ_SHARED; i++)
    if (m->phase[i] != other[i]) m->phase[i] = DIRTY;
}
static void copy_phases(enum phase *to, const enum phase *from) {
  for (int i = 0; i < FUZZ_SHARED; i++) to[i] = from[i];
}
static void all_dirty(struct maker *m) {
  for (int i = 0; i < FUZZ_SHARED; i++) m->phase[i] = DIRTY;
}

/* The arms of an if or a switch.  If the flow stays uniform, one arm runs and each begins with the
 * phases of before; if it varies, arms may run in any order and even together. */
static void make_arms(struct maker *m, struct stmt *s, enum level level) {
  enum phase before[FUZZ_SHARED], after[FUZZ_SHARED];
  enum level was = m->flow;
  copy_phases(before, m->phase);
  copy_phases(after, m->phase);
  m->flow = level < was ? level : was;
  bool together = m->flow == GROUP;
  for (int i = 0; i < s->num_arms; i++) {
    if (together) copy_phases(m->phase, before);
    if (together && i && s->falls >> (i - 1) & 1) merge_phases(m, after);
    make_block(m, &s->arms[i], 1 + (int)pick(m, 4));
    enum phase end[FUZZ_SHARED];
    copy_phases(end, m->phase);
    if (together) merge_phases(m, after);
    if (together && s->falls >> i & 1) all_dirty(m);
    copy_phases(after, m->phase);
    if (!together) copy_phases(m->phase, end);
  }
  m->flow = was;
}

static void add_if(struct maker *m) {
  enum level level = some_level(m, 55);
  struct expr *cond = masked(make_expr(m, 3, chance(m, 20), level), 1 + pick(m, 3));
  struct stmt *s = add_stmt(m, S_IF);
  s->a = cond;
  s->num_arms = 1 + (int)pick(m, 2);
  make_arms(m, s, level);
}

static void add_switch(struct maker *m) {
  enum level level = some_level(m, 60);
  bool was = m->in_switch;
  struct expr *value = masked(make_expr(m, 2, false, level), chance(m, 50) ? 3 : 7);
  struct stmt *s = add_stmt(m, S_SWITCH);
  s->a = value;
  s->num_arms = 2 + (int)pick(m, MAX_ARMS - 1);
  for (int i = 0; i + 1 < s->num_arms; i++)
    if (chance(m, 25)) s->falls |= 1u << i;
  s->op = chance(m, 60) ? (int)pick(m, (unsigned)s->num_arms) : -1;
  s->index = (int)pick(m, 16);
  m->in_switch = true;
  make_arms(m, s, level);
  m->in_switch = was;
}

/* From and by how much a loop counts: by ones from 0; by a few; or with a stride as long as the
 * group from each work-item's id. */
static void add_steps(struct maker *m, struct stmt *s, enum level level) {
  if (s->kind != S_FOR) return;
  if (level == VARYING && chance(m, 20)) {
    s->b = item_value(LINEAR_ID);
    s->c = item_value(ITEMS);
    s->a = chance(m, 50) ? binary(B_ADD, item_value(ITEMS), masked(make_expr(m, 1, false, GROUP), 127))
                         : masked(make_expr(m, 1, false, VARYING), 255);
    return;
  }
  if (chance(m, 30)) s->b = masked(make_expr(m, 2, false, level), 7);
  if (chance(m, 30))
    s->c = chance(m, 50) ? constant(1 + pick(m, 3), false)
                         : binary(B_OR, masked(make_expr(m, 1, false, level), 3), constant(1, false));
}

/* break, continue or return under a condition. */
static void add_jump(struct maker *m);

/* A loop of at most 4 rounds, or 16 if it is not in many others; its bound is evaluated again each
 * time. */
static void add_loop(struct maker *m) {
  enum level level = some_level(m, 45), was_flow = m->flow, was_level = m->loop_level;
  bool was_shared = m->no_shared, was_switch = m->in_switch;
  enum level flow = level < was_flow ? level : was_flow;
  static const enum stmt_kind kinds[] = {S_FOR, S_FOR, S_WHILE, S_DO};
  enum stmt_kind kind = kinds[pick(m, 4)];
  int was_visible = m->visible, was_cost = m->cost;
  unsigned rounds = m->cost <= 4 && chance(m, 50) ? 15 : 3;
  struct var *counter = new_var(m, flow);
  counter->type = T_uint;
  counter->fixed = true;
  if (flow == GROUP) all_dirty(m);
  m->flow = flow;
  m->no_shared = true;
  m->cost *= (int)rounds + 1;
  struct stmt *s = add_stmt(m, kind);
  s->var = counter;
  s->num_arms = 1;
  add_steps(m, s, level);
  if (kind != S_DO) show(m, counter);
  struct expr *bound = s->a ? s->a : masked(make_expr(m, 2, false, level), rounds);
  if (!s->a && chance(m, 40)) bound = binary(B_OR, bound, constant(2, false));
  m->no_shared = was_shared;
  s->a = bound;
  if (kind == S_DO) show(m, counter);
  m->loop_level = flow;
  m->in_switch = false;
  m->loops++;
  make_block(m, &s->arms[0], 1 + (int)pick(m, 4));
  if (chance(m, 30)) {
    struct block *was = m->block;
    m->block = &s->arms[0];
    add_jump(m);
    m->block = was;
    make_block(m, &s->arms[0], 1 + (int)pick(m, 2));
  }
  m->loops--;
  m->cost = was_cost;
  m->visible = was_visible;
  m->in_switch = was_switch;
  m->loop_level = was_level;
  m->flow = was_flow;
  if (flow == GROUP) all_dirty(m);
}

static void add_jump(struct maker *m) {
  bool leave = !m->loops || chance(m, 15);
  enum level need = leave ? m->together : m->loop_level;
  if (m->flow < need || (leave && !chance(m, 30))) return;
  struct expr *cond = masked(make_expr(m, 3, false, need), 1 + pick(m, 3));
  struct expr *value = leave && m->function ? make_expr(m, 2, false, m->function->level) : NULL;
  struct stmt *s = add_stmt(m, S_IF);
  s->a = cond;
  s->num_arms = 1;
  struct block *was = m->block;
  m->block = &s->arms[0];
  if (leave) add_stmt(m, S_RETURN)->a = value;
  else add_stmt(m, m->in_switch || chance(m, 50) ? S_CONTINUE : S_BREAK);
  m->block = was;
}

static void add_call(struct maker *m) {
  int count = m->k->num_functions;
  if (!count) return;
  /* A function calls only those made before it. */
  struct function *f = m->k->functions[pick(m, (unsigned)count)];
  if (f == m->function || f->together > m->flow) return;
  if (f->together == GROUP && (!sync_here(m) || m->cost > 16)) return;
  struct expr *args[MAX_PARAMS];
  for (int i = 0; i < f->num_params; i++) {
    struct var *p = f->params[i];
    if (!p->pointer) {
      args[i] = make_expr(m, 2, p->type == T_ulong, p->level);
      continue;
    }
    struct expr *e = new_expr(E_VAR, false);
    for (int v = 0; v < m->visible; v++) {
      struct var *w = m->scope[v];
      bool taken = false;
      for (int j = 0; j < i; j++)
        if (f->params[j]->pointer && args[j]->var == w) taken = true;
      bool same = p->record ? w->record
                            : !w->record && w->type == p->type && w->lanes == p->lanes;
      if (same && w->length == p->length && !w->fixed && !w->pointer && w->level == p->level && !taken)
        e->var = w;
    }
    if (!e->var) return;
    args[i] = e;
  }
  struct var *result = some_var(m, VARYING, true, false);
  if (!result || result->level > f->level) return;
  for (int i = 0; i < f->num_params; i++)
    if (f->params[i]->pointer && args[i]->var == result) return;
  struct stmt *s = add_stmt(m, S_CALL);
  s->function = f;
  s->var = result;
  s->index = (int)pick(m, (unsigned)result->lanes);
  for (int i = 0; i < f->num_params; i++) s->args[i] = args[i];
  if (f->together == GROUP) all_dirty(m);
}

/* The lanes of a sub-group exchange values through local memory. */
static void add_exchange(struct maker *m) {
  struct var *v = some_var(m, VARYING, true, false);
  if (!m->k->sub_group || m->function || m->flow < TEAM || !v || v->level != VARYING) return;
  struct expr *distance = make_expr(m, 2, false, VARYING), *e = make_expr(m, 2, false, VARYING);
  struct stmt *s = add_stmt(m, S_EXCHANGE);
  s->var = v;
  s->index = (int)pick(m, (unsigned)v->lanes);
  s->a = e;
  s->b = binary(B_REM, distance, item_value(LANES));
}

static void add_random(struct maker *m) {
  bool deep = m->depth >= 5;
  m->budget--;
  switch (pick(m, 25)) {
  case 20: case 21: return add_field(m);
  case 22: return add_copy(m);
  case 23: return add_swap(m);
  case 24: return add_vector(m);
  case 0: case 1: case 2: return add_declaration(m);
  case 3: case 4: case 5: case 6: return add_assignment(m);
  case 7: return add_out(m);
  case 8: case 9: return add_share(m);
  case 10: return add_atomic(m);
  case 11:
    if (sync_here(m)) add_barrier(m, 1 + (int)pick(m, 3));
    return;
  case 12: case 13: if (!deep) add_if(m); return;
  case 14: if (!deep) add_switch(m); return;
  case 15: case 16: if (!deep && m->cost < 256) add_loop(m); return;
  case 17: return add_jump(m);
  case 18: if (m->k->sub_group) return add_exchange(m); /* falls through */
  default: return add_call(m);
  }
}

static void make_block(struct maker *m, struct block *block, int statements) {
  struct block *was = m->block;
  int was_visible = m->visible;
  m->block = block;
  m->depth++;
  for (int i = 0; i < statements && m->budget > 0; i++) add_random(m);
  m->depth--;
  m->visible = was_visible;
  m->block = was;
}

static struct expr *hash_with(struct expr *sum, struct expr *e, bool wide) {
  return binary(B_ADD, binary(B_MUL, sum, constant(31, wide)), e);
}

/* A hash of all that can be seen: a result that depends on every value.  Each has two more brackets
 * around those before it, and clang reads 256 deep: many are hashed in parts. */
static struct expr *hash_of_scope(struct maker *m, bool wide, enum level level) {
  enum { PART = 60 };
  struct expr *part = constant(17, wide), *sum = NULL;
  int count = 0;
  for (int i = 0; i < m->visible; i++) {
    struct var *v = m->scope[i];
    if (v->level < level) continue;
    int slots = v->record ? FIELDS : v->lanes * (v->length ? v->length : 1);
    for (int slot = 0; slot < slots; slot++) {
      struct expr *e = new_expr(v->record ? E_FIELD : v->length ? E_ELEMENT : E_VAR, wide);
      e->var = v;
      e->index = v->length ? slot % v->lanes : slot;
      if (v->length) e->a = constant((uint64_t)(slot / v->lanes), false);
      part = hash_with(part, e, wide);
      if (++count % PART) continue;
      sum = sum ? hash_with(sum, part, wide) : part;
      part = constant(17, wide);
    }
  }
  if (!sum) return part;
  return count % PART ? hash_with(sum, part, wide) : sum;
}

static void make_function(struct maker *m, int id) {
  struct function *f = fuzz_new(sizeof *f);
  f->id = id;
  f->together = some_level(m, 65);
  f->level = chance(m, 40) ? f->together : VARYING;
  f->num_params = 1 + (int)pick(m, MAX_PARAMS - 1);
  m->function = f;
  m->visible = 0;
  m->flow = m->together = f->together;
  m->cost = 4;
  m->budget = 14;
  all_dirty(m);
  for (int i = 0; i < f->num_params; i++) {
    struct var *p = f->params[i] = new_var(m, chance(m, 40) ? f->together : VARYING);
    p->pointer = chance(m, 35);
    if (!p->pointer) p->type = chance(m, 30) ? T_ulong : T_uint;
    else if (p->level == VARYING && chance(m, 30)) p->record = true;
    else if (p->level == VARYING && chance(m, 40)) p->length = 2 << pick(m, 3);
    show(m, p);
  }
  int params = m->visible;
  make_block(m, &f->body, 3 + (int)pick(m, 4));
  m->visible = params;
  struct block *was = m->block;
  m->block = &f->body;
  struct expr *value = hash_of_scope(m, false, f->level);
  add_stmt(m, S_RETURN)->a = value;
  m->block = was;
  m->k->functions[m->k->num_functions++] = f;
}

struct kernel *generate(uint64_t seed, int id, bool collectives, unsigned sub_groups) {
  struct maker m = {.random = seed, .collectives = collectives, .cost = 1};
  m.k = fuzz_new(sizeof *m.k);
  m.k->id = id;
  m.k->ids = (int)pick(&m, 4);
  if (sub_groups) m.k->sub_group = 8u << pick(&m, 4);
  if (sub_groups > 1) m.k->sub_group = sub_groups;
  int functions = (int)pick(&m, sub_groups ? 2 : MAX_FUNCTIONS + 1);
  for (int i = 0; i < functions; i++) make_function(&m, i);
  m.function = NULL;
  m.visible = 0;
  /* Where work-items never meet again, sub-groups and even single lanes may return early. */
  m.together = sub_groups ? some_level(&m, 50) : chance(&m, 40) ? VARYING : GROUP;
  m.flow = m.together;
  m.cost = 1;
  /* Sub-group functions inline to much code: smaller kernels, and more of them. */
  m.budget = sub_groups ? 6 + (int)pick(&m, 14) : 10 + (int)pick(&m, 25);
  m.block = &m.k->body;
  for (int i = 0; i < FUZZ_SHARED; i++) m.phase[i] = CLEAN;
  for (int i = 0; i < 4; i++) add_declaration(&m);
  /* Not make_block: what is declared on the top level stays visible for the hash. */
  while (m.budget > 0) add_random(&m);
  struct expr *hash = hash_of_scope(&m, true, VARYING);
  struct stmt *s = add_stmt(&m, S_OUT);
  s->index = FUZZ_OUTS - 1;
  s->a = hash;
  return m.k;
}
