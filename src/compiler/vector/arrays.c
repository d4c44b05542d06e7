/* Memory that each work-item has its own of.
 *
 * A private array that one region uses is one alloca for all work-items, one after another.  For a
 * chunk it becomes an array of vectors: what is at byte o of lane k is at o * W + k * size.  So an
 * index that all lanes share is one access of a whole vector.
 *
 * That is for arrays all of whose accesses are of one size, by places in the array.  Of any other
 * there is one for each lane, one behind the other: its address is strided. */
#include <llvm-c/DebugInfo.h>

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
      if (!mpl_fits_memory(type) || mpl_is_seen_by_others(user)) return false;
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

enum mpl_array_kind mpl_array_kind(struct mpl_widen *w, LLVMValueRef value) {
  if (!LLVMIsAAllocaInst(value) || mpl_is_slot(w->ir, value)) return MPL_NO_ARRAY;
  unsigned block = mpl_cfg_block_of(w->cfg, value), size = 0;
  if (block < w->cfg->count && w->in[block]) return MPL_NO_ARRAY; /* each lane makes one */
  enum mpl_array_kind kind = mpl_map_get(&w->kinds, value, MPL_NO_ARRAY);
  if (kind != MPL_NO_ARRAY) return kind;
  bool alike = all_accesses_alike(w, value, &size) && size && size <= 8;
  kind = alike && is_even(w, value, size) ? MPL_INTERLEAVED_ARRAY : MPL_ITEMS_ARRAY;
  mpl_map_set(&w->kinds, value, kind);
  return kind;
}

LLVMValueRef mpl_array_of(struct mpl_widen *w, LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
  return mpl_array_kind(w, pointer) == MPL_INTERLEAVED_ARRAY ? pointer : NULL;
}

uint64_t mpl_array_size(struct mpl_widen *w, LLVMValueRef alloca) {
  uint64_t bytes = LLVMABISizeOfType(w->ir->layout, LLVMGetAllocatedType(alloca)) *
                   LLVMConstIntGetZExtValue(LLVMGetOperand(alloca, 0)),
           align = LLVMGetAlignment(alloca);
  return (bytes + align - 1) / align * align;
}

LLVMValueRef mpl_entry_alloca(struct mpl_widen *w, LLVMTypeRef type, const char *name) {
  LLVMBasicBlockRef at = LLVMGetInsertBlock(w->b);
  LLVMMetadataRef place = LLVMGetCurrentDebugLocation2(w->b);
  LLVMPositionBuilderBefore(w->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->function)));
  LLVMValueRef memory = LLVMBuildAlloca(w->b, type, name);
  LLVMSetAlignment(memory, 64);
  LLVMPositionBuilderAtEnd(w->b, at);
  LLVMSetCurrentDebugLocation2(w->b, place);
  return memory;
}

/* The memory of all lanes in its place. */
LLVMValueRef mpl_wide_array(struct mpl_widen *w, LLVMValueRef alloca) {
  LLVMValueRef known = (LLVMValueRef)mpl_map_get(&w->arrays, alloca, 0);
  if (known) return known;
  LLVMTypeRef type = LLVMArrayType2(w->ir->i8, mpl_array_size(w, alloca) * w->width);
  known = mpl_entry_alloca(w, type, "lanes");
  if (LLVMGetAlignment(alloca) > 64) LLVMSetAlignment(known, LLVMGetAlignment(alloca));
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
  LLVMValueRef array = mpl_wide_array(w, mpl_array_of(w, pointer));
  LLVMTypeRef type = uniform ? w->ir->i64 : mpl_vector_type(w, w->ir->i64);
  LLVMValueRef at = offset(w, pointer, !uniform, type), by = mpl_const64(w->ir, w->width);
  at = LLVMBuildMul(w->b, at, uniform ? by : mpl_splat(w, by), "");
  if (!uniform) at = LLVMBuildAdd(w->b, at, mpl_steps(w, w->ir->i64, size), "");
  return LLVMBuildGEP2(w->b, w->ir->i8, array, &at, 1, "");
}
