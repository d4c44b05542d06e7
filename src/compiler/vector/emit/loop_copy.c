/* One copy of a work-item loop: its chunks one after another, and the values that it hands on. */
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
  LLVMValueRef scalar = mpl_made(e, value, false);
  if (scalar) return scalar;
  LLVMPositionBuilderAtEnd(e->b, e->copies[e->items->latch].end);
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
  LLVMBasicBlockRef first = e->copies[items->header].begin;
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
  copy->last = e->copies[items->latch].end;
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

/* Where instructions are counted: the same number, of which LLVM knows nothing.  It would compute what is made
 * of it in front of loops around, for work-groups too of which nothing is left behind whole chunks. */
static LLVMValueRef known_here(struct mpl_emit *e, LLVMValueRef number) {
  return e->ir->target->counted && !LLVMIsAConstant(number) ? mpl_hidden(e, number) : number;
}

/* The lanes of the chunk that begins with work-item `first`, of which there is one: `most` of them.
 * LLVM would try to prove that the difference does not wrap, in each loop and more than once. */
static LLVMValueRef lanes_from(struct mpl_emit *e, LLVMValueRef first, LLVMValueRef most) {
  LLVMTypeRef type = e->ir->target->counted ? e->ir->i8 : e->ir->i32;
  LLVMValueRef left = LLVMBuildNUWSub(e->b, e->items->count, first, "");
  LLVMSetNSW(left, true);
  LLVMValueRef less = LLVMBuildICmp(e->b, LLVMIntULT, left, most, "");
  left = LLVMBuildTrunc(e->b, LLVMBuildSelect(e->b, less, left, most, ""), type, "");
  return LLVMBuildICmp(e->b, LLVMIntULT, mpl_steps(e, type, 1), mpl_splat(e, left), "here");
}

/* In front of its chunks. */
static void begin(struct mpl_emit *e, struct mpl_loop_copy *copy) {
  copy->before = mpl_new_block(e, "before");
  LLVMPositionBuilderAtEnd(e->b, copy->before);
  e->start = copy->start;
  if (!e->start) {
    copy->start = LLVMBuildPhi(e->b, LLVMTypeOf(e->items->count), "first");
    e->start = known_here(e, copy->start);
  }
  e->all = mpl_is_masked(copy->is) ? lanes_from(e, e->start, copy->most) : NULL;
}

void mpl_make_copy(struct mpl_emit *e, struct mpl_loop_copy *copy) {
  const struct mpl_copy *is = copy->is;
  bool told = e->told;
  mpl_emit_by(e, is->recipes.lanes);
  e->recipes = &is->recipes;
  e->told |= is->quiet;
  begin(e, copy);
  e->before = is->chunks > 1 ? copy->before : NULL;
  e->top = NULL;
  for (e->chunk = 0; e->chunk < is->chunks; e->chunk++) {
    make_chunk(e, copy);
    e->top = copy->first;
  }
  mpl_close_counted(e, copy->last, is->chunks);
  LLVMPositionBuilderAtEnd(e->b, copy->before);
  LLVMBuildBr(e->b, copy->first);
  LLVMAddIncoming(copy->counter, &e->start, &copy->before, 1);
  e->chunk = 0;
  e->before = NULL;
  e->all = NULL;
  e->recipes = NULL;
  e->told = told;
}

/* LLVM takes the old loop away where nothing is asked. */
LLVMBasicBlockRef mpl_enter_copies(struct mpl_emit *e, LLVMBasicBlockRef enter, LLVMBasicBlockRef go,
                                   LLVMValueRef condition) {
  const struct mpl_item_loop *items = e->items;
  LLVMBasicBlockRef header = items->cfg->blocks[items->header], old = mpl_new_block(e, "old"),
                    before = mpl_block_before(items->counter, items->cfg->blocks[items->latch]);
  LLVMPositionBuilderAtEnd(e->b, enter);
  if (condition)
    LLVMBuildCondBr(e->b, condition, go, old);
  else
    LLVMBuildBr(e->b, go);
  LLVMPositionBuilderAtEnd(e->b, old);
  LLVMBuildBr(e->b, header);
  mpl_put_in_front(header, before, enter, old);
  return old;
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
