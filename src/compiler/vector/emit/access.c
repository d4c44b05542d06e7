/* Loads and stores of all lanes of a chunk, by their recipes (plan/recipes.h). */
#include "memory.h"

/* --- loads --- */

static void set_vector(struct mpl_emit *e, LLVMValueRef load, LLVMValueRef vector) {
  mpl_map_set(&e->vectors, load, (uintptr_t)vector);
}

static void load_one_place(struct mpl_emit *e, LLVMValueRef load) {
  LLVMValueRef value = LLVMInstructionClone(load);
  LLVMSetOperand(value, 0, mpl_safe_place(e, mpl_scalar(e, LLVMGetOperand(load, 0))));
  LLVMInsertIntoBuilder(e->b, value);
  mpl_map_set(&e->scalars, load, (uintptr_t)value);
}

/* Places that are used behind a branch are computed there: a base and indices then go into the
 * instruction that gathers. */
static LLVMValueRef here(struct mpl_emit *e, LLVMValueRef pointers) {
  if (!LLVMIsAGetElementPtrInst(pointers)) return pointers;
  LLVMValueRef copy = LLVMInstructionClone(pointers);
  LLVMInsertIntoBuilder(e->b, copy);
  return copy;
}

static LLVMValueRef load_apart(struct mpl_emit *e, enum mpl_form_of_access form, LLVMValueRef load,
                               LLVMValueRef pointers) {
  if (form == MPL_RECIPE_ROW_LOADS) return mpl_load_rows(e, load);
  return mpl_gather(e, mpl_vector_type(e, LLVMTypeOf(load)), here(e, pointers),
                    LLVMGetAlignment(load));
}

static LLVMValueRef load_speculated(struct mpl_emit *e, const struct mpl_recipe *r,
                                    LLVMValueRef load) {
  LLVMValueRef pointers = mpl_vector(e, LLVMGetOperand(load, 0)), values[3];
  struct mpl_versions versions;
  values[0] = mpl_load_at(e, load, mpl_guess(e, load, &versions), !r->stride);
  mpl_last_version(e, &versions);
  if (r->clamped || r->wrapped) {
    values[2] = (r->clamped ? mpl_load_stopped : mpl_load_wrapped)(e, load, &versions);
    mpl_last_version(e, &versions);
  }
  values[1] = load_apart(e, r->otherwise, load, pointers);
  mpl_end_versions(e, &versions);
  return mpl_of_versions(e, &versions, values);
}

void mpl_widen_load(struct mpl_emit *e, LLVMValueRef load) {
  const struct mpl_recipe *r = mpl_recipe_of(e->recipes, load, e->full_turn);
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  switch (r->form) {
  case MPL_RECIPE_OWN_UNITS:
  case MPL_RECIPE_OWN_PLACES:
    mpl_load_own(e, load, r->form == MPL_RECIPE_OWN_UNITS);
    return;
  case MPL_RECIPE_SUM:
    set_vector(e, load, mpl_load_sum(e, load));
    return;
  case MPL_RECIPE_ONE_PLACE:
    load_one_place(e, load);
    return;
  case MPL_RECIPE_PIECES:
    set_vector(e, load, mpl_load_pieces(e, load, r->stride));
    return;
  case MPL_RECIPE_FIELDS:
  case MPL_RECIPE_INTERLEAVED:
  case MPL_RECIPE_WORD:
    set_vector(e, load, mpl_widen_field_load(e, r, load));
    return;
  case MPL_RECIPE_WIDE:
  case MPL_RECIPE_REVERSED:
    set_vector(e, load, mpl_load_along(e, load, mpl_scalar(e, pointer), r->stride));
    return;
  case MPL_RECIPE_FOUR_WORDS:
    mpl_load_four_words(e, r->vector);
    return;
  case MPL_RECIPE_SMALL_VECTOR:
    mpl_load_small_vector(e, r, load);
    return;
  case MPL_RECIPE_SPECULATED:
  case MPL_RECIPE_SPECULATED_PLACE:
    if (r->vector)
      mpl_load_small_vector(e, r, load);
    else
      set_vector(e, load, load_speculated(e, r, load));
    return;
  default:
    set_vector(e, load, load_apart(e, r->form, load, mpl_vector(e, pointer)));
  }
}

/* --- stores --- */

/* All lanes write to one place: the value of one of them stays there. */
static LLVMValueRef one_value(struct mpl_emit *e, LLVMValueRef value, unsigned block) {
  if (!mpl_stride_at(e->lanes, value, block)) return mpl_scalar(e, value);
  LLVMValueRef vector = mpl_vector(e, value), last = mpl_const64(e->ir, e->width - 1),
               lane = e->mask ? mpl_some_lane(e) : last;
  return LLVMBuildExtractElement(e->b, vector, lane, "");
}

static void store_one_place(struct mpl_emit *e, LLVMValueRef store, unsigned block) {
  LLVMValueRef value = one_value(e, LLVMGetOperand(store, 0), block),
               at = mpl_safe_place(e, mpl_scalar(e, LLVMGetOperand(store, 1)));
  mpl_aligned_store(e->b, value, at, LLVMGetAlignment(store));
}

static void store_slot(struct mpl_emit *e, LLVMValueRef store, unsigned block) {
  LLVMValueRef value = LLVMGetOperand(store, 0),
               vector = mpl_stride_at(e->lanes, value, block) ? NULL : mpl_vector(e, value);
  mpl_store_slot(e, one_value(e, value, block), vector, LLVMGetOperand(store, 1));
}

static void store_apart(struct mpl_emit *e, enum mpl_form_of_access form, LLVMValueRef store,
                        LLVMValueRef value, LLVMValueRef pointers) {
  if (form == MPL_RECIPE_IN_TURN)
    mpl_each_lane(e, store);
  else
    mpl_scatter(e, value, pointers, LLVMGetAlignment(store));
}

static void store_speculated(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store,
                             LLVMValueRef value, LLVMValueRef pointers) {
  struct mpl_versions versions;
  mpl_store_at(e, r, store, value, mpl_guess(e, store, &versions));
  mpl_last_version(e, &versions);
  store_apart(e, r->otherwise, store, value, here(e, pointers));
  mpl_end_versions(e, &versions);
}

/* Places that vary. */
static void store_varying(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store) {
  if (r->vector) {
    if (store == r->vector->members[r->vector->count - 1]) mpl_store_small_vector(e, r, store);
    return;
  }
  LLVMValueRef value = mpl_vector(e, LLVMGetOperand(store, 0)),
               pointers = mpl_vector(e, LLVMGetOperand(store, 1));
  if (mpl_is_speculated(r))
    store_speculated(e, r, store, value, pointers);
  else
    store_apart(e, r->form, store, value, pointers);
}

void mpl_widen_store(struct mpl_emit *e, LLVMValueRef store) {
  const struct mpl_recipe *r = mpl_recipe_of(e->recipes, store, e->full_turn);
  unsigned block = mpl_cfg_block_of(e->items->cfg, store);
  LLVMValueRef value = LLVMGetOperand(store, 0), pointer = LLVMGetOperand(store, 1);
  switch (r->form) {
  case MPL_RECIPE_OWN_UNITS:
  case MPL_RECIPE_OWN_PLACES:
    mpl_store_own(e, store, r->form == MPL_RECIPE_OWN_UNITS);
    return;
  case MPL_RECIPE_SUM:
    mpl_store_sum(e, value, pointer);
    return;
  case MPL_RECIPE_SLOT:
    store_slot(e, store, block);
    return;
  case MPL_RECIPE_ONE_PLACE:
    store_one_place(e, store, block);
    return;
  case MPL_RECIPE_PIECES:
    mpl_store_pieces(e, r, store);
    return;
  case MPL_RECIPE_FIELDS:
  case MPL_RECIPE_INTERLEAVED:
  case MPL_RECIPE_WORD:
    mpl_widen_field_store(e, r, store);
    return;
  case MPL_RECIPE_WIDE:
  case MPL_RECIPE_REVERSED:
    value = mpl_vector(e, value);
    mpl_store_along(e, r, store, value, mpl_scalar(e, pointer));
    return;
  default:
    store_varying(e, r, store);
  }
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
