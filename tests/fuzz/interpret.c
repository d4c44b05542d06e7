/* Runs a random kernel on the host: all work-items of a group in lock-step, statement by statement,
 * each under a mask.  Straightforward on purpose; it knows nothing of regions or slots.
 *
 * It also says whether the kernel is legal: that all work-items are at every sync point, and that
 * no two touch one element of a shared array without a barrier between them. */
#include "fuzz/interpret.h"

/* Where break, continue and return take their work-items. */
struct flow { uint8_t *broken, *continued, *returned; uint64_t *result; };

/* Each statement takes from `on` the work-items that jump away */

static void run_block(struct machine *m, struct block *b, uint8_t *on, struct flow *f);

/* Of a record. */
static void run_copy(struct machine *m, struct stmt *s, const uint8_t *on) {
  EACH_ON(i) for (int f = 0; f < FIELDS; f++) {
    int count = fields[f].length ? fields[f].length : fields[f].lanes;
    for (uint64_t k = 0; k < (uint64_t)count; k++)
      *field(m, s->var, i, f, k) = *field(m, s->from[0], i, f, k);
  }
}

static void run_field(struct machine *m, struct stmt *s, const uint8_t *on) {
  uint64_t x[FUZZ_ITEMS], index[FUZZ_ITEMS];
  eval(m, s->a, on, x);
  if (s->b) eval(m, s->b, on, index);
  if (m->illegal) return;
  EACH_ON(i)
    *field(m, s->var, i, s->index, s->b ? index[i] : (uint64_t)s->op) =
        convert(fields[s->index].type, x[i]);
}

static void run_swap(struct machine *m, struct stmt *s, const uint8_t *on) {
  uint64_t a[FUZZ_ITEMS], b[FUZZ_ITEMS];
  struct var *v = s->var;
  eval(m, s->a, on, a);
  eval(m, s->b, on, b);
  if (m->illegal) return;
  EACH_ON(i) {
    uint64_t first = *element(m, v, i, a[i], s->index), second = *element(m, v, i, b[i], s->index);
    if (s->op && !less_in(v->type, second, first)) continue;
    for (int lane = 0; lane < v->lanes; lane++) {
      uint64_t *x = element(m, v, i, a[i], lane), *y = element(m, v, i, b[i], lane), was = *x;
      *x = *y;
      *y = was;
    }
  }
}

static void run_vector(struct machine *m, struct stmt *s, const uint8_t *on) {
  EACH_ON(i) {
    uint64_t result[16];
    for (int lane = 0; lane < s->var->lanes; lane++)
      result[lane] = calculate_vector(s->var->type, s->op,
                                      *slot(s->from[0], i, s->swizzle[0][lane]),
                                      *slot(s->from[1], i, s->swizzle[1][lane]));
    for (int lane = 0; lane < s->var->lanes; lane++) *slot(s->var, i, lane) = result[lane];
  }
}

static void run_declaration(struct machine *m, struct stmt *s, const uint8_t *on) {
  uint64_t x[FUZZ_ITEMS];
  if (s->var->record) return run_copy(m, s, on);
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
    else if (s->kind == S_ELEMENT) *element(m, s->var, i, index[i], s->index) = convert(s->var->type, x[i]);
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

/* Each arm is for its own number and, as its bit says, for that and 4; one may be the default. */
static void run_switch(struct machine *m, struct stmt *s, uint8_t *on, struct flow *f) {
  uint64_t x[FUZZ_ITEMS];
  int arm_of[FUZZ_ITEMS];
  mask in, done;
  eval(m, s->a, on, x);
  if (m->illegal) return;
  memset(in, 0, sizeof in);
  memset(done, 0, sizeof done);
  EACH_ON(i) {
    arm_of[i] = s->op;
    for (int arm = 0; arm < s->num_arms; arm++)
      if (arm != s->op && (x[i] == (unsigned)arm || (s->index >> arm & 1 && x[i] == arm + 4u)))
        arm_of[i] = arm;
    if (arm_of[i] < 0 || arm_of[i] >= s->num_arms) done[i] = 1;
  }
  for (int arm = 0; arm < s->num_arms; arm++) {
    EACH_ON(i) if (arm_of[i] == arm) in[i] = 1;
    run_block(m, &s->arms[arm], in, f);
    if (s->falls >> arm & 1) continue;
    EACH(i) done[i] |= in[i];
    memset(in, 0, sizeof in);
  }
  EACH(i) on[i] = done[i] | in[i];
}

static void run_loop(struct machine *m, struct stmt *s, uint8_t *on, struct flow *outer) {
  mask broken, continued, live, done;
  uint64_t x[FUZZ_ITEMS];
  struct flow f = {broken, continued, outer->returned, outer->result};
  memset(broken, 0, sizeof broken);
  memset(done, 0, sizeof done);
  memcpy(live, on, sizeof live);
  if (s->b) eval(m, s->b, on, x);
  EACH_ON(i) *slot(s->var, i, 0) = s->b ? x[i] : 0;
  for (bool first = true; any_item(m, live) && !m->illegal; first = false) {
    if (s->kind != S_DO || !first) {
      if (!first && s->c) eval(m, s->c, live, x);
      if (!first && s->kind != S_WHILE)
        EACH(i) if (live[i]) *slot(s->var, i, 0) += s->c ? x[i] : 1;
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
  case S_FIELD: run_field(m, s, on); break;
  case S_COPY: run_copy(m, s, on); break;
  case S_SWAP: run_swap(m, s, on); break;
  case S_VECTOR: run_vector(m, s, on); break;
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
        size_t at[3] = {x, y, z};
        for (int d = 0; d < 3; d++) {
          at[d] += m->group[d] * m->l->local[d];
          m->global[d][i] = (uint32_t)(at[d] + m->l->offset[d]);
        }
        m->global_linear[i] = (uint32_t)((at[2] * m->l->global[1] + at[1]) * m->l->global[0] + at[0]);
      }
  for (i = 0; i < m->items; i++) {
    uint32_t id = (uint32_t)i;
    for (int w = 0; w < FUZZ_SHARED; w++)
      m->shared[w][i] = (struct cell){w == 0 ? id * 7 : w == 1 ? ~id : id * id, -1, NOBODY, -1, NOBODY};
    memset(&m->out[m->global_linear[i] * FUZZ_OUTS], 0, FUZZ_OUTS * sizeof *m->out);
    for (int s = 0; s < RECORD_SLOTS; s++)
      m->records[i][s] = record_start(m->global_linear[i], s);
  }
  memset(m->epoch, 0, sizeof m->epoch);
  memset(on, 0, sizeof on);
  memset(on, 1, m->items);
  memset(returned, 0, sizeof returned);
  run_block(m, &m->k->body, on, &f);
  uint64_t *records = m->out + all_items(m->l) * FUZZ_OUTS;
  EACH(k) pack_record(m->records[k], &records[m->global_linear[k] * FUZZ_RECORD]);
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
