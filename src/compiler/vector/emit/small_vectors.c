/* Components of one small vector, or fields side by side, at places that vary (plan/small_vectors.c): lanes read
 * or write the whole of it, as one or two integers, in place of a gather or scatter for each component; four
 * words are one load for each lane. */
#include "memory.h"

static unsigned num_units(const struct mpl_small_vector *v) {
  return v->bytes == 16 ? 2 : 1;
}

/* That of the second lies 8 bytes behind the first's. */
static unsigned unit_align(const struct mpl_small_vector *v, unsigned unit) {
  return unit && v->align > 8 ? 8 : v->align;
}

static LLVMTypeRef unit_type(struct mpl_emit *e, const struct mpl_small_vector *v) {
  return LLVMIntTypeInContext(e->ir->context, v->bytes == 4 ? 32 : 64);
}

/* Of each `count` elements the one at `first`. */
static LLVMValueRef every(struct mpl_emit *e, LLVMValueRef all, unsigned first, unsigned count) {
  const struct mpl_pick pick = {e->width, .first = (int)first, .outer = (int)count};
  return mpl_pick(e->b, all, NULL, &pick);
}

/* Two vectors' elements by turns. */
static LLVMValueRef by_turns(struct mpl_emit *e, LLVMValueRef a, LLVMValueRef b) {
  const struct mpl_pick pick = {2 * e->width, 2, .outer = 1, .inner = (int)e->width};
  return mpl_pick(e->b, a, b, &pick);
}

/* Lanes side by side from `at` on, or all there. */
static void load_beside(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef at, bool uniform,
                        LLVMValueRef *units) {
  const struct mpl_small_vector *v = r->vector;
  LLVMTypeRef unit = unit_type(e, v);
  unsigned count = num_units(v);
  if (uniform) {
    at = mpl_safe_place(e, at);
    for (unsigned u = 0; u < count; u++) {
      LLVMValueRef index = mpl_const64(e->ir, u), from = LLVMBuildGEP2(e->b, unit, at, &index, 1, "");
      units[u] = mpl_splat(e, mpl_aligned_load(e->b, unit, from, unit_align(v, u)));
    }
    return;
  }
  LLVMTypeRef wide = LLVMVectorType(unit, e->width * count);
  LLVMValueRef mask = e->mask ? mpl_repeated(e, e->mask, count) : NULL,
               all = mpl_load_beside(e, r->beside, wide, at, v->align, mask, e->mask);
  for (unsigned u = 0; u < count; u++) units[u] = count == 1 ? all : every(e, all, u, count);
}

static LLVMValueRef places_of(struct mpl_emit *e, const struct mpl_small_vector *v, unsigned unit) {
  LLVMValueRef offset = mpl_const64(e->ir, (uint64_t)(v->low + 8 * unit));
  return LLVMBuildGEP2(e->b, e->ir->i8, mpl_vector(e, v->base), &offset, 1, "");
}

static void gather_units(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef *units) {
  const struct mpl_small_vector *v = r->vector;
  for (unsigned u = 0; u < num_units(v); u++)
    units[u] = mpl_gather(e, r->apart, mpl_vector_type(e, unit_type(e, v)), places_of(e, v, u),
                          unit_align(v, u));
}

static LLVMValueRef component(struct mpl_emit *e, const struct mpl_small_vector *v,
                              LLVMValueRef unit, unsigned at) {
  LLVMTypeRef type = LLVMTypeOf(unit);
  if (v->size < 4) {
    LLVMValueRef by = LLVMConstInt(LLVMGetElementType(type), 8 * at, false);
    unit = LLVMBuildLShr(e->b, unit, mpl_splat(e, by), "");
    return LLVMBuildTrunc(e->b, unit, mpl_integers(e, v->size, e->width), "");
  }
  unit = LLVMBuildBitCast(e->b, unit, mpl_integers(e, v->size, 2 * e->width), "");
  return every(e, unit, at / 4, 2);
}

/* Where the units of lane 0 are, if those of lane 0's access are at `at`. */
static LLVMValueRef from(struct mpl_emit *e, const struct mpl_small_vector *v, unsigned member,
                         LLVMValueRef at) {
  return mpl_moved(e, at, mpl_const64(e->ir, (uint64_t)(v->low - v->offsets[member])));
}

static void speculate_units(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef load,
                            LLVMValueRef *units) {
  const struct mpl_small_vector *v = r->vector;
  struct mpl_versions versions;
  LLVMValueRef values[2][2] = {{NULL}}, at = mpl_guess(e, load, &versions);
  load_beside(e, r, from(e, v, 0, at), !r->stride, values[0]);
  mpl_last_version(e, &versions);
  gather_units(e, r, values[1]);
  mpl_end_versions(e, &versions);
  for (unsigned u = 0; u < 2 && values[0][u]; u++)
    units[u] = mpl_of_two(e, &versions, values[0][u], values[1][u]);
}

/* --- four words --- */

/* In each four elements two of `a` and two of `b`, from `first` on: in pairs, or by turns. */
static LLVMValueRef mix(struct mpl_emit *e, LLVMValueRef a, LLVMValueRef b, unsigned first,
                        bool pairs) {
  int which[MPL_MOST_LANES];
  for (unsigned k = 0; k < e->width; k++) {
    unsigned of_b = pairs ? k % 4 / 2 : k % 2, of_four = pairs ? k % 2 : k % 4 / 2;
    which[k] = (int)(k / 4 * 4 + first + of_four + of_b * e->width);
  }
  return mpl_shuffle(e->b, a, b, which, e->width);
}

/* What lanes `first`, `first` + 4, ... load, one behind the other. */
static LLVMValueRef load_row(struct mpl_emit *e, const struct mpl_small_vector *v,
                             LLVMValueRef places, unsigned first) {
  LLVMTypeRef four = LLVMVectorType(e->ir->i32, 4);
  LLVMValueRef rows[64];
  unsigned count = 0;
  for (unsigned lane = first; lane < e->width; lane += 4) {
    LLVMValueRef at = LLVMBuildExtractElement(e->b, places, mpl_const64(e->ir, lane), "");
    rows[count++] = mpl_aligned_load(e->b, four, at, v->align);
  }
  return mpl_all_joined(e, rows, count);
}

/* A load for each lane costs less than a gather for each half of it, which would take as many.
 * Lanes that are not there load from nowhere. */
static void load_words(struct mpl_emit *e, const struct mpl_small_vector *v,
                       LLVMValueRef words[4]) {
  LLVMValueRef places = places_of(e, v, 0), rows[4], half[4];
  if (e->mask) {
    LLVMValueRef nowhere = mpl_nowhere(e, LLVMGetElementType(LLVMTypeOf(places)));
    places = LLVMBuildSelect(e->b, e->mask, places, mpl_splat(e, nowhere), "");
  }
  for (unsigned k = 0; k < 4; k++) rows[k] = load_row(e, v, places, k);
  for (unsigned k = 0; k < 4; k++)
    half[k] = mix(e, rows[k % 2 * 2], rows[k % 2 * 2 + 1], k / 2 * 2, false);
  for (unsigned k = 0; k < 4; k++)
    words[k] = mix(e, half[k / 2 * 2], half[k / 2 * 2 + 1], k % 2 * 2, true);
}

void mpl_load_four_words(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef first) {
  const struct mpl_small_vector *v = r->vector;
  LLVMValueRef words[4];
  load_words(e, v, words);
  for (unsigned k = 0; k < v->count; k++) {
    LLVMTypeRef type = mpl_vector_type(e, LLVMTypeOf(v->members[k]));
    LLVMValueRef value = LLVMBuildBitCast(e->b, words[(v->offsets[k] - v->low) / 4], type, "");
    mpl_set_vector(e, v->members[k], value);
  }
}

void mpl_load_small_vector(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef load) {
  const struct mpl_small_vector *v = r->vector;
  LLVMValueRef units[2];
  if (mpl_is_speculated(r))
    speculate_units(e, r, load, units);
  else
    gather_units(e, r, units);
  for (unsigned k = 0; k < v->count; k++) {
    unsigned at = (unsigned)(v->offsets[k] - v->low), unit = v->bytes == 16 ? at / 8 : 0;
    LLVMValueRef value = component(e, v, units[unit], at - 8 * unit);
    value = LLVMBuildBitCast(e->b, value, mpl_vector_type(e, LLVMTypeOf(load)), "");
    mpl_set_vector(e, v->members[k], value);
  }
}

/* --- stores --- */

/* Frozen: one that nobody cares for, the fourth of a float3, must not spoil the others. */
static LLVMValueRef bits_of(struct mpl_emit *e, const struct mpl_small_vector *v, unsigned member) {
  LLVMValueRef value = mpl_vector(e, LLVMGetOperand(v->members[member], 0));
  value = LLVMBuildBitCast(e->b, value, mpl_integers(e, v->size, e->width), "");
  return LLVMBuildFreeze(e->b, value, "");
}

/* Of two words. */
static LLVMValueRef pair_of(struct mpl_emit *e, const struct mpl_small_vector *v, unsigned unit) {
  LLVMValueRef words[2] = {NULL};
  for (unsigned k = 0; k < v->count; k++) {
    unsigned at = (unsigned)(v->offsets[k] - v->low) / 4;
    if (at / 2 == unit) words[at % 2] = bits_of(e, v, k);
  }
  LLVMTypeRef type = mpl_vector_type(e, unit_type(e, v));
  return LLVMBuildBitCast(e->b, by_turns(e, words[0], words[1]), type, "");
}

static LLVMValueRef unit_of(struct mpl_emit *e, const struct mpl_small_vector *v, unsigned unit) {
  if (v->size == 4) return pair_of(e, v, unit);
  LLVMTypeRef type = mpl_vector_type(e, unit_type(e, v));
  LLVMValueRef all = LLVMConstNull(type);
  for (unsigned k = 0; k < v->count; k++) {
    unsigned at = (unsigned)(v->offsets[k] - v->low);
    if (v->bytes == 16 && at / 8 != unit) continue;
    LLVMValueRef one = LLVMBuildZExt(e->b, bits_of(e, v, k), type, ""),
                 by = LLVMConstInt(LLVMGetElementType(type), 8 * (at - 8 * unit), false);
    all = LLVMBuildOr(e->b, all, LLVMBuildShl(e->b, one, mpl_splat(e, by), ""), "");
  }
  return all;
}

void mpl_store_small_vector(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store) {
  const struct mpl_small_vector *v = r->vector;
  if (store != v->members[v->count - 1]) return;
  LLVMValueRef units[2] = {unit_of(e, v, 0), v->bytes == 16 ? unit_of(e, v, 1) : NULL};
  bool guesses = mpl_is_speculated(r);
  struct mpl_versions versions;
  if (guesses) {
    LLVMValueRef at = from(e, v, v->count - 1, mpl_guess(e, store, &versions)),
                 all = v->bytes == 16 ? by_turns(e, units[0], units[1]) : units[0];
    mpl_store_beside(e, r, all, at, v->align, num_units(v));
    mpl_last_version(e, &versions);
  }
  const struct mpl_scattered all = {{units[0], units[1]}, num_units(v), places_of(e, v, 0), v->align};
  mpl_scatter_row(e, r->apart, &all);
  if (guesses) mpl_end_versions(e, &versions);
}
