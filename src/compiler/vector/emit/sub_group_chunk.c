/* The one chunk that a sub-group is. */
#include "loop_copy.h"

/* The loop goes, and `copy` stands in its place. */
static void replace_loop(struct mpl_emit *e, struct mpl_loop_copy *copy, LLVMBasicBlockRef post) {
  const struct mpl_item_loop *items = e->items;
  MPL_EACH_ITEM_INSTRUCTION(i, items) {
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef one = (LLVMValueRef)mpl_map_get(&copy->scalars, i, 0);
    if (type != e->ir->void_type) LLVMReplaceAllUsesWith(i, one ? one : LLVMGetPoison(type));
  }
  mpl_ir_replace_incoming(post, items->cfg->blocks[items->latch], copy->last);
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
void mpl_build_chunk(struct mpl_emit *e) {
  const struct mpl_item_loop *items = e->items;
  LLVMBasicBlockRef header = items->cfg->blocks[items->header],
                    latch = items->cfg->blocks[items->latch],
                    before = mpl_block_before(items->counter, latch),
                    post = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(latch), 1);
  LLVMValueRef jump = LLVMGetBasicBlockTerminator(before);
  LLVMValueRef zero = mpl_items(e, 0);
  struct mpl_loop_copy copy;
  LLVMPositionBuilderBefore(e->b, jump);
  LLVMValueRef assumed = items->whole ? mpl_all_hold(e) : NULL, goes = items->whole;
  if (assumed) goes = LLVMBuildAnd(e->b, goes, assumed, "");
  if (!items->whole) e->all = mpl_lanes_from(e, zero, mpl_items(e, e->width));
  mpl_make_copy(e, &copy, 1, zero);
  LLVMPositionBuilderAtEnd(e->b, copy.last);
  LLVMBuildBr(e->b, post);
  LLVMPositionBuilderBefore(e->b, jump);
  if (items->whole) {
    LLVMBasicBlockRef old = mpl_new_block(e, "any");
    LLVMBuildCondBr(e->b, goes, copy.before, old);
    LLVMPositionBuilderAtEnd(e->b, old);
    LLVMBuildBr(e->b, header);
    mpl_ir_replace_incoming(header, before, old);
    choose_value(e, post, &copy);
  } else {
    LLVMBuildBr(e->b, copy.before);
    replace_loop(e, &copy, post);
  }
  LLVMInstructionEraseFromParent(jump);
  mpl_map_free(&copy.scalars);
}
