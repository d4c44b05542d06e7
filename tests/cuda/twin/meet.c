/* What work-items do together: the last that comes does it for all. */
#include <stdlib.h>
#include <string.h>

#include "twin.h"

void twin_at_barrier(struct twin_thread *t, const struct twin_instruction *i) {
  t->state = AT_BARRIER;
  t->waits = i;
}

void twin_among_lanes(struct twin_thread *t, const struct twin_instruction *i) {
  t->state = AMONG_LANES;
  t->waits = i;
  t->mask = (uint32_t)twin_value(t, &i->operands[i->count - 1]);
  if (!strncmp(i->name, "mma", 3)) t->mask = ~0u;
  if (!(t->mask >> t->lane & 1)) twin_fail("%s: a lane is not in its own mask", i->name);
}

/* bar.sync, or bar.red.op d, 0, p. */
void twin_finish_barrier(struct twin_group *g) {
  uint64_t count = 0, present = 0;
  const struct twin_instruction *first = NULL;
  for (uint32_t n = 0; n < g->count; n++) {
    struct twin_thread *t = &g->threads[n];
    if (t->state == OVER) continue;
    const struct twin_instruction *i = t->waits;
    if (!first) first = i;
    if (TWIN_HAS(i, red) != TWIN_HAS(first, red)) twin_fail("%s meets %s", i->name, first->name);
    present++;
    if (TWIN_HAS(i, red)) count += twin_value(t, &i->operands[2]) != 0;
  }
  for (uint32_t n = 0; n < g->count; n++) {
    struct twin_thread *t = &g->threads[n];
    if (t->state == OVER) continue;
    const struct twin_instruction *i = t->waits;
    if (TWIN_HAS(i, red))
      twin_set(t, &i->operands[0],
               TWIN_HAS(i, popc)  ? count
               : TWIN_HAS(i, and) ? count == present
                                  : count != 0);
    t->state = RUNS;
  }
}

/* --- Sub-groups --- */

static uint64_t combined(const struct twin_instruction *i, uint64_t a, uint64_t b) {
  bool s = i->type == S32;
  if (TWIN_HAS(i, add)) return (uint32_t)(a + b);
  if (TWIN_HAS(i, and)) return a & b;
  if (TWIN_HAS(i, or)) return a | b;
  if (TWIN_HAS(i, xor)) return a ^ b;
  bool less = s ? (int32_t)a < (int32_t)b : (uint32_t)a < (uint32_t)b;
  return TWIN_HAS(i, min) == less ? a : b;
}

struct meeting {
  struct twin_thread **lanes; /* 32, null: none */
  uint32_t mask;              /* who is there */
  const struct twin_instruction *i;
  uint64_t in[32], out[32][2];
};

static void shuffle(struct meeting *m) {
  const struct twin_instruction *i = m->i;
  unsigned first = i->count - 4; /* operand, lane, bounds, mask */
  for (unsigned n = 0; n < 32; n++) {
    if (!(m->mask >> n & 1)) continue;
    const struct twin_thread *t = m->lanes[n];
    uint32_t b = (uint32_t)twin_value(t, &i->operands[first + 1]),
             c = (uint32_t)twin_value(t, &i->operands[first + 2]);
    uint32_t segment = c >> 8 & 31, bound = c & 31, most = (n & segment) | (bound & ~segment),
             least = n & segment;
    int from = TWIN_HAS(i, up)     ? (int)n - (int)(b & 31)
               : TWIN_HAS(i, down) ? (int)(n + (b & 31))
               : TWIN_HAS(i, bfly) ? (int)(n ^ (b & 31))
                                   : (int)(least | (b & 31 & ~segment));
    bool good = TWIN_HAS(i, up) ? from >= (int)most : from <= (int)most;
    if (!good) from = (int)n;
    /* From a lane that is not there comes anything. */
    m->out[n][0] = m->mask >> from & 1 ? m->in[from] : 0xdeadbeef;
    m->out[n][1] = good;
  }
}

/* m8n8k4: a row of 4 of the left one, a column of 4 of the right one; two of the result. */
static void multiply(struct meeting *m) {
  double a[8][4], b[4][8];
  if (m->mask != ~0u) twin_fail("%s of a part of a sub-group", m->i->name);
  for (unsigned n = 0; n < 32; n++) {
    uint64_t left = twin_value(m->lanes[n], &m->i->operands[2]),
             right = twin_value(m->lanes[n], &m->i->operands[3]);
    memcpy(&a[n / 4][n % 4], &left, 8);
    memcpy(&b[n % 4][n / 4], &right, 8);
  }
  for (unsigned n = 0; n < 32; n++)
    for (unsigned k = 0; k < 2; k++) {
      uint64_t bits = twin_value(m->lanes[n], &m->i->operands[4 + k]);
      double sum;
      memcpy(&sum, &bits, 8);
      for (unsigned d = 0; d < 4; d++) sum = __builtin_fma(a[n / 4][d], b[d][2 * (n % 4) + k], sum);
      memcpy(&m->out[n][k], &sum, 8);
    }
}

static void vote(struct meeting *m) {
  const struct twin_instruction *i = m->i;
  uint32_t yes = 0;
  uint64_t total = 0;
  bool is_redux = !strncmp(i->name, "redux", 5), first = true;
  for (unsigned n = 0; n < 32; n++) {
    if (!(m->mask >> n & 1)) continue;
    if (m->in[n]) yes |= 1u << n;
    total = first ? m->in[n] : combined(i, total, m->in[n]);
    first = false;
  }
  for (unsigned n = 0; n < 32; n++) {
    uint32_t same = 0;
    for (unsigned k = 0; k < 32; k++)
      if (m->mask >> k & 1 && m->mask >> n & 1 && m->in[k] == m->in[n]) same |= 1u << k;
    m->out[n][0] = is_redux ? total
                   : !strncmp(i->name, "match", 5)
                       ? (TWIN_HAS(i, all) && same != m->mask ? 0 : same)
                   : TWIN_HAS(i, ballot) ? yes
                   : TWIN_HAS(i, all)    ? yes == m->mask
                                         : yes != 0;
    m->out[n][1] = same == m->mask;
  }
}

void twin_finish_lanes(struct twin_thread **lanes, uint32_t mask) {
  struct meeting m = {.lanes = lanes, .mask = mask, .i = lanes[__builtin_ctz(mask)]->waits};
  const struct twin_instruction *i = m.i;
  bool shuffles = !strncmp(i->name, "shfl", 4), multiplies = !strncmp(i->name, "mma", 3);
  unsigned results =
      multiplies || (shuffles && i->count == 6) || (i->count == 4 && !shuffles) ? 2 : 1;
  if (!strncmp(i->name, "bar", 3)) results = 0;
  for (unsigned n = 0; n < 32 && results; n++)
    if (mask >> n & 1) m.in[n] = twin_value(lanes[n], &i->operands[results]);
  if (shuffles)
    shuffle(&m);
  else if (multiplies)
    multiply(&m);
  else if (results)
    vote(&m);
  for (unsigned n = 0; n < 32; n++) {
    if (!(mask >> n & 1)) continue;
    for (unsigned k = 0; k < results; k++) twin_set(lanes[n], &i->operands[k], m.out[n][k]);
    lanes[n]->state = RUNS;
  }
}
