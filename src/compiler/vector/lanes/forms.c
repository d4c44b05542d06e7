/* Which vector form an instruction has, if any. */
#include <string.h>

#include "analysis.h"

bool mpl_access_of(const struct mpl_lanes *lanes, LLVMValueRef i, struct mpl_lane_access *a) {
  const struct mpl_item_loop *items = lanes->items;
  *a = (struct mpl_lane_access){.at = i, .place = mpl_accessed_place(i)};
  if (!a->place) return false;
  a->type = mpl_accessed_type(i);
  a->block = mpl_cfg_block_of(items->cfg, i);
  a->size = (int)LLVMABISizeOfType(items->ir->layout, a->type);
  a->stride = mpl_stride_at(lanes, a->place, a->block);
  a->store = LLVMIsAStoreInst(i) != NULL;
  return true;
}

/* --- calls --- */

static bool has_call_form(const struct mpl_lanes *lanes, LLVMValueRef call) {
  LLVMValueRef callee = mpl_callee_of(call);
  if (mpl_is_look(call)) return true;
  if (callee && (mpl_is_hint(call) || mpl_lanewise_of(callee))) return true;
  if (!mpl_ir_is_pure_call(call)) return false;
  return !mpl_stride_of(lanes, call) || mpl_target_math_of(callee);
}

/* Of a constant component that there is. */
static bool has_place(LLVMValueRef index, LLVMTypeRef vector) {
  return LLVMIsAConstantInt(index) && LLVMConstIntGetZExtValue(index) < LLVMGetVectorSize(vector);
}

static bool has_components(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMShuffleVector:
    return true;
  case LLVMExtractElement:
    return has_place(LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)));
  case LLVMInsertElement:
    return has_place(LLVMGetOperand(i, 2), LLVMTypeOf(i));
  case LLVMExtractValue:
  case LLVMInsertValue:
    return LLVMGetNumIndices(i) == 1;
  default:
    return false;
  }
}

const struct mpl_target_math mpl_target_math_rows[] = {
#define MPL_TARGET_MATH(function, intrinsic, bytes, says) {function, intrinsic, bytes, says},
#include "tables/target_math.def"
    {0}};

const struct mpl_target_math *mpl_target_math_of(LLVMValueRef callee) {
  const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName(callee) : "";
  for (const struct mpl_target_math *row = mpl_target_math_rows; row->function; row++)
    if (!strcmp(row->function, name)) return row;
  return NULL;
}

/* --- arithmetic --- */

static bool is_single(LLVMTypeRef type) {
  return mpl_fits_memory(type) || LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
}

bool mpl_has_no_vector_form(const struct mpl_lanes *lanes, LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (opcode == LLVMCall) return !has_call_form(lanes, i);
  LLVMValueRef place = mpl_accessed_place(i);
  if (place) {
    if (mpl_is_seen_by_others(i)) return true;
    bool varies = mpl_stride_of(lanes, opcode == LLVMLoad ? i : LLVMGetOperand(i, 0)) != 0 ||
                  mpl_stride_of(lanes, place) != 0;
    return varies && !mpl_is_slot(lanes->items->ir, place) && !mpl_fits_memory(mpl_accessed_type(i));
  }
  if (opcode == LLVMFence || (opcode != LLVMAlloca && !mpl_stride_of(lanes, i))) return false;
  if ((opcode >= LLVMAdd && opcode <= LLVMXor) || (opcode >= LLVMTrunc && opcode <= LLVMBitCast))
    return false;
  switch (opcode) {
  case LLVMFNeg:
  case LLVMAddrSpaceCast:
  case LLVMICmp:
  case LLVMFCmp:
  case LLVMSelect:
  case LLVMFreeze:
  case LLVMPHI:
    return false;
  case LLVMGetElementPtr:
    return !is_single(LLVMTypeOf(i));
  default:
    return !has_components(i);
  }
}

/* --- atomics --- */

/* Of integers, since the sum of floats in another order than one by one is another sum: the operand
 * that changes nothing.  Null: it cannot be combined. */
LLVMValueRef mpl_neutral_of(LLVMValueRef atomic) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(atomic, 1));
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return NULL;
  LLVMValueRef least = LLVMConstInt(type, (uint64_t)1 << (LLVMGetIntTypeWidth(type) - 1), false);
  switch (LLVMGetAtomicRMWBinOp(atomic)) {
  case LLVMAtomicRMWBinOpAdd:
  case LLVMAtomicRMWBinOpSub:
  case LLVMAtomicRMWBinOpOr:
  case LLVMAtomicRMWBinOpXor:
  case LLVMAtomicRMWBinOpUMax:
    return LLVMConstNull(type);
  case LLVMAtomicRMWBinOpAnd:
  case LLVMAtomicRMWBinOpUMin:
    return LLVMConstAllOnes(type);
  case LLVMAtomicRMWBinOpMax:
    return least;
  case LLVMAtomicRMWBinOpMin:
    return LLVMConstNot(least);
  default:
    return NULL;
  }
}

bool mpl_is_combined(const struct mpl_lanes *lanes, LLVMValueRef i) {
  if (!LLVMIsAAtomicRMWInst(i) || !mpl_neutral_of(i)) return false;
  return !mpl_stride_at(lanes, LLVMGetOperand(i, 0), mpl_cfg_block_of(lanes->items->cfg, i));
}

bool mpl_is_lanes_call(LLVMValueRef i) {
  enum mpl_marker marker = mpl_marker_of(i);
  return mpl_is_sync(marker) && mpl_markers[marker].scope == MPL_SCOPE_LANES;
}

const char *mpl_cannot_call_lanes(LLVMValueRef call) {
  for (unsigned k = 0; k < mpl_marker_row(call)->own; k++) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, k)));
    bool vector = kind == LLVMVectorTypeKind && mpl_marker_of(call) != MPL_MARK_LANES_BROADCAST;
    if (vector || kind == LLVMPointerTypeKind) return "a sub-group function of a vector type";
  }
  return NULL;
}

/* An element that lies in one word, since it is aligned to its size: the processor gathers words,
 * and what else is in that word is in its page too. */
bool mpl_is_in_word(const struct mpl_item_loop *items, LLVMTypeRef element, unsigned align) {
  uint64_t size = LLVMABISizeOfType(items->ir->layout, element);
  return mpl_gathers_under_masks(items->ir->target) && size < MPL_WORD && align >= size &&
         mpl_fits_memory(element);
}

/* The group's own memory is there for lanes that are not, and nobody else writes it meanwhile.  So
 * what is loaded needs no mask, and what is stored is the whole vector, with what was there: the
 * next loop's load waits for a store under a mask until that is in the cache. */
bool mpl_is_element(struct mpl_module_ir *ir, LLVMValueRef access) {
  return mpl_metadata_of(ir, access, MPL_SLOT_ELEMENT) != NULL;
}
