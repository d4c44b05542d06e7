/* The loop over chunks: copies of the work-item loop, how they follow one another, and what they
 * hand on to what is behind it. */
#include <llvm-c/DebugInfo.h>

#include "widen.h"

/* Copies of the loop: for several whole chunks, for one, and for what is left, under a mask. */
struct copy {
  unsigned chunks;
  LLVMBasicBlockRef before, first, last; /* the last is open at its end */
  LLVMValueRef counter;
  struct mpl_map scalars; /* of a sub-group: of what is used behind the loop */
};

/* Values that all lanes share and something behind the loop asks for. */
static bool is_used_behind(struct mpl_widen *w, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    unsigned at = mpl_cfg_block_of(w->cfg, LLVMGetUser(use));
    if (at < w->cfg->count && !w->in[at]) return true;
  }
  return false;
}

/* What the splitter knows to be uniform may look varying to us: any lane's, as the first's. */
static LLVMValueRef any_value(struct mpl_widen *w, LLVMValueRef value) {
  LLVMValueRef scalar = (LLVMValueRef)mpl_map_get(&w->scalars, value, 0);
  if (scalar) return scalar;
  LLVMPositionBuilderAtEnd(w->b, w->ends[w->latch]);
  return mpl_take_lane(w, mpl_vector(w, value), LLVMTypeOf(value), mpl_const64(w->ir, 0));
}

/* Where such a value is until then. */
static LLVMValueRef handed_place(struct mpl_widen *w, LLVMValueRef value) {
  LLVMValueRef known = (LLVMValueRef)mpl_map_get(&w->handed, value, 0);
  if (!known) {
    known = mpl_entry_alloca(w, LLVMTypeOf(value), "handed");
    mpl_map_set(&w->handed, value, (uintptr_t)known);
  }
  return known;
}

/* Of one of the copy's chunks, behind those that it has. */
static void make_chunk(struct mpl_widen *w, struct copy *copy) {
  mpl_widen_flow(w);
  LLVMValueRef counter = mpl_scalar(w, w->counter);
  LLVMBasicBlockRef first = w->blocks[w->header];
  if (w->chunk) {
    LLVMPositionBuilderAtEnd(w->b, copy->last);
    LLVMValueRef distance = LLVMConstInt(LLVMTypeOf(counter), w->chunk * w->width, false),
                 own = LLVMBuildNUWAdd(w->b, copy->counter, distance, "");
    LLVMBuildBr(w->b, first);
    LLVMAddIncoming(counter, &own, &copy->last, 1);
  } else {
    copy->first = first;
    copy->counter = counter;
  }
  copy->last = w->ends[w->latch];
  LLVMPositionBuilderAtEnd(w->b, copy->last);
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) {
      if (!is_used_behind(w, i)) continue;
      if (w->lanes)
        mpl_map_set(&copy->scalars, i, (uintptr_t)any_value(w, i));
      else
        LLVMBuildStore(w->b, any_value(w, i), handed_place(w, i));
    }
  }
  mpl_map_free(&w->edges);
  mpl_map_free(&w->scalars);
  mpl_map_free(&w->vectors);
  mpl_map_free(&w->starts);
  w->edges = w->scalars = w->vectors = w->starts = (struct mpl_map){0};
}

/* For the work-items from `start` on. */
static void make_copy(struct mpl_widen *w, struct copy *copy, unsigned chunks, LLVMValueRef start) {
  *copy = (struct copy){.chunks = chunks};
  copy->before = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "before");
  w->before = chunks > 1 ? copy->before : NULL;
  w->start = start;
  w->top = NULL;
  for (w->chunk = 0; w->chunk < chunks; w->chunk++) {
    make_chunk(w, copy);
    w->top = copy->first;
  }
  mpl_close_counted(w, copy->last, chunks);
  LLVMPositionBuilderAtEnd(w->b, copy->before);
  LLVMBuildBr(w->b, copy->first);
  LLVMAddIncoming(copy->counter, &start, &copy->before, 1);
  w->chunk = 0;
  w->before = NULL;
}

/* The old loop uses its own value. */
static void use_again(struct mpl_widen *w, LLVMValueRef phi, LLVMValueRef own) {
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b])
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
      if (LLVMGetOperand(i, k) == phi) LLVMSetOperand(i, k, own);
  }
}

/* What is behind the loop gets such a value from the chunk that was last. */
static void hand_on(struct mpl_widen *w, LLVMBasicBlockRef post, LLVMBasicBlockRef fold) {
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) {
      if (!mpl_map_has(&w->handed, i)) continue;
      LLVMPositionBuilderBefore(w->b, LLVMGetBasicBlockTerminator(fold));
      LLVMValueRef new = LLVMBuildLoad2(w->b, LLVMTypeOf(i), handed_place(w, i), "");
      LLVMPositionBuilderBefore(w->b, LLVMGetFirstInstruction(post));
      LLVMValueRef phi = LLVMBuildPhi(w->b, LLVMTypeOf(i), "");
      LLVMReplaceAllUsesWith(i, phi);
      use_again(w, phi, i);
      LLVMValueRef values[] = {i, new};
      LLVMBasicBlockRef from[] = {w->cfg->blocks[w->latch], fold};
      LLVMAddIncoming(phi, values, from, 2);
    }
  }
}

/* --- where the copies stand --- */

/* enter -> the chunks, or, if what is assumed does not hold, the old loop, which LLVM takes away
 * where nothing is assumed. */
static void enter_chunks(struct mpl_widen *w, LLVMBasicBlockRef enter, LLVMBasicBlockRef go,
                         LLVMValueRef assumed) {
  LLVMBasicBlockRef header = w->cfg->blocks[w->header], before = NULL,
                    old = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "old");
  for (unsigned k = 0; k < LLVMCountIncoming(w->counter); k++)
    if (LLVMGetIncomingBlock(w->counter, k) != w->cfg->blocks[w->latch])
      before = LLVMGetIncomingBlock(w->counter, k);
  LLVMPositionBuilderAtEnd(w->b, enter);
  if (assumed)
    LLVMBuildCondBr(w->b, assumed, go, old);
  else
    LLVMBuildBr(w->b, go);
  LLVMPositionBuilderAtEnd(w->b, old);
  LLVMBuildBr(w->b, header);
  LLVMValueRef jump = LLVMGetBasicBlockTerminator(before);
  for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++)
    if (LLVMGetSuccessor(jump, s) == header) LLVMSetSuccessor(jump, s, enter);
  mpl_ir_replace_incoming(header, before, old);
}

/* LLVM shall not unroll what has its number of chunks already, and may drop what does nothing. */
static void mark_turn(struct mpl_widen *w, LLVMValueRef branch) {
  mpl_set_loop_property(w->ir, branch, "llvm.loop.unroll.disable", true);
  mpl_set_loop_property(w->ir, branch, "llvm.loop.mustprogress", true);
}

/* At the builder: the copy, if there are work-items for it. */
static void run(struct mpl_widen *w, struct copy *copy, LLVMValueRef start, LLVMValueRef end) {
  LLVMBasicBlockRef then = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "then");
  LLVMBuildCondBr(w->b, LLVMBuildICmp(w->b, LLVMIntNE, start, end, ""), copy->before, then);
  LLVMPositionBuilderAtEnd(w->b, copy->last);
  LLVMValueRef step = LLVMConstInt(LLVMTypeOf(start), copy->chunks * w->width, false),
               next = LLVMBuildNUWAdd(w->b, copy->counter, step, ""),
               more = LLVMBuildICmp(w->b, LLVMIntULT, next, end, "");
  mark_turn(w, LLVMBuildCondBr(w->b, more, copy->first, then));
  LLVMAddIncoming(copy->counter, &next, &copy->last, 1);
  LLVMPositionBuilderAtEnd(w->b, then);
}

/* The lanes of the chunk that begins with work-item `first`, of which there is one.  LLVM would try
 * to prove that the difference does not wrap, in each loop and more than once. */
static LLVMValueRef lanes_from(struct mpl_widen *w, LLVMValueRef first) {
  LLVMTypeRef type = w->ir->i32;
  LLVMValueRef each[256], left = LLVMBuildNUWSub(w->b, w->count, first, "");
  LLVMSetNSW(left, true);
  for (unsigned k = 0; k < w->width; k++) each[k] = LLVMConstInt(type, k, false);
  LLVMValueRef width = LLVMConstInt(LLVMTypeOf(left), w->width, false),
               less = LLVMBuildICmp(w->b, LLVMIntULT, left, width, "");
  left = LLVMBuildTrunc(w->b, LLVMBuildSelect(w->b, less, left, width, ""), type, "");
  return LLVMBuildICmp(w->b, LLVMIntULT, LLVMConstVector(each, w->width), mpl_splat(w, left),
                       "here");
}

bool mpl_keeps_busy(LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (opcode == LLVMLoad || opcode == LLVMStore) return LLVMGetVolatile(i);
  if (opcode != LLVMCall)
    return (opcode >= LLVMUDiv && opcode <= LLVMFRem) || opcode == LLVMAtomicRMW ||
           opcode == LLVMAtomicCmpXchg;
  LLVMValueRef callee = mpl_callee_of(i);
  return !callee || !LLVMGetIntrinsicID(callee);
}

/* Short loops that nothing else keeps busy do several chunks at a time, each with sums of its own:
 * four registers of the widest that there are. */
static unsigned chunks_at_a_time(struct mpl_widen *w) {
  enum { MOST_INSTRUCTIONS = 32, REGISTERS = 4 };
  unsigned instructions = 0, bytes = 1;
  if (w->num_loops || w->one_at_a_time) return 1;
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    if (w->diverged[b]) return 1;
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) {
      LLVMValueRef value = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i;
      bool empty = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVoidTypeKind;
      instructions += !LLVMIsATerminatorInst(i);
      if (mpl_keeps_busy(i)) return 1;
      if (empty || mpl_stride_of(w, value) != MPL_ANY_STRIDE) continue;
      unsigned size = (unsigned)LLVMABISizeOfType(w->ir->layout, LLVMTypeOf(value));
      if (size > bytes) bytes = size;
    }
  }
  if (instructions > MOST_INSTRUCTIONS) return 1;
  unsigned chunks = REGISTERS * w->ir->target->register_bytes / (bytes * w->width);
  return chunks < 1 ? 1 : chunks > MPL_MOST_CHUNKS ? MPL_MOST_CHUNKS : chunks;
}

static bool begins_again(struct mpl_widen *w) {
  for (unsigned b = w->first; b <= w->last; b++)
    if (w->in[b] && (w->tested[b] || mpl_has_bound(w, b))) return true;
  return false;
}

/* A copy of the loop for the lanes from `first`, a phi of `left`, on. */
struct rest {
  struct copy copy;
  LLVMBasicBlockRef left;
  LLVMValueRef first;
};

static void make_rest(struct mpl_widen *w, struct rest *rest) {
  bool told = w->told;
  rest->left = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "left");
  LLVMPositionBuilderAtEnd(w->b, rest->left);
  rest->first = LLVMBuildPhi(w->b, LLVMTypeOf(w->count), "first");
  w->all = lanes_from(w, rest->first);
  w->told |= !w->one_copy;
  make_copy(w, &rest->copy, 1, rest->first);
  w->told = told;
  w->all = NULL;
  LLVMPositionBuilderAtEnd(w->b, rest->left);
  LLVMBuildBr(w->b, rest->copy.before);
}

static void add(LLVMValueRef phi, LLVMValueRef value, LLVMBasicBlockRef from) {
  LLVMAddIncoming(phi, &value, &from, 1);
}

/* At the builder: what is left behind `start`. */
static void run_rest(struct mpl_widen *w, struct rest *rest, LLVMValueRef start) {
  LLVMBasicBlockRef then = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "then");
  add(rest->first, start, LLVMGetInsertBlock(w->b));
  LLVMBuildCondBr(w->b, LLVMBuildICmp(w->b, LLVMIntNE, start, w->count, ""), rest->left, then);
  LLVMPositionBuilderAtEnd(w->b, rest->copy.last);
  LLVMBuildBr(w->b, then);
  LLVMPositionBuilderAtEnd(w->b, then);
}

/* At the builder: each chunk as a whole one, if it is, and its lanes stay together; or else as
 * what is left is. */
static void run_mixed(struct mpl_widen *w, struct copy *one, struct rest *rest,
                      LLVMValueRef whole) {
  static const char *const names[] = {"top", "next", "then"};
  LLVMBasicBlockRef blocks[3], *top = &blocks[0], *next = &blocks[1], *then = &blocks[2];
  for (unsigned k = 0; k < 3; k++)
    blocks[k] = LLVMAppendBasicBlockInContext(w->ir->context, w->function, names[k]);
  LLVMTypeRef type = LLVMTypeOf(w->count);
  LLVMBasicBlockRef from = LLVMGetInsertBlock(w->b);
  LLVMBuildBr(w->b, *top);
  LLVMPositionBuilderAtEnd(w->b, *top);
  LLVMValueRef chunk = LLVMBuildPhi(w->b, type, "chunk");
  add(chunk, LLVMConstNull(type), from);
  LLVMBuildCondBr(w->b, LLVMBuildICmp(w->b, LLVMIntULT, chunk, whole, ""), one->before, rest->left);
  LLVMSetOperand(one->counter, 0, chunk);
  add(rest->first, chunk, *top);
  LLVMPositionBuilderAtEnd(w->b, w->mixed);
  LLVMBuildBr(w->b, rest->left);
  add(rest->first, chunk, w->mixed);
  LLVMPositionBuilderAtEnd(w->b, one->last);
  LLVMBuildBr(w->b, *next);
  LLVMPositionBuilderAtEnd(w->b, rest->copy.last);
  LLVMBuildBr(w->b, *next);
  LLVMPositionBuilderAtEnd(w->b, *next);
  LLVMValueRef behind = LLVMBuildNUWAdd(w->b, chunk, LLVMConstInt(type, w->width, false), "");
  LLVMBuildCondBr(w->b, LLVMBuildICmp(w->b, LLVMIntULT, behind, w->count, ""), *top, *then);
  add(chunk, behind, *next);
  LLVMPositionBuilderAtEnd(w->b, *then);
}

/* At the builder: each chunk as what is left is. */
static void run_masked(struct mpl_widen *w, struct rest *rest) {
  LLVMBasicBlockRef then = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "then");
  add(rest->first, LLVMConstNull(LLVMTypeOf(w->count)), LLVMGetInsertBlock(w->b));
  LLVMBuildBr(w->b, rest->left);
  LLVMPositionBuilderAtEnd(w->b, rest->copy.last);
  LLVMValueRef step = LLVMConstInt(LLVMTypeOf(w->count), w->width, false),
               behind = LLVMBuildNUWAdd(w->b, rest->first, step, "");
  LLVMSetNSW(behind, true);
  add(rest->first, behind, rest->copy.last);
  LLVMValueRef more = LLVMBuildICmp(w->b, LLVMIntULT, behind, w->count, "");
  mark_turn(w, LLVMBuildCondBr(w->b, more, rest->left, then));
  LLVMPositionBuilderAtEnd(w->b, then);
}

/* What is behind the loop goes on behind the chunks. */
static void leave_chunks(struct mpl_widen *w) {
  LLVMBasicBlockRef fold = LLVMGetInsertBlock(w->b),
                    post =
                        LLVMGetSuccessor(LLVMGetBasicBlockTerminator(w->cfg->blocks[w->latch]), 1);
  mpl_fold_sums(w);
  LLVMBuildBr(w->b, post);
  hand_on(w, post, fold);
}

/* At the builder: whether chunks have the work-items; null: they always do. */
static LLVMValueRef take_chunks(struct mpl_widen *w) {
  LLVMValueRef holds = mpl_all_hold(w);
  if (!w->single) return holds;
  LLVMValueRef several =
      LLVMBuildICmp(w->b, LLVMIntNE, w->count, LLVMConstInt(LLVMTypeOf(w->count), 1, false), "");
  return holds ? LLVMBuildAnd(w->b, holds, several, "") : several;
}

static void build_one_copy(struct mpl_widen *w, LLVMBasicBlockRef enter, LLVMBasicBlockRef go,
                           struct rest *rest) {
  LLVMPositionBuilderAtEnd(w->b, enter);
  enter_chunks(w, enter, go, take_chunks(w));
  LLVMPositionBuilderAtEnd(w->b, go);
  mpl_begin_sums(w);
  run_masked(w, rest);
  leave_chunks(w);
}

/* With the branches on ids taken to be uniform: true if chunks may fail their tests. */
static bool look_together(struct mpl_widen *w) {
  w->together = true;
  if (!mpl_find_lanes(w)) {
    w->together = false;
    mpl_find_lanes(w);
  }
  return begins_again(w);
}

/* All work-items are one whole chunk, of which no lanes part. */
static bool leaves_no_rest(struct mpl_widen *w) {
  if (!w->one_chunk) return false;
  if (!look_together(w)) return true;
  w->together = false;
  mpl_find_lanes(w);
  return false;
}

/* A copy without guesses that are known to fail; returns where it begins: either one has all. */
static LLVMValueRef make_hopeless(struct mpl_widen *w, struct copy *copy, LLVMBasicBlockRef enter,
                                  LLVMValueRef begin, LLVMValueRef end) {
  if (!w->hope) return end;
  LLVMPositionBuilderAtEnd(w->b, enter);
  LLVMValueRef middle = LLVMBuildSelect(w->b, w->hope, end, begin, "");
  make_copy(w, copy, 1, middle);
  return middle;
}

/* --- one chunk of all work-items --- */

enum { MOST_WIDE = 3 };

/* A copy for so many, `lanes`. */
struct wide {
  struct copy copy;
  unsigned lanes;
};

static unsigned make_wide(struct mpl_widen *w, struct wide copies[MOST_WIDE]) {
  unsigned count = 0, lanes = w->width, most = mpl_lanes_of_rows(w);
  w->sum_lanes = lanes;
  for (w->width = most; w->width > lanes && count < MOST_WIDE; w->width /= 2) {
    if (!mpl_find_lanes(w)) break;
    copies[count].lanes = w->width;
    make_copy(w, &copies[count++].copy, 1, LLVMConstNull(LLVMTypeOf(w->count)));
    /* LLVM would read every other row of an unrolled loop backwards, at half the speed. */
    LLVMValueRef turn = LLVMGetBasicBlockTerminator(w->ends[w->loops[0].last]);
    mpl_set_loop_property(w->ir, turn, "llvm.loop.unroll.disable", true);
  }
  w->why = NULL;
  w->sum_lanes = 0;
  w->width = lanes;
  return count;
}

/* At the builder: the copy, if there are so many. */
static void run_wide(struct mpl_widen *w, struct wide *wide, LLVMBasicBlockRef done) {
  LLVMBasicBlockRef then = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "then");
  LLVMValueRef all = LLVMConstInt(LLVMTypeOf(w->count), wide->lanes, false),
               is = LLVMBuildICmp(w->b, LLVMIntEQ, w->count, all, "");
  LLVMBuildCondBr(w->b, is, wide->copy.before, then);
  LLVMPositionBuilderAtEnd(w->b, wide->copy.last);
  LLVMBuildBr(w->b, done);
  LLVMPositionBuilderAtEnd(w->b, then);
}

static LLVMValueRef also_hold(struct mpl_widen *w, LLVMValueRef assumed) {
  LLVMValueRef also = mpl_all_hold(w);
  return assumed && also ? LLVMBuildAnd(w->b, assumed, also, "") : also ? also : assumed;
}

/* Copies of the loop: for what is left, under a mask; then for whole chunks, with the branches on
 * ids taken to be uniform.  A chunk whose lanes part there is done as what is left is. */
void mpl_build_chunks(struct mpl_widen *w) {
  LLVMContextRef context = w->ir->context;
  LLVMBasicBlockRef enter = LLVMAppendBasicBlockInContext(context, w->function, "chunks"),
                    go = LLVMAppendBasicBlockInContext(context, w->function, "go");
  struct copy several, one, hopeless;
  struct wide wide[MOST_WIDE];
  struct rest rest;
  LLVMTypeRef type = LLVMTypeOf(w->count);
  bool no_rest = leaves_no_rest(w);
  if (!no_rest) make_rest(w, &rest);
  if (w->one_copy) {
    build_one_copy(w, enter, go, &rest);
    return;
  }
  LLVMPositionBuilderAtEnd(w->b, enter);
  LLVMValueRef zero = LLVMConstNull(type), ends[2], assumed = take_chunks(w);
  w->mixed = LLVMAppendBasicBlockInContext(context, w->function, "mixed");
  bool again = look_together(w);
  unsigned most = again || w->one_chunk ? 1 : chunks_at_a_time(w);
  LLVMPositionBuilderAtEnd(w->b, enter);
  for (unsigned k = 0; k < 2; k++) {
    unsigned step = w->width * (k ? 1 : most);
    LLVMValueRef mask = LLVMConstInt(type, ~(uint64_t)(step - 1), true);
    ends[k] = LLVMBuildAnd(w->b, w->count, mask, "whole");
  }
  LLVMValueRef begin = most > 1 ? ends[0] : zero;
  assumed = also_hold(w, assumed);
  w->enter = again || most > 1 ? NULL : enter;
  make_copy(w, &one, 1, begin);
  w->enter = NULL;
  w->told = true;
  LLVMValueRef middle = make_hopeless(w, &hopeless, enter, begin, ends[1]);
  if (most > 1) make_copy(w, &several, most, zero);
  unsigned num_wide = make_wide(w, wide);
  LLVMPositionBuilderAtEnd(w->b, enter);
  if (num_wide) assumed = also_hold(w, assumed);
  enter_chunks(w, enter, go, assumed);
  LLVMPositionBuilderAtEnd(w->b, go);
  mpl_begin_sums(w);
  LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(context, w->function, "done");
  for (unsigned k = 0; k < num_wide; k++) run_wide(w, &wide[k], done);
  if (again) {
    run_mixed(w, &one, &rest, ends[1]);
  } else {
    LLVMDeleteBasicBlock(w->mixed);
    if (most > 1) run(w, &several, zero, ends[0]);
    run(w, &one, begin, middle);
    if (w->hope) run(w, &hopeless, middle, ends[1]);
    if (!no_rest) run_rest(w, &rest, ends[1]);
  }
  LLVMBuildBr(w->b, done);
  LLVMPositionBuilderAtEnd(w->b, done);
  leave_chunks(w);
}

/* --- sub-groups --- */

/* The loop goes, and `copy` stands in its place. */
static void replace_loop(struct mpl_widen *w, struct copy *copy, LLVMBasicBlockRef post) {
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) {
      LLVMTypeRef type = LLVMTypeOf(i);
      LLVMValueRef one = (LLVMValueRef)mpl_map_get(&copy->scalars, i, 0);
      if (type != w->ir->void_type) LLVMReplaceAllUsesWith(i, one ? one : LLVMGetPoison(type));
    }
  }
  mpl_ir_replace_incoming(post, w->cfg->blocks[w->latch], copy->last);
  for (unsigned b = w->first; b <= w->last; b++)
    if (w->in[b]) MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) LLVMInstructionEraseFromParent(i);
  for (unsigned b = w->first; b <= w->last; b++)
    if (w->in[b]) LLVMDeleteBasicBlock(w->cfg->blocks[b]);
}

/* What is behind the loop gets a value from it or from the chunk in front of it. */
static void choose_value(struct mpl_widen *w, LLVMBasicBlockRef post, struct copy *copy) {
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) {
      LLVMValueRef one = (LLVMValueRef)mpl_map_get(&copy->scalars, i, 0);
      if (!one) continue;
      LLVMPositionBuilderBefore(w->b, LLVMGetFirstInstruction(post));
      LLVMValueRef phi = LLVMBuildPhi(w->b, LLVMTypeOf(i), ""), values[] = {i, one};
      LLVMBasicBlockRef from[] = {w->cfg->blocks[w->latch], copy->last};
      LLVMReplaceAllUsesWith(i, phi);
      use_again(w, phi, i);
      LLVMAddIncoming(phi, values, from, 2);
    }
  }
}

/* One chunk in front of the loop, entered if the sub-group is a whole one, and what is assumed of
 * it holds; or (no `whole`) in place of the loop. */
void mpl_build_chunk(struct mpl_widen *w) {
  LLVMBasicBlockRef header = w->cfg->blocks[w->header], before = NULL;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->cfg->blocks[w->latch]);
  LLVMBasicBlockRef post = LLVMGetSuccessor(end, 1);
  for (unsigned k = 0; k < LLVMCountIncoming(w->counter); k++)
    if (LLVMGetIncomingBlock(w->counter, k) != w->cfg->blocks[w->latch])
      before = LLVMGetIncomingBlock(w->counter, k);
  LLVMValueRef jump = LLVMGetBasicBlockTerminator(before);
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(w->count));
  struct copy copy;
  LLVMPositionBuilderBefore(w->b, jump);
  LLVMValueRef assumed = w->whole ? mpl_all_hold(w) : NULL, goes = w->whole;
  if (assumed) goes = LLVMBuildAnd(w->b, goes, assumed, "");
  if (!w->whole) w->all = lanes_from(w, zero);
  make_copy(w, &copy, 1, zero);
  LLVMPositionBuilderAtEnd(w->b, copy.last);
  LLVMBuildBr(w->b, post);
  LLVMPositionBuilderBefore(w->b, jump);
  if (w->whole) {
    LLVMBasicBlockRef old = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "any");
    LLVMBuildCondBr(w->b, goes, copy.before, old);
    LLVMPositionBuilderAtEnd(w->b, old);
    LLVMBuildBr(w->b, header);
    mpl_ir_replace_incoming(header, before, old);
    choose_value(w, post, &copy);
  } else {
    LLVMBuildBr(w->b, copy.before);
    replace_loop(w, &copy, post);
  }
  LLVMInstructionEraseFromParent(jump);
  mpl_map_free(&copy.scalars);
}
