/* Loads and stores of all lanes of a chunk, by their recipes (plan/recipes.h). */
#include "memory.h"

/* --- loads --- */

static void load_one_place(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef load) {
  LLVMValueRef value = mpl_load_shared(e, load, mpl_scalar(e, LLVMGetOperand(load, 0)));
  mpl_map_set(&e->scalars, load, (uintptr_t)value);
}

static void load_along(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef load) {
  LLVMValueRef at = mpl_scalar(e, LLVMGetOperand(load, 0));
  mpl_set_vector(e, load, mpl_load_along(e, r, load, at));
}

/* Places that are used behind a branch are computed there: a base and indices then go into the
 * instruction that gathers. */
static LLVMValueRef here(struct mpl_emit *e, LLVMValueRef pointers) {
  if (!LLVMIsAGetElementPtrInst(pointers)) return pointers;
  LLVMValueRef copy = LLVMInstructionClone(pointers);
  LLVMInsertIntoBuilder(e->b, copy);
  return copy;
}

static LLVMValueRef loaded_apart(struct mpl_emit *e, const struct mpl_recipe *r, enum mpl_form_of_access form,
                                 LLVMValueRef load, LLVMValueRef pointers) {
  LLVMTypeRef vector = mpl_vector_type(e, LLVMTypeOf(load));
  if (form == MPL_RECIPE_ROW_LOADS) return mpl_load_rows(e, load);
  pointers = here(e, pointers);
  return form == MPL_RECIPE_WORD_GATHER ? mpl_gather_words(e, r->apart, vector, pointers)
                                        : mpl_gather(e, r->apart, vector, pointers, LLVMGetAlignment(load));
}

static void load_apart(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef load) {
  LLVMValueRef pointers = mpl_vector(e, LLVMGetOperand(load, 0));
  mpl_set_vector(e, load, loaded_apart(e, r, r->form, load, pointers));
}

static void load_speculated(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef load) {
  if (r->vector) {
    mpl_load_small_vector(e, r, load);
    return;
  }
  LLVMValueRef pointers = mpl_vector(e, LLVMGetOperand(load, 0)), values[3];
  struct mpl_versions versions;
  values[0] = mpl_load_at(e, r, load, mpl_guess(e, load, &versions), !r->stride);
  mpl_last_version(e, &versions);
  if (r->border.kind) {
    values[2] = mpl_load_at_border(e, r, load, &versions);
    mpl_last_version(e, &versions);
  }
  values[1] = loaded_apart(e, r, r->otherwise, load, pointers);
  mpl_end_versions(e, &versions);
  mpl_set_vector(e, load, mpl_of_versions(e, &versions, values));
}

/* --- stores --- */

/* All lanes write to one place: the value of one of them stays there. */
static LLVMValueRef one_value(struct mpl_emit *e, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  if (!mpl_stride_at(e->lanes, value, mpl_cfg_block_of(e->items->cfg, store)))
    return mpl_scalar(e, value);
  LLVMValueRef vector = mpl_vector(e, value), last = mpl_const64(e->ir, e->width - 1),
               lane = e->mask ? mpl_some_lane(e) : last;
  return LLVMBuildExtractElement(e->b, vector, lane, "");
}

static void store_one_place(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store) {
  LLVMValueRef value = one_value(e, store),
               at = mpl_safe_place(e, mpl_scalar(e, LLVMGetOperand(store, 1)));
  mpl_aligned_store(e->b, value, at, LLVMGetAlignment(store));
}

static void store_slot(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0), vector = NULL;
  if (!mpl_stride_at(e->lanes, value, mpl_cfg_block_of(e->items->cfg, store)))
    vector = mpl_vector(e, value);
  mpl_store_slot(e, one_value(e, store), vector, LLVMGetOperand(store, 1));
}

static void store_along(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store) {
  LLVMValueRef value = mpl_vector(e, LLVMGetOperand(store, 0));
  mpl_store_along(e, r, store, value, mpl_scalar(e, LLVMGetOperand(store, 1)));
}

/* Or, if it is speculated, where it turns out to be side by side, so. */
static void store_apart(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store) {
  bool guesses = mpl_is_speculated(r);
  LLVMValueRef value = mpl_vector(e, LLVMGetOperand(store, 0)),
               pointers = mpl_vector(e, LLVMGetOperand(store, 1));
  struct mpl_versions versions;
  if (guesses) {
    mpl_store_at(e, r, store, value, mpl_guess(e, store, &versions));
    mpl_last_version(e, &versions);
    pointers = here(e, pointers);
  }
  if ((guesses ? r->otherwise : r->form) == MPL_RECIPE_IN_TURN)
    mpl_each_lane(e, store);
  else
    mpl_scatter(e, r->apart, value, pointers, LLVMGetAlignment(store));
  if (guesses) mpl_end_versions(e, &versions);
}

static void store_speculated(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store) {
  (r->vector ? mpl_store_small_vector : store_apart)(e, r, store);
}

/* --- all forms --- */

typedef void emitter(struct mpl_emit *, const struct mpl_recipe *, LLVMValueRef access);
static const struct {
  emitter *load, *store; /* null: none has this form */
} emitters[MPL_NUM_RECIPES] = {
    [MPL_RECIPE_OWN_UNITS] = {mpl_load_own, mpl_store_own},
    [MPL_RECIPE_OWN_PLACES] = {mpl_load_own, mpl_store_own},
    [MPL_RECIPE_OWN_WORDS] = {mpl_load_own, NULL},
    [MPL_RECIPE_SUM] = {mpl_load_sum, mpl_store_sum},
    [MPL_RECIPE_SLOT] = {NULL, store_slot},
    [MPL_RECIPE_ONE_PLACE] = {load_one_place, store_one_place},
    [MPL_RECIPE_PIECES] = {mpl_load_pieces, mpl_store_pieces},
    [MPL_RECIPE_FIELDS] = {mpl_load_fields, mpl_store_fields},
    [MPL_RECIPE_INTERLEAVED] = {mpl_load_fields, mpl_store_fields},
    [MPL_RECIPE_WORD] = {mpl_load_fields, mpl_store_fields},
    [MPL_RECIPE_WIDE] = {load_along, store_along},
    [MPL_RECIPE_REVERSED] = {load_along, store_along},
    [MPL_RECIPE_FOUR_WORDS] = {mpl_load_four_words, NULL},
    [MPL_RECIPE_SMALL_VECTOR] = {mpl_load_small_vector, mpl_store_small_vector},
    [MPL_RECIPE_SPECULATED] = {load_speculated, store_speculated},
    [MPL_RECIPE_SPECULATED_PLACE] = {load_speculated, NULL},
    [MPL_RECIPE_ROW_LOADS] = {load_apart, NULL},
    [MPL_RECIPE_GATHER] = {load_apart, NULL},
    [MPL_RECIPE_WORD_GATHER] = {load_apart, NULL},
    [MPL_RECIPE_SCATTER] = {NULL, store_apart},
    [MPL_RECIPE_IN_TURN] = {NULL, store_apart},
};

void mpl_widen_access(struct mpl_emit *e, LLVMValueRef access) {
  const struct mpl_recipe *r = mpl_recipe_of(e->recipes, access, e->full_turn);
  (LLVMIsAStoreInst(access) ? emitters[r->form].store : emitters[r->form].load)(e, r, access);
}

/* Each line that the lanes are in; of lanes that are anywhere, none. */
void mpl_widen_prefetch(struct mpl_emit *e, LLVMValueRef prefetch) {
  enum { LINE = 64 };
  LLVMValueRef pointer = LLVMGetOperand(prefetch, 0);
  int64_t stride = mpl_stride_at(e->lanes, pointer, mpl_cfg_block_of(e->items->cfg, prefetch));
  if (stride == MPL_ANY_STRIDE || stride < 0 || stride > LINE) return;
  LLVMValueRef first = mpl_scalar(e, pointer);
  for (int64_t at = 0; at == 0 || at < stride * e->width; at += LINE) {
    LLVMValueRef copy = LLVMInstructionClone(prefetch);
    LLVMSetOperand(copy, 0, mpl_moved(e, first, mpl_const64(e->ir, (uint64_t)at)));
    LLVMInsertIntoBuilder(e->b, copy);
  }
}
