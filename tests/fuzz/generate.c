/* Makes random legal kernels.
 *
 * Legal: sync points stand where all work-items arrive; every exchange of data between work-items
 * is fenced by barriers.  For the first, the generator knows which variables and which flow are
 * uniform; for the second, each shared array is in a phase that says what may be done with it
 * before the next barrier.  The interpreter checks both again. */
#include <stdlib.h>

#include "fuzz/tree.h"
#include "run/host.h"

/* What has happened to a shared array since the last barrier: nothing; each wrote and read its own
 * element; all only read; each wrote one element by a permutation; atomics; who knows. */
enum phase { CLEAN, OWN, READ, PERMUTED, ATOMIC, DIRTY };

struct maker {
  uint64_t random;
  struct kernel *k;
  struct function *function;     /* being made, or null */
  struct var *scope[256];
  int visible;
  enum phase phase[FUZZ_SHARED];
  int atomic_op[FUZZ_SHARED];
  bool uniform_flow;             /* all work-items are here */
  bool collectives;
  bool no_shared;                /* in an expression that is evaluated again and again */
  int loops;                     /* around this place, in this function */
  bool loop_uniform_only;        /* break and continue only where all work-items are */
  bool in_switch;                /* break would leave the switch */
  int depth, budget;
  int cost;                      /* product of trip counts around this place */
  struct block *block;
};

static unsigned pick(struct maker *m, unsigned n) {
  return (unsigned)(random_next(&m->random) >> 20) % n;
}
static bool chance(struct maker *m, unsigned percent) { return pick(m, 100) < percent; }

static struct expr *make_expr(struct maker *m, int depth, bool wide, bool uniform);

static struct expr *new_expr(enum expr_kind kind, bool wide) {
  struct expr *e = fuzz_new(sizeof *e);
  e->kind = kind;
  e->wide = wide;
  return e;
}

static struct expr *constant(uint64_t bits, bool wide) {
  struct expr *e = new_expr(E_CONST, wide);
  e->bits = wide ? bits : (uint32_t)bits;
  return e;
}

static struct expr *binary(enum binary op, struct expr *a, struct expr *b) {
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

static struct expr *masked(struct expr *e, uint64_t mask) {
  return binary(B_AND, e, constant(mask, e->wide));
}

static bool sync_here(const struct maker *m) {
  return m->uniform_flow && (!m->function || m->function->syncs) && m->cost <= 256;
}

/* ---- leaves */

static struct expr *any_constant(struct maker *m, bool wide) {
  static const uint64_t values[] = {0, 1, 2, 3, 7, 31, 255, 0x7fffffff, 0x80000000, 0xffffffff,
                                    0x8000000000000000u, ~(uint64_t)0, 0x9e3779b9};
  return constant(chance(m, 50) ? pick(m, 12) : values[pick(m, 13)], wide);
}

static struct var *some_var(struct maker *m, bool uniform, bool assign, bool array) {
  struct var *found[256];
  unsigned count = 0;
  for (int i = 0; i < m->visible; i++) {
    struct var *v = m->scope[i];
    if (uniform && !v->uniform) continue;
    if (assign && v->fixed) continue;
    if (array != (v->length > 0)) continue;
    /* A uniform variable stays so only if all work-items assign it together. */
    if (assign && v->uniform && !m->uniform_flow) continue;
    found[count++] = v;
  }
  return count ? found[pick(m, count)] : NULL;
}

static struct expr *var_expr(struct maker *m, bool wide, bool uniform) {
  struct var *v = some_var(m, uniform, false, !uniform && chance(m, 15));
  if (!v) return any_constant(m, wide);
  struct expr *e = new_expr(v->length ? E_ELEMENT : E_VAR, wide);
  e->var = v;
  e->index = (int)pick(m, (unsigned)v->lanes);
  if (v->length) e->a = masked(make_expr(m, 1, false, uniform), (uint64_t)v->length - 1);
  return e;
}

static struct expr *shared_expr(struct maker *m, bool wide, bool uniform) {
  int which = (int)pick(m, FUZZ_SHARED);
  enum phase phase = m->phase[which];
  bool own = phase == OWN;
  if (m->no_shared || (own ? uniform : phase != CLEAN && phase != READ))
    return var_expr(m, wide, uniform);
  struct expr *e = new_expr(E_SHARED, wide);
  e->index = which;
  if (own) {
    e->a = new_expr(E_ITEM, false);
    e->a->op = LINEAR_ID;
  } else {
    m->phase[which] = READ;
    struct expr *items = new_expr(E_ITEM, false);
    items->op = ITEMS;
    e->a = binary(B_REM, make_expr(m, 1, false, uniform), items);
  }
  return e;
}

static struct expr *leaf(struct maker *m, bool wide, bool uniform) {
  struct expr *e;
  switch (pick(m, 12)) {
  case 0: return any_constant(m, wide);
  case 1:
    e = new_expr(E_ITEM, wide);
    if (uniform) e->op = (int)(GROUP_X + pick(m, 4));
    else e->op = (int)pick(m, 9);
    return e;
  case 2:
    e = new_expr(uniform ? E_U : E_IN, wide);
    e->index = (int)pick(m, uniform ? FUZZ_UNIFORMS : FUZZ_INS);
    return e;
  case 3:
    e = new_expr(E_ARG, wide);
    e->index = (int)pick(m, 2);
    return e;
  case 4: return shared_expr(m, wide, uniform);
  case 5:
    /* Uniform, though hard to see: what varies cancels out. */
    e = new_expr(E_ITEM, wide);
    e->op = LINEAR_ID;
    return binary(B_AND, binary(B_XOR, e, e), var_expr(m, wide, uniform));
  default: return var_expr(m, wide, uniform);
  }
}

/* ---- collectives */

static struct expr *collective(struct maker *m, int depth, bool wide, bool uniform) {
  static const enum expr_kind kinds[] = {E_REDUCE, E_BROADCAST, E_ALL, E_ANY, E_REDUCE,
                                         E_SCAN_INCLUSIVE, E_SCAN_EXCLUSIVE, E_SCAN_EXCLUSIVE};
  struct expr *e = new_expr(kinds[pick(m, uniform ? 5 : 8)], wide);
  e->type = (int)pick(m, 7);
  e->op = (int)pick(m, e->type >= GT_float ? 3 : G_COUNT);
  /* The infinities have no integer. */
  if (e->type >= GT_float && e->kind == E_SCAN_EXCLUSIVE) e->op = G_ADD;
  bool wide_type = e->type == GT_long || e->type == GT_ulong;
  e->a = make_expr(m, depth - 1, wide_type, chance(m, 15));
  if (e->kind == E_ALL && chance(m, 50)) e->a = binary(B_OR, e->a, constant(1, e->a->wide));
  if (e->kind == E_BROADCAST) {
    struct expr *items = new_expr(E_ITEM, false);
    items->op = ITEMS;
    e->b = binary(B_REM, make_expr(m, depth - 1, false, true), items);
  }
  return e;
}

/* ---- trees */

static struct expr *inner(struct maker *m, int depth, bool wide, bool uniform) {
  struct expr *e, *cond;
  bool was;
  switch (pick(m, 10)) {
  case 0: return cast(make_expr(m, depth - 1, !wide, uniform), wide);
  case 1:
    e = new_expr(E_NOT, wide);
    e->a = make_expr(m, depth - 1, wide, uniform);
    return e;
  case 2:
    /* A condition that varies makes the arms' flow vary. */
    was = m->uniform_flow;
    bool cond_uniform = uniform || chance(m, 40);
    cond = make_expr(m, depth - 1, false, cond_uniform);
    e = new_expr(E_CHOOSE, wide);
    e->a = masked(cond, 1 + pick(m, 3));
    m->uniform_flow = was && cond_uniform;
    e->b = make_expr(m, depth - 1, wide, uniform);
    e->c = make_expr(m, depth - 1, wide, uniform);
    m->uniform_flow = was;
    return e;
  case 3:
    was = m->uniform_flow;
    bool left_uniform = uniform || chance(m, 40);
    e = new_expr(chance(m, 50) ? E_AND : E_OR, wide);
    e->a = masked(make_expr(m, depth - 1, wide, left_uniform), 1);
    m->uniform_flow = was && left_uniform;
    e->b = make_expr(m, depth - 1, wide, uniform);
    m->uniform_flow = was;
    return e;
  default:
    e = make_expr(m, depth - 1, wide, uniform);
    return binary(pick(m, B_COUNT), e, make_expr(m, depth - 1, wide, uniform));
  }
}

static struct expr *make_expr(struct maker *m, int depth, bool wide, bool uniform) {
  if (depth <= 0) return leaf(m, wide, uniform);
  if (m->collectives && sync_here(m) && chance(m, 14)) return collective(m, depth, wide, uniform);
  return chance(m, 30) ? leaf(m, wide, uniform) : inner(m, depth, wide, uniform);
}

/* ---- statements */

static struct stmt *add_stmt(struct maker *m, enum stmt_kind kind) {
  struct stmt *s = fuzz_new(sizeof *s), **end = &m->block->first;
  while (*end) end = &(*end)->next;
  s->kind = kind;
  return *end = s;
}

static struct var *new_var(struct maker *m, bool uniform) {
  struct var *v = fuzz_new(sizeof *v);
  v->id = m->k->num_vars;
  v->type = (enum fuzz_type)pick(m, T_COUNT);
  v->lanes = 1;
  v->uniform = uniform;
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
  bool uniform = m->uniform_flow && chance(m, 30);
  struct expr *e = make_expr(m, 3, chance(m, 30), uniform);
  struct var *v = new_var(m, uniform);
  if (!uniform && chance(m, 15)) v->length = 2 << pick(m, 3);
  else if (chance(m, 15)) v->lanes = 2 + (int)pick(m, 3);
  struct stmt *s = add_stmt(m, S_DECLARE);
  s->var = v;
  s->a = e;
  show(m, v);
}

static void add_assignment(struct maker *m) {
  struct var *v = some_var(m, false, true, chance(m, 15));
  if (!v) return add_declaration(m);
  struct expr *index = NULL;
  if (v->length) index = masked(make_expr(m, 2, false, false), (uint64_t)v->length - 1);
  struct expr *e = make_expr(m, 3, chance(m, 30), v->uniform);
  struct stmt *s = add_stmt(m, v->length ? S_ELEMENT : S_ASSIGN);
  s->var = v;
  s->a = e;
  s->b = index;
  s->index = (int)pick(m, (unsigned)v->lanes);
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

static struct expr *item_value(enum item_value value) {
  struct expr *e = new_expr(E_ITEM, false);
  e->op = (int)value;
  return e;
}

static void add_share(struct maker *m) {
  int which = (int)pick(m, FUZZ_SHARED);
  bool permuted = chance(m, 30) && (m->uniform_flow || !m->loops); /* once each, by a loop too */
  if (!enter_phase(m, which, permuted ? PERMUTED : OWN, 0)) return;
  struct expr *index = item_value(LINEAR_ID);
  if (permuted) { /* the array now takes no further access before the next barrier */
    struct expr *shift = masked(make_expr(m, 1, false, true), 0xffff);
    index = binary(B_REM, binary(B_ADD, index, shift), item_value(ITEMS));
  }
  struct expr *e = make_expr(m, 3, false, false);
  struct stmt *s = add_stmt(m, S_SHARE);
  s->index = which;
  s->b = index;
  s->a = e;
}

static void add_atomic(struct maker *m) {
  static const enum group_op ops[] = {G_ADD, G_MIN, G_MAX, G_AND, G_OR, G_XOR};
  int which = (int)pick(m, FUZZ_SHARED), op = (int)ops[pick(m, 6)];
  if (!enter_phase(m, which, ATOMIC, op)) return;
  struct expr *index = binary(B_REM, make_expr(m, 1, false, chance(m, 50)), item_value(ITEMS));
  struct expr *e = make_expr(m, 2, false, false);
  struct stmt *s = add_stmt(m, S_ATOMIC);
  s->index = which;
  s->op = op;
  s->a = e;
  s->b = index;
}

static void add_out(struct maker *m) {
  if (m->function) return;
  struct expr *e = make_expr(m, 3, true, false);
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
static void make_arms(struct maker *m, struct stmt *s, bool uniform) {
  enum phase before[FUZZ_SHARED], after[FUZZ_SHARED];
  bool was = m->uniform_flow;
  copy_phases(before, m->phase);
  copy_phases(after, m->phase);
  m->uniform_flow = was && uniform;
  for (int i = 0; i < s->num_arms; i++) {
    if (m->uniform_flow) copy_phases(m->phase, before);
    if (m->uniform_flow && i && s->falls >> (i - 1) & 1) merge_phases(m, after);
    make_block(m, &s->arms[i], 1 + (int)pick(m, 4));
    enum phase end[FUZZ_SHARED];
    copy_phases(end, m->phase);
    if (m->uniform_flow) merge_phases(m, after);
    if (m->uniform_flow && s->falls >> i & 1) all_dirty(m);
    copy_phases(after, m->phase);
    if (!m->uniform_flow) copy_phases(m->phase, end);
  }
  m->uniform_flow = was;
}

static void add_if(struct maker *m) {
  bool uniform = chance(m, 55);
  struct expr *cond = masked(make_expr(m, 3, chance(m, 20), uniform), 1 + pick(m, 3));
  struct stmt *s = add_stmt(m, S_IF);
  s->a = cond;
  s->num_arms = 1 + (int)pick(m, 2);
  make_arms(m, s, uniform);
}

static void add_switch(struct maker *m) {
  bool uniform = chance(m, 60), was = m->in_switch;
  struct expr *value = masked(make_expr(m, 2, false, uniform), 3);
  struct stmt *s = add_stmt(m, S_SWITCH);
  s->a = value;
  s->num_arms = 2 + (int)pick(m, MAX_ARMS - 1);
  for (int i = 0; i + 1 < s->num_arms; i++)
    if (chance(m, 25)) s->falls |= 1u << i;
  m->in_switch = true;
  make_arms(m, s, uniform);
  m->in_switch = was;
}

/* A loop of at most 4 rounds; its bound is evaluated again each time. */
static void add_loop(struct maker *m) {
  bool uniform = chance(m, 60), was_flow = m->uniform_flow, was_only = m->loop_uniform_only;
  bool was_shared = m->no_shared, was_switch = m->in_switch;
  bool sync = was_flow && uniform;
  static const enum stmt_kind kinds[] = {S_FOR, S_FOR, S_WHILE, S_DO};
  enum stmt_kind kind = kinds[pick(m, 4)];
  int was_visible = m->visible;
  struct var *counter = new_var(m, sync);
  counter->type = T_uint;
  counter->fixed = true;
  if (sync) all_dirty(m);
  m->uniform_flow = sync;
  m->no_shared = true;
  m->cost *= 4;
  struct stmt *s = add_stmt(m, kind);
  s->var = counter;
  s->num_arms = 1;
  if (kind != S_DO) show(m, counter);
  struct expr *bound = masked(make_expr(m, 2, false, uniform), 3);
  if (chance(m, 40)) bound = binary(B_OR, bound, constant(2, false));
  m->no_shared = was_shared;
  s->a = bound;
  if (kind == S_DO) show(m, counter);
  m->loop_uniform_only = sync;
  m->in_switch = false;
  m->loops++;
  make_block(m, &s->arms[0], 1 + (int)pick(m, 4));
  m->loops--;
  m->cost /= 4;
  m->visible = was_visible;
  m->in_switch = was_switch;
  m->loop_uniform_only = was_only;
  m->uniform_flow = was_flow;
  if (sync) all_dirty(m);
}

/* break, continue or return under a condition. */
static void add_jump(struct maker *m) {
  bool leave = !m->loops || chance(m, 15);
  bool need_uniform = leave ? !m->function || m->function->syncs : m->loop_uniform_only;
  if (leave && m->function && m->function->syncs && !m->uniform_flow) return;
  if (leave && !m->function && !m->uniform_flow) return;
  if (!leave && m->loop_uniform_only && !m->uniform_flow) return;
  if (leave && !chance(m, 30)) return;
  struct expr *cond = masked(make_expr(m, 3, false, need_uniform), 1 + pick(m, 3));
  struct expr *value = leave && m->function ? make_expr(m, 2, false, m->function->uniform) : NULL;
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
  if (f == m->function || (f->syncs && (!sync_here(m) || m->cost > 16))) return;
  struct expr *args[MAX_PARAMS];
  for (int i = 0; i < f->num_params; i++) {
    struct var *p = f->params[i];
    if (!p->pointer) {
      args[i] = make_expr(m, 2, p->type == T_ulong, p->uniform);
      continue;
    }
    struct expr *e = new_expr(E_VAR, false);
    for (int v = 0; v < m->visible; v++) {
      struct var *w = m->scope[v];
      bool taken = false;
      for (int j = 0; j < i; j++)
        if (f->params[j]->pointer && args[j]->var == w) taken = true;
      if (w->type == p->type && w->lanes == 1 && !w->length && !w->fixed && !w->pointer &&
          w->uniform == p->uniform && !taken)
        e->var = w;
    }
    if (!e->var) return;
    args[i] = e;
  }
  struct var *result = some_var(m, false, true, false);
  if (!result || (result->uniform && !f->uniform)) return;
  for (int i = 0; i < f->num_params; i++)
    if (f->params[i]->pointer && args[i]->var == result) return;
  struct stmt *s = add_stmt(m, S_CALL);
  s->function = f;
  s->var = result;
  s->index = (int)pick(m, (unsigned)result->lanes);
  for (int i = 0; i < f->num_params; i++) s->args[i] = args[i];
  if (f->syncs) all_dirty(m);
}

static void add_random(struct maker *m) {
  bool deep = m->depth >= 5;
  m->budget--;
  switch (pick(m, 20)) {
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

/* A hash of all that can be seen: a result that depends on every value. */
static struct expr *hash_of_scope(struct maker *m, bool wide, bool uniform) {
  struct expr *sum = constant(17, wide);
  for (int i = 0; i < m->visible; i++) {
    struct var *v = m->scope[i];
    if (uniform && !v->uniform) continue;
    for (int slot = 0; slot < (v->length ? v->length : v->lanes); slot++) {
      struct expr *e = new_expr(v->length ? E_ELEMENT : E_VAR, wide);
      e->var = v;
      if (v->length) e->a = constant((uint64_t)slot, false);
      else e->index = slot;
      sum = binary(B_ADD, binary(B_MUL, sum, constant(31, wide)), e);
    }
  }
  return sum;
}

static void make_function(struct maker *m, int id) {
  struct function *f = fuzz_new(sizeof *f);
  f->id = id;
  f->syncs = chance(m, 65);
  f->uniform = f->syncs && chance(m, 40);
  f->num_params = 1 + (int)pick(m, MAX_PARAMS - 1);
  m->function = f;
  m->visible = 0;
  m->uniform_flow = f->syncs;
  m->cost = 4;
  m->budget = 14;
  all_dirty(m);
  for (int i = 0; i < f->num_params; i++) {
    struct var *p = f->params[i] = new_var(m, f->syncs && chance(m, 40));
    p->pointer = chance(m, 25);
    if (!p->pointer) p->type = chance(m, 30) ? T_ulong : T_uint;
    show(m, p);
  }
  int params = m->visible;
  make_block(m, &f->body, 3 + (int)pick(m, 4));
  m->visible = params;
  struct block *was = m->block;
  m->block = &f->body;
  struct expr *value = hash_of_scope(m, false, f->uniform);
  add_stmt(m, S_RETURN)->a = value;
  m->block = was;
  m->k->functions[m->k->num_functions++] = f;
}

struct kernel *generate(uint64_t seed, int id, bool collectives) {
  struct maker m = {.random = seed, .collectives = collectives, .cost = 1};
  m.k = fuzz_new(sizeof *m.k);
  m.k->id = id;
  int functions = (int)pick(&m, MAX_FUNCTIONS + 1);
  for (int i = 0; i < functions; i++) make_function(&m, i);
  m.function = NULL;
  m.visible = 0;
  m.uniform_flow = true;
  m.cost = 1;
  m.budget = 20 + (int)pick(&m, 40);
  m.block = &m.k->body;
  for (int i = 0; i < FUZZ_SHARED; i++) m.phase[i] = CLEAN;
  for (int i = 0; i < 4; i++) add_declaration(&m);
  /* Not make_block: what is declared on the top level stays visible for the hash. */
  while (m.budget > 0) add_random(&m);
  struct expr *hash = hash_of_scope(&m, true, false);
  struct stmt *s = add_stmt(&m, S_OUT);
  s->index = FUZZ_OUTS - 1;
  s->a = hash;
  return m.k;
}
