/* Control flow: blocks that all lanes reach together keep their branches.  The others are put one
 * behind the other, in the order of blocks, under the mask of the lanes that are there; a loop that
 * lanes leave at different iterations goes on until none is left in it. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "compiler/expand/expand.h"
#include "flow.h"

struct flow {
  struct mpl_widen *w;
  struct mpl_masked_loop *masked; /* per inner loop */
  struct mpl_map blends;          /* (phi of a part's meet, part): what the part hands over */
};

/* The work-item loop's own number and test of it: chunks have theirs. */
static bool counts_items(struct mpl_widen *w, LLVMValueRef i) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->cfg->blocks[w->latch]),
               more = LLVMGetCondition(end);
  if (i != more && i != LLVMGetOperand(more, 0)) return false;
  for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (user != w->counter && user != more && user != end) return false;
  }
  return true;
}

/* The chunk begins again in another way, or goes on; in front of anything that it changes. */
static void begin_again_if(struct mpl_widen *w, LLVMValueRef fails) {
  LLVMBasicBlockRef on = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "alike");
  LLVMBuildCondBr(w->b, fails, w->mixed, on);
  LLVMPositionBuilderAtEnd(w->b, on);
}

void mpl_widen_block(struct mpl_widen *w, unsigned block) {
  MPL_EACH_INSTRUCTION(i, w->cfg->blocks[block])
  if (!LLVMIsAPHINode(i) && !LLVMIsATerminatorInst(i) && !counts_items(w, i)) {
    struct mpl_told before = mpl_tell_begin(w);
    mpl_widen_instruction(w, i);
    mpl_tell_end(w, i, before);
    if (mpl_is_bound(w, i)) begin_again_if(w, mpl_bound_fails(w, i));
  }
}

/* The part ends: what it hands to phis where its lanes meet. */
static void end_part(struct flow *f, int number) {
  struct mpl_widen *w = f->w;
  struct mpl_part *part = &w->parts[number];
  MPL_EACH_PHI(i, w->cfg->blocks[part->meet])
  *mpl_map_at(&f->blends, i, (uintptr_t)number, true) =
      (uintptr_t)mpl_handed_over(w, i, false, number);
  LLVMBuildBr(w->b, w->blocks[part->meet]);
  part->at = LLVMGetInsertBlock(w->b);
}

static bool is_function(LLVMValueRef i) {
  return LLVMIsACallInst(i) && mpl_ir_is_pure_call(i) && !LLVMGetIntrinsicID(LLVMGetCalledValue(i));
}

/* The branch that leads there says so, as by __builtin_expect(). */
static bool is_rare(struct mpl_widen *w, unsigned block) {
  enum { OFTEN = 64, MOST = 4 }; /* a name or two, and the weight of each side */
  LLVMValueRef parts[MOST];
  if (w->cfg->preds[block].count != 1) return false;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->cfg->blocks[w->cfg->preds[block].to[0]]);
  LLVMValueRef said = LLVMGetMetadata(
      end, LLVMGetMDKindIDInContext(w->ir->context, "prof", sizeof "prof" - 1));
  unsigned count = said ? (unsigned)LLVMGetMDNodeNumOperands(said) : 0;
  if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) || count < 3 || count > MOST) return false;
  LLVMGetMDNodeOperands(said, parts);
  bool second = LLVMGetSuccessor(end, 1) == w->cfg->blocks[block];
  uint64_t own = LLVMConstIntGetZExtValue(parts[count - 2 + second]);
  return LLVMConstIntGetZExtValue(parts[count - 1 - second]) / OFTEN > own;
}

/* What takes long is passed by where no lane is, and what is rare. */
static bool takes_long(struct mpl_widen *w, unsigned block) {
  enum { LONG = 12, ACCESS = 4 };
  unsigned time = 0;
  MPL_EACH_INSTRUCTION(i, w->cfg->blocks[block])
  time += is_function(i) ? LONG : mpl_accessed_place(i) ? ACCESS : 1;
  return time >= LONG;
}

static LLVMBasicBlockRef enter_if_any(struct mpl_widen *w, LLVMValueRef mask, bool rare,
                                      LLVMBasicBlockRef *past) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(w->b), some;
  some = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "some");
  *past = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "past");
  LLVMValueRef branch = LLVMBuildCondBr(w->b, mpl_any_lane(w, mask), some, *past);
  if (rare) mpl_set_weights(w->ir, branch, 1, 1000);
  LLVMPositionBuilderAtEnd(w->b, some);
  return before;
}

static LLVMValueRef known_past(struct mpl_widen *w, LLVMValueRef value, LLVMBasicBlockRef some,
                               LLVMValueRef none, LLVMBasicBlockRef before) {
  LLVMValueRef phi = LLVMBuildPhi(w->b, LLVMTypeOf(value), "");
  LLVMAddIncoming(phi, &value, &some, 1);
  LLVMAddIncoming(phi, &none, &before, 1);
  return phi;
}

/* By its own block's phis too, of the next iteration. */
static bool is_used_elsewhere(LLVMValueRef value) {
  LLVMBasicBlockRef own = LLVMGetInstructionParent(value);
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAPHINode(user) || LLVMGetInstructionParent(user) != own) return true;
    if (mpl_is_place(user) && is_used_elsewhere(user)) return true;
  }
  return false;
}

/* What is used elsewhere, or goes into it: lane 0's value may be computed again there, from values
 * that are here (mpl_scalar), and an index that an access tests may be one of them (guess.c).  And
 * by what all of them leave a loop together. */
static struct mpl_map find_wanted(struct mpl_widen *w, unsigned number) {
  struct mpl_map wanted = {0};
  LLVMBasicBlockRef block = w->cfg->blocks[number];
  for (int l = w->inner[number]; l >= 0; l = w->loops[l].parent)
    if (mpl_left_together_at(w, &w->loops[l]) == (int)number ||
        mpl_counted_at(w, &w->loops[l]) == (int)number)
      mpl_map_set(&wanted, LLVMGetCondition(LLVMGetBasicBlockTerminator(block)), 1);
  for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i)) {
    bool is = is_used_elsewhere(i) || mpl_map_has(&wanted, i);
    for (LLVMUseRef use = LLVMGetFirstUse(i); use && !is; use = LLVMGetNextUse(use))
      is = mpl_map_has(&wanted, LLVMGetUser(use));
    if (is) mpl_map_set(&wanted, i, 1);
  }
  return wanted;
}

static bool may_be_place(LLVMValueRef value) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind;
}

/* Behind such a block: no lane looks at its values where none was in it.  What all share is 0,
 * since something may be computed from it for no lane. */
static void go_past(struct mpl_widen *w, unsigned block, LLVMBasicBlockRef before,
                    LLVMBasicBlockRef past) {
  LLVMBasicBlockRef some = LLVMGetInsertBlock(w->b);
  LLVMBuildBr(w->b, past);
  LLVMPositionBuilderAtEnd(w->b, past);
  struct mpl_map wanted = find_wanted(w, block);
  MPL_EACH_INSTRUCTION(i, w->cfg->blocks[block]) {
    if (LLVMIsAPHINode(i) || !mpl_map_has(&wanted, i)) continue;
    bool vectors = is_used_elsewhere(i) || may_be_place(i);
    for (int vector = 0; vector <= vectors; vector++) {
      LLVMValueRef value = (LLVMValueRef)mpl_map_get(vector ? &w->vectors : &w->scalars, i, 0);
      if (!value) continue;
      LLVMTypeRef type = LLVMTypeOf(value);
      LLVMValueRef none = vector ? mpl_of_none(type) : LLVMConstNull(type);
      mpl_set_value(w, i, known_past(w, value, some, none, before), vector);
    }
  }
  mpl_map_free(&wanted);
  for (unsigned s = 0; s < w->cfg->succs[block].count; s++) {
    uintptr_t *edge =
        mpl_map_at(&w->edges, w->cfg->blocks[block], w->cfg->succs[block].to[s] + 1, false);
    if (!edge) continue;
    LLVMValueRef mask = (LLVMValueRef)*edge;
    bool again = LLVMIsAPHINode(mask) && LLVMGetInstructionParent(mask) == past;
    if (again) continue; /* two cases of a switch */
    *edge = (uintptr_t)known_past(w, mask, some, LLVMConstNull(LLVMTypeOf(mask)), before);
  }
}

static void widen_diverged(struct flow *f, unsigned block) {
  struct mpl_widen *w = f->w;
  struct mpl_part *part = &w->parts[w->part_of[block]];
  LLVMValueRef mask = NULL;
  LLVMPositionBuilderAtEnd(w->b, part->at);
  LLVMSetCurrentDebugLocation2(w->b, NULL);
  for (unsigned p = 0; p < w->cfg->preds[block].count; p++) {
    unsigned from = w->cfg->preds[block].to[p];
    LLVMValueRef edge = from < block ? mpl_edge_mask(w, from, block) : NULL;
    if (edge) mask = mask ? LLVMBuildOr(w->b, mask, edge, "") : edge;
  }
  int l = w->inner[block];
  bool any = !mask || mask == w->all; /* and some stay where a loop goes on */
  if (l >= 0 && w->loops[l].header == block) {
    if (!w->all && mpl_may_take_whole_turns(w, (unsigned)l))
      mpl_take_whole_turns(w, &f->masked[l], (unsigned)l, mask);
    mpl_open_loop(w, &f->masked[l], (unsigned)l, mask);
    mask = w->loops[l].active;
  } else {
    MPL_EACH_PHI(i, w->cfg->blocks[block])
    mpl_set_value(w, i, mpl_handed_over(w, i, false, -1), mpl_is_vector(w, i));
  }
  LLVMBasicBlockRef past, before = NULL;
  bool rare = is_rare(w, block);
  if (!any && (rare || takes_long(w, block))) before = enter_if_any(w, mask, rare, &past);
  w->mask = w->masks[block] = mask;
  mpl_widen_block(w, block);
  mpl_mask_edges(w, block, mask);
  w->mask = NULL;
  if (before) go_past(w, block, before, past);
  for (; l >= 0 && w->loops[l].last == block; l = w->loops[l].parent)
    if (w->loops[l].masked) mpl_close_loop(w, &f->masked[l], (unsigned)l);
  if (part->last == block)
    end_part(f, w->part_of[block]);
  else
    part->at = LLVMGetInsertBlock(w->b);
}

/* The new block that an edge from a block that all reach leads to. */
static LLVMBasicBlockRef target(struct flow *f, LLVMBasicBlockRef block) {
  unsigned to = mpl_block_number(f->w, block);
  if (!f->w->in[to]) { /* where nobody comes, or nobody comes back from (dead_ends.c) */
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->w->b),
                      away = LLVMAppendBasicBlockInContext(f->w->ir->context, f->w->function,
                                                           "away");
    LLVMPositionBuilderAtEnd(f->w->b, away);
    if (mpl_is_dead_end(block))
      LLVMBuildUnreachable(f->w->b);
    else
      LLVMBuildBr(f->w->b, away);
    LLVMPositionBuilderAtEnd(f->w->b, here);
    return away;
  }
  return mpl_is_diverged(f->w, to) ? f->w->parts[f->w->part_of[to]].at : f->w->blocks[to];
}

/* A branch that all lanes take the same way, if they do; the chunk begins again if not. */
static LLVMValueRef test(struct mpl_widen *w, unsigned block, LLVMValueRef condition) {
  LLVMTypeRef type = LLVMIntTypeInContext(w->ir->context, w->width);
  LLVMValueRef one = LLVMConstInt(type, 1, false),
               bits = LLVMBuildBitCast(w->b, mpl_vector(w, condition), type, "");
  LLVMValueRef mixed =
      LLVMBuildICmp(w->b, LLVMIntUGT, LLVMBuildAdd(w->b, bits, one, ""), one, "mixed");
  begin_again_if(w, mixed);
  w->ends[block] = LLVMGetInsertBlock(w->b);
  return LLVMBuildICmp(w->b, LLVMIntNE, bits, LLVMConstNull(type), "");
}

static void leave_together(struct flow *f, unsigned block, LLVMValueRef end) {
  struct mpl_widen *w = f->w;
  unsigned count = LLVMGetNumSuccessors(end);
  for (unsigned s = 0; s < count; s++) {
    unsigned to = mpl_block_number(w, LLVMGetSuccessor(end, s));
    if (!mpl_is_diverged(w, to)) continue;
    w->parts[w->part_of[to]].at =
        LLVMAppendBasicBlockInContext(w->ir->context, w->function, "part");
    if (!mpl_edge_mask(w, block, to)) mpl_add_edge_mask(w, block, to, w->all);
  }
  if (count == 1) {
    LLVMBuildBr(w->b, target(f, LLVMGetSuccessor(end, 0)));
  } else if (LLVMIsABranchInst(end)) {
    LLVMValueRef condition = LLVMGetCondition(end);
    condition = w->tested[block] ? test(w, block, condition) : mpl_scalar(w, condition);
    LLVMBuildCondBr(w->b, condition, target(f, LLVMGetSuccessor(end, 0)),
                    target(f, LLVMGetSuccessor(end, 1)));
  } else {
    LLVMValueRef choice = LLVMBuildSwitch(w->b, mpl_scalar(w, LLVMGetOperand(end, 0)),
                                          target(f, LLVMGetSuccessor(end, 0)), count - 1);
    for (unsigned k = 1; k < count; k++)
      LLVMAddCase(choice, LLVMGetOperand(end, 2 * k), target(f, LLVMGetSuccessor(end, k)));
  }
}

/* A branch that varies and has one place to go to, but for where nobody comes. */
static void leave_for_one(struct flow *f, LLVMValueRef end) {
  struct mpl_widen *w = f->w;
  for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
    unsigned to = mpl_block_number(w, LLVMGetSuccessor(end, s));
    if (!w->in[to]) continue;
    LLVMBuildBr(w->b, w->blocks[to]);
    return;
  }
}

static void widen_together(struct flow *f, unsigned block) {
  struct mpl_widen *w = f->w;
  LLVMPositionBuilderAtEnd(w->b, w->blocks[block]);
  MPL_EACH_PHI(i, w->cfg->blocks[block]) {
    if (i == w->counter) continue; /* the chunks' */
    bool vector = mpl_is_vector(w, i);
    LLVMTypeRef type = LLVMTypeOf(i);
    mpl_set_value(w, i, LLVMBuildPhi(w->b, vector ? mpl_vector_type(w, type) : type, ""), vector);
  }
  w->mask = w->masks[block] = w->all;
  mpl_widen_block(w, block);
  w->mask = NULL;
  LLVMSetCurrentDebugLocation2(w->b, NULL);
  w->ends[block] = LLVMGetInsertBlock(w->b);
  if (block == w->latch) return;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->cfg->blocks[block]);
  unsigned count = LLVMGetNumSuccessors(end);
  int behind = mpl_part_behind(w, block);
  if (behind < 0 && count > 1 && !w->tested[block] &&
      mpl_stride_at(w, LLVMGetOperand(end, 0), block)) {
    leave_for_one(f, end);
    return;
  }
  if (behind < 0) {
    leave_together(f, block, end);
    return;
  }
  mpl_mask_edges(w, block, w->all);
  w->parts[behind].at = w->ends[block];
}

static LLVMValueRef incoming_from(LLVMValueRef phi, LLVMBasicBlockRef from) {
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
    if (LLVMGetIncomingBlock(phi, k) == from) return LLVMGetIncomingValue(phi, k);
  return NULL;
}

/* Phis of blocks that all reach: from such blocks, and from parts that end there. */
static void fill_phis(struct flow *f, unsigned block) {
  struct mpl_widen *w = f->w;
  MPL_EACH_PHI(i, w->cfg->blocks[block]) {
    if (i == w->counter) continue;
    bool vector = mpl_is_vector(w, i);
    LLVMValueRef phi = (LLVMValueRef)mpl_map_get(vector ? &w->vectors : &w->scalars, i, 0);
    for (unsigned p = 0; p < w->num_parts; p++) {
      uintptr_t *blended = mpl_map_at(&f->blends, i, p, false);
      if (blended) LLVMAddIncoming(phi, (LLVMValueRef *)blended, &w->parts[p].at, 1);
    }
    for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
      unsigned from = mpl_block_number(w, LLVMGetIncomingBlock(i, k));
      LLVMValueRef end = w->in[from] && w->ends[from] ? LLVMGetBasicBlockTerminator(w->ends[from])
                                                      : NULL,
                   value;
      bool direct = false;
      for (unsigned s = 0; end && s < LLVMGetNumSuccessors(end); s++)
        direct |= LLVMGetSuccessor(end, s) == w->blocks[block];
      if (mpl_is_diverged(w, from) || !direct || mpl_edge_mask(w, from, block)) continue;
      LLVMPositionBuilderBefore(w->b, end);
      if ((value = incoming_from(phi, w->ends[from]))) {
        LLVMAddIncoming(phi, &value, &w->ends[from], 1); /* a second edge of a switch */
        continue;
      }
      value = vector ? mpl_vector(w, LLVMGetIncomingValue(i, k))
                     : mpl_scalar(w, LLVMGetIncomingValue(i, k));
      LLVMAddIncoming(phi, &value, &w->ends[from], 1);
    }
  }
}

void mpl_widen_flow(struct mpl_widen *w) {
  struct flow f = {.w = w};
  f.masked = mpl_allocate(w->num_loops + 1, sizeof *f.masked);
  for (unsigned b = w->first; b <= w->last; b++)
    if (w->in[b] && !w->diverged[b])
      w->blocks[b] = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "wide");
  mpl_map_set(&w->scalars, w->counter, 0);
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    if (b == w->first) {
      LLVMPositionBuilderAtEnd(w->b, w->blocks[b]);
      mpl_set_value(w, w->counter, LLVMBuildPhi(w->b, LLVMTypeOf(w->counter), "chunk"), false);
    }
    (w->diverged[b] ? widen_diverged : widen_together)(&f, b);
  }
  for (unsigned b = w->first; b <= w->last; b++)
    if (w->in[b] && !w->diverged[b]) fill_phis(&f, b);
  for (unsigned l = 0; l < w->num_loops; l++) mpl_masked_loop_free(&f.masked[l]);
  free(f.masked);
  mpl_map_free(&f.blends);
}
