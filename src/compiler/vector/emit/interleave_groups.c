/* Accesses of neighbouring fields: `p[i].x`, `p[i].y`, the elements of vector types.  Each lane's
 * are close to the next lane's, so all of them are one wide access and shuffles, in place of a
 * gather or scatter for each field. */
#include <stdlib.h>

#include "memory.h"

/* Lanes whose fields are taken from memory, or put there, together. */
struct part {
  unsigned first, lanes;
};
enum { MOST_PARTS = MPL_MOST_LANES / 4 };

/* Those of which a field is a register, or of which bytes are one.  LLVM takes longer shuffles apart
 * element by element. */
static unsigned parts_of(const struct mpl_emit *e, const struct mpl_fields *f,
                         struct part parts[MOST_PARTS]) {
  unsigned lanes = e->width, count = 0, size = (unsigned)f->size;
  unsigned most = e->ir->target->register_bytes;
  while (size < MPL_WORD ? lanes > MPL_GIVEN_SHUFFLED_LANES &&
                           lanes * (unsigned)f->stride > MPL_GIVEN_SHUFFLED
                     : lanes * size > most)
    lanes /= 2;
  for (unsigned first = 0; first < e->width; first += lanes)
    parts[count++] = (struct part){first, lanes};
  return count;
}

LLVMValueRef mpl_field_place(struct mpl_emit *e, const struct mpl_fields *f, unsigned lane, unsigned before) {
  int64_t by = f->low - f->shift + (int64_t)lane * f->stride - (int64_t)before;
  return mpl_moved(e, mpl_scalar(e, f->base), mpl_const64(e->ir, (uint64_t)by));
}

static LLVMValueRef address(struct mpl_emit *e, const struct mpl_fields *f, const struct part *part) {
  return mpl_field_place(e, f, part->first, 0);
}

static bool is_accessed(const struct mpl_fields *f, unsigned element) {
  for (unsigned k = 0; k < f->count; k++)
    if (f->offsets[k] - f->low == (int64_t)element * f->size) return true;
  return false;
}

/* Null if there is none. */
static LLVMValueRef mask_of(struct mpl_emit *e, const struct part *part) {
  if (!e->mask || part->lanes == e->width) return e->mask;
  return mpl_part_of(e, e->mask, part->first, part->lanes);
}

/* Of the elements of all lanes those that lanes which are there access. */
static LLVMValueRef spread_mask(struct mpl_emit *e, const struct mpl_fields *f,
                                const struct part *part) {
  unsigned total = mpl_elements_apart(f) * part->lanes;
  LLVMTypeRef type = LLVMVectorType(e->ir->i1, part->lanes);
  LLVMValueRef mask = e->mask ? mask_of(e, part) : LLVMConstAllOnes(type);
  int *which = mpl_allocate(total, sizeof *which);
  for (unsigned k = 0; k < total; k++)
    which[k] = (int)(is_accessed(f, k % mpl_elements_apart(f)) ? k / mpl_elements_apart(f) : part->lanes);
  mask = mpl_shuffle(e->b, mask, LLVMConstNull(type), which, total);
  free(which);
  return mask;
}

static LLVMValueRef load_some(struct mpl_emit *e, const struct mpl_recipe *r, const struct part *part) {
  const struct mpl_fields *f = r->fields;
  unsigned whole = mpl_whole_size(f), size = (unsigned)f->size;
  LLVMTypeRef wide = mpl_integers(e, size, mpl_elements_apart(f) * part->lanes);
  LLVMValueRef at = address(e, f, part);
  LLVMValueRef lanes = mask_of(e, part);
  if (!whole) return mpl_load_beside(e, r->beside, wide, at, size, spread_mask(e, f, part), lanes);
  LLVMValueRef value =
      mpl_load_beside(e, r->beside, mpl_integers(e, whole, part->lanes), at, size, lanes, lanes);
  return LLVMBuildBitCast(e->b, value, wide, "");
}

/* Behind the last lane's highest field there may be nothing. */
static LLVMValueRef load_part(struct mpl_emit *e, const struct mpl_fields *f,
                              const struct part *part) {
  unsigned count = part->lanes * mpl_elements_apart(f), size = (unsigned)f->size;
  if (part->first + part->lanes == e->width)
    count = (part->lanes - 1) * mpl_elements_apart(f) + (unsigned)((f->high - f->low) / f->size);
  return mpl_aligned_load(e->b, mpl_integers(e, size, count), address(e, f, part), size);
}

/* Of each part its elements one after another, from the lowest field of its first lane on. */
static void load_elements(struct mpl_emit *e, const struct mpl_recipe *r, const struct part *parts,
                          unsigned count, LLVMValueRef *elements) {
  const struct mpl_fields *f = r->fields;
  struct mpl_versions v;
  bool asks = mpl_ask_for_all(e, r, &v);
  for (unsigned p = 0; p < count; p++)
    elements[p] = e->mask && !asks ? load_some(e, r, &parts[p]) : load_part(e, f, &parts[p]);
  if (!asks) return;
  LLVMValueRef some[MOST_PARTS];
  for (unsigned p = 0; p < count; p++)
    elements[p] = mpl_elements(e->b, elements[p], NULL, 0, mpl_elements_apart(f) * parts[p].lanes);
  mpl_last_version(e, &v);
  for (unsigned p = 0; p < count; p++) some[p] = load_some(e, r, &parts[p]);
  mpl_end_versions(e, &v);
  for (unsigned p = 0; p < count; p++) elements[p] = mpl_of_two(e, &v, elements[p], some[p]);
}

static LLVMValueRef load_of_words(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef load) {
  const struct mpl_fields *f = r->fields;
  const struct part all = {0, e->width};
  LLVMTypeRef words = mpl_integers(e, MPL_WORD, e->width);
  LLVMValueRef at = address(e, f, &all), word;
  unsigned size = (unsigned)f->size, bits = 8 * size * mpl_field_of(f, load);
  word = mpl_load_beside(e, r->beside, words, at, size, e->mask, e->mask);
  word = LLVMBuildLShr(e->b, word, mpl_splat(e, LLVMConstInt(e->ir->i32, bits, false)), "");
  return LLVMBuildTrunc(e->b, word, mpl_integers(e, size, e->width), "");
}

static LLVMValueRef load_shuffled(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef load) {
  const struct mpl_fields *f = r->fields;
  unsigned first = mpl_field_of(f, load);
  struct part parts[MOST_PARTS];
  LLVMValueRef values[MOST_PARTS];
  unsigned count = parts_of(e, f, parts);
  const struct mpl_pick pick = {parts[0].lanes, .first = (int)first, .outer = (int)mpl_elements_apart(f)};
  load_elements(e, r, parts, count, values);
  for (unsigned p = 0; p < count; p++) values[p] = mpl_pick(e->b, values[p], NULL, &pick);
  return mpl_all_joined(e, values, count);
}

void mpl_load_fields(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef load) {
  LLVMValueRef value = r->form == MPL_RECIPE_INTERLEAVED ? mpl_load_interleaved(e, r, load)
                       : r->form == MPL_RECIPE_WORD      ? load_of_words(e, r, load)
                                                         : load_shuffled(e, r, load);
  LLVMTypeRef type = mpl_vector_type(e, LLVMTypeOf(load));
  bool pointer = LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMPointerTypeKind;
  mpl_set_vector(e, load, (pointer ? LLVMBuildIntToPtr : LLVMBuildBitCast)(e->b, value, type, ""));
}

/* The stores' values behind one another, lane by lane; fields that nobody stores are poison. */
static LLVMValueRef interleave(struct mpl_emit *e, const struct mpl_fields *f,
                               const struct part *part, const LLVMValueRef *values) {
  unsigned lanes = part->lanes, total = 1;
  LLVMValueRef parts[MPL_MOST_FIELDS];
  for (unsigned k = 0; k < f->count; k++)
    parts[k] =
        lanes == e->width ? values[k] : mpl_part_of(e, values[k], part->first, part->lanes);
  int which[MPL_MOST_FIELDS * 256];
  unsigned count = f->count;
  for (; count > 1; total *= 2, count = (count + 1) / 2)
    for (unsigned k = 0; k < count; k += 2)
      parts[k / 2] =
          mpl_elements(e->b, parts[k], k + 1 < count ? parts[k + 1] : NULL, 0, 2 * lanes * total);
  for (unsigned k = 0; k < lanes * mpl_elements_apart(f); k++) which[k] = -1;
  for (unsigned k = 0; k < f->count; k++)
    for (unsigned lane = 0; lane < lanes; lane++)
      which[lane * mpl_elements_apart(f) + mpl_field_of(f, f->members[k])] = (int)(k * lanes + lane);
  return mpl_shuffle(e->b, parts[0], NULL, which, lanes * mpl_elements_apart(f));
}

/* Those that lanes which are there have. */
static void store_some(struct mpl_emit *e, const struct mpl_fields *f, const struct part *part,
                       LLVMValueRef value) {
  unsigned whole = mpl_whole_size(f), size = (unsigned)f->size;
  LLVMValueRef at = address(e, f, part);
  if (f->count == mpl_elements_apart(f) && whole) { /* frozen: a poison field would be all of its lane */
    value = LLVMBuildFreeze(e->b, value, "");
    value = LLVMBuildBitCast(e->b, value, mpl_integers(e, whole, part->lanes), "");
    mpl_masked_store(e, value, at, size, mask_of(e, part));
  } else {
    mpl_masked_store(e, value, at, size, spread_mask(e, f, part));
  }
}

static void store_parts(struct mpl_emit *e, const struct mpl_recipe *r, const struct part *parts,
                        const LLVMValueRef *elements, unsigned count) {
  const struct mpl_fields *f = r->fields;
  struct mpl_versions v;
  bool all = !e->mask && f->count == mpl_elements_apart(f), asks = mpl_ask_for_all(e, r, &v);
  for (unsigned p = 0; p < count && (all || asks); p++)
    mpl_aligned_store(e->b, elements[p], address(e, f, &parts[p]), (unsigned)f->size);
  if (all) return;
  if (asks) mpl_last_version(e, &v);
  for (unsigned p = 0; p < count; p++) store_some(e, f, &parts[p], elements[p]);
  if (asks) mpl_end_versions(e, &v);
}

/* Frozen: a poison field would be all of its lane. */
static void store_words(struct mpl_emit *e, const struct mpl_recipe *r,
                        const LLVMValueRef *values) {
  const struct mpl_fields *f = r->fields;
  const struct part all = {0, e->width};
  LLVMTypeRef words = mpl_integers(e, MPL_WORD, e->width);
  LLVMValueRef sum = NULL, at = address(e, f, &all);
  for (unsigned k = 0; k < f->count; k++) {
    unsigned bits = 8 * (unsigned)f->size * mpl_field_of(f, f->members[k]);
    LLVMValueRef word = LLVMBuildZExt(e->b, LLVMBuildFreeze(e->b, values[k], ""), words, "");
    word = LLVMBuildShl(e->b, word, mpl_splat(e, LLVMConstInt(e->ir->i32, bits, false)), "");
    sum = sum ? LLVMBuildOr(e->b, sum, word, "") : word;
  }
  mpl_store_beside(e, r, sum, at, (unsigned)f->size, 1);
}

static void store_shuffled(struct mpl_emit *e, const struct mpl_recipe *r, const LLVMValueRef *values) {
  struct part parts[MOST_PARTS];
  unsigned count = parts_of(e, r->fields, parts);
  LLVMValueRef elements[MOST_PARTS];
  for (unsigned p = 0; p < count; p++) elements[p] = interleave(e, r->fields, &parts[p], values);
  store_parts(e, r, parts, elements, count);
}

/* All at the last of them. */
void mpl_store_fields(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store) {
  const struct mpl_fields *f = r->fields;
  if (store != f->members[f->count - 1]) return;
  LLVMValueRef values[MPL_MOST_FIELDS];
  LLVMTypeRef bits = mpl_integers(e, (unsigned)f->size, e->width);
  for (unsigned k = 0; k < f->count; k++) {
    LLVMValueRef value = LLVMGetOperand(f->members[k], 0);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    value = mpl_vector(e, value);
    values[k] = pointer ? LLVMBuildPtrToInt(e->b, value, bits, "")
                        : LLVMBuildBitCast(e->b, value, bits, "");
  }
  (r->form == MPL_RECIPE_INTERLEAVED ? mpl_store_interleaved
   : r->form == MPL_RECIPE_WORD      ? store_words
                                     : store_shuffled)(e, r, values);
}
