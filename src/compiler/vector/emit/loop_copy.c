/* One copy of a work-item loop: its chunks one after another, and the values that it hands on. */
#include "compiler/analysis/attributes.h"
#include "loop_copy.h"

/* Values that all lanes share and something behind the loop asks for. */
static bool is_used_behind(const struct mpl_item_loop *items, LLVMValueRef value) {
  MPL_EACH_USER(user, value) {
    unsigned at = mpl_cfg_block_of(items->cfg, user);
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
static void make_chunk(struct mpl_emit *e, struct mpl_loop_copy *copy) {
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
  MPL_EACH_ITEM_INSTRUCTION(i, items) {
    if (!is_used_behind(e->items, i)) continue;
    LLVMValueRef value = any_value(e, i);
    if (items->sub_group)
      mpl_map_set(&copy->scalars, i, (uintptr_t)value);
    else
      LLVMBuildStore(e->b, value, handed_place(e, i));
  }
  mpl_map_free(&e->edges);
  mpl_map_free(&e->scalars);
  mpl_map_free(&e->vectors);
  mpl_map_free(&e->starts);
}

/* For the work-items from `start` on. */
void mpl_make_copy(struct mpl_emit *e, struct mpl_loop_copy *copy, unsigned chunks, LLVMValueRef start) {
  struct mpl_recipes recipes;
  mpl_recipes_find(&recipes, e->lanes, e->all ? MPL_MASKS_ALWAYS : MPL_MASKS_DIVERGED);
  mpl_dump_copy(&recipes, e->all ? "what is left" : chunks > 1 ? "several chunks" : "whole chunks");
  e->recipes = &recipes;
  *copy = (struct mpl_loop_copy){.chunks = chunks};
  copy->before = mpl_new_block(e, "before");
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

/* What is behind the loop gets such a value from the chunk that was last. */
void mpl_hand_on(struct mpl_emit *e, LLVMBasicBlockRef post, LLVMBasicBlockRef fold) {
  const struct mpl_item_loop *items = e->items;
  MPL_EACH_ITEM_INSTRUCTION(i, items) {
    if (!mpl_map_has(&e->handed, i)) continue;
    LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(fold));
    LLVMValueRef new = LLVMBuildLoad2(e->b, LLVMTypeOf(i), handed_place(e, i), "");
    mpl_meet_behind(e, post, items->cfg->blocks[items->latch], i, new, fold);
  }
}

/* Where instructions are counted: the same number, of which LLVM knows nothing.  It would compute what is made
 * of it in front of loops around, for work-groups too of which nothing is left behind whole chunks. */
LLVMValueRef mpl_known_here(struct mpl_emit *e, LLVMValueRef number) {
  return e->ir->target->counted && !LLVMIsAConstant(number) ? mpl_hidden(e, number) : number;
}

/* The lanes of the chunk that begins with work-item `first`, of which there is one: `most` of them.
 * LLVM would try to prove that the difference does not wrap, in each loop and more than once. */
LLVMValueRef mpl_lanes_from(struct mpl_emit *e, LLVMValueRef first, LLVMValueRef most) {
  LLVMTypeRef type = e->ir->target->counted ? e->ir->i8 : e->ir->i32;
  LLVMValueRef each[256], left = LLVMBuildNUWSub(e->b, e->items->count, first, "");
  LLVMSetNSW(left, true);
  for (unsigned k = 0; k < e->width; k++) each[k] = LLVMConstInt(type, k, false);
  LLVMValueRef less = LLVMBuildICmp(e->b, LLVMIntULT, left, most, "");
  left = LLVMBuildTrunc(e->b, LLVMBuildSelect(e->b, less, left, most, ""), type, "");
  return LLVMBuildICmp(e->b, LLVMIntULT, LLVMConstVector(each, e->width), mpl_splat(e, left),
                       "here");
}
