#include "arrays.h"

static uint64_t lowest_bit(uint64_t number) {
  return number & -number;
}

/* The power of 2 that all offsets which the indices make are multiples of, up to `step`.  LLVM
 * counts in bytes what is some rows further on: i8, shl %row, 7. */
static uint64_t step_of(LLVMTargetDataRef layout, LLVMValueRef gep, uint64_t step) {
  MPL_EACH_INDEX(index, gep, layout) {
    uint64_t bytes = index.bytes;
    if (!index.is_member) bytes <<= mpl_low_zeros(index.value);
    if (bytes && lowest_bit(bytes) < step) step = lowest_bit(bytes);
  }
  return step;
}

LLVMValueRef mpl_distance(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef gep,
                          bool wraps) {
  LLVMValueRef sum = mpl_const64(ir, 0);
  MPL_EACH_INDEX(index, gep, ir->layout) {
    LLVMValueRef bytes = mpl_const64(ir, index.bytes);
    if (!index.is_member) {
      LLVMValueRef by = LLVMBuildIntCast2(b, index.value, ir->i64, true, "");
      bytes = wraps ? LLVMBuildMul(b, by, bytes, "") : LLVMBuildNSWMul(b, by, bytes, "");
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
