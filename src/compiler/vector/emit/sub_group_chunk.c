/* The one chunk that a sub-group is. */
#include "loop_copy.h"

/* The loop goes, and `old`, which leads there; `copy` stands in its place. */
static void replace_loop(struct mpl_emit *e, struct mpl_loop_copy *copy, LLVMBasicBlockRef old,
                         LLVMBasicBlockRef post) {
  const struct mpl_item_loop *items = e->items;
  MPL_EACH_ITEM_INSTRUCTION(i, items) {
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef one = (LLVMValueRef)mpl_map_get(&copy->scalars, i, 0);
    if (type != e->ir->void_type) LLVMReplaceAllUsesWith(i, one ? one : LLVMGetPoison(type));
  }
  mpl_ir_replace_incoming(post, items->cfg->blocks[items->latch], copy->last);
  LLVMDeleteBasicBlock(old);
  MPL_EACH_ITEM_INSTRUCTION(i, items) LLVMInstructionEraseFromParent(i);
  MPL_EACH_ITEM_BLOCK(b, items) LLVMDeleteBasicBlock(items->cfg->blocks[b]);
}

/* What is behind the loop gets a value from it or from the chunk in front of it. */
static void choose_value(struct mpl_emit *e, LLVMBasicBlockRef post, struct mpl_loop_copy *copy) {
  const struct mpl_item_loop *items = e->items;
  MPL_EACH_ITEM_INSTRUCTION(i, items) {
    LLVMValueRef one = (LLVMValueRef)mpl_map_get(&copy->scalars, i, 0);
    if (one) mpl_meet_behind(e, post, items->cfg->blocks[items->latch], i, one, copy->last);
  }
}

/* One chunk in front of the loop, entered if the sub-group is a whole one, and what is assumed of
 * it holds; or (no `whole`) in place of the loop. */
void mpl_build_chunk(struct mpl_emit *e, const struct mpl_copy *is) {
  const struct mpl_item_loop *items = e->items;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(items->cfg->blocks[items->latch]);
  LLVMBasicBlockRef enter = mpl_new_block(e, "chunk"), post = LLVMGetSuccessor(end, 1), old,
                    before = mpl_block_before(items->counter, items->cfg->blocks[items->latch]);
  struct mpl_loop_copy copy = {is, .most = mpl_items(e, e->width), .start = mpl_items(e, 0)};
  LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(before));
  LLVMValueRef goes = items->whole ? mpl_both(e, items->whole, mpl_all_hold(e)) : NULL;
  mpl_make_copy(e, &copy);
  LLVMPositionBuilderAtEnd(e->b, copy.last);
  LLVMBuildBr(e->b, post);
  old = mpl_enter_copies(e, enter, copy.before, goes);
  if (items->whole)
    choose_value(e, post, &copy);
  else
    replace_loop(e, &copy, old, post);
  mpl_map_free(&copy.scalars);
}
