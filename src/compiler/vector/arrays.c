/* Memory that each work-item has its own of.
 *
 * A private array that one region uses is one alloca for all work-items, one after another.  For a
 * chunk it becomes an array of vectors: what is at byte o of lane k is at o * W + k * size.  So an
 * index that all lanes share is one access of a whole vector. */
#include <stdlib.h>
#include <string.h>

#include "widen.h"

/* Bytes of each access through `pointer`; 0 if they differ, or if it goes elsewhere. */
static bool all_accesses_alike(struct mpl_widen *w, LLVMValueRef pointer, unsigned *size) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    unsigned block = mpl_cfg_block_of(w->cfg, user);
    bool load = LLVMIsALoadInst(user) != NULL, store = LLVMIsAStoreInst(user) != NULL;
    if (LLVMIsACallInst(user) && mpl_is_hint(user)) continue;
    if (block >= w->cfg->count || !w->in[block]) return false;
    if (load || store) {
      LLVMTypeRef type = LLVMTypeOf(load ? user : LLVMGetOperand(user, 0));
      unsigned own = (unsigned)LLVMABISizeOfType(w->ir->layout, type);
      if (store && LLVMGetOperand(user, 0) == pointer) return false;
      if (*size && *size != own) return false;
      *size = own;
    } else if (!LLVMIsAGetElementPtrInst(user) || LLVMGetOperand(user, 0) != pointer ||
               !all_accesses_alike(w, user, size)) {
      return false;
    }
  }
  return true;
}

/* Every index steps over whole elements. */
static bool is_even(struct mpl_widen *w, LLVMValueRef pointer, unsigned size) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef gep = LLVMIsAGetElementPtrInst(LLVMGetUser(use));
    if (!gep) continue;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (int k = 1; k < LLVMGetNumOperands(gep); k++) {
      LLVMValueRef index = LLVMGetOperand(gep, k);
      uint64_t scale, fixed = LLVMIsAConstantInt(index) ? LLVMConstIntGetZExtValue(index) : 1;
      if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
        scale = LLVMOffsetOfElement(w->ir->layout, type, (unsigned)fixed);
        type = LLVMStructGetTypeAtIndex(type, (unsigned)fixed);
        fixed = 1;
      } else {
        if (k > 1) type = LLVMGetElementType(type);
        scale = LLVMABISizeOfType(w->ir->layout, type);
      }
      if (scale * fixed % size) return false;
    }
    if (!is_even(w, gep, size)) return false;
  }
  return true;
}

bool mpl_is_own_array(struct mpl_widen *w, LLVMValueRef alloca) {
  unsigned size = 0;
  if (!LLVMIsAConstantInt(LLVMGetOperand(alloca, 0))) return false;
  if (!all_accesses_alike(w, alloca, &size) || !size || size > 8) return false;
  return is_even(w, alloca, size);
}

LLVMValueRef mpl_array_of(struct mpl_widen *w, LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
  return mpl_is_slot(w->ir, pointer) ? NULL : LLVMIsAAllocaInst(pointer);
}

/* The array of vectors in its place. */
static LLVMValueRef wide_array(struct mpl_widen *w, LLVMValueRef alloca) {
  LLVMValueRef known = (LLVMValueRef)mpl_map_get(&w->arrays, alloca, 0);
  if (known) return known;
  LLVMBasicBlockRef at = LLVMGetInsertBlock(w->b);
  uint64_t bytes = LLVMABISizeOfType(w->ir->layout, LLVMGetAllocatedType(alloca)) *
                   LLVMConstIntGetZExtValue(LLVMGetOperand(alloca, 0)) * w->width;
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(w->function);
  LLVMPositionBuilderBefore(w->b, LLVMGetFirstInstruction(entry));
  known = LLVMBuildAlloca(w->b, LLVMArrayType2(w->ir->i8, bytes), "lanes");
  LLVMSetAlignment(known, 64);
  LLVMPositionBuilderAtEnd(w->b, at);
  mpl_map_set(&w->arrays, alloca, (uintptr_t)known);
  return known;
}

/* Bytes from the array's begin, of lane 0 or (vector) of all lanes. */
static LLVMValueRef offset(struct mpl_widen *w, LLVMValueRef pointer, bool vector,
                           LLVMTypeRef type) {
  LLVMValueRef sum = LLVMConstNull(type);
  for (; LLVMIsAGetElementPtrInst(pointer); pointer = LLVMGetOperand(pointer, 0)) {
    LLVMTypeRef element = LLVMGetGEPSourceElementType(pointer);
    for (int k = 1; k < LLVMGetNumOperands(pointer); k++) {
      LLVMValueRef index = LLVMGetOperand(pointer, k), bytes;
      if (k > 1 && LLVMGetTypeKind(element) == LLVMStructTypeKind) {
        unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
        bytes = mpl_const64(w->ir, LLVMOffsetOfElement(w->ir->layout, element, field));
        element = LLVMStructGetTypeAtIndex(element, field);
        sum = LLVMBuildAdd(w->b, sum, vector ? mpl_splat(w, bytes) : bytes, "");
        continue;
      }
      if (k > 1) element = LLVMGetElementType(element);
      bytes = mpl_const64(w->ir, LLVMABISizeOfType(w->ir->layout, element));
      index = vector ? mpl_vector(w, index) : mpl_scalar(w, index);
      index = LLVMBuildIntCast2(w->b, index, type, true, "");
      if (vector) bytes = mpl_splat(w, bytes);
      sum = LLVMBuildAdd(w->b, sum, LLVMBuildMul(w->b, index, bytes, ""), "");
    }
  }
  return sum;
}

LLVMValueRef mpl_array_place(struct mpl_widen *w, LLVMValueRef pointer, unsigned size,
                             bool uniform) {
  LLVMValueRef array = wide_array(w, mpl_array_of(w, pointer));
  LLVMTypeRef type = uniform ? w->ir->i64 : mpl_vector_type(w, w->ir->i64);
  LLVMValueRef at = offset(w, pointer, !uniform, type), by = mpl_const64(w->ir, w->width);
  at = LLVMBuildMul(w->b, at, uniform ? by : mpl_splat(w, by), "");
  if (!uniform) at = LLVMBuildAdd(w->b, at, mpl_steps(w, w->ir->i64, size), "");
  return LLVMBuildGEP2(w->b, w->ir->i8, array, &at, 1, "");
}
