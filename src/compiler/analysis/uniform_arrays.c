#include "uniform_arrays.h"

#include <stdlib.h>

#include "markers.h"
#include "shape.h"

/* --- which may be --- */

/* A call that sets memory, or copies what is constant to it, as where an array is initialised. */
static bool initialises(LLVMValueRef i) {
  bool set = mpl_calls(i, "llvm.memset.p");
  if (!set && !mpl_calls(i, "llvm.memcpy.p")) return false;
  LLVMValueRef from = LLVMGetOperand(i, 1);
  return LLVMIsAConstantInt(LLVMGetOperand(i, 2)) && LLVMIsNull(LLVMGetOperand(i, 3)) &&
         (set || (LLVMIsAGlobalVariable(from) && LLVMIsGlobalConstant(from)));
}

/* Where it writes, or null. */
LLVMValueRef mpl_array_written_at(LLVMValueRef i) {
  return LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : initialises(i) ? LLVMGetOperand(i, 0) : NULL;
}

LLVMValueRef mpl_array_used_at(LLVMValueRef i) {
  return LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : mpl_array_written_at(i);
}

static bool only_accesses(LLVMValueRef pointer) {
  MPL_EACH_USER(user, pointer) {
    bool stored = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == pointer;
    bool address = LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == pointer;
    if (LLVMIsACallInst(user) && mpl_is_hint(user)) continue;
    if (address ? !only_accesses(user) : stored || mpl_array_used_at(user) != pointer) return false;
    if (mpl_accessed_place(user) && mpl_is_seen_by_others(user)) return false;
  }
  return true;
}

static bool has_sync(LLVMValueRef function) {
  MPL_EACH_INSTRUCTION_OF(i, function)
  if (mpl_is_group_sync(mpl_marker_of(i))) return true;
  return false;
}

void mpl_uniform_arrays_begin(struct mpl_uniform_arrays *arrays, LLVMValueRef function) {
  *arrays = (struct mpl_uniform_arrays){0};
  if (!has_sync(function)) return;
  MPL_EACH_INSTRUCTION(i, LLVMGetEntryBasicBlock(function))
  if (LLVMIsAAllocaInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0)) && only_accesses(i))
    mpl_map_set(&arrays->is, i, 1);
}

void mpl_uniform_arrays_free(struct mpl_uniform_arrays *arrays) {
  mpl_map_free(&arrays->is);
  mpl_map_free(&arrays->begins);
}

bool mpl_is_uniform_array(const struct mpl_uniform_arrays *arrays, LLVMValueRef alloca) {
  return arrays && mpl_map_get(&arrays->is, alloca, 0);
}

LLVMValueRef mpl_uniform_array_of(const struct mpl_uniform_arrays *arrays, LLVMValueRef pointer) {
  if (!arrays || !arrays->is.count) return NULL;
  while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
  return mpl_is_uniform_array(arrays, pointer) ? pointer : NULL;
}

LLVMValueRef mpl_uniform_array_written(const struct mpl_uniform_arrays *arrays, LLVMValueRef i) {
  LLVMValueRef place = arrays && arrays->is.count ? mpl_array_written_at(i) : NULL;
  return place ? mpl_uniform_array_of(arrays, place) : NULL;
}

bool mpl_uniform_array_differs(struct mpl_uniform_arrays *arrays, struct mpl_shapes *shapes,
                               LLVMValueRef i, unsigned block) {
  LLVMValueRef array = mpl_uniform_array_written(arrays, i);
  if (!array) return false;
  bool same = !shapes->diverged[block];
  for (int k = 0; k < 2 && same; k++) same = mpl_is_uniform(shapes, LLVMGetOperand(i, k));
  if (same) return false;
  mpl_map_set(&arrays->is, array, 0);
  return true;
}
