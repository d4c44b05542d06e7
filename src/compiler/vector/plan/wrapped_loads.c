/* Loads of an index that goes round: a remainder by a power of two (emit/wrapped_loads.c). */
#include "recipes.h"

/* Which operand is the mask, the same for all lanes, of what grows by `stride`; or -1. */
static int mask_of(const struct mpl_lanes *lanes, LLVMValueRef value, unsigned block, int *stride) {
  if (!mpl_is_op(value, LLVMAnd)) return -1;
  int which = mpl_stride_at(lanes, LLVMGetOperand(value, 1), block) == 0;
  LLVMValueRef mask = LLVMGetOperand(value, (unsigned)which);
  *stride = mpl_stride_at(lanes, LLVMGetOperand(value, !which), block);
  bool grows = *stride > 0 && *stride != MPL_ANY_STRIDE;
  return grows && !mpl_stride_at(lanes, mask, block) ? which : -1;
}

/* Long ways round are left to a gather, where they end. */
static bool is_short(const struct mpl_lanes *lanes, LLVMValueRef mask) {
  enum { CHUNKS = 4 };
  return !LLVMIsAConstantInt(mask) || LLVMConstIntGetZExtValue(mask) < CHUNKS * lanes->width;
}

static bool is_wide(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind || mpl_integer_bits(type) == 64;
}

/* Not of global memory, whose rows are long.  What goes round is extended at once, if it has to be: behind
 * that no number is too short for the distance round. */
bool mpl_wrapped_load(const struct mpl_lanes *lanes, LLVMValueRef load, struct mpl_wrapped *wrapped) {
  const struct mpl_item_loop *items = lanes->items;
  LLVMValueRef value = LLVMGetOperand(load, 0), before = value;
  unsigned block = mpl_cfg_block_of(items->cfg, load);
  int size = (int)LLVMABISizeOfType(items->ir->layout, LLVMTypeOf(load)), mask = -1;
  if ((size < MPL_WORD && !items->ir->target->mask_bits) || mpl_space_of(value) == MPL_GLOBAL_SPACE)
    return false;
  for (unsigned depth = 0; depth < MPL_DEEPEST; depth++) {
    mask = mask_of(lanes, value, block, &wrapped->stride);
    if (mask >= 0) break;
    int which = is_wide(value) ? mpl_grows_with(lanes, value, block) : -1;
    if (which < 0 || mpl_extreme_of(value).is) return false;
    before = value;
    value = LLVMGetOperand(value, (unsigned)which);
  }
  if (mask < 0 || size % wrapped->stride || !is_wide(before)) return false;
  wrapped->value = value;
  wrapped->mask = LLVMGetOperand(value, (unsigned)mask);
  wrapped->along = LLVMGetOperand(value, !mask);
  return is_short(lanes, wrapped->mask);
}
