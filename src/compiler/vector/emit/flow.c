/* Control flow: blocks that all lanes reach together keep their branches.  The others are put one
 * behind the other, in the order of blocks, under the mask of the lanes that are there; a loop that
 * lanes leave at different iterations goes on until none is left in it. */
#include "compiler/expand/expand.h"
#include "flow.h"

/* The chunk begins again in another way, or goes on; in front of anything that it changes. */
static void begin_again_if(struct mpl_emit *e, LLVMValueRef fails) {
  LLVMBasicBlockRef on = mpl_new_block(e, "alike");
  LLVMBuildCondBr(e->b, fails, e->mixed, on);
  LLVMPositionBuilderAtEnd(e->b, on);
}

void mpl_widen_block(struct mpl_emit *e, unsigned block) {
  MPL_EACH_INSTRUCTION(i, e->items->cfg->blocks[block])
  if (!LLVMIsAPHINode(i) && !LLVMIsATerminatorInst(i)) {
    mpl_widen_instruction(e, i);
    mpl_tell_instruction(e, i);
    if (mpl_is_bound(e->lanes, i)) begin_again_if(e, mpl_bound_fails(e, i));
  }
}

/* The part ends: what it hands to phis where its lanes meet. */
static void end_part(struct mpl_emit *e, int number) {
  const struct mpl_part *part = &e->lanes->parts[number];
  MPL_EACH_PHI(i, e->items->cfg->blocks[part->meet])
  *mpl_map_at(&e->blends, i, (uintptr_t)number, true) =
      (uintptr_t)mpl_handed_over(e, i, false, number);
  LLVMBuildBr(e->b, e->copies[part->meet].begin);
  e->part_ends[number] = LLVMGetInsertBlock(e->b);
}

/* Behind a block that is passed by: no lane looks at its values where none was in it.  What all share
 * is 0, since something may be computed from it for no lane. */
static void go_past(struct mpl_emit *e, unsigned block, struct mpl_versions *some) {
  const struct mpl_item_loop *items = e->items;
  mpl_end_versions(e, some);
  MPL_EACH_INSTRUCTION(i, items->cfg->blocks[block]) {
    if (LLVMIsAPHINode(i) || LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind) continue;
    for (int vector = 0; vector < 2; vector++) {
      LLVMValueRef value = mpl_made(e, i, vector);
      if (!value) continue;
      LLVMTypeRef type = LLVMTypeOf(value);
      LLVMValueRef none = vector ? mpl_of_none(type) : LLVMConstNull(type),
                   past = mpl_of_two(e, some, value, none);
      mpl_set_value(e, i, past, vector);
      MPL_APPEND(e->past, e->num_past) = past;
    }
  }
  MPL_EACH_EDGE(to, &items->cfg->succs[block]) {
    LLVMValueRef mask = mpl_edge_mask(e, block, to), past;
    if (!mask || (LLVMIsAPHINode(mask) && LLVMGetInstructionParent(mask) == some->after))
      continue; /* or the second of two cases of a switch */
    past = mpl_of_two(e, some, mask, LLVMConstNull(LLVMTypeOf(mask)));
    mpl_set_edge_mask(e, block, to, past);
  }
}

static void widen_diverged(struct mpl_emit *e, unsigned block) {
  const struct mpl_item_loop *items = e->items;
  int number = e->lanes->blocks[block].part;
  LLVMBasicBlockRef *at = &e->part_ends[number];
  LLVMValueRef mask = NULL;
  LLVMPositionBuilderAtEnd(e->b, *at);
  LLVMSetCurrentDebugLocation2(e->b, NULL);
  MPL_EACH_EDGE(from, &items->cfg->preds[block]) {
    LLVMValueRef edge = from < block ? mpl_edge_mask(e, from, block) : NULL;
    if (edge) mask = mask ? LLVMBuildOr(e->b, mask, edge, "") : edge;
  }
  int l = items->inner[block];
  if (l >= 0 && items->loops[l].header == block) {
    if (e->recipes->flow.full_turns[l]) mpl_take_whole_turns(e, (unsigned)l, mask);
    mpl_open_loop(e, (unsigned)l, mask);
    mask = e->masked[l].active;
  } else {
    MPL_EACH_PHI(i, items->cfg->blocks[block])
    mpl_set_value(e, i, mpl_handed_over(e, i, false, -1), mpl_varies(e->lanes, i));
  }
  struct mpl_versions some;
  enum mpl_pass pass = e->recipes->flow.pass[block];
  if (pass) {
    LLVMValueRef branch = mpl_begin_versions(e, &some, mpl_any_lane(e, mask), "some", NULL, "past");
    if (pass == MPL_PASS_RARE) mpl_set_weights(e->ir, branch, 1, 1000);
  }
  e->mask = e->copies[block].mask = mask;
  mpl_widen_block(e, block);
  mpl_mask_edges(e, block, mask);
  e->mask = NULL;
  if (pass) go_past(e, block, &some);
  for (; l >= 0 && items->loops[l].last == block; l = items->loops[l].parent)
    if (e->lanes->loops[l].masked) mpl_close_loop(e, (unsigned)l);
  if (e->lanes->parts[number].last == block)
    end_part(e, number);
  else
    *at = LLVMGetInsertBlock(e->b);
}

/* The new block that an edge from a block that all reach leads to. */
static LLVMBasicBlockRef target(struct mpl_emit *e, unsigned to) {
  if (!e->items->in[to]) { /* where nobody comes, or nobody comes back from (dead_ends.c) */
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b),
                      away = mpl_new_block(e, "away");
    LLVMPositionBuilderAtEnd(e->b, away);
    if (mpl_is_dead_end(e->items->cfg->blocks[to]))
      LLVMBuildUnreachable(e->b);
    else
      LLVMBuildBr(e->b, away);
    LLVMPositionBuilderAtEnd(e->b, here);
    return away;
  }
  return mpl_is_diverged(e->lanes, to) ? e->part_ends[e->lanes->blocks[to].part] : e->copies[to].begin;
}

/* A branch that all lanes take the same way, if they do; the chunk begins again if not. */
static LLVMValueRef test(struct mpl_emit *e, unsigned block, LLVMValueRef condition) {
  LLVMValueRef bits = mpl_mask_bits(e, mpl_vector(e, condition));
  LLVMTypeRef type = LLVMTypeOf(bits);
  LLVMValueRef one = LLVMConstInt(type, 1, false);
  LLVMValueRef mixed =
      LLVMBuildICmp(e->b, LLVMIntUGT, LLVMBuildAdd(e->b, bits, one, ""), one, "mixed");
  begin_again_if(e, mixed);
  e->copies[block].end = LLVMGetInsertBlock(e->b);
  return LLVMBuildICmp(e->b, LLVMIntNE, bits, LLVMConstNull(type), "");
}

static void leave_together(struct mpl_emit *e, unsigned block, LLVMValueRef end) {
  const struct mpl_edges *succs = &e->items->cfg->succs[block];
  MPL_EACH_EDGE(to, succs) {
    if (!mpl_is_diverged(e->lanes, to)) continue;
    e->part_ends[e->lanes->blocks[to].part] = mpl_new_block(e, "part");
    if (!mpl_edge_mask(e, block, to)) mpl_add_edge_mask(e, block, to, e->all);
  }
  if (succs->count == 1) {
    LLVMBuildBr(e->b, target(e, succs->to[0]));
  } else if (LLVMIsABranchInst(end)) {
    LLVMValueRef condition = LLVMGetCondition(end);
    condition = e->lanes->blocks[block].tested ? test(e, block, condition) : mpl_scalar(e, condition);
    LLVMBasicBlockRef first = target(e, succs->to[0]);
    LLVMBuildCondBr(e->b, condition, first, target(e, succs->to[1]));
  } else {
    LLVMValueRef condition = mpl_scalar(e, LLVMGetOperand(end, 0));
    LLVMBasicBlockRef otherwise = target(e, succs->to[0]);
    LLVMValueRef choice = LLVMBuildSwitch(e->b, condition, otherwise, succs->count - 1);
    for (unsigned k = 1; k < succs->count; k++)
      LLVMAddCase(choice, LLVMGetOperand(end, 2 * k), target(e, succs->to[k]));
  }
}

/* A branch that varies and has one place to go to, but for where nobody comes. */
static void leave_for_one(struct mpl_emit *e, unsigned block) {
  MPL_EACH_EDGE(to, &e->items->cfg->succs[block]) {
    if (!e->items->in[to]) continue;
    LLVMBuildBr(e->b, e->copies[to].begin);
    return;
  }
}

static void widen_together(struct mpl_emit *e, unsigned block) {
  const struct mpl_item_loop *items = e->items;
  LLVMPositionBuilderAtEnd(e->b, e->copies[block].begin);
  MPL_EACH_PHI(i, items->cfg->blocks[block]) {
    if (i == items->counter) continue; /* the chunks' */
    bool vector = mpl_varies(e->lanes, i);
    LLVMTypeRef type = LLVMTypeOf(i);
    mpl_set_value(e, i, LLVMBuildPhi(e->b, vector ? mpl_vector_type(e, type) : type, ""), vector);
  }
  e->mask = e->copies[block].mask = e->all;
  mpl_widen_block(e, block);
  e->mask = NULL;
  LLVMSetCurrentDebugLocation2(e->b, NULL);
  e->copies[block].end = LLVMGetInsertBlock(e->b);
  if (block == items->latch) return;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(items->cfg->blocks[block]);
  int behind = mpl_part_behind(e->lanes, block);
  if (behind < 0) {
    if (!e->lanes->blocks[block].tested && mpl_branch_varies(e->lanes, block))
      leave_for_one(e, block);
    else
      leave_together(e, block, end);
    return;
  }
  mpl_mask_edges(e, block, e->all);
  e->part_ends[behind] = e->copies[block].end;
}

/* Phis of blocks that all reach: from such blocks, and from parts that end there. */
static void fill_phis(struct mpl_emit *e, unsigned block) {
  const struct mpl_item_loop *items = e->items;
  MPL_EACH_PHI(i, items->cfg->blocks[block]) {
    if (i == items->counter) continue;
    bool vector = mpl_varies(e->lanes, i);
    LLVMValueRef phi = mpl_made(e, i, vector);
    for (unsigned p = 0; p < e->lanes->num_parts; p++) {
      uintptr_t *blended = mpl_map_at(&e->blends, i, p, false);
      if (blended) LLVMAddIncoming(phi, (LLVMValueRef *)blended, &e->part_ends[p], 1);
    }
    for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
      unsigned from = mpl_block_number(e->items, LLVMGetIncomingBlock(i, k));
      LLVMValueRef end = items->in[from] && e->copies[from].end
                             ? LLVMGetBasicBlockTerminator(e->copies[from].end)
                             : NULL,
                   value;
      bool direct = false;
      for (unsigned s = 0; end && s < LLVMGetNumSuccessors(end); s++)
        direct |= LLVMGetSuccessor(end, s) == e->copies[block].begin;
      if (mpl_is_diverged(e->lanes, from) || !direct || mpl_edge_mask(e, from, block)) continue;
      LLVMPositionBuilderBefore(e->b, end);
      if ((value = mpl_incoming_from(phi, e->copies[from].end))) {
        LLVMAddIncoming(phi, &value, &e->copies[from].end, 1); /* a second edge of a switch */
        continue;
      }
      value = mpl_value(e, LLVMGetIncomingValue(i, k), vector);
      LLVMAddIncoming(phi, &value, &e->copies[from].end, 1);
    }
  }
}

void mpl_chunk_free(struct mpl_emit *e) {
  for (unsigned l = 0; l < e->items->num_loops; l++) mpl_masked_loop_free(&e->masked[l]);
  mpl_map_free(&e->blends);
}

static void begin_flow(struct mpl_emit *e) {
  const struct mpl_item_loop *items = e->items;
  mpl_chunk_free(e);
  for (unsigned l = 0; l < items->num_loops; l++) e->masked[l] = (struct mpl_masked_loop){0};
  for (unsigned b = 0; b < items->cfg->count; b++) {
    bool all = items->in[b] && !e->lanes->blocks[b].diverged;
    e->copies[b] = (struct mpl_block_copy){.begin = all ? mpl_new_block(e, "wide") : NULL};
  }
}

void mpl_widen_flow(struct mpl_emit *e) {
  const struct mpl_item_loop *items = e->items;
  begin_flow(e);
  mpl_map_set(&e->scalars, items->counter, 0);
  LLVMPositionBuilderAtEnd(e->b, e->copies[items->first].begin);
  mpl_set_value(e, items->counter, LLVMBuildPhi(e->b, LLVMTypeOf(items->counter), "chunk"), false);
  MPL_EACH_ITEM_BLOCK(b, items) (e->lanes->blocks[b].diverged ? widen_diverged : widen_together)(e, b);
  MPL_EACH_ITEM_BLOCK(b, items)
  if (!e->lanes->blocks[b].diverged) fill_phis(e, b);
}
