/* The choice among the forms of an access. */
#include "recipes.h"

#include <stdlib.h>

/* An access that a recipe is looked for. */
struct access {
  struct mpl_recipes *recipes;
  const struct mpl_lanes *lanes;
  struct mpl_lane_access is;
  bool masked, full_turn;
};

/* --- lanes that are not there --- */

/* Of what the processor does for elements from that size on; 0: for none. */
static bool does_from(unsigned least, unsigned size) {
  return least && size >= least;
}

enum mpl_keep_out mpl_gathers_by(const struct mpl_target *target, unsigned size) {
  return does_from(target->least_gathered, size) ? MPL_BY_MASK : MPL_BY_PLACE;
}

enum mpl_keep_out mpl_scatters_by(const struct mpl_target *target, unsigned size) {
  return does_from(target->least_scattered, size) ? MPL_BY_MASK : MPL_BY_TURN;
}

static bool is_of_words(enum mpl_form_of_access form) {
  return form == MPL_RECIPE_WORD || form == MPL_RECIPE_WORD_GATHER || form == MPL_RECIPE_OWN_WORDS;
}

/* Bytes of the units that the form accesses. */
static unsigned unit_of(const struct access *a, const struct mpl_recipe *recipe, enum mpl_form_of_access form) {
  const struct mpl_fields *fields = recipe->fields;
  if (is_of_words(form)) return MPL_WORD;
  if (recipe->vector) return recipe->vector->bytes == MPL_WORD ? MPL_WORD : 2 * MPL_WORD;
  return fields && mpl_whole_size(fields) ? mpl_whole_size(fields) : (unsigned)a->is.size;
}

static void keep_out(const struct access *a, struct mpl_recipe *recipe) {
  const struct mpl_item_loop *items = a->lanes->items;
  const struct mpl_target *target = items->ir->target;
  unsigned apart = unit_of(a, recipe, mpl_is_speculated(recipe) ? recipe->otherwise : recipe->form);
  bool element = !recipe->fields && !recipe->vector && mpl_is_element(items->ir, a->is.at);
  recipe->apart = (a->is.store ? mpl_scatters_by : mpl_gathers_by)(target, apart);
  recipe->beside = element ? MPL_BY_VALUE
                   : a->is.store || does_from(target->least_masked, unit_of(a, recipe, recipe->form))
                       ? MPL_BY_MASK
                       : MPL_BY_PAGE;
}

/* --- forms of one access --- */

static enum mpl_form_of_access form_apart(const struct access *a) {
  const struct mpl_item_loop *items = a->lanes->items;
  struct mpl_row_load row;
  bool in_turn = a->masked && mpl_scatters_by(items->ir->target, (unsigned)a->is.size) == MPL_BY_TURN;
  if (a->is.store) return in_turn ? MPL_RECIPE_IN_TURN : MPL_RECIPE_SCATTER;
  if (!a->masked && !mpl_gathers_under_masks(items->ir->target) &&
      mpl_row_load_of(a->lanes, a->is.at, &row))
    return MPL_RECIPE_ROW_LOADS;
  bool word = mpl_is_in_word(items, a->is.type, LLVMGetAlignment(a->is.at));
  return word ? MPL_RECIPE_WORD_GATHER : MPL_RECIPE_GATHER;
}

/* Are places that vary side by side, `size` bytes each, in most chunks, or one place? */
static bool speculates(const struct access *a, int size, int *stride) {
  const struct mpl_item_loop *items = a->lanes->items;
  if (items->limits.plain || items->pieces || a->is.stride != MPL_ANY_STRIDE) return false;
  *stride = mpl_guessed_stride(a->lanes, a->is.at);
  return *stride == size || (!*stride && !a->is.store);
}

static void speculate(struct mpl_recipe *recipe, int stride) {
  recipe->otherwise = recipe->form;
  recipe->form = stride ? MPL_RECIPE_SPECULATED : MPL_RECIPE_SPECULATED_PLACE;
  recipe->stride = stride;
}

static struct mpl_recipe apart(const struct access *a) {
  struct mpl_recipe recipe = {.form = form_apart(a), .stride = a->is.stride};
  int stride;
  if (!speculates(a, a->is.size, &stride)) return recipe;
  speculate(&recipe, stride);
  if (stride && !a->is.store) recipe.border = mpl_border_of(a->lanes, &a->is);
  return recipe;
}

/* Four words that are not taken to be side by side: a load for each lane costs less than a gather
 * for each half of them, which would take as many. */
static bool loads_words(const struct access *a, const struct mpl_small_vector *v) {
  enum { FOUR = 4 };
  return !a->is.store && v->size == MPL_WORD && v->bytes == FOUR * MPL_WORD && a->lanes->width >= FOUR &&
         mpl_guessed_stride(a->lanes, a->is.at) == MPL_ANY_STRIDE;
}

/* Of the access by which the small vector is made: the first load, or the last store. */
static struct mpl_recipe of_vector(const struct access *a, const struct mpl_small_vector *v) {
  struct mpl_recipe recipe = {.form = MPL_RECIPE_SMALL_VECTOR, .stride = a->is.stride, .vector = v};
  int stride;
  if (loads_words(a, v))
    recipe.form = MPL_RECIPE_FOUR_WORDS;
  else if (speculates(a, (int)v->bytes, &stride))
    speculate(&recipe, stride);
  return recipe;
}

/* Costs are of any number of lanes: more than one instruction has. */
static unsigned interleaved_lanes(const struct access *a, const struct mpl_fields *fields) {
  unsigned width = a->recipes->masks == MPL_MASKS_NEVER ? MPL_MOST_LANES : a->lanes->width;
  return mpl_interleaved_lanes(a->lanes->items->ir->target, fields, width, a->masked);
}

static bool is_own(const struct access *a) {
  return mpl_array_of(a->lanes, a->is.place) != NULL;
}

static enum mpl_form_of_access form_of_own(const struct access *a) {
  if (!a->is.stride) return MPL_RECIPE_OWN_UNITS;
  bool words = !a->is.store && mpl_is_in_word(a->lanes->items, a->is.type, (unsigned)a->is.size);
  return words ? MPL_RECIPE_OWN_WORDS : MPL_RECIPE_OWN_PLACES;
}

/* Null form: the places vary, or are apart. */
static bool form_alike(const struct access *a, struct mpl_recipe *recipe) {
  const struct mpl_item_loop *items = a->lanes->items;
  const struct mpl_fields *fields =
      (const struct mpl_fields *)mpl_map_get(&a->lanes->fields, a->is.at, 0);
  int in_piece;
  *recipe = (struct mpl_recipe){.stride = a->is.stride};
  if (mpl_has_no_vector_form(a->lanes, a->is.at)) {
    recipe->form = MPL_RECIPE_LANE_LOOP;
  } else if (is_own(a)) {
    recipe->form = form_of_own(a);
  } else if (mpl_is_sum(items->ir, a->is.place)) {
    recipe->form = MPL_RECIPE_SUM;
  } else if (a->is.store && mpl_is_slot(items->ir, a->is.place)) {
    recipe->form = MPL_RECIPE_SLOT;
  } else if (!a->is.stride) {
    recipe->form = MPL_RECIPE_ONE_PLACE;
  } else if ((in_piece = mpl_stride_in_piece(a->lanes, a->is.place, a->is.block)),
             mpl_is_beside(in_piece, a->is.size) || (!in_piece && !a->is.store)) {
    recipe->form = MPL_RECIPE_PIECES;
    recipe->stride = in_piece;
  } else if (fields && mpl_may_widen_fields(a->lanes, fields, a->masked)) {
    recipe->fields = fields;
    recipe->at_once = interleaved_lanes(a, fields);
    recipe->form = recipe->at_once                  ? MPL_RECIPE_INTERLEAVED
                   : mpl_are_word(a->lanes, fields) ? MPL_RECIPE_WORD
                                                    : MPL_RECIPE_FIELDS;
  } else if (mpl_is_beside(a->is.stride, a->is.size)) {
    recipe->form = a->is.stride > 0 ? MPL_RECIPE_WIDE : MPL_RECIPE_REVERSED;
  } else {
    return false;
  }
  return true;
}

/* --- masks --- */

/* Do all lanes come by there that are in a loop, which most leave together? */
static bool is_for_all(const struct mpl_recipes *r, unsigned block) {
  const struct mpl_item_loop *items = r->lanes->items;
  int l = items->inner[block];
  if (l < 0 || !r->lanes->loops[l].masked || r->flow.full_turns[l]) return false;
  unsigned b = items->loops[l].header;
  while (b < block) b = items->cfg->ipdom[b];
  return b == block;
}

/* A store side by side by the mask, or all fields; fields that are loaded are words at least: of what is smaller
 * the page is asked. */
static bool has_form_for_all(const struct access *a, const struct mpl_recipe *recipe) {
  const struct mpl_fields *fields = recipe->fields;
  switch (recipe->form) {
  case MPL_RECIPE_FIELDS:
    return a->is.store ? fields->count == mpl_elements_apart(fields) : fields->size >= MPL_WORD;
  case MPL_RECIPE_WIDE:
  case MPL_RECIPE_REVERSED:
  case MPL_RECIPE_PIECES:
  case MPL_RECIPE_WORD:
  case MPL_RECIPE_SPECULATED:
    return a->is.store && recipe->beside == MPL_BY_MASK;
  default:
    return false;
  }
}

/* Where masks are vectors: some processors take a dozen cycles for a store under a mask.  In what
 * is left of a work-item loop never all are there. */
static bool asks_for_all(const struct access *a, const struct mpl_recipe *recipe) {
  const struct mpl_item_loop *items = a->lanes->items;
  return a->masked && a->recipes->masks == MPL_MASKS_DIVERGED && !items->ir->target->mask_bits &&
         !items->limits.plain && has_form_for_all(a, recipe) && is_for_all(a->recipes, a->is.block);
}

/* --- all accesses of a copy --- */

static void set(struct access *a, LLVMValueRef access, struct mpl_recipe recipe) {
  struct mpl_recipes *r = a->recipes;
  recipe.masked = a->masked;
  keep_out(a, &recipe);
  recipe.all_or_some = asks_for_all(a, &recipe);
  MPL_APPEND(r->list, r->count) = recipe;
  *mpl_map_at(&r->of, access, a->full_turn, true) = r->count;
}

/* The small vector, and what makes it of it; its other members are made with that. */
static bool add_vector(struct access *a, struct mpl_map *taken) {
  struct mpl_recipes *r = a->recipes;
  struct mpl_small_vector found;
  int stride;
  /* Words of one place are numbers: a vector of them would be taken apart again. */
  if (a->is.size == MPL_WORD && speculates(a, MPL_WORD, &stride) && !stride) return false;
  if (!mpl_small_vector_of(a->lanes->items->ir, a->is.at, taken, &found)) return false;
  struct mpl_small_vector *v = mpl_allocate(1, sizeof *v);
  *v = found;
  MPL_APPEND(r->vectors, r->num_vectors) = v;
  if (a->is.store) a->is.at = v->members[v->count - 1];
  a->is.place = mpl_accessed_place(a->is.at);
  struct mpl_recipe recipe = of_vector(a, v);
  for (unsigned k = 0; k < v->count; k++) {
    set(a, v->members[k], recipe);
    mpl_map_set(taken, v->members[k], 1);
  }
  return true;
}

static void add_access(struct mpl_recipes *r, LLVMValueRef i, bool full_turn, struct mpl_map *taken) {
  const struct mpl_lanes *lanes = r->lanes;
  struct access a = {.recipes = r, .lanes = lanes, .full_turn = full_turn};
  if (!mpl_access_of(lanes, i, &a.is) || mpl_map_find(&r->of, i, full_turn)) return; /* of a small vector */
  a.masked = !full_turn && (r->masks == MPL_MASKS_ALWAYS ||
                            (r->masks == MPL_MASKS_DIVERGED && lanes->blocks[a.is.block].diverged));
  struct mpl_recipe recipe;
  if (!form_alike(&a, &recipe)) {
    if (add_vector(&a, taken)) return;
    recipe = apart(&a);
  }
  set(&a, i, recipe);
}

static void add_block(struct mpl_recipes *r, unsigned block, bool full_turn) {
  struct mpl_map taken = {0};
  MPL_EACH_INSTRUCTION(i, r->lanes->items->cfg->blocks[block]) add_access(r, i, full_turn, &taken);
  mpl_map_free(&taken);
}

void mpl_recipes_find(struct mpl_recipes *r, const struct mpl_lanes *lanes, enum mpl_masks masks) {
  const struct mpl_item_loop *items = lanes->items;
  *r = (struct mpl_recipes){.lanes = lanes, .masks = masks};
  mpl_plan_flow(&r->flow, lanes, masks == MPL_MASKS_DIVERGED);
  MPL_EACH_ITEM_BLOCK(b, items) add_block(r, b, false);
  for (unsigned l = 0; l < items->num_loops; l++)
    if (r->flow.full_turns[l]) add_block(r, items->loops[l].header, true);
}

void mpl_recipes_free(struct mpl_recipes *r) {
  for (size_t k = 0; k < r->num_vectors; k++) free(r->vectors[k]);
  free(r->vectors);
  free(r->list);
  mpl_flow_plan_free(&r->flow);
  mpl_map_free(&r->of);
  *r = (struct mpl_recipes){0};
}

const struct mpl_recipe *mpl_recipe_of(const struct mpl_recipes *r, LLVMValueRef access,
                                       bool full_turn) {
  const uintptr_t *at = mpl_map_find(&r->of, access, full_turn);
  if (!at) abort(); /* every access of the loop has one */
  return &r->list[*at - 1];
}
