/* How long what is computed takes to be there: from one iteration of a loop to the next, and from
 * the begin of an iteration to its end. */
#include "cost.h"

struct chains {
  struct mpl_steps *steps;
  const struct mpl_recipes *recipes;
  unsigned loop; /* or `num_loops`: the rest */
};

static bool is_inside(const struct chains *c, unsigned block) {
  const struct mpl_item_loop *items = c->recipes->lanes->items;
  int loop = c->loop == items->num_loops ? -1 : (int)c->loop;
  return items->in[block] && items->inner[block] == loop;
}

/* Of one work-item alone loads are all alike, and private arrays near. */
static unsigned wait_for(const struct chains *c, LLVMValueRef i, bool alone) {
  if (LLVMIsAPHINode(i) || LLVMGetInstructionOpcode(i) == LLVMGetElementPtr) return 0;
  if (alone && LLVMIsALoadInst(i))
    return mpl_array_of(c->recipes->lanes, LLVMGetOperand(i, 0))
               ? 0
               : mpl_cost_table[MPL_COST_LOAD].item_latency;
  enum mpl_cost row = mpl_cost_row(c->recipes, i);
  if (row == MPL_NUM_COSTS) return 0;
  return alone ? mpl_cost_table[row].item_latency : mpl_cost_table[row].latency;
}

static uintptr_t begin_of(struct mpl_map *ends, LLVMValueRef i) {
  uintptr_t begin = 0;
  for (int k = 0; k < LLVMGetNumOperands(i); k++) {
    uintptr_t at = mpl_map_get(ends, LLVMGetOperand(i, k), 0);
    if (at > begin) begin = at;
  }
  return begin;
}

/* From what the header's phis are to what they are next; counters are not waited for.  `ends`:
 * value
 * -> 1 + when it is there. */
static unsigned carried_chain(const struct chains *c, struct mpl_map *handed, bool alone) {
  const struct mpl_lanes *lanes = c->recipes->lanes;
  const struct mpl_item_loop *items = lanes->items;
  const struct mpl_inner_loop *l = &items->loops[c->loop];
  struct mpl_map ends = {0};
  uintptr_t longest = 1;
  MPL_EACH_LOOP_BLOCK(b, items, l) {
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) {
      if (!alone && !mpl_varies(lanes, i)) continue;
      if (b == l->header && LLVMIsAPHINode(i)) {
        if (mpl_step_of(c->steps, i, (int)c->loop) == MPL_ANY_STEP) mpl_map_set(&ends, i, 1);
        continue;
      }
      uintptr_t begin = begin_of(&ends, i);
      bool is_handed = mpl_map_has(handed, i);
      if (is_handed && LLVMIsALoadInst(i))
        mpl_map_set(&ends, i, 1 + mpl_cost_table[MPL_COST_LOAD].item_latency);
      else if (is_handed && begin > longest)
        longest = begin;
      else if (begin)
        mpl_map_set(&ends, i, begin + wait_for(c, i, alone));
    }
  }
  MPL_EACH_PHI(phi, items->cfg->blocks[l->header])
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    unsigned from = mpl_block_number(items, LLVMGetIncomingBlock(phi, k));
    uintptr_t end = mpl_map_get(&ends, LLVMGetIncomingValue(phi, k), 0);
    if (!mpl_is_outside(l, from) && end > longest) longest = end;
  }
  mpl_map_free(&ends);
  return (unsigned)longest - 1;
}

/* Of the loop's own blocks, without those of loops inside. */
static unsigned longest_path(const struct chains *c) {
  const struct mpl_item_loop *items = c->recipes->lanes->items;
  struct mpl_map ends = {0};
  uintptr_t longest = 0;
  for (unsigned b = items->first; b <= items->last; b++) {
    if (!is_inside(c, b)) continue;
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) {
      if (!mpl_varies(c->recipes->lanes, i)) continue;
      uintptr_t end = begin_of(&ends, i) + wait_for(c, i, false);
      if (end > longest) longest = end;
      mpl_map_set(&ends, i, end);
    }
  }
  mpl_map_free(&ends);
  return (unsigned)longest;
}

void mpl_find_chains(struct mpl_steps *steps, struct mpl_costs *costs,
                     const struct mpl_recipes *recipes) {
  struct chains c = {steps, recipes, 0};
  for (; c.loop < costs->num_loops; c.loop++) {
    struct mpl_loop_costs *l = &costs->loops[c.loop];
    struct mpl_map handed = {0};
    mpl_find_handed(steps, (int)c.loop, &handed);
    l->lane_chain = carried_chain(&c, &handed, false);
    l->item_chain = carried_chain(&c, &handed, true);
    l->simple = !handed.count && mpl_is_simple(steps, (int)c.loop);
    l->path = longest_path(&c);
    mpl_map_free(&handed);
  }
  costs->loops[c.loop].path = longest_path(&c);
}
