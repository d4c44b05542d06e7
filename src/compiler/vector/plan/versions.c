/* Which copies of a work-item loop there are, and how many chunks each does at a time. */
#include "plan.h"

/* What the processor is busy with anyway. */
static bool keeps_busy(LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (opcode == LLVMLoad || opcode == LLVMStore) return LLVMGetVolatile(i);
  if (opcode != LLVMCall)
    return (opcode >= LLVMUDiv && opcode <= LLVMFRem) || opcode == LLVMAtomicRMW ||
           opcode == LLVMAtomicCmpXchg;
  LLVMValueRef callee = mpl_callee_of(i);
  return !callee || !LLVMGetIntrinsicID(callee);
}

bool mpl_is_light(const struct mpl_lanes *lanes) {
  unsigned instructions = 0;
  MPL_EACH_ITEM_INSTRUCTION(i, lanes->items) {
    instructions += !LLVMIsATerminatorInst(i);
    if (keeps_busy(i) || lanes->blocks[mpl_cfg_block_of(lanes->items->cfg, i)].diverged) return false;
  }
  return instructions <= MPL_GIVEN_SHORT_LOOP;
}

/* How many chunks one copy of the loop does at a time, each with sums of its own. */
static unsigned chunks_at_a_time(const struct mpl_lanes *lanes) {
  unsigned bytes = 1;
  if (lanes->items->num_loops || lanes->items->limits.one_at_a_time || !mpl_is_light(lanes)) return 1;
  MPL_EACH_ITEM_INSTRUCTION(i, lanes->items) {
    LLVMValueRef value = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i;
    bool empty = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVoidTypeKind;
    if (empty || !mpl_varies(lanes, value)) continue;
    unsigned size = (unsigned)LLVMABISizeOfType(lanes->items->ir->layout, LLVMTypeOf(value));
    if (size > bytes) bytes = size;
  }
  unsigned chunks = MPL_GIVEN_AT_ONCE * lanes->items->ir->target->register_bytes / (bytes * lanes->width);
  return chunks < 1 ? 1 : chunks > MPL_MOST_CHUNKS ? MPL_MOST_CHUNKS : chunks;
}

bool mpl_begins_again(const struct mpl_lanes *lanes) {
  MPL_EACH_ITEM_INSTRUCTION(i, lanes->items)
  if (mpl_is_bound(lanes, i) || lanes->blocks[mpl_cfg_block_of(lanes->items->cfg, i)].tested) return true;
  return false;
}

/* Numbers that are assumed not to wrap from lane to lane are right for a lane alone.  Pointers that
 * meet may do so in one work-item too, and a scan has whole chunks in front of it. */
static bool may_go_alone(const struct mpl_lanes *lanes) {
  MPL_EACH_ACCESS(a, lanes)
  if (mpl_shared_place_of(lanes->items->ir, a.place).kind == MPL_PLACE_SCAN) return false;
  return !lanes->apart.count;
}

static void plan_copy(struct mpl_copy *copy, const struct mpl_lanes *lanes, enum mpl_masks masks,
                      unsigned chunks, bool quiet) {
  *copy = (struct mpl_copy){.chunks = chunks, .quiet = quiet};
  mpl_recipes_find(&copy->recipes, lanes, masks);
}

static void plan_wide(struct mpl_loop_versions *v, struct mpl_analyses *analyses, unsigned narrow) {
  unsigned width = mpl_lanes_of_rows(v->one.recipes.lanes);
  for (; width > narrow && v->num_wide < MPL_MOST_WIDE; width /= 2)
    plan_copy(&v->wide[v->num_wide++], mpl_lanes_for(analyses, width, true), MPL_MASKS_DIVERGED, 1, true);
}

void mpl_plan_versions(struct mpl_loop_versions *v, struct mpl_analyses *analyses,
                       const struct mpl_loop_choice *choice) {
  const struct mpl_item_loop *items = analyses->items;
  bool is_copy = items->pieces || items->limits.row_copy, one_copy = items->limits.one_copy;
  *v = (struct mpl_loop_versions){.masked = mpl_lanes_for(analyses, choice->width, false)};
  if (!is_copy && !one_copy) v->num_rows = mpl_plan_row_versions(v->masked, choice, v->rows);
  v->single = !is_copy && mpl_leaves_single(v->masked, v->rows, v->num_rows);
  v->lone = one_copy && !v->single && may_go_alone(v->masked);
  const struct mpl_lanes *whole = one_copy ? NULL : mpl_lanes_for(analyses, choice->width, true);
  v->again = whole && mpl_begins_again(whole);
  if (one_copy || v->again || !items->limits.one_chunk)
    plan_copy(&v->rest, v->masked, MPL_MASKS_ALWAYS, 1, !one_copy);
  if (one_copy) return;
  plan_copy(&v->one, whole, MPL_MASKS_DIVERGED, 1, false);
  unsigned chunks = v->again || items->limits.one_chunk ? 1 : chunks_at_a_time(whole);
  if (chunks > 1) plan_copy(&v->several, whole, MPL_MASKS_DIVERGED, chunks, true);
  plan_wide(v, analyses, choice->width);
}

void mpl_plan_chunk(struct mpl_copy *copy, const struct mpl_lanes *lanes, bool masked) {
  plan_copy(copy, lanes, masked ? MPL_MASKS_ALWAYS : MPL_MASKS_DIVERGED, 1, false);
}

const struct mpl_copy *mpl_told_copy(const struct mpl_loop_versions *v) {
  return v->one.chunks ? &v->one : &v->rest;
}

void mpl_copy_free(struct mpl_copy *copy) {
  mpl_recipes_free(&copy->recipes);
}

void mpl_versions_free(struct mpl_loop_versions *v) {
  struct mpl_copy *const copies[] = {&v->rest, &v->one, &v->several};
  for (unsigned k = 0; k < sizeof copies / sizeof *copies; k++) mpl_copy_free(copies[k]);
  for (unsigned k = 0; k < v->num_wide; k++) mpl_copy_free(&v->wide[k]);
}
