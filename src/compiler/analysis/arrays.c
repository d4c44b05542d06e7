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

/* Is everything that is done with the pointer, an array's or inside of it, an access of one item's,
 * at a multiple of its size? */
static bool all_fit(LLVMTargetDataRef layout, LLVMValueRef pointer, uint64_t step, unsigned *most,
                    mpl_array_user *is_user, const void *data) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool load = LLVMIsALoadInst(user) != NULL, store = LLVMIsAStoreInst(user) != NULL;
    if (LLVMIsACallInst(user) && mpl_is_hint(user)) continue;
    if (!is_user(data, user)) return false;
    if (load || store) {
      LLVMTypeRef type = LLVMTypeOf(load ? user : LLVMGetOperand(user, 0));
      unsigned size = (unsigned)LLVMABISizeOfType(layout, type);
      if (store && LLVMGetOperand(user, 0) == pointer) return false;
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
