/* Sub-group functions in a chunk that is a sub-group: those take part that the mask says.
 *
 * The library's functions (src/builtins/sync.h) take operands in arrays, which LLVM turns into
 * registers when these are inlined. */
#include <string.h>

#include "compiler/analysis/algebra.h"
#include "values.h"

/* Lanes that take no part may have poisoned operands, which must not spoil what is computed from
 * all. */
static LLVMValueRef operand_of(struct mpl_emit *e, LLVMValueRef call, unsigned k) {
  LLVMValueRef vector = mpl_vector(e, LLVMGetOperand(call, k));
  return e->mask ? LLVMBuildFreeze(e->b, vector, "") : vector;
}

static LLVMValueRef store_operand(struct mpl_emit *e, LLVMValueRef vector) {
  return mpl_put_down(e, vector, LLVMGetElementType(LLVMTypeOf(vector)), "operands");
}

/* An operand that should be the same for all that take part: the first one's. */
static LLVMValueRef shared_operand(struct mpl_emit *e, LLVMValueRef call, unsigned k) {
  LLVMValueRef value = LLVMGetOperand(call, k);
  if (!mpl_stride_at(e->lanes, value, mpl_cfg_block_of(e->items->cfg, call)))
    return mpl_scalar(e, value);
  LLVMValueRef first = mpl_first_bit(e, mpl_active_lanes(e), false);
  first = LLVMBuildAnd(e->b, first, mpl_const64(e->ir, e->width - 1), "");
  return LLVMBuildExtractElement(e->b, operand_of(e, call, k), first, "");
}

/* An id that no lane has must still not read outside. */
static LLVMValueRef broadcast(struct mpl_emit *e, LLVMValueRef call) {
  LLVMValueRef value = LLVMGetOperand(call, 0), id = shared_operand(e, call, 1);
  if (!mpl_stride_at(e->lanes, value, mpl_cfg_block_of(e->items->cfg, call)))
    return mpl_scalar(e, value);
  LLVMValueRef last = LLVMConstInt(LLVMTypeOf(id), e->width - 1, false);
  id = LLVMBuildAnd(e->b, id, last, "");
  if (mpl_is_vector_type(LLVMTypeOf(value))) {
    LLVMValueRef vector = operand_of(e, call, 0);
    id = LLVMBuildZExtOrBitCast(e->b, id, e->ir->i64, "");
    return mpl_take_lane(e, vector, LLVMTypeOf(value), id);
  }
  if (LLVMIsAConstant(id) || LLVMGetNumArgOperands(call) < 3)
    return LLVMBuildExtractElement(e->b, operand_of(e, call, 0), id, "");
  LLVMValueRef args[] = {store_operand(e, operand_of(e, call, 0)),
                         LLVMConstInt(e->ir->i32, e->width, false), id};
  return mpl_call(e->b, mpl_combine_of(call), LLVMTypeOf(call), args, 3);
}

/* Lanes that take no part need not be told apart where they can be given an operand that changes
 * nothing, or where nobody else is asked for theirs. */
static LLVMValueRef store_operands(struct mpl_emit *e, LLVMValueRef call, LLVMValueRef *args) {
  const struct mpl_marker_row *marker = mpl_marker_row(call);
  struct mpl_collective does;
  bool permutes = marker->own > 1, known = !permutes && mpl_lanes_collective_of(call, &does);
  for (unsigned k = 0; k < marker->own; k++) {
    LLVMValueRef vector;
    if (known && e->mask) {
      vector = mpl_vector(e, LLVMGetOperand(call, k));
      LLVMValueRef nothing = mpl_splat(e, mpl_identity(&does));
      vector = LLVMBuildSelect(e->b, e->mask, vector, nothing, "");
    } else {
      vector = operand_of(e, call, k);
    }
    args[k] = store_operand(e, vector);
  }
  return mpl_mask_word(e, known || permutes ? NULL : e->mask);
}

/* Which lanes meet the condition: those of `any`, `all` and a ballot. */
static LLVMValueRef vote(struct mpl_emit *e, LLVMValueRef call) {
  LLVMValueRef operand = LLVMGetOperand(call, 0), mask;
  if (LLVMIsAZExtInst(operand) && LLVMTypeOf(LLVMGetOperand(operand, 0)) == e->ir->i1) {
    mask = mpl_vector(e, LLVMGetOperand(operand, 0));
  } else {
    LLVMValueRef vector = mpl_vector(e, operand);
    mask = LLVMBuildICmp(e->b, LLVMIntNE, vector, LLVMConstNull(LLVMTypeOf(vector)), "");
  }
  return mpl_mask_word(e, mpl_lanes_of_both(e, e->mask, mask));
}

/* A condition as 1 or 0, by a branch that LLVM leaves where it is, since the one side is likely:
 * what waits for the result, the next vote among it, goes on with a constant. */
static LLVMValueRef choose(struct mpl_emit *e, LLVMValueRef is, LLVMTypeRef type, bool likely) {
  LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b),
                    rare = mpl_new_block(e, "rare"),
                    on = mpl_new_block(e, "on");
  LLVMValueRef branch = LLVMBuildCondBr(e->b, is, likely ? on : rare, likely ? rare : on);
  mpl_set_weights(e->ir, branch, likely ? 1000 : 1, likely ? 1 : 1000);
  LLVMPositionBuilderAtEnd(e->b, rare);
  mpl_go_on_in(e->b, on);
  LLVMValueRef values[] = {LLVMConstInt(type, !likely, false), LLVMConstInt(type, likely, false)};
  return mpl_phi(e->b, values, (LLVMBasicBlockRef[]){rare, from}, 2);
}

static bool is_named(const char *name, const char *wanted) {
  size_t length = strlen(wanted);
  return !strncmp(name, wanted, length) && (!name[length] || name[length] == '.');
}

/* Null: it is none. */
static LLVMValueRef result_of_vote(struct mpl_emit *e, LLVMValueRef call) {
  const char *name = LLVMGetValueName(mpl_combine_of(call));
  bool any = is_named(name, "lanes_any"), all = is_named(name, "lanes_all");
  if (!any && !all) return is_named(name, "lanes_ballot") ? vote(e, call) : NULL;
  LLVMValueRef votes = vote(e, call), wanted = any ? mpl_const64(e->ir, 0) : mpl_active_lanes(e);
  LLVMValueRef is = LLVMBuildICmp(e->b, any ? LLVMIntNE : LLVMIntEQ, votes, wanted, "");
  if (mpl_map_has(&e->recipes->flow.chosen, call)) return choose(e, is, LLVMTypeOf(call), all);
  return LLVMBuildZExt(e->b, is, LLVMTypeOf(call), "");
}

static LLVMValueRef combine(struct mpl_emit *e, LLVMValueRef call) {
  const struct mpl_marker_row *marker = mpl_marker_row(call);
  LLVMTypeRef type = LLVMTypeOf(call);
  LLVMValueRef args[5], voted = marker->own == 1 ? result_of_vote(e, call) : NULL;
  unsigned count = marker->own + 1;
  if (voted) return voted;
  args[count++] = store_operands(e, call, args);
  args[marker->own] = LLVMConstInt(e->ir->i32, e->width, false);
  if (LLVMGetNumArgOperands(call) > marker->own + 1)
    args[count++] = shared_operand(e, call, marker->own);
  LLVMValueRef result =
      mpl_call(e->b, mpl_combine_of(call), marker->in_place ? e->ir->void_type : type, args, count);
  if (!marker->in_place) return result;
  return mpl_aligned_load(e->b, mpl_vector_type(e, type), args[0], 64);
}

bool mpl_widen_lanes_call(struct mpl_emit *e, LLVMValueRef call) {
  if (!mpl_is_lanes_call(call)) return false;
  const struct mpl_marker_row *marker = mpl_marker_row(call);
  if (marker->does == MPL_DOES_NOTHING) return true; /* lanes do everything together */
  LLVMValueRef result = marker->does == MPL_DOES_BROADCAST ? broadcast(e, call)
                        : marker->does == MPL_DOES_ACTIVE  ? mpl_active_lanes(e)
                                                           : combine(e, call);
  mpl_map_set(marker->in_place ? &e->vectors : &e->scalars, call, (uintptr_t)result);
  return true;
}
