/* Loads of lanes that stop at a border: of an index that is clamped, where the clamp takes hold.
 * Lanes in the middle are side by side, as they would be without it; those in front of them all have
 * the first lane's place, those behind them the last lane's.  So it is a masked load and two of one
 * place each.  That they lie so is tested where the chunk runs. */
#include <string.h>

#include "widen.h"

enum { DEEPEST = 12 };

static bool is_clamp(LLVMValueRef value) {
  static const char *const names[] = {"llvm.smin.", "llvm.smax.", "llvm.umin.", "llvm.umax."};
  LLVMValueRef callee = LLVMIsACallInst(value) ? LLVMIsAFunction(LLVMGetCalledValue(value)) : NULL;
  for (unsigned k = 0; callee && k < 4; k++)
    if (!strncmp(LLVMGetValueName(callee), names[k], strlen(names[k]))) return true;
  return false;
}

/* The operand that the value grows with, the only one that differs from lane to lane; or -1. */
static int grows_with(struct mpl_widen *w, LLVMValueRef value, unsigned block) {
  switch (LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : LLVMRet) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMSExt:
  case LLVMZExt:
  case LLVMGetElementPtr:
    break;
  default:
    if (!is_clamp(value)) return -1;
  }
  int which = -1;
  for (int k = 0; k < LLVMGetNumOperands(value); k++) {
    if (!mpl_stride_at(w, LLVMGetOperand(value, k), block)) continue;
    if (which >= 0) return -1;
    which = k;
  }
  return which == 1 && LLVMGetInstructionOpcode(value) == LLVMSub ? -1 : which;
}

static bool is_clamped(struct mpl_widen *w, LLVMValueRef value, unsigned block) {
  bool clamped = false;
  for (unsigned depth = 0; depth < DEEPEST; depth++) {
    if (mpl_stride_at(w, value, block) != MPL_ANY_STRIDE) return clamped;
    int which = grows_with(w, value, block);
    if (which < 0) return false;
    clamped |= is_clamp(value);
    value = LLVMGetOperand(value, (unsigned)which);
  }
  return false;
}

/* Of lane 0, but for clamps. */
static LLVMValueRef without_clamps(struct mpl_widen *w, LLVMValueRef value, unsigned block) {
  if (mpl_stride_at(w, value, block) != MPL_ANY_STRIDE) return mpl_scalar(w, value);
  unsigned which = (unsigned)grows_with(w, value, block);
  LLVMValueRef of = without_clamps(w, LLVMGetOperand(value, which), block);
  if (is_clamp(value)) return of;
  if (LLVMIsAZExtInst(value) && LLVMGetNNeg(value)) /* that was so behind the clamp */
    return LLVMBuildSExt(w->b, of, LLVMTypeOf(value), "");
  LLVMValueRef copy = LLVMInstructionClone(value);
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(value); k++)
    LLVMSetOperand(copy, k, k == which ? of : mpl_scalar(w, LLVMGetOperand(value, k)));
  mpl_ir_drop_promises(copy);
  LLVMInsertIntoBuilder(w->b, copy);
  return copy;
}

static LLVMValueRef number_of(struct mpl_widen *w, LLVMValueRef place) {
  return LLVMBuildPtrToInt(w->b, place, w->ir->i64, "");
}

static LLVMValueRef are_at(struct mpl_widen *w, LLVMValueRef places, LLVMValueRef place) {
  return LLVMBuildICmp(w->b, LLVMIntEQ, places, mpl_splat(w, number_of(w, place)), "");
}

/* All lanes' that `which` has, from one place or from there on. */
static LLVMValueRef load_of(struct mpl_widen *w, LLVMValueRef load, LLVMValueRef which,
                            LLVMValueRef at, bool uniform) {
  LLVMValueRef mask = w->mask;
  if (mask)
    w->mask = LLVMBuildAnd(w->b, mask, which, "");
  else if (!uniform) /* else the first lane and the last one are there */
    w->mask = which;
  LLVMValueRef value = mpl_load_at(w, load, at, uniform);
  w->mask = mask;
  return value;
}

LLVMValueRef mpl_load_stopped(struct mpl_widen *w, LLVMValueRef load, LLVMBasicBlockRef *from) {
  LLVMContextRef context = w->ir->context;
  unsigned block = mpl_cfg_block_of(w->cfg, load),
           size = (unsigned)LLVMABISizeOfType(w->ir->layout, LLVMTypeOf(load));
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  if (!is_clamped(w, pointer, block) || (size < 4 && !w->ir->has_masks)) return NULL;
  LLVMTypeRef numbers = mpl_vector_type(w, w->ir->i64);
  LLVMValueRef pointers = mpl_vector(w, pointer), ends[2], stop[2],
               places = LLVMBuildPtrToInt(w->b, pointers, numbers, ""),
               at = without_clamps(w, pointer, block);
  for (unsigned k = 0; k < 2; k++) {
    LLVMValueRef lane = mpl_const64(w->ir, k ? w->width - 1 : 0);
    ends[k] = LLVMBuildExtractElement(w->b, pointers, lane, "");
    stop[k] = are_at(w, places, ends[k]);
  }
  LLVMValueRef along = LLVMBuildAdd(w->b, mpl_splat(w, number_of(w, at)),
                                    mpl_steps(w, w->ir->i64, (int64_t)size), ""),
               middle = LLVMBuildICmp(w->b, LLVMIntEQ, places, along, ""),
               known = LLVMBuildOr(w->b, LLVMBuildOr(w->b, stop[0], stop[1], ""), middle, ""),
               other = LLVMBuildNot(w->b, known, "");
  if (w->mask) other = LLVMBuildAnd(w->b, w->mask, other, "");
  other = LLVMBuildFreeze(w->b, mpl_any_lane(w, other), "");
  LLVMBasicBlockRef apart = LLVMAppendBasicBlockInContext(context, w->function, "apart");
  *from = LLVMAppendBasicBlockInContext(context, w->function, "stopped");
  LLVMBuildCondBr(w->b, other, apart, *from);
  LLVMPositionBuilderAtEnd(w->b, *from);
  LLVMValueRef value = load_of(w, load, middle, at, false);
  for (unsigned k = 0; k < 2; k++)
    value = LLVMBuildSelect(w->b, stop[k], load_of(w, load, stop[k], ends[k], true), value, "");
  LLVMPositionBuilderAtEnd(w->b, apart);
  return value;
}
