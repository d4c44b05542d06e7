/* Speculated loads whose lanes are not all side by side at a border: of an index that is clamped there, and of one
 * that goes round, a remainder by a power of two (emit/border_loads.c). */
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
  return !LLVMIsAConstantInt(mask) || LLVMConstIntGetZExtValue(mask) < MPL_GIVEN_ROUND * lanes->width;
}

static bool is_wide(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind || mpl_integer_bits(type) == 64;
}

/* What goes round is extended at once, if it has to be: behind that no number is too short for the distance
 * round. */
static bool goes_round(const struct mpl_lanes *lanes, const struct mpl_lane_access *load,
                       struct mpl_border *border) {
  LLVMValueRef value = load->place, before = value;
  int mask;
  for (unsigned depth = 0; (mask = mask_of(lanes, value, load->block, &border->stride)) < 0; depth++) {
    int which = is_wide(value) ? mpl_grows_with(lanes, value, load->block) : -1;
    if (which < 0 || mpl_extreme_of(value).is || depth + 1 == MPL_DEEPEST) return false;
    before = value;
    value = LLVMGetOperand(value, (unsigned)which);
  }
  border->value = value;
  border->mask = LLVMGetOperand(value, (unsigned)mask);
  border->along = LLVMGetOperand(value, !mask);
  return load->size % border->stride == 0 && is_wide(before) && is_short(lanes, border->mask);
}

/* Rows of global memory are long: that they end is left to a gather. */
struct mpl_border mpl_border_of(const struct mpl_lanes *lanes, const struct mpl_lane_access *load) {
  struct mpl_border border = {.kind = MPL_NO_BORDER};
  unsigned space = mpl_space_of(load->place);
  if (load->size < MPL_WORD && !lanes->items->ir->target->mask_bits) return border;
  if (space == MPL_LOCAL_SPACE && stride_of_clamped(lanes, load->place, load->block))
    border.kind = MPL_CLAMPED;
  else if (space != MPL_GLOBAL_SPACE && goes_round(lanes, load, &border))
    border.kind = MPL_WRAPPED;
  return border;
}
