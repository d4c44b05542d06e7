#include "run/sub_group_reference.h"

#include <stdio.h>

unsigned value_width(const struct overload *f, enum value v) {
  return v == UINT4 ? 4 : v == TYPE ? f->width : 1;
}

enum type value_type(const struct overload *f, enum value v) {
  return v == TYPE ? f->t->type : v == INT ? TYPE_int : TYPE_uint;
}

size_t value_size(const struct overload *f, enum value v) {
  unsigned width = value_width(f, v);
  return type_size(value_type(f, v)) * (width == 3 ? 4 : width);
}

static bool named(const struct call *c, const char *name) { return !strcmp(c->f->function, name); }
static bool is_active(const struct call *c, uint64_t lane) {
  return lane < c->lanes && c->active >> lane & 1;
}
static unsigned first_active(const struct call *c) { return (unsigned)__builtin_ctzl(c->active); }

/* ---- arithmetic */

static bool right_number(const struct call *c, unsigned lane, const void *got, char *text) {
  const struct overload *f = c->f;
  unsigned from = c->cluster ? lane / c->cluster * c->cluster : 0;
  unsigned end = c->cluster && from + c->cluster < c->lanes ? from + c->cluster : c->lanes;
  bool reduce = !strcmp(f->form, "reduce"), exclusive = !strcmp(f->form, "scan_exclusive");
  struct number want = identity(f->op, f->t), have = load_number(f->t, got, 0);
  for (unsigned i = from; i < end; i++) {
    if (!is_active(c, i) || (!reduce && i > lane) || (exclusive && i == lane)) continue;
    want = combine(f->op, f->t, want, load_number(f->t, c->in, i));
  }
  if (near_enough(f->op, f->t, c->exact, &have, &want)) return true;
  if (f->t->kind == FLOATING) snprintf(text, 128, "%.21Lg", want.real);
  else snprintf(text, 128, "0x%llx", (unsigned long long)want.bits);
  return false;
}

/* ---- what moves data: the bits of the source's operand */

static uint64_t source_lane(const struct call *c, unsigned lane) {
  uint64_t with = c->with[lane], block = c->cluster ? c->cluster : c->max_size;
  if (strstr(c->f->function, "broadcast_first")) return first_active(c);
  if (strstr(c->f->function, "broadcast") || named(c, "sub_group_shuffle")) return with;
  if (named(c, "sub_group_shuffle_xor")) return lane ^ with;
  if (named(c, "sub_group_shuffle_up")) return lane - with; /* below 0: beyond all lanes */
  if (named(c, "sub_group_shuffle_down")) return lane + with;
  if (strstr(c->f->function, "rotate")) return lane / block * block + (lane + with) % block;
  die("%s has no reference", c->f->function);
}

static bool right_move(const struct call *c, unsigned lane, const void *got, char *text) {
  uint64_t source = source_lane(c, lane);
  if (!is_active(c, source)) return true;
  size_t stride = value_size(c->f, TYPE), size = type_size(c->f->t->type) * c->f->width;
  if (!memcmp(got, c->in + source * stride, size)) return true;
  snprintf(text, 128, "the bits of lane %llu's operand", (unsigned long long)source);
  return false;
}

/* ---- votes and ballots */

static bool truth(const struct call *c, unsigned lane) { return ((const int *)(const void *)c->in)[lane] != 0; }

static bool all_equal(const struct call *c) {
  const struct operand *t = c->f->t;
  struct number first = load_number(t, c->in, first_active(c));
  for (unsigned i = 0; i < c->lanes; i++) {
    struct number x = load_number(t, c->in, i);
    if (is_active(c, i) && !(t->kind == FLOATING ? x.real == first.real : x.bits == first.bits))
      return false;
  }
  return true;
}

/* The answer of a function whose answer is a truth. */
static bool vote(const struct call *c, unsigned lane) {
  bool all = true, any = false;
  const uint32_t *words = (const uint32_t *)(const void *)c->in + lane * 4;
  if (named(c, "sub_group_elect")) return lane == first_active(c);
  if (named(c, "sub_group_non_uniform_all_equal")) return all_equal(c);
  if (named(c, "sub_group_inverse_ballot")) return words[lane / 32] >> lane % 32 & 1;
  if (named(c, "sub_group_ballot_bit_extract"))
    return words[c->with[lane] / 32] >> c->with[lane] % 32 & 1;
  for (unsigned i = 0; i < c->lanes; i++)
    if (is_active(c, i)) all &= truth(c, i), any |= truth(c, i);
  if (strstr(c->f->function, "_all")) return all;
  if (strstr(c->f->function, "_any")) return any;
  die("%s has no reference", c->f->function);
}

static bool right_vote(const struct call *c, unsigned lane, const void *got, char *text) {
  int have;
  memcpy(&have, got, sizeof have);
  if (named(c, "sub_group_ballot_bit_extract") && c->with[lane] >= c->lanes) return true;
  bool want = vote(c, lane);
  if ((have != 0) == want) return true;
  snprintf(text, 128, "%s", want ? "true" : "false");
  return false;
}

/* Bits of a uint4 that a count or a search sees: those below the largest sub-group size. */
static uint64_t seen_bits(const struct call *c, unsigned lane) {
  const uint32_t *words = (const uint32_t *)(const void *)c->in + lane * 4;
  return (words[0] | (uint64_t)words[1] << 32) & ~(uint64_t)0 >> (64 - c->max_size);
}

static bool right_count(const struct call *c, unsigned lane, const void *got, char *text) {
  uint64_t bits = seen_bits(c, lane), below = ((uint64_t)1 << lane) - 1;
  uint32_t have, want;
  memcpy(&have, got, sizeof have);
  if (strstr(c->f->function, "find") && !bits) return true;
  if (strstr(c->f->function, "bit_count")) want = (uint32_t)__builtin_popcountl(bits);
  else if (strstr(c->f->function, "exclusive")) want = (uint32_t)__builtin_popcountl(bits & below);
  else if (strstr(c->f->function, "inclusive"))
    want = (uint32_t)__builtin_popcountl(bits & (below << 1 | 1));
  else if (strstr(c->f->function, "find_lsb")) want = (uint32_t)__builtin_ctzl(bits);
  else if (strstr(c->f->function, "find_msb")) want = 63 - (uint32_t)__builtin_clzl(bits);
  else die("%s has no reference", c->f->function);
  snprintf(text, 128, "%u", want);
  return have == want;
}

static bool right_mask(const struct call *c, unsigned lane, const void *got, char *text) {
  uint64_t want = 0;
  uint32_t have[4];
  memcpy(have, got, sizeof have);
  for (unsigned i = 0; i < c->max_size; i++) {
    bool bit = named(c, "sub_group_ballot")        ? is_active(c, i) && truth(c, i)
               : named(c, "get_sub_group_eq_mask") ? i == lane
               : named(c, "get_sub_group_ge_mask") ? i >= lane
               : named(c, "get_sub_group_gt_mask") ? i > lane
               : named(c, "get_sub_group_le_mask") ? i <= lane
                                                   : i < lane;
    want |= (uint64_t)bit << i;
  }
  snprintf(text, 128, "0x%llx", (unsigned long long)want);
  return (have[0] | (uint64_t)have[1] << 32) == want && !have[2] && !have[3];
}

bool right_answer(const struct call *c, unsigned lane, const void *got, char text[128]) {
  if (c->f->op) return right_number(c, lane, got, text);
  switch (c->f->value) {
  case TYPE: return right_move(c, lane, got, text);
  case INT: return right_vote(c, lane, got, text);
  case UINT: return right_count(c, lane, got, text);
  default: return right_mask(c, lane, got, text);
  }
}
