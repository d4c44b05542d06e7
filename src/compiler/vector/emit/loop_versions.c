/* The loop over chunks: copies of the work-item loop, how they follow one another, and what they
 * hand on to what is behind it. */
#include <llvm-c/DebugInfo.h>

#include "values.h"

/* Copies of the loop: for several whole chunks, for one, and for what is left, under a mask. */
struct copy {
  unsigned chunks;
  LLVMBasicBlockRef before, first, last; /* the last is open at its end */
  LLVMValueRef counter;
  struct mpl_map scalars; /* of a sub-group: of what is used behind the loop */
};

/* Values that all lanes share and something behind the loop asks for. */
static bool is_used_behind(const struct mpl_item_loop *items, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    unsigned at = mpl_cfg_block_of(items->cfg, LLVMGetUser(use));
    if (at < items->cfg->count && !items->in[at]) return true;
  }
  return false;
}

/* What the splitter knows to be uniform may look varying to us: any lane's, as the first's. */
static LLVMValueRef any_value(struct mpl_emit *e, LLVMValueRef value) {
  LLVMValueRef scalar = (LLVMValueRef)mpl_map_get(&e->scalars, value, 0);
  if (scalar) return scalar;
  LLVMPositionBuilderAtEnd(e->b, e->ends[e->items->latch]);
  return mpl_take_lane(e, mpl_vector(e, value), LLVMTypeOf(value), mpl_const64(e->ir, 0));
}

/* Where such a value is until then. */
static LLVMValueRef handed_place(struct mpl_emit *e, LLVMValueRef value) {
  LLVMValueRef known = (LLVMValueRef)mpl_map_get(&e->handed, value, 0);
  if (!known) {
    known = mpl_entry_alloca(e, LLVMTypeOf(value), "handed");
    mpl_map_set(&e->handed, value, (uintptr_t)known);
  }
  return known;
}

/* Of one of the copy's chunks, behind those that it has. */
static void make_chunk(struct mpl_emit *e, struct copy *copy) {
  const struct mpl_item_loop *items = e->items;
  mpl_widen_flow(e);
  LLVMValueRef counter = mpl_scalar(e, items->counter);
  LLVMBasicBlockRef first = e->blocks[items->header];
  if (e->chunk) {
    LLVMPositionBuilderAtEnd(e->b, copy->last);
    LLVMValueRef distance = LLVMConstInt(LLVMTypeOf(counter), e->chunk * e->width, false),
                 own = LLVMBuildNUWAdd(e->b, copy->counter, distance, "");
    LLVMBuildBr(e->b, first);
    LLVMAddIncoming(counter, &own, &copy->last, 1);
  } else {
    copy->first = first;
    copy->counter = counter;
  }
  copy->last = e->ends[items->latch];
  LLVMPositionBuilderAtEnd(e->b, copy->last);
  for (unsigned b = items->first; b <= items->last; b++) {
    if (!items->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) {
      if (!is_used_behind(e->items, i)) continue;
      LLVMValueRef value = any_value(e, i);
      if (items->sub_group)
        mpl_map_set(&copy->scalars, i, (uintptr_t)value);
      else
        LLVMBuildStore(e->b, value, handed_place(e, i));
    }
  }
  mpl_map_free(&e->edges);
  mpl_map_free(&e->scalars);
  mpl_map_free(&e->vectors);
  mpl_map_free(&e->starts);
  e->edges = e->scalars = e->vectors = e->starts = (struct mpl_map){0};
}

/* For the work-items from `start` on. */
static void make_copy(struct mpl_emit *e, struct copy *copy, unsigned chunks, LLVMValueRef start) {
  struct mpl_recipes recipes;
  mpl_recipes_find(&recipes, e->lanes, e->all ? MPL_MASKS_ALWAYS : MPL_MASKS_DIVERGED,
                   e->enter != NULL);
  mpl_dump_copy(&recipes, e->all ? "what is left" : chunks > 1 ? "several chunks" : "whole chunks");
  e->recipes = &recipes;
  *copy = (struct copy){.chunks = chunks};
  copy->before = LLVMAppendBasicBlockInContext(e->ir->context, e->function, "before");
  e->before = chunks > 1 ? copy->before : NULL;
  e->start = start;
  e->top = NULL;
  for (e->chunk = 0; e->chunk < chunks; e->chunk++) {
    make_chunk(e, copy);
    e->top = copy->first;
  }
  mpl_close_counted(e, copy->last, chunks);
  LLVMPositionBuilderAtEnd(e->b, copy->before);
  LLVMBuildBr(e->b, copy->first);
  LLVMAddIncoming(copy->counter, &start, &copy->before, 1);
  e->chunk = 0;
  e->before = NULL;
  e->recipes = NULL;
  mpl_recipes_free(&recipes);
}

/* The old loop uses its own value. */
static void use_again(const struct mpl_item_loop *items, LLVMValueRef phi, LLVMValueRef own) {
  for (unsigned b = items->first; b <= items->last; b++) {
    if (!items->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b])
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
      if (LLVMGetOperand(i, k) == phi) LLVMSetOperand(i, k, own);
  }
}

/* What is behind the loop gets such a value from the chunk that was last. */
static void hand_on(struct mpl_emit *e, LLVMBasicBlockRef post, LLVMBasicBlockRef fold) {
  const struct mpl_item_loop *items = e->items;
  for (unsigned b = items->first; b <= items->last; b++) {
    if (!items->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) {
      if (!mpl_map_has(&e->handed, i)) continue;
      LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(fold));
      LLVMValueRef new = LLVMBuildLoad2(e->b, LLVMTypeOf(i), handed_place(e, i), "");
      LLVMPositionBuilderBefore(e->b, LLVMGetFirstInstruction(post));
      LLVMValueRef phi = LLVMBuildPhi(e->b, LLVMTypeOf(i), "");
      LLVMReplaceAllUsesWith(i, phi);
      use_again(e->items, phi, i);
      LLVMValueRef values[] = {i, new};
      LLVMBasicBlockRef from[] = {items->cfg->blocks[items->latch], fold};
      LLVMAddIncoming(phi, values, from, 2);
    }
  }
}

/* --- where the copies stand --- */

/* enter -> the chunks, or, if what is assumed does not hold, the old loop, which LLVM takes away
 * where nothing is assumed. */
static void enter_chunks(struct mpl_emit *e, LLVMBasicBlockRef enter, LLVMBasicBlockRef go,
                         LLVMValueRef assumed) {
  const struct mpl_item_loop *items = e->items;
  LLVMBasicBlockRef header = items->cfg->blocks[items->header], before = NULL,
                    old = LLVMAppendBasicBlockInContext(e->ir->context, e->function, "old");
  for (unsigned k = 0; k < LLVMCountIncoming(items->counter); k++)
    if (LLVMGetIncomingBlock(items->counter, k) != items->cfg->blocks[items->latch])
      before = LLVMGetIncomingBlock(items->counter, k);
  LLVMPositionBuilderAtEnd(e->b, enter);
  if (assumed)
    LLVMBuildCondBr(e->b, assumed, go, old);
  else
    LLVMBuildBr(e->b, go);
  LLVMPositionBuilderAtEnd(e->b, old);
  LLVMBuildBr(e->b, header);
  LLVMValueRef jump = LLVMGetBasicBlockTerminator(before);
  for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++)
    if (LLVMGetSuccessor(jump, s) == header) LLVMSetSuccessor(jump, s, enter);
  mpl_ir_replace_incoming(header, before, old);
}

/* LLVM shall not unroll what has its number of chunks already, and may drop what does nothing. */
static void mark_turn(struct mpl_emit *e, LLVMValueRef branch) {
  mpl_set_loop_property(e->ir, branch, "llvm.loop.unroll.disable", true);
  mpl_set_loop_property(e->ir, branch, "llvm.loop.mustprogress", true);
}

/* At the builder: the copy, if there are work-items for it. */
static void run(struct mpl_emit *e, struct copy *copy, LLVMValueRef start, LLVMValueRef end) {
  LLVMBasicBlockRef then = LLVMAppendBasicBlockInContext(e->ir->context, e->function, "then");
  LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, start, end, ""), copy->before, then);
  LLVMPositionBuilderAtEnd(e->b, copy->last);
  LLVMValueRef step = LLVMConstInt(LLVMTypeOf(start), copy->chunks * e->width, false),
               next = LLVMBuildNUWAdd(e->b, copy->counter, step, ""),
               more = LLVMBuildICmp(e->b, LLVMIntULT, next, end, "");
  mark_turn(e, LLVMBuildCondBr(e->b, more, copy->first, then));
  LLVMAddIncoming(copy->counter, &next, &copy->last, 1);
  LLVMPositionBuilderAtEnd(e->b, then);
}

/* The lanes of the chunk that begins with work-item `first`, of which there is one: `most` of them.
 * LLVM would try to prove that the difference does not wrap, in each loop and more than once. */
static LLVMValueRef lanes_from(struct mpl_emit *e, LLVMValueRef first, LLVMValueRef most) {
  LLVMTypeRef type = e->ir->i32;
  LLVMValueRef each[256], left = LLVMBuildNUWSub(e->b, e->items->count, first, "");
  LLVMSetNSW(left, true);
  for (unsigned k = 0; k < e->width; k++) each[k] = LLVMConstInt(type, k, false);
  LLVMValueRef less = LLVMBuildICmp(e->b, LLVMIntULT, left, most, "");
  left = LLVMBuildTrunc(e->b, LLVMBuildSelect(e->b, less, left, most, ""), type, "");
  return LLVMBuildICmp(e->b, LLVMIntULT, LLVMConstVector(each, e->width), mpl_splat(e, left),
                       "here");
}

static LLVMValueRef all_lanes(struct mpl_emit *e) {
  return LLVMConstInt(LLVMTypeOf(e->items->count), e->width, false);
}

/* A copy of the loop for the lanes from `first`, a phi of `left`, on: at most `most`, another if
 * all chunks are done so. */
struct rest {
  struct copy copy;
  LLVMBasicBlockRef left;
  LLVMValueRef first, most;
};

static void make_rest(struct mpl_emit *e, struct rest *rest) {
  bool told = e->told;
  rest->left = LLVMAppendBasicBlockInContext(e->ir->context, e->function, "left");
  LLVMPositionBuilderAtEnd(e->b, rest->left);
  rest->first = LLVMBuildPhi(e->b, LLVMTypeOf(e->items->count), "first");
  rest->most = e->items->limits.one_copy
                   ? LLVMBuildPhi(e->b, LLVMTypeOf(e->items->count), "most")
                   : all_lanes(e);
  e->all = lanes_from(e, rest->first, rest->most);
  e->told |= !e->items->limits.one_copy;
  make_copy(e, &rest->copy, 1, rest->first);
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
  LLVMBasicBlockRef then = LLVMAppendBasicBlockInContext(e->ir->context, e->function, "then");
  add(rest->first, start, LLVMGetInsertBlock(e->b));
  LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, start, e->items->count, ""), rest->left,
                  then);
  LLVMPositionBuilderAtEnd(e->b, rest->copy.last);
  LLVMBuildBr(e->b, then);
  LLVMPositionBuilderAtEnd(e->b, then);
}

/* At the builder: each chunk as a whole one, if it is, and its lanes stay together; or else as
 * what is left is. */
static void run_mixed(struct mpl_emit *e, struct copy *one, struct rest *rest,
                      LLVMValueRef whole) {
  static const char *const names[] = {"top", "next", "then"};
  LLVMBasicBlockRef blocks[3], *top = &blocks[0], *next = &blocks[1], *then = &blocks[2];
  for (unsigned k = 0; k < 3; k++)
    blocks[k] = LLVMAppendBasicBlockInContext(e->ir->context, e->function, names[k]);
  LLVMTypeRef type = LLVMTypeOf(e->items->count);
  LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
  LLVMBuildBr(e->b, *top);
  LLVMPositionBuilderAtEnd(e->b, *top);
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
  LLVMBuildBr(e->b, *next);
  LLVMPositionBuilderAtEnd(e->b, *next);
  LLVMValueRef behind = LLVMBuildNUWAdd(e->b, chunk, LLVMConstInt(type, e->width, false), "");
  LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntULT, behind, e->items->count, ""), *top, *then);
  add(chunk, behind, *next);
  LLVMPositionBuilderAtEnd(e->b, *then);
}

/* At the builder: each chunk as what is left is. */
static void run_masked(struct mpl_emit *e, struct rest *rest, LLVMValueRef most) {
  const struct mpl_item_loop *items = e->items;
  LLVMBasicBlockRef then = LLVMAppendBasicBlockInContext(e->ir->context, e->function, "then");
  if (LLVMIsAConstant(most)) {
    LLVMReplaceAllUsesWith(rest->most, most);
    LLVMInstructionEraseFromParent(rest->most);
    rest->most = most;
  } else {
    add(rest->most, most, LLVMGetInsertBlock(e->b));
    add(rest->most, rest->most, rest->copy.last);
  }
  add(rest->first, LLVMConstNull(LLVMTypeOf(items->count)), LLVMGetInsertBlock(e->b));
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
  hand_on(e, post, fold);
}

/* At the builder: whether chunks have the work-items; null: they always do. */
static LLVMValueRef take_chunks(struct mpl_emit *e) {
  LLVMValueRef holds = mpl_all_hold(e);
  if (!e->single) return holds;
  LLVMValueRef several = LLVMBuildICmp(e->b, LLVMIntNE, e->items->count,
                                       LLVMConstInt(LLVMTypeOf(e->items->count), 1, false), "");
  return holds ? LLVMBuildAnd(e->b, holds, several, "") : several;
}

/* Numbers that are assumed not to wrap from lane to lane are right for a lane alone.  Pointers that
 * meet may do so in one work-item too, and a scan has whole chunks in front of it. */
static bool may_go_alone(struct mpl_emit *e) {
  bool may = !e->num_apart && !e->single;
  MPL_EACH_ITEM_INSTRUCTION(i, e->items) {
    LLVMValueRef place = mpl_accessed_place(i);
    may &= !place || mpl_shared_place_of(e->ir, place).kind != MPL_PLACE_SCAN;
  }
  return may;
}

/* Where what is assumed does not hold, which is rare, each work-item is a chunk of its own, rather
 * than one of a further copy. */
static void build_one_copy(struct mpl_emit *e, LLVMBasicBlockRef enter, LLVMBasicBlockRef go) {
  struct rest rest;
  make_rest(e, &rest);
  LLVMPositionBuilderAtEnd(e->b, enter);
  LLVMValueRef assumed = take_chunks(e), most = all_lanes(e);
  if (assumed && may_go_alone(e)) {
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(e->items->count), 1, false);
    most = LLVMBuildSelect(e->b, assumed, most, one, "most");
    assumed = NULL;
  }
  enter_chunks(e, enter, go, assumed);
  LLVMPositionBuilderAtEnd(e->b, go);
  mpl_begin_sums(e);
  run_masked(e, &rest, most);
  leave_chunks(e);
}

/* All work-items are one whole chunk, of which no lanes part. */
static bool leaves_no_rest(struct mpl_emit *e) {
  const struct mpl_lanes *lanes = e->lanes;
  if (!e->items->limits.one_chunk) return false;
  mpl_emit_by(e, mpl_lanes_for(e->analyses, e->width, true));
  if (!mpl_begins_again(e->lanes)) return true;
  mpl_emit_by(e, lanes);
  return false;
}

/* A copy without guesses that are known to fail; returns where it begins: either one has all. */
static LLVMValueRef make_hopeless(struct mpl_emit *e, struct copy *copy, LLVMBasicBlockRef enter,
                                  LLVMValueRef begin, LLVMValueRef end) {
  if (!e->hope) return end;
  LLVMPositionBuilderAtEnd(e->b, enter);
  LLVMValueRef middle = LLVMBuildSelect(e->b, e->hope, end, begin, "");
  make_copy(e, copy, 1, middle);
  return middle;
}

/* --- one chunk of all work-items --- */

enum { MOST_WIDE = 3 };

/* A copy for so many, `lanes`. */
struct wide {
  struct copy copy;
  unsigned lanes;
};

static unsigned make_wide(struct mpl_emit *e, struct wide copies[MOST_WIDE]) {
  const struct mpl_item_loop *items = e->items;
  unsigned count = 0, lanes = e->width;
  e->sum_lanes = lanes;
  for (unsigned width = mpl_lanes_of_rows(e->lanes); width > lanes && count < MOST_WIDE;
       width /= 2) {
    mpl_emit_by(e, mpl_lanes_for(e->analyses, width, e->lanes->together));
    copies[count].lanes = width;
    make_copy(e, &copies[count++].copy, 1, LLVMConstNull(LLVMTypeOf(items->count)));
    /* LLVM would read every other row of an unrolled loop backwards, at half the speed. */
    LLVMValueRef turn = LLVMGetBasicBlockTerminator(e->ends[items->loops[0].last]);
    mpl_set_loop_property(e->ir, turn, "llvm.loop.unroll.disable", true);
  }
  e->sum_lanes = 0;
  e->width = lanes;
  return count;
}

/* At the builder: the copy, if there are so many. */
static void run_wide(struct mpl_emit *e, struct wide *wide, LLVMBasicBlockRef done) {
  LLVMBasicBlockRef then = LLVMAppendBasicBlockInContext(e->ir->context, e->function, "then");
  LLVMValueRef all = LLVMConstInt(LLVMTypeOf(e->items->count), wide->lanes, false),
               is = LLVMBuildICmp(e->b, LLVMIntEQ, e->items->count, all, "");
  LLVMBuildCondBr(e->b, is, wide->copy.before, then);
  LLVMPositionBuilderAtEnd(e->b, wide->copy.last);
  LLVMBuildBr(e->b, done);
  LLVMPositionBuilderAtEnd(e->b, then);
}

static LLVMValueRef also_hold(struct mpl_emit *e, LLVMValueRef assumed) {
  LLVMValueRef also = mpl_all_hold(e);
  return assumed && also ? LLVMBuildAnd(e->b, assumed, also, "") : also ? also : assumed;
}

/* Copies of the loop: for what is left, under a mask; then for whole chunks, with the branches on
 * ids taken to be uniform.  A chunk whose lanes part there is done as what is left is. */
void mpl_build_chunks(struct mpl_emit *e) {
  const struct mpl_item_loop *items = e->items;
  LLVMContextRef context = e->ir->context;
  LLVMBasicBlockRef enter = LLVMAppendBasicBlockInContext(context, e->function, "chunks"),
                    go = LLVMAppendBasicBlockInContext(context, e->function, "go");
  struct copy several, one, hopeless;
  struct wide wide[MOST_WIDE];
  struct rest rest;
  LLVMTypeRef type = LLVMTypeOf(items->count);
  if (items->limits.one_copy) {
    build_one_copy(e, enter, go);
    return;
  }
  bool no_rest = leaves_no_rest(e);
  if (!no_rest) make_rest(e, &rest);
  LLVMPositionBuilderAtEnd(e->b, enter);
  LLVMValueRef zero = LLVMConstNull(type), ends[2], assumed = take_chunks(e);
  e->mixed = LLVMAppendBasicBlockInContext(context, e->function, "mixed");
  mpl_emit_by(e, mpl_lanes_for(e->analyses, e->width, true));
  bool again = mpl_begins_again(e->lanes);
  unsigned most = again || items->limits.one_chunk ? 1 : mpl_chunks_at_a_time(e->lanes);
  LLVMPositionBuilderAtEnd(e->b, enter);
  for (unsigned k = 0; k < 2; k++) {
    unsigned step = e->width * (k ? 1 : most);
    LLVMValueRef mask = LLVMConstInt(type, ~(uint64_t)(step - 1), true);
    ends[k] = LLVMBuildAnd(e->b, items->count, mask, "whole");
  }
  LLVMValueRef begin = most > 1 ? ends[0] : zero;
  assumed = also_hold(e, assumed);
  e->enter = again || most > 1 ? NULL : enter;
  make_copy(e, &one, 1, begin);
  e->enter = NULL;
  e->told = true;
  LLVMValueRef middle = make_hopeless(e, &hopeless, enter, begin, ends[1]);
  if (most > 1) make_copy(e, &several, most, zero);
  unsigned num_wide = make_wide(e, wide);
  LLVMPositionBuilderAtEnd(e->b, enter);
  if (num_wide) assumed = also_hold(e, assumed);
  enter_chunks(e, enter, go, assumed);
  LLVMPositionBuilderAtEnd(e->b, go);
  mpl_begin_sums(e);
  LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(context, e->function, "done");
  for (unsigned k = 0; k < num_wide; k++) run_wide(e, &wide[k], done);
  if (again) {
    run_mixed(e, &one, &rest, ends[1]);
  } else {
    LLVMDeleteBasicBlock(e->mixed);
    if (most > 1) run(e, &several, zero, ends[0]);
    run(e, &one, begin, middle);
    if (e->hope) run(e, &hopeless, middle, ends[1]);
    if (!no_rest) run_rest(e, &rest, ends[1]);
  }
  LLVMBuildBr(e->b, done);
  LLVMPositionBuilderAtEnd(e->b, done);
  leave_chunks(e);
}

/* --- sub-groups --- */

/* The loop goes, and `copy` stands in its place. */
static void replace_loop(struct mpl_emit *e, struct copy *copy, LLVMBasicBlockRef post) {
  const struct mpl_item_loop *items = e->items;
  for (unsigned b = items->first; b <= items->last; b++) {
    if (!items->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) {
      LLVMTypeRef type = LLVMTypeOf(i);
      LLVMValueRef one = (LLVMValueRef)mpl_map_get(&copy->scalars, i, 0);
      if (type != e->ir->void_type) LLVMReplaceAllUsesWith(i, one ? one : LLVMGetPoison(type));
    }
  }
  mpl_ir_replace_incoming(post, items->cfg->blocks[items->latch], copy->last);
  for (unsigned b = items->first; b <= items->last; b++)
    if (items->in[b])
      MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) LLVMInstructionEraseFromParent(i);
  for (unsigned b = items->first; b <= items->last; b++)
    if (items->in[b]) LLVMDeleteBasicBlock(items->cfg->blocks[b]);
}

/* What is behind the loop gets a value from it or from the chunk in front of it. */
static void choose_value(struct mpl_emit *e, LLVMBasicBlockRef post, struct copy *copy) {
  const struct mpl_item_loop *items = e->items;
  for (unsigned b = items->first; b <= items->last; b++) {
    if (!items->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) {
      LLVMValueRef one = (LLVMValueRef)mpl_map_get(&copy->scalars, i, 0);
      if (!one) continue;
      LLVMPositionBuilderBefore(e->b, LLVMGetFirstInstruction(post));
      LLVMValueRef phi = LLVMBuildPhi(e->b, LLVMTypeOf(i), ""), values[] = {i, one};
      LLVMBasicBlockRef from[] = {items->cfg->blocks[items->latch], copy->last};
      LLVMReplaceAllUsesWith(i, phi);
      use_again(e->items, phi, i);
      LLVMAddIncoming(phi, values, from, 2);
    }
  }
}

/* One chunk in front of the loop, entered if the sub-group is a whole one, and what is assumed of
 * it holds; or (no `whole`) in place of the loop. */
void mpl_build_chunk(struct mpl_emit *e) {
  const struct mpl_item_loop *items = e->items;
  LLVMBasicBlockRef header = items->cfg->blocks[items->header], before = NULL;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(items->cfg->blocks[items->latch]);
  LLVMBasicBlockRef post = LLVMGetSuccessor(end, 1);
  for (unsigned k = 0; k < LLVMCountIncoming(items->counter); k++)
    if (LLVMGetIncomingBlock(items->counter, k) != items->cfg->blocks[items->latch])
      before = LLVMGetIncomingBlock(items->counter, k);
  LLVMValueRef jump = LLVMGetBasicBlockTerminator(before);
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(items->count));
  struct copy copy;
  LLVMPositionBuilderBefore(e->b, jump);
  LLVMValueRef assumed = items->whole ? mpl_all_hold(e) : NULL, goes = items->whole;
  if (assumed) goes = LLVMBuildAnd(e->b, goes, assumed, "");
  if (!items->whole) e->all = lanes_from(e, zero, all_lanes(e));
  make_copy(e, &copy, 1, zero);
  LLVMPositionBuilderAtEnd(e->b, copy.last);
  LLVMBuildBr(e->b, post);
  LLVMPositionBuilderBefore(e->b, jump);
  if (items->whole) {
    LLVMBasicBlockRef old = LLVMAppendBasicBlockInContext(e->ir->context, e->function, "any");
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
