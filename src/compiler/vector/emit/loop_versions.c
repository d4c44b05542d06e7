/* The loop over chunks: how copies of the work-item loop follow one another. */
#include "loop_copy.h"

/* LLVM shall not unroll what has its number of chunks already, and may drop what does nothing. */
static void mark_turn(struct mpl_emit *e, LLVMValueRef branch) {
  mpl_set_loop_property(e->ir, branch, "llvm.loop.unroll.disable", true);
  mpl_set_loop_property(e->ir, branch, "llvm.loop.mustprogress", true);
}

static void add(LLVMValueRef phi, LLVMValueRef value, LLVMBasicBlockRef from) {
  LLVMAddIncoming(phi, &value, &from, 1);
}

/* At the builder: on to `begin` if the one number is to the other as said; returns where it goes on if not. */
static LLVMBasicBlockRef branch(struct mpl_emit *e, LLVMIntPredicate is, LLVMValueRef a, LLVMValueRef b,
                                LLVMBasicBlockRef begin) {
  LLVMBasicBlockRef then = mpl_new_block(e, "then");
  LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, is, a, b, ""), begin, then);
  return then;
}

/* At the end of the copy: once more from `top` on, where `number` is a phi, until it has grown to `end` by
 * steps; then on.  Returns the next number. */
static LLVMValueRef repeat(struct mpl_emit *e, struct mpl_loop_copy *copy, LLVMBasicBlockRef top,
                           LLVMValueRef number, LLVMValueRef step, LLVMValueRef end,
                           LLVMBasicBlockRef then) {
  LLVMPositionBuilderAtEnd(e->b, copy->last);
  LLVMValueRef next = LLVMBuildNUWAdd(e->b, number, step, ""),
               more = LLVMBuildICmp(e->b, LLVMIntULT, next, end, "");
  mark_turn(e, LLVMBuildCondBr(e->b, more, top, then));
  add(number, next, copy->last);
  LLVMPositionBuilderAtEnd(e->b, then);
  return next;
}

/* At the builder: the copy up to `end`, if there are work-items for it. */
static void run(struct mpl_emit *e, struct mpl_loop_copy *copy, LLVMValueRef end) {
  LLVMBasicBlockRef then = branch(e, LLVMIntNE, copy->start, end, copy->before);
  repeat(e, copy, copy->first, copy->counter, mpl_items(e, copy->is->chunks * e->width), end, then);
}

/* At the builder: the copy once, if the one number is to the other as said; and on in `behind`, or (null) as
 * without it. */
static void run_once(struct mpl_emit *e, struct mpl_loop_copy *copy, LLVMIntPredicate is, LLVMValueRef a,
                     LLVMValueRef b, LLVMBasicBlockRef behind) {
  LLVMBasicBlockRef then = branch(e, is, a, b, copy->before);
  LLVMPositionBuilderAtEnd(e->b, copy->last);
  LLVMBuildBr(e->b, behind ? behind : then);
  LLVMPositionBuilderAtEnd(e->b, then);
}

/* At the builder: each chunk as a whole one, if it is, and its lanes stay together; or else as
 * what is left is. */
static void run_mixed(struct mpl_emit *e, struct mpl_loop_copy *one, struct mpl_loop_copy *rest,
                      LLVMValueRef whole) {
  LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b), top = mpl_new_block(e, "top"),
                    next = mpl_new_block(e, "next"), then = mpl_new_block(e, "then");
  mpl_go_on_in(e->b, top);
  LLVMValueRef chunk = LLVMBuildPhi(e->b, LLVMTypeOf(e->items->count), "chunk"),
               is_whole = LLVMBuildICmp(e->b, LLVMIntULT, chunk, whole, "");
  add(chunk, mpl_items(e, 0), from);
  LLVMBuildCondBr(e->b, is_whole, one->before, rest->before);
  LLVMSetOperand(one->counter, 0, chunk);
  LLVMPositionBuilderAtEnd(e->b, e->mixed);
  LLVMBuildBr(e->b, rest->before);
  add(rest->start, chunk, top);
  add(rest->start, chunk, e->mixed);
  LLVMPositionBuilderAtEnd(e->b, one->last);
  LLVMBuildBr(e->b, next);
  LLVMPositionBuilderAtEnd(e->b, rest->last);
  mpl_go_on_in(e->b, next);
  LLVMValueRef behind = LLVMBuildNUWAdd(e->b, chunk, mpl_items(e, e->width), "");
  LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntULT, behind, e->items->count, ""), top, then);
  add(chunk, behind, next);
  LLVMPositionBuilderAtEnd(e->b, then);
}

/* At the builder: each chunk as what is left is. */
static void run_masked(struct mpl_emit *e, struct mpl_loop_copy *rest) {
  LLVMBasicBlockRef then = mpl_new_block(e, "then");
  add(rest->start, mpl_items(e, 0), LLVMGetInsertBlock(e->b));
  LLVMBuildBr(e->b, rest->before);
  LLVMValueRef next = repeat(e, rest, rest->before, rest->start, rest->most, e->items->count, then);
  LLVMSetNSW(next, true);
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

/* --- what copies there are --- */

struct copies {
  struct mpl_loop_copy rest, one, several, wide[MPL_MOST_WIDE];
};

/* At the builder: whether chunks have the work-items; null: they always do. */
static LLVMValueRef take_chunks(struct mpl_emit *e, const struct mpl_loop_versions *v) {
  LLVMValueRef holds = mpl_all_hold(e);
  if (v->single)
    holds = mpl_both(e, holds, LLVMBuildICmp(e->b, LLVMIntNE, e->items->count, mpl_items(e, 1), ""));
  if (!v->one.chunks) return holds;
  mpl_emit_by(e, v->one.recipes.lanes);
  holds = mpl_both(e, holds, mpl_all_hold(e));
  for (unsigned k = 0; k < v->num_wide; k++) mpl_emit_by(e, v->wide[k].recipes.lanes);
  e->width = v->one.recipes.lanes->width;
  return v->num_wide ? mpl_both(e, holds, mpl_all_hold(e)) : holds;
}

/* So many work-items, whole steps of `step`, a power of two. */
static LLVMValueRef whole_steps(struct mpl_emit *e, unsigned step) {
  return LLVMBuildAnd(e->b, e->items->count, mpl_items(e, ~(uint64_t)(step - 1)), "whole");
}

/* One chunk of all work-items. */
static void make_wide(struct mpl_emit *e, const struct mpl_loop_versions *v, struct mpl_loop_copy *copies) {
  const struct mpl_item_loop *items = e->items;
  unsigned lanes = e->width;
  e->sum_lanes = lanes;
  for (unsigned k = 0; k < v->num_wide; k++) {
    copies[k] = (struct mpl_loop_copy){.is = &v->wide[k], .start = mpl_items(e, 0)};
    mpl_make_copy(e, &copies[k]);
    /* LLVM would read every other row of an unrolled loop backwards, at half the speed. */
    LLVMValueRef turn = LLVMGetBasicBlockTerminator(e->copies[items->loops[0].last].end);
    mpl_set_loop_property(e->ir, turn, "llvm.loop.unroll.disable", true);
  }
  e->sum_lanes = 0;
  e->width = lanes;
}

/* At the builder: all of them, as each has work-items; `whole`: those that are whole chunks. */
static void run_all(struct mpl_emit *e, const struct mpl_loop_versions *v, struct copies *copies,
                    LLVMValueRef whole) {
  LLVMValueRef count = e->items->count;
  LLVMBasicBlockRef done = mpl_new_block(e, "done");
  for (unsigned k = 0; k < v->num_wide; k++)
    run_once(e, &copies->wide[k], LLVMIntEQ, count, mpl_items(e, v->wide[k].recipes.lanes->width), done);
  if (v->again) {
    run_mixed(e, &copies->one, &copies->rest, whole);
  } else {
    if (v->several.chunks) run(e, &copies->several, copies->one.start);
    run(e, &copies->one, whole);
    if (v->rest.chunks) {
      add(copies->rest.start, whole, LLVMGetInsertBlock(e->b));
      run_once(e, &copies->rest, LLVMIntNE, whole, count, NULL);
    }
  }
  mpl_go_on_in(e->b, done);
}

void mpl_build_chunks(struct mpl_emit *e, const struct mpl_loop_versions *v) {
  LLVMBasicBlockRef enter = mpl_new_block(e, "chunks"), go = mpl_new_block(e, "go");
  LLVMValueRef zero = mpl_items(e, 0), whole = NULL;
  struct copies copies = {.rest = {.is = &v->rest, .most = mpl_items(e, e->width)},
                          .one = {.is = &v->one, .start = zero},
                          .several = {.is = &v->several, .start = zero}};
  LLVMPositionBuilderAtEnd(e->b, enter);
  if (!v->rest.chunks) mpl_emit_by(e, v->one.recipes.lanes);
  LLVMValueRef holds = take_chunks(e, v);
  if (v->several.chunks) copies.one.start = whole_steps(e, e->width * v->several.chunks);
  if (v->one.chunks) whole = whole_steps(e, e->width);
  if (holds && v->lone) { /* where it does not, which is rare, each work-item is a chunk of its own */
    copies.rest.most = LLVMBuildSelect(e->b, holds, copies.rest.most, mpl_items(e, 1), "most");
    holds = NULL;
  }
  if (v->rest.chunks) mpl_make_copy(e, &copies.rest);
  if (v->again) e->mixed = mpl_new_block(e, "mixed");
  if (v->one.chunks) mpl_make_copy(e, &copies.one);
  if (v->several.chunks) mpl_make_copy(e, &copies.several);
  make_wide(e, v, copies.wide);
  mpl_enter_copies(e, enter, go, holds);
  LLVMPositionBuilderAtEnd(e->b, go);
  mpl_begin_sums(e);
  if (v->one.chunks)
    run_all(e, v, &copies, whole);
  else
    run_masked(e, &copies.rest);
  leave_chunks(e);
}
