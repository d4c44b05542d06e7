#include "arrays.h"

static uint64_t lowest_bit(uint64_t number) {
  return number & -number;
}

/* The power of 2 that all offsets which the indices make are multiples of, up to `step`. */
static uint64_t step_of(LLVMTargetDataRef layout, LLVMValueRef gep, uint64_t step) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  for (int k = 1; k < LLVMGetNumOperands(gep); k++) {
    LLVMValueRef index = LLVMGetOperand(gep, k);
    uint64_t bytes, fixed = LLVMIsAConstantInt(index) ? LLVMConstIntGetZExtValue(index) : 1;
    if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      bytes = LLVMOffsetOfElement(layout, type, (unsigned)fixed);
      type = LLVMStructGetTypeAtIndex(type, (unsigned)fixed);
    } else {
      if (k > 1) type = LLVMGetElementType(type);
      bytes = LLVMABISizeOfType(layout, type) * fixed;
    }
    if (bytes && lowest_bit(bytes) < step) step = lowest_bit(bytes);
  }
  return step;
}

LLVMValueRef mpl_distance(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef gep,
                          bool wraps) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  LLVMValueRef sum = mpl_const64(ir, 0);
  for (int k = 1; k < LLVMGetNumOperands(gep); k++) {
    LLVMValueRef index = LLVMGetOperand(gep, k), bytes;
    if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      bytes = mpl_const64(ir, LLVMOffsetOfElement(ir->layout, type, field));
      type = LLVMStructGetTypeAtIndex(type, field);
    } else {
      if (k > 1) type = LLVMGetElementType(type);
      bytes = mpl_const64(ir, LLVMABISizeOfType(ir->layout, type));
      index = LLVMBuildIntCast2(b, index, ir->i64, true, "");
      bytes = wraps ? LLVMBuildMul(b, index, bytes, "") : LLVMBuildNSWMul(b, index, bytes, "");
    }
    if (LLVMIsNull(sum))
      sum = bytes;
    else
      sum = wraps ? LLVMBuildAdd(b, sum, bytes, "") : LLVMBuildNSWAdd(b, sum, bytes, "");
  }
  return sum;
}

/* Is everything that is done with the pointer, an array's or inside of it, an access of one item's,
 * at a multiple of its size? */
static bool all_fit(LLVMTargetDataRef layout, LLVMValueRef pointer, uint64_t step, unsigned *most,
                    mpl_array_user *is_user, const void *data) {
  MPL_EACH_USER(user, pointer) {
    if (LLVMIsACallInst(user) && mpl_is_hint(user)) continue;
    if (!is_user(data, user)) return false;
    if (mpl_accessed_place(user)) {
      LLVMTypeRef type = mpl_accessed_type(user);
      unsigned size = (unsigned)LLVMABISizeOfType(layout, type);
      if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == pointer) return false;
      if (!mpl_fits_memory(type) || mpl_is_seen_by_others(user) || size > step) return false;
      if (size > *most) *most = size;
    } else if (!LLVMIsAGetElementPtrInst(user) || LLVMGetOperand(user, 0) != pointer ||
               !all_fit(layout, user, step_of(layout, user, step), most, is_user, data)) {
      return false;
    }
  }
  return true;
}

unsigned mpl_unit_of_array(LLVMTargetDataRef layout, LLVMValueRef alloca, mpl_array_user *is_user,
                           const void *data) {
  unsigned unit = 0;
  return all_fit(layout, alloca, 8, &unit, is_user, data) ? unit : 0;
}
