/* The copies of a loop for short rows, which plan/short_rows.c decides on. */
#include <llvm-c/DebugInfo.h>

#include "values.h"
#include "versions.h"

/* The blocks and values around the loop, and what its copy has in their place. */
struct rows {
  struct mpl_emit *e;
  struct mpl_rows_around around;
  struct mpl_map values, blocks; /* of the body -> of its copy */
};

/* --- the copy --- */

static LLVMValueRef value_of(struct rows *r, LLVMValueRef value) {
  uintptr_t *at = mpl_map_at(&r->values, value, 0, false);
  return at ? (LLVMValueRef)*at : value;
}

/* A private array is each copy's own; the splitter's slots, and what all share, are not. */
static void copy_array(struct rows *r, LLVMValueRef alloca) {
  if (!alloca || mpl_is_shared_place(r->e->ir, alloca) || mpl_map_has(&r->values, alloca)) return;
  LLVMValueRef copy = LLVMInstructionClone(alloca);
  LLVMPositionBuilderBefore(r->e->b, alloca);
  LLVMInsertIntoBuilder(r->e->b, copy);
  mpl_map_set(&r->values, alloca, (uintptr_t)copy);
}

static LLVMBasicBlockRef copy_of(struct rows *r, LLVMBasicBlockRef block) {
  return (LLVMBasicBlockRef)mpl_map_get(&r->blocks, block, 0);
}

static void copy_block(struct rows *r, LLVMBasicBlockRef block) {
  struct mpl_emit *e = r->e;
  LLVMBasicBlockRef copy = mpl_new_block(e, "rows");
  mpl_map_set(&r->blocks, block, (uintptr_t)copy);
  MPL_EACH_INSTRUCTION(i, block) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
      copy_array(r, LLVMIsAAllocaInst(LLVMGetOperand(i, k)));
    if (mpl_map_has(&r->values, i)) continue; /* an id */
    LLVMValueRef new = LLVMInstructionClone(i);
    LLVMPositionBuilderAtEnd(e->b, copy);
    LLVMInsertIntoBuilder(e->b, new);
    mpl_map_set(&r->values, i, (uintptr_t) new);
  }
}

static void rename_operands(struct rows *r, LLVMBasicBlockRef block) {
  MPL_EACH_INSTRUCTION(i, copy_of(r, block)) {
    unsigned succs = LLVMIsATerminatorInst(i) ? LLVMGetNumSuccessors(i) : 0;
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
      if (!LLVMValueIsBasicBlock(LLVMGetOperand(i, k)))
        LLVMSetOperand(i, k, value_of(r, LLVMGetOperand(i, k)));
    for (unsigned s = 0; s < succs; s++) {
      uintptr_t *to = mpl_map_at(&r->blocks, LLVMGetSuccessor(i, s), 0, false);
      if (to) LLVMSetSuccessor(i, s, (LLVMBasicBlockRef)*to);
    }
  }
  for (unsigned p = 0; p < r->e->items->cfg->count; p++) {
    LLVMBasicBlockRef from = r->e->items->cfg->blocks[p];
    uintptr_t *now = mpl_map_at(&r->blocks, from, 0, false);
    if (now) mpl_ir_replace_incoming(copy_of(r, block), from, (LLVMBasicBlockRef)*now);
  }
}

static LLVMValueRef short_number(struct mpl_emit *e, LLVMValueRef value) {
  return LLVMBuildTrunc(e->b, value, e->ir->i32, "");
}

/* The ids of the work-item with the linear one `linear`: both have less than 32 bits.  Rows of
 * `lanes` work-items, a power of two, need no division. */
static void compute_ids(struct rows *r, LLVMValueRef linear, unsigned lanes) {
  struct mpl_emit *e = r->e;
  LLVMValueRef id = short_number(e, linear), size = short_number(e, e->items->count),
               size_first = short_number(e, r->around.size_first);
  if (lanes) size = LLVMConstInt(e->ir->i32, lanes, false);
  LLVMValueRef row = LLVMBuildUDiv(e->b, id, size, "");
  const LLVMValueRef ids[][2] = {{e->items->counter, LLVMBuildURem(e->b, id, size, "")},
                                 {r->around.first, LLVMBuildURem(e->b, row, size_first, "")},
                                 {r->around.second, LLVMBuildUDiv(e->b, row, size_first, "")}};
  for (unsigned k = 0; k < 3; k++)
    mpl_map_set(&r->values, ids[k][0], (uintptr_t)LLVMBuildZExt(e->b, ids[k][1], e->ir->i64, ""));
  MPL_EACH_USER(user, r->around.begin)
  mpl_map_set(&r->values, user, (uintptr_t)linear); /* plus the counter */
}

/* What is behind the loops gets values from the one that ran, which the copy leaves at `end`. */
static void meet_behind(struct rows *r, LLVMBasicBlockRef end) {
  MPL_EACH_ITEM_INSTRUCTION(i, r->e->items)
  mpl_meet_behind(r->e, r->around.post, r->around.row_latch, i, value_of(r, i), end);
}

/* from pre: the copy, if `condition` and there are several rows; else on to the rows. */
static void choose(struct rows *r, LLVMBasicBlockRef which, LLVMBasicBlockRef copy,
                   LLVMValueRef condition) {
  struct mpl_emit *e = r->e;
  LLVMValueRef several =
      LLVMBuildICmp(e->b, LLVMIntUGT, r->around.count, mpl_const64(e->ir, 1), "");
  LLVMBuildCondBr(e->b, LLVMBuildAnd(e->b, condition, several, ""), copy, r->around.row);
  mpl_put_in_front(r->around.row, r->around.pre, which, which);
  r->around.pre = which; /* of the next copy */
}

/* The loop over all work-items, entered at `enter`; left for what is behind the rows. */
static LLVMValueRef build(struct rows *r, LLVMBasicBlockRef enter, unsigned lanes) {
  struct mpl_emit *e = r->e;
  LLVMBasicBlockRef top = mpl_new_block(e, "item"),
                    end = mpl_new_block(e, "short.end");
  LLVMPositionBuilderAtEnd(e->b, end);
  LLVMBuildBr(e->b, r->around.post);
  LLVMPositionBuilderAtEnd(e->b, enter);
  LLVMValueRef items = LLVMBuildNUWMul(e->b, r->around.count, e->items->count, "items"),
               zero = mpl_const64(e->ir, 0);
  mpl_go_on_in(e->b, top);
  LLVMValueRef linear = LLVMBuildPhi(e->b, e->ir->i64, "linear");
  compute_ids(r, linear, lanes);
  MPL_EACH_ITEM_BLOCK(b, e->items) copy_block(r, e->items->cfg->blocks[b]);
  MPL_EACH_ITEM_BLOCK(b, e->items) rename_operands(r, e->items->cfg->blocks[b]);
  LLVMBasicBlockRef header = copy_of(r, e->items->cfg->blocks[e->items->header]),
                    latch = copy_of(r, e->items->cfg->blocks[e->items->latch]);
  LLVMPositionBuilderAtEnd(e->b, top);
  LLVMBuildBr(e->b, header);
  LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(latch));
  LLVMPositionBuilderAtEnd(e->b, latch);
  LLVMValueRef next = LLVMBuildNUWAdd(e->b, linear, mpl_const64(e->ir, 1), ""),
               more = LLVMBuildICmp(e->b, LLVMIntULT, next, items, ""),
               branch = LLVMBuildCondBr(e->b, more, top, end);
  LLVMValueRef counts[] = {zero, next};
  LLVMBasicBlockRef from[] = {enter, latch};
  LLVMAddIncoming(linear, counts, from, 2);
  meet_behind(r, end);
  return branch;
}

static void note_strides(struct rows *r, struct mpl_pieces *copy) {
  struct mpl_emit *e = r->e;
  const LLVMValueRef ids[] = {e->items->counter, r->around.first, r->around.second};
  for (unsigned k = 0; k < 3; k++) copy->ids[k] = value_of(r, ids[k]);
  MPL_EACH_ITEM_INSTRUCTION(i, e->items) {
    int stride = mpl_stride_of(e->lanes, i);
    if (stride != MPL_ANY_STRIDE) mpl_map_set(&copy->strides, value_of(r, i), (uintptr_t)stride);
  }
}

/* The loops over rows and over one, of `length` work-items; entered at `enter`. */
static LLVMValueRef build_whole(struct rows *r, LLVMBasicBlockRef enter, LLVMValueRef length) {
  struct mpl_emit *e = r->e;
  const struct mpl_item_loop *items = e->items;
  mpl_map_set(&r->values, items->count, (uintptr_t)length);
  copy_block(r, r->around.row);
  MPL_EACH_ITEM_BLOCK(b, items) copy_block(r, items->cfg->blocks[b]);
  copy_block(r, r->around.row_latch);
  rename_operands(r, r->around.row);
  MPL_EACH_ITEM_BLOCK(b, items) rename_operands(r, items->cfg->blocks[b]);
  rename_operands(r, r->around.row_latch);
  mpl_ir_replace_incoming(copy_of(r, r->around.row), r->around.pre, enter);
  LLVMPositionBuilderAtEnd(e->b, enter);
  LLVMBuildBr(e->b, copy_of(r, r->around.row));
  meet_behind(r, copy_of(r, r->around.row_latch));
  return LLVMGetBasicBlockTerminator(copy_of(r, items->cfg->blocks[items->latch]));
}

/* The row's work-items, which are no more than a chunk, so that LLVM sees that there is no other. */
static LLVMValueRef at_most(struct mpl_emit *e, LLVMValueRef count, LLVMValueRef chunk) {
  LLVMValueRef less = LLVMBuildICmp(e->b, LLVMIntULT, count, chunk, "");
  return LLVMBuildSelect(e->b, less, count, chunk, "");
}

/* Does the version take rows that are so long, and does what it assumes hold? */
static LLVMValueRef takes(struct mpl_emit *e, const struct mpl_row_version *version) {
  LLVMValueRef count = e->items->count, most = mpl_const64(e->ir, version->most - version->least);
  if (version->most && !version->whole) return LLVMBuildICmp(e->b, LLVMIntULT, count, most, "");
  if (version->most) {
    LLVMValueRef over = LLVMBuildSub(e->b, count, mpl_const64(e->ir, version->least), "");
    return LLVMBuildICmp(e->b, LLVMIntULT, over, most, "");
  }
  LLVMValueRef hold = version->whole ? NULL : mpl_all_hold(e);
  return mpl_both(e, LLVMBuildICmp(e->b, LLVMIntEQ, count, mpl_const64(e->ir, version->lanes), ""), hold);
}

/* At the builder: as far as LLVM is to know. */
static LLVMValueRef length_of(struct mpl_emit *e, const struct mpl_row_version *version) {
  LLVMValueRef chunk = mpl_const64(e->ir, version->lanes);
  if (!version->most) return chunk;
  return version->most == version->lanes + 1 ? at_most(e, e->items->count, chunk) : e->items->count;
}

static void add_copy(struct rows *r, struct mpl_pieces *copy, const struct mpl_row_version *version) {
  struct mpl_emit *e = r->e;
  LLVMBasicBlockRef which = mpl_new_block(e, "which"), enter = mpl_new_block(e, "rows");
  *copy = (struct mpl_pieces){.whole = version->whole,
                              .one_chunk = version->whole && !version->most,
                              .lanes = version->lanes};
  LLVMPositionBuilderAtEnd(e->b, which);
  choose(r, which, enter, takes(e, version));
  LLVMPositionBuilderAtEnd(e->b, enter);
  if (version->whole)
    copy->latch = build_whole(r, enter, length_of(e, version));
  else
    copy->latch = build(r, enter, version->lanes);
  if (version->lanes && !version->whole) note_strides(r, copy);
  mpl_map_free(&r->values);
  mpl_map_free(&r->blocks);
}

void mpl_copy_for_rows(struct mpl_emit *e, const struct mpl_row_version *versions, unsigned count,
                       struct mpl_pieces *copies) {
  struct rows r = {.e = e};
  if (!count || !mpl_find_rows(e->items, &r.around)) return;
  LLVMSetCurrentDebugLocation2(e->b, NULL);
  for (unsigned k = 0; k < count; k++) add_copy(&r, &copies[k], &versions[k]);
}
