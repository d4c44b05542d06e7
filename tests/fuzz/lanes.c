/* What sub-group functions answer, for the interpreter: one lane after the other. */
#include "fuzz/tree.h"

struct team {
  const struct expr *e;
  size_t first, end, max_size;
  const uint8_t *on;
  const uint64_t *a, *b;
};

#define EACH_ON(t, I) \
  for (size_t I = (t)->first; I < (t)->end; I++) \
    if ((t)->on[I])

static bool truth(const struct team *t, size_t i) { return (int32_t)t->a[i] != 0; }
static uint64_t operand(const struct team *t, size_t i) { return group_operand(t->e->type, t->a[i]); }

/* Reductions and scans: of the lanes from `from` to before `end`. */
static uint64_t combined(const struct team *t, size_t from, size_t end) {
  uint64_t sum = group_operand(t->e->type, group_identity(t->e->op, t->e->type));
  if (t->e->type >= GT_float && t->e->op == G_MIN) sum = 255; /* no operand is larger */
  EACH_ON(t, i)
    if (i >= from && i < end) sum = group_combine(t->e->op, t->e->type, sum, operand(t, i));
  return sum;
}

static uint64_t number(const struct team *t, size_t i) {
  size_t size = (size_t)t->e->index, from = t->first + (i - t->first) / size * size;
  switch (t->e->lanes) {
  case L_SCAN: case L_SOME_SCAN: return combined(t, t->first, i + 1);
  case L_BEFORE: case L_SOME_BEFORE: return combined(t, t->first, i);
  case L_CLUSTERED: return combined(t, from, from + size);
  default: return combined(t, t->first, t->end);
  }
}

/* The lane that a shuffle of lane i takes from, and its own if that one is not there. */
static uint64_t taken(const struct team *t, size_t i, size_t first_on) {
  uint64_t lane = i - t->first, by = (uint32_t)t->b[i] % t->max_size, from;
  switch (t->e->lanes) {
  case L_SHUFFLE: from = by; break;
  case L_XOR: from = lane ^ by; break;
  case L_UP: from = lane - by; break;
  case L_DOWN: from = lane + by; break;
  case L_ROTATE: from = (lane + (uint32_t)t->b[first_on] % t->max_size) % t->max_size; break;
  default: from = t->b[i]; /* L_BROADCAST */
  }
  return operand(t, from < t->end - t->first && t->on[t->first + from] ? t->first + from : i);
}

static uint64_t answer(const struct team *t, size_t i, size_t first_on) {
  bool all = true, any = false, equal = true;
  uint64_t bits = 0, below = 0;
  EACH_ON(t, k) {
    all &= truth(t, k);
    any |= truth(t, k);
    equal &= operand(t, k) == operand(t, first_on);
    bits |= (uint64_t)truth(t, k) << (k - t->first);
    below += k < i && truth(t, k);
  }
  switch (t->e->lanes) {
  case L_ALL: case L_SOME_ALL: return all;
  case L_ANY: case L_SOME_ANY: return any;
  case L_ELECT: return i == first_on;
  case L_ALL_EQUAL: return equal;
  case L_FIRST: return operand(t, first_on);
  case L_BALLOT: return bits;
  case L_RANK: return below;
  case L_BROADCAST: case L_SHUFFLE: case L_XOR: case L_UP: case L_DOWN: case L_ROTATE:
    return taken(t, i, first_on);
  default: return number(t, i);
  }
}

const char *lanes_answer(const struct expr *e, unsigned max_size, size_t first, size_t end,
                         const uint8_t *on, const uint64_t *a, const uint64_t *b, uint64_t *to) {
  static const enum level arrive[] = {
#define X(id, function, takes, arrive, result) arrive,
      LANES_OPS(X)
#undef X
  };
  struct team t = {e, first, end, max_size, on, a, b};
  size_t count = 0, first_on = end;
  EACH_ON(&t, i) {
    count++;
    if (i < first_on) first_on = i;
  }
  if (arrive[e->lanes] == TEAM && count && count < end - first)
    return "a sub-group function that not all lanes reach";
  EACH_ON(&t, i) {
    if (e->lanes == L_BROADCAST && (b[i] != b[first_on] || b[i] >= end - first))
      return "broadcast of different ids";
    to[i] = answer(&t, i, first_on);
  }
  return 0;
}
