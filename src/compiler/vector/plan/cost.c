/* Counts what a work-item loop does, once for any number of lanes (price.c). */
#include "cost.h"

#include <stdlib.h>

struct count {
  struct mpl_costs *costs;
  struct mpl_recipes recipes;
  struct mpl_steps steps;
};

/* --- counts --- */

static struct mpl_loop_costs *loop_at(const struct count *c, unsigned block) {
  int loop = c->recipes.lanes->items->inner[block];
  return &c->costs->loops[loop < 0 ? c->costs->num_loops : (unsigned)loop];
}

static void add_of_lanes(struct count *c, unsigned block, enum mpl_cost row, enum mpl_fill fill,
                         LLVMTypeRef type, unsigned count) {
  unsigned bytes = type ? mpl_lane_bytes(type) : 1, times = bytes > 8 ? bytes / 8 : 1;
  unsigned size = bytes > 4 ? 3 : bytes > 2 ? 2 : bytes > 1;
  struct mpl_loop_costs *loop = loop_at(c, block);
  loop->count[row][fill][size] += times * count;
  loop->has[fill] = true;
  loop->left |= row == MPL_COST_LEAVING;
}

static void add_of_item(struct count *c, unsigned block, enum mpl_cost row, LLVMTypeRef type) {
  struct mpl_loop_costs *loop = loop_at(c, block);
  unsigned bytes = type ? mpl_lane_bytes(type) : 1, times = bytes > 8 ? bytes / 8 : 1;
  loop->item += mpl_cost_table[row].item * times;
  if (mpl_cost_table[row].each != MPL_EACH_ITEM) loop->operations += times;
}

static void add_times(struct count *c, unsigned block, enum mpl_cost row, enum mpl_fill fill,
                      LLVMTypeRef type, unsigned count) {
  if (row == MPL_NUM_COSTS) return;
  add_of_lanes(c, block, row, fill, type, count);
  add_of_item(c, block, row, type);
}

static void add(struct count *c, unsigned block, enum mpl_cost row, enum mpl_fill fill,
                LLVMTypeRef type) {
  add_times(c, block, row, fill, type, 1);
}

static bool leaves_loop(const struct mpl_item_loop *items, unsigned block) {
  int l = items->inner[block];
  for (unsigned s = 0; l >= 0 && s < items->cfg->succs[block].count; s++)
    if (mpl_is_outside(&items->loops[l], items->cfg->succs[block].to[s])) return true;
  return false;
}

static void add_branch(struct count *c, LLVMValueRef end, unsigned block, enum mpl_fill fill) {
  const struct mpl_lanes *lanes = c->recipes.lanes;
  const struct mpl_item_loop *items = lanes->items;
  if (LLVMGetNumSuccessors(end) < 2 || block == items->latch) return;
  bool parts = !lanes->blocks[block].tested && mpl_branch_varies(lanes, block);
  enum mpl_cost row = !parts                      ? MPL_COST_BRANCH
                      : leaves_loop(items, block) ? MPL_COST_LEAVING
                                                  : MPL_COST_PARTING;
  add(c, block, row, fill, NULL);
}

static bool is_alias(int stride) {
  return stride != MPL_ANY_STRIDE && stride && stride % MPL_ALIAS == 0;
}

/* What takes longer the more lines of the cache lanes ask for. */
static void add_walk(struct count *c, const struct mpl_lane_access *a, enum mpl_fill fill) {
  int stride = mpl_guessed_stride(c->recipes.lanes, a->at);
  enum mpl_cost row = loop_at(c, a->block)->writes ? MPL_COST_WALK_WRITTEN : MPL_COST_WALK;
  if (mpl_walks(&c->steps, a)) add(c, a->block, row, fill, a->type);
  if (is_alias(stride)) add(c, a->block, row, fill, a->type);
  if (mpl_walks_rows(&c->steps, a)) add(c, a->block, MPL_COST_CONFLICT, fill, NULL);
}

/* Words side by side once, and a shift for each field; stored, it is put in its place too.  One
 * work-item alone has its fields as they are. */
static void add_word(struct count *c, const struct mpl_lane_access *a, const struct mpl_fields *fields,
                     enum mpl_fill fill) {
  LLVMTypeRef word = c->recipes.lanes->items->ir->i32;
  if (a->at == fields->members[0])
    add_of_lanes(c, a->block, a->store ? MPL_COST_STORE : MPL_COST_LOAD, fill, word, 1);
  add_of_lanes(c, a->block, MPL_COST_INTEGER, fill, word, a->store ? 2 : 1);
  add_of_item(c, a->block, MPL_COST_FIELD, a->type);
}

/* What lies side by side for lanes is as far from one iteration to the next as there are
 * work-items, in a stride of the grid, or as a row is long. */
static void add_leap(struct count *c, const struct mpl_lane_access *a) {
  if (mpl_is_beside(a->stride, (int)mpl_lane_bytes(a->type)) && mpl_leaps(&c->steps, a))
    add(c, a->block, MPL_COST_LEAP, MPL_ALL_LANES, NULL);
}

static void add_access(struct count *c, const struct mpl_lane_access *a, enum mpl_fill fill) {
  const struct mpl_lanes *lanes = c->recipes.lanes;
  const struct mpl_recipe *recipe = mpl_recipe_of(&c->recipes, a->at, false);
  enum mpl_cost row = mpl_cost_row(&c->recipes, a->at);
  unsigned block = a->block;
  /* A register of a field is put together from as many as structures are long, two at a time; or all of
   * these are loaded for those that are asked for. */
  unsigned registers = row == MPL_COST_FIELD || row == MPL_COST_INTERLEAVED
                           ? mpl_elements_apart(recipe->fields)
                           : 1;
  unsigned together = row == MPL_COST_INTERLEAVED ? recipe->fields->count : 2;
  if (recipe->form == MPL_RECIPE_WORD)
    add_word(c, a, recipe->fields, fill);
  else
    add_times(c, block, row, fill, a->type, (registers + together - 1) / together);
  if (mpl_is_speculated(recipe)) add(c, block, MPL_COST_TEST, fill, NULL);
  if ((row == MPL_COST_LOAD || row == MPL_COST_STORE) && lanes->blocks[block].diverged)
    add(c, block, a->store ? MPL_COST_MASKED_STORE : MPL_COST_MASKED_LOAD, fill, a->type);
  if (row == MPL_COST_IN_TURN && fill) add(c, block, MPL_COST_SOME_LANES, MPL_ALL_LANES, NULL);
  if (mpl_array_of(lanes, a->place))
    add(c, block, MPL_COST_FAR, fill, a->type);
  else if (mpl_cost_table[row].each == MPL_EACH_LANE)
    add_walk(c, a, fill);
  else
    add_leap(c, a);
}

static void add_instruction(struct count *c, LLVMValueRef i, unsigned block, enum mpl_fill fill) {
  const struct mpl_lanes *lanes = c->recipes.lanes;
  struct mpl_lane_access access;
  if (LLVMIsATerminatorInst(i)) {
    add_branch(c, i, block, fill);
  } else if (mpl_has_no_vector_form(lanes, i)) {
    add(c, block, mpl_cost_row(&c->recipes, i), MPL_ALL_LANES, NULL);
    if (lanes->blocks[block].diverged) add(c, block, MPL_COST_SOME_LANES, MPL_ALL_LANES, NULL);
  } else if (mpl_access_of(lanes, i, &access)) {
    add_access(c, &access, fill);
  } else {
    add(c, block, mpl_cost_row(&c->recipes, i), fill, LLVMTypeOf(i));
  }
}

/* --- loops --- */

static void look_at_loops(struct count *c) {
  const struct mpl_lanes *lanes = c->recipes.lanes;
  const struct mpl_item_loop *items = lanes->items;
  for (unsigned l = 0; l < items->num_loops; l++)
    c->costs->loops[l].ragged = mpl_is_ragged(lanes, (int)l);
  MPL_EACH_ACCESS(a, lanes) {
    struct mpl_loop_costs *loop = loop_at(c, a.block);
    if (items->inner[a.block] < 0 || mpl_array_of(lanes, a.place)) continue;
    /* At what is each lane's own; tables of constants, as functions have, are all lanes'. */
    loop->looks |=
        !a.store && a.stride == MPL_ANY_STRIDE && mpl_space_of(a.place) != MPL_CONSTANT_SPACE;
    if (!a.store || !mpl_walks(&c->steps, &a)) continue;
    int stride = mpl_guessed_stride(lanes, a.at);
    loop->writes |= stride == MPL_ANY_STRIDE || is_alias(stride);
  }
}

static enum mpl_fill fill_of(struct count *c, unsigned block) {
  const struct mpl_lanes *lanes = c->recipes.lanes;
  const struct mpl_item_loop *items = lanes->items;
  bool looks = false, parted = items->inner[block] < 0 && lanes->blocks[block].diverged;
  enum mpl_fill fill = parted ? MPL_SOME_LANES : MPL_ALL_LANES;
  for (int l = items->inner[block]; l >= 0; l = items->loops[l].parent) {
    looks |= c->costs->loops[l].looks;
    if (c->costs->loops[l].ragged)
      fill = fill || (looks && !items->ir->target->mask_bits) ? MPL_FEW_LANES : MPL_RAGGED_LANES;
  }
  return fill;
}

static void measure_loops(struct count *c) {
  const struct mpl_lanes *lanes = c->recipes.lanes;
  const struct mpl_item_loop *items = lanes->items;
  unsigned *live = mpl_allocate(items->num_loops + 1, sizeof *live);
  mpl_live_bytes(lanes, live);
  for (unsigned l = 0; l <= items->num_loops; l++) {
    struct mpl_loop_costs *loop = &c->costs->loops[l];
    loop->live = live[l];
    loop->parent = -1;
    loop->trip_count = 1;
    if (l == items->num_loops) break;
    loop->parent = items->loops[l].parent;
    loop->carried = mpl_carried_bytes(lanes, l);
    loop->trip_count = mpl_trip_count(items, &items->loops[l]);
    if (!loop->trip_count) loop->trip_count = MPL_GIVEN_TRIPS;
  }
  free(live);
}

/* Where a filter looks at what an access does, there will be some 60 instructions, most of them on
 * the lanes' stamps (filter/look_stamps.c). */
void mpl_measure_code(const struct mpl_lanes *lanes, struct mpl_code_size *size) {
  enum { LOOK = 60 };
  MPL_EACH_ITEM_INSTRUCTION(i, lanes->items) {
    LLVMTypeRef type = mpl_accessed_type(i);
    bool varies = LLVMIsAStoreInst(i) || mpl_varies(lanes, i);
    size->instructions += mpl_is_look(i) ? LOOK : 1;
    if (mpl_is_look(i)) size->bytes += LOOK;
    if (mpl_has_no_vector_form(lanes, i)) size->each_lane++;
    if (LLVMTypeIsSized(type) && !LLVMIsAAllocaInst(i) && varies)
      size->bytes += LLVMABISizeOfType(lanes->items->ir->layout, type);
  }
}

void mpl_costs_find(struct mpl_costs *costs, const struct mpl_lanes *lanes) {
  const struct mpl_item_loop *items = lanes->items;
  struct count c = {.costs = costs, .steps.lanes = lanes};
  *costs = (struct mpl_costs){.target = items->ir->target, .num_loops = items->num_loops};
  costs->loops = mpl_allocate(items->num_loops + 1, sizeof *costs->loops);
  mpl_recipes_find(&c.recipes, lanes, MPL_MASKS_NEVER);
  look_at_loops(&c);
  MPL_EACH_ITEM_BLOCK(b, items) {
    enum mpl_fill fill = fill_of(&c, b);
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) add_instruction(&c, i, b, fill);
  }
  measure_loops(&c);
  costs->own_rows = mpl_count_rows(&c.steps);
  mpl_find_chains(&c.steps, costs, &c.recipes);
  MPL_EACH_INSTRUCTION(i, LLVMGetEntryBasicBlock(items->function))
  if (LLVMIsAAllocaInst(i) && mpl_array_kind(lanes, i) == MPL_INTERLEAVED_ARRAY)
    costs->arrays += (unsigned)mpl_array_size(lanes, i);
  mpl_recipes_free(&c.recipes);
  mpl_steps_free(&c.steps);
}

void mpl_costs_free(struct mpl_costs *costs) {
  free(costs->loops);
}
