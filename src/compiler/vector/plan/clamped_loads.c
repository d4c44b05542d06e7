/* Loads of an index that is clamped at a border (emit/clamped_loads.c). */
#include "recipes.h"

int mpl_grows_with(const struct mpl_lanes *lanes, LLVMValueRef value, unsigned block) {
  switch (LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : LLVMRet) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMSExt:
  case LLVMZExt:
  case LLVMGetElementPtr:
    break;
  default:
    if (!mpl_extreme_of(value).is) return -1;
  }
  int which = -1;
  for (int k = 0; k < LLVMGetNumOperands(value); k++) {
    if (!mpl_stride_at(lanes, LLVMGetOperand(value, k), block)) continue;
    if (which >= 0) return -1;
    which = k;
  }
  return which == 1 && LLVMGetInstructionOpcode(value) == LLVMSub ? -1 : which;
}

/* Of a clamped place what is clamped grows by; 0 if it is none, or if so many lanes go half the way
 * round a number, where comparing the first with the last says nothing. */
static int64_t stride_of_clamped(const struct mpl_lanes *lanes, LLVMValueRef value,
                                 unsigned block) {
  bool clamped = false;
  unsigned bits = 64;
  for (unsigned depth = 0; depth < MPL_DEEPEST; depth++) {
    int64_t stride = mpl_stride_at(lanes, value, block);
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < bits)
      bits = LLVMGetIntTypeWidth(type);
    if (stride != MPL_ANY_STRIDE) {
      bool known = clamped && stride > 0 && mpl_is_short_of_half(lanes, stride, bits);
      return known ? stride : 0;
    }
    int which = mpl_grows_with(lanes, value, block);
    if (which < 0) return 0;
    clamped |= mpl_extreme_of(value).is;
    value = LLVMGetOperand(value, (unsigned)which);
  }
  return 0;
}

bool mpl_is_clamped_load(const struct mpl_lanes *lanes, LLVMValueRef load) {
  const struct mpl_item_loop *items = lanes->items;
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  uint64_t size = LLVMABISizeOfType(items->ir->layout, LLVMTypeOf(load));
  return mpl_space_of(pointer) == MPL_LOCAL_SPACE &&
         (size >= MPL_WORD || items->ir->target->mask_bits) &&
         stride_of_clamped(lanes, pointer, mpl_cfg_block_of(items->cfg, load));
}
