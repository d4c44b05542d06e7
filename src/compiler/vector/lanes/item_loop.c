/* Finds a work-item loop and the loops inside of it, and says why it cannot be widened. */
#include <stdlib.h>

#include "compiler/expand/expand.h"
#include "analysis.h"

static const char without_end[] = "a loop without an end"; /* why it is not widened */

bool mpl_is_work_item_loop(struct mpl_module_ir *ir, LLVMValueRef end) {
  return LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
         mpl_metadata_of(ir, end, MPL_WORK_ITEM_LOOP);
}

/* The loop whose latch ends in `end`: its blocks, and what counts.  False, with the reason in
 * `refusal`, if it is none. */
static bool find_blocks(struct mpl_item_loop *items, LLVMValueRef end) {
  const struct mpl_cfg *cfg = items->cfg;
  LLVMValueRef more = LLVMGetCondition(end), next = LLVMGetOperand(more, 0);
  items->latch = mpl_cfg_block_of(cfg, end);
  if (items->latch >= cfg->count) { /* no work-item comes to its end */
    items->refusal = without_end;
    return false;
  }
  items->header = (unsigned)mpl_map_get(&cfg->index, LLVMGetSuccessor(end, 0), 0);
  items->counter = LLVMGetOperand(next, 0);
  items->count = LLVMGetOperand(more, 1);
  if (LLVMIsAConstantInt(items->count))
    items->limits.row = (unsigned)LLVMConstIntGetZExtValue(items->count);
  mpl_cfg_mark_loop(cfg, items->header, items->latch, items->in);
  items->first = items->header;
  for (unsigned b = items->first; b < cfg->count; b++)
    if (items->in[b]) items->last = b;
  bool counts = LLVMIsAPHINode(items->counter) &&
                LLVMGetInstructionParent(items->counter) == cfg->blocks[items->header];
  if (!counts) items->refusal = "it does not count work-items";
  return counts;
}

/* An edge to where nothing leads back from, and which is no dead end (dead_ends.c). */
static bool may_stay_away(const struct mpl_item_loop *items, unsigned block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(items->cfg->blocks[block]);
  for (unsigned s = 0; block != items->latch && s < LLVMGetNumSuccessors(end); s++) {
    unsigned to = items->cfg->succs[block].to[s];
    if (!items->in[to] && !mpl_is_dead_end(items->cfg->blocks[to])) return true;
  }
  return false;
}

static const char *cannot_widen(const struct mpl_item_loop *items) {
  for (unsigned l = 0; l < items->num_loops; l++)
    if (mpl_may_wait(items, l)) return "a loop that may wait for another work-item";
  MPL_EACH_ITEM_BLOCK(b, items) {
    if (!items->sub_group && may_stay_away(items, b)) return without_end;
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) {
      const char *why = mpl_is_lanes_call(i) ? mpl_cannot_call_lanes(i) : NULL;
      if (LLVMIsALoadInst(i) && mpl_is_slot(items->ir, LLVMGetOperand(i, 0)) &&
          !mpl_is_sum(items->ir, LLVMGetOperand(i, 0)))
        why = "what one work-item hands to the next";
      if (why) {
        mpl_tell(items->ir, i, MPL_FACT_CAUSE, "%s", why);
        return why;
      }
      if (b == items->first && LLVMIsAPHINode(i) && i != items->counter)
        return "a value that each work-item takes from the one before it";
      if (LLVMIsATerminatorInst(i) && !LLVMIsABranchInst(i) && !LLVMIsASwitchInst(i))
        return "code that never reaches its end, such as an indirect branch";
    }
  }
  return NULL;
}

/* --- loops --- */

static void add_loop(struct mpl_item_loop *items, unsigned header, unsigned last) {
  items->loops[items->num_loops] =
      (struct mpl_inner_loop){.header = header, .last = last, .parent = items->inner[header]};
  for (unsigned b = header; b <= last; b++)
    if (items->in[b]) items->inner[b] = (int)items->num_loops;
  items->num_loops++;
}

/* The order of blocks has each loop in one piece, its header first: outer loops are found first. */
static bool find_loops(struct mpl_item_loop *items) {
  for (unsigned b = items->first + 1; b <= items->last; b++) {
    if (!items->in[b]) continue;
    unsigned last = 0;
    MPL_EACH_EDGE(from, &items->cfg->preds[b]) {
      if (from >= b && from > last) last = from;
    }
    if (last) add_loop(items, b, last);
  }
  for (unsigned l = 0; l < items->num_loops; l++) /* entered at its header only */
    for (unsigned b = items->loops[l].header + 1; b <= items->loops[l].last; b++)
      MPL_EACH_EDGE(from, &items->cfg->preds[b]) {
        if (!items->in[b] || mpl_is_outside(&items->loops[l], from)) {
          items->refusal = "a loop that is entered at several places";
          return false;
        }
      }
  return true;
}

void mpl_item_loop_find(struct mpl_item_loop *items, LLVMValueRef end) {
  unsigned count = items->cfg->count;
  items->in = mpl_allocate(count, sizeof *items->in);
  items->inner = mpl_allocate(count, sizeof *items->inner);
  items->loops = mpl_allocate(count, sizeof *items->loops);
  for (unsigned b = 0; b < count; b++) items->inner[b] = -1;
  if (!find_blocks(items, end) || !find_loops(items)) return;
  items->refusal = cannot_widen(items);
  if (!items->refusal) mpl_arrays_find(items);
}

void mpl_item_loop_free(struct mpl_item_loop *items) {
  free(items->in);
  free(items->inner);
  free(items->loops);
  mpl_map_free(&items->arrays);
}

unsigned mpl_block_number(const struct mpl_item_loop *items, LLVMBasicBlockRef block) {
  return (unsigned)mpl_map_get(&items->cfg->index, block, 0);
}
