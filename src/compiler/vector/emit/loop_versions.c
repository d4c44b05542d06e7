/* The loop over chunks: how copies of the work-item loop follow one another. */
#include "loop_copy.h"

/* enter -> the chunks, or, if what is assumed does not hold, the old loop, which LLVM takes away
 * where nothing is assumed. */
static void enter_chunks(struct mpl_emit *e, LLVMBasicBlockRef enter, LLVMBasicBlockRef go,
                         LLVMValueRef assumed) {
  const struct mpl_item_loop *items = e->items;
  LLVMBasicBlockRef header = items->cfg->blocks[items->header], old = mpl_new_block(e, "old"),
                    before = mpl_block_before(items->counter, items->cfg->blocks[items->latch]);
  LLVMPositionBuilderAtEnd(e->b, enter);
  if (assumed)
    LLVMBuildCondBr(e->b, assumed, go, old);
  else
    LLVMBuildBr(e->b, go);
  LLVMPositionBuilderAtEnd(e->b, old);
  LLVMBuildBr(e->b, header);
  mpl_put_in_front(header, before, enter, old);
}

/* LLVM shall not unroll what has its number of chunks already, and may drop what does nothing. */
static void mark_turn(struct mpl_emit *e, LLVMValueRef branch) {
  mpl_set_loop_property(e->ir, branch, "llvm.loop.unroll.disable", true);
  mpl_set_loop_property(e->ir, branch, "llvm.loop.mustprogress", true);
}

/* At the builder: on to `begin` if the one number is to the other as said; returns where it goes on if not. */
static LLVMBasicBlockRef branch(struct mpl_emit *e, LLVMIntPredicate is, LLVMValueRef a, LLVMValueRef b,
                                LLVMBasicBlockRef begin) {
  LLVMBasicBlockRef then = mpl_new_block(e, "then");
  LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, is, a, b, ""), begin, then);
  return then;
}

/* At the builder: the copy, if there are work-items for it. */
static void run(struct mpl_emit *e, struct mpl_loop_copy *copy, LLVMValueRef start, LLVMValueRef end) {
  LLVMBasicBlockRef then = branch(e, LLVMIntNE, start, end, copy->before);
  LLVMPositionBuilderAtEnd(e->b, copy->last);
  LLVMValueRef step = LLVMConstInt(LLVMTypeOf(start), copy->chunks * e->width, false),
               next = LLVMBuildNUWAdd(e->b, copy->counter, step, ""),
               more = LLVMBuildICmp(e->b, LLVMIntULT, next, end, "");
  mark_turn(e, LLVMBuildCondBr(e->b, more, copy->first, then));
  LLVMAddIncoming(copy->counter, &next, &copy->last, 1);
  LLVMPositionBuilderAtEnd(e->b, then);
}

/* A copy of the loop for the lanes from `first`, a phi of `left`, on: at most `most`, another if
 * all chunks are done so. */
struct rest {
  struct mpl_loop_copy copy;
  LLVMBasicBlockRef left;
  LLVMValueRef first, most;
};

static void make_rest(struct mpl_emit *e, struct rest *rest) {
  bool told = e->told;
  rest->left = mpl_new_block(e, "left");
  LLVMPositionBuilderAtEnd(e->b, rest->left);
  rest->first = LLVMBuildPhi(e->b, LLVMTypeOf(e->items->count), "first");
  rest->most = e->items->limits.one_copy
                   ? LLVMBuildPhi(e->b, LLVMTypeOf(e->items->count), "most")
                   : mpl_items(e, e->width);
  LLVMValueRef first = mpl_known_here(e, rest->first);
  e->all = mpl_lanes_from(e, first, rest->most);
  e->told |= !e->items->limits.one_copy;
  mpl_make_copy(e, &rest->copy, 1, first);
  e->told = told;
  e->all = NULL;
  LLVMPositionBuilderAtEnd(e->b, rest->left);
  LLVMBuildBr(e->b, rest->copy.before);
}

static void add(LLVMValueRef phi, LLVMValueRef value, LLVMBasicBlockRef from) {
  LLVMAddIncoming(phi, &value, &from, 1);
}

/* At the builder: what is left behind `start`. */
static void run_rest(struct mpl_emit *e, struct rest *rest, LLVMValueRef start) {
  add(rest->first, start, LLVMGetInsertBlock(e->b));
  LLVMBasicBlockRef then = branch(e, LLVMIntNE, start, e->items->count, rest->left);
  LLVMPositionBuilderAtEnd(e->b, rest->copy.last);
  mpl_go_on_in(e->b, then);
}

/* At the builder: each chunk as a whole one, if it is, and its lanes stay together; or else as
 * what is left is. */
static void run_mixed(struct mpl_emit *e, struct mpl_loop_copy *one, struct rest *rest,
                      LLVMValueRef whole) {
  static const char *const names[] = {"top", "next", "then"};
  LLVMBasicBlockRef blocks[3], *top = &blocks[0], *next = &blocks[1], *then = &blocks[2];
  for (unsigned k = 0; k < 3; k++)
    blocks[k] = mpl_new_block(e, names[k]);
  LLVMTypeRef type = LLVMTypeOf(e->items->count);
  LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
  mpl_go_on_in(e->b, *top);
  LLVMValueRef chunk = LLVMBuildPhi(e->b, type, "chunk");
  add(chunk, LLVMConstNull(type), from);
  LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntULT, chunk, whole, ""), one->before, rest->left);
  LLVMSetOperand(one->counter, 0, chunk);
  add(rest->first, chunk, *top);
  LLVMPositionBuilderAtEnd(e->b, e->mixed);
  LLVMBuildBr(e->b, rest->left);
  add(rest->first, chunk, e->mixed);
  LLVMPositionBuilderAtEnd(e->b, one->last);
  LLVMBuildBr(e->b, *next);
  LLVMPositionBuilderAtEnd(e->b, rest->copy.last);
  mpl_go_on_in(e->b, *next);
  LLVMValueRef behind = LLVMBuildNUWAdd(e->b, chunk, mpl_items(e, e->width), "");
  LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntULT, behind, e->items->count, ""), *top, *then);
  add(chunk, behind, *next);
  LLVMPositionBuilderAtEnd(e->b, *then);
}

/* At the builder: each chunk as what is left is. */
static void run_masked(struct mpl_emit *e, struct rest *rest, LLVMValueRef most) {
  const struct mpl_item_loop *items = e->items;
  LLVMBasicBlockRef then = mpl_new_block(e, "then");
  if (LLVMIsAConstant(most)) {
    mpl_replace(rest->most, most);
    rest->most = most;
  } else {
    add(rest->most, most, LLVMGetInsertBlock(e->b));
    add(rest->most, rest->most, rest->copy.last);
  }
  add(rest->first, mpl_items(e, 0), LLVMGetInsertBlock(e->b));
  LLVMBuildBr(e->b, rest->left);
  LLVMPositionBuilderAtEnd(e->b, rest->copy.last);
  LLVMValueRef behind = LLVMBuildNUWAdd(e->b, rest->first, rest->most, "");
  LLVMSetNSW(behind, true);
  add(rest->first, behind, rest->copy.last);
  LLVMValueRef more = LLVMBuildICmp(e->b, LLVMIntULT, behind, items->count, "");
  mark_turn(e, LLVMBuildCondBr(e->b, more, rest->left, then));
  LLVMPositionBuilderAtEnd(e->b, then);
}

/* What is behind the loop goes on behind the chunks. */
static void leave_chunks(struct mpl_emit *e) {
  LLVMBasicBlockRef fold = LLVMGetInsertBlock(e->b),
                    post = LLVMGetSuccessor(
                        LLVMGetBasicBlockTerminator(e->items->cfg->blocks[e->items->latch]), 1);
  mpl_fold_sums(e);
  LLVMBuildBr(e->b, post);
  mpl_hand_on(e, post, fold);
}

/* At the builder: whether chunks have the work-items; null: they always do. */
static LLVMValueRef take_chunks(struct mpl_emit *e, const struct mpl_loop_versions *versions) {
  LLVMValueRef holds = mpl_all_hold(e);
  if (!versions->single) return holds;
  return mpl_both(e, holds, LLVMBuildICmp(e->b, LLVMIntNE, e->items->count, mpl_items(e, 1), ""));
}

/* Where what is assumed does not hold, which is rare, each work-item is a chunk of its own, rather
 * than one of a further copy. */
static void build_one_copy(struct mpl_emit *e, const struct mpl_loop_versions *versions,
                           LLVMBasicBlockRef enter, LLVMBasicBlockRef go) {
  struct rest rest;
  make_rest(e, &rest);
  LLVMPositionBuilderAtEnd(e->b, enter);
  LLVMValueRef assumed = take_chunks(e, versions), most = mpl_items(e, e->width);
  if (assumed && versions->lone) {
    most = LLVMBuildSelect(e->b, assumed, most, mpl_items(e, 1), "most");
    assumed = NULL;
  }
  enter_chunks(e, enter, go, assumed);
  LLVMPositionBuilderAtEnd(e->b, go);
  mpl_begin_sums(e);
  run_masked(e, &rest, most);
  leave_chunks(e);
}

/* --- one chunk of all work-items --- */

static void make_wide(struct mpl_emit *e, const struct mpl_loop_versions *versions,
                      struct mpl_loop_copy copies[MPL_MOST_WIDE]) {
  const struct mpl_item_loop *items = e->items;
  unsigned lanes = e->width;
  e->sum_lanes = lanes;
  for (unsigned k = 0; k < versions->num_wide; k++) {
    mpl_emit_by(e, versions->wide[k]);
    mpl_make_copy(e, &copies[k], 1, mpl_items(e, 0));
    /* LLVM would read every other row of an unrolled loop backwards, at half the speed. */
    LLVMValueRef turn = LLVMGetBasicBlockTerminator(e->ends[items->loops[0].last]);
    mpl_set_loop_property(e->ir, turn, "llvm.loop.unroll.disable", true);
  }
  e->sum_lanes = 0;
  e->width = lanes;
}

/* At the builder: the copy, if there are so many. */
static void run_wide(struct mpl_emit *e, struct mpl_loop_copy *wide, unsigned lanes,
                     LLVMBasicBlockRef done) {
  LLVMBasicBlockRef then = branch(e, LLVMIntEQ, e->items->count, mpl_items(e, lanes), wide->before);
  LLVMPositionBuilderAtEnd(e->b, wide->last);
  LLVMBuildBr(e->b, done);
  LLVMPositionBuilderAtEnd(e->b, then);
}

/* So many work-items, whole steps of `step`, a power of two. */
static LLVMValueRef whole_steps(struct mpl_emit *e, unsigned step) {
  return LLVMBuildAnd(e->b, e->items->count, mpl_items(e, ~(uint64_t)(step - 1)), "whole");
}

void mpl_build_chunks(struct mpl_emit *e, const struct mpl_loop_versions *versions) {
  LLVMBasicBlockRef enter = mpl_new_block(e, "chunks"),
                    go = mpl_new_block(e, "go");
  struct mpl_loop_copy several, one, wide[MPL_MOST_WIDE];
  struct rest rest;
  if (versions->one_copy) {
    build_one_copy(e, versions, enter, go);
    return;
  }
  if (versions->rest)
    make_rest(e, &rest);
  else
    mpl_emit_by(e, versions->whole);
  LLVMPositionBuilderAtEnd(e->b, enter);
  LLVMValueRef zero = mpl_items(e, 0), ends[2],
               assumed = take_chunks(e, versions);
  e->mixed = mpl_new_block(e, "mixed");
  mpl_emit_by(e, versions->whole);
  LLVMPositionBuilderAtEnd(e->b, enter);
  ends[0] = whole_steps(e, e->width * versions->chunks);
  ends[1] = whole_steps(e, e->width);
  LLVMValueRef begin = versions->chunks > 1 ? ends[0] : zero;
  assumed = mpl_both(e, assumed, mpl_all_hold(e));
  mpl_make_copy(e, &one, 1, begin);
  e->told = true;
  if (versions->chunks > 1) mpl_make_copy(e, &several, versions->chunks, zero);
  make_wide(e, versions, wide);
  LLVMPositionBuilderAtEnd(e->b, enter);
  if (versions->num_wide) assumed = mpl_both(e, assumed, mpl_all_hold(e));
  enter_chunks(e, enter, go, assumed);
  LLVMPositionBuilderAtEnd(e->b, go);
  mpl_begin_sums(e);
  LLVMBasicBlockRef done = mpl_new_block(e, "done");
  for (unsigned k = 0; k < versions->num_wide; k++)
    run_wide(e, &wide[k], versions->wide[k]->width, done);
  if (versions->again) {
    run_mixed(e, &one, &rest, ends[1]);
  } else {
    LLVMDeleteBasicBlock(e->mixed);
    if (versions->chunks > 1) run(e, &several, zero, ends[0]);
    run(e, &one, begin, ends[1]);
    if (versions->rest) run_rest(e, &rest, ends[1]);
  }
  mpl_go_on_in(e->b, done);
  leave_chunks(e);
}
