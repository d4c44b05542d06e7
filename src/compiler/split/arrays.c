/* Private arrays whose contents live on from region to region lie in scratch memory, unit by unit:
 * that of one work-item beside that of the next, as what work-items access together should be. */
#include "compiler/analysis/arrays.h"
#include "compiler/passes.h"
#include "split.h"

static bool is_in_region(const void *data, LLVMValueRef user) {
  const struct mpl_split *s = data;
  return LLVMGetInstructionParent(user) != s->setup;
}

bool mpl_counts_units(LLVMValueRef value) {
  return LLVMGetInstructionOpcode(value) == LLVMSDiv && LLVMGetExact(value) &&
         LLVMIsAConstantInt(LLVMGetOperand(value, 1)) &&
         LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1)) > 0;
}

/* Bytes from the array's begin, at the builder. */
static LLVMValueRef offset_of(struct mpl_split *s, LLVMValueRef pointer) {
  LLVMValueRef sum = NULL;
  for (; LLVMIsAGetElementPtrInst(pointer); pointer = LLVMGetOperand(pointer, 0)) {
    LLVMValueRef by = mpl_distance(s->ir, s->b, pointer, false);
    sum = sum ? LLVMBuildNSWAdd(s->b, sum, by, "") : by;
  }
  return sum ? sum : mpl_const64(s->ir, 0);
}

/* Unit n of all work-items is behind unit n - 1 of all. */
static void move_access(struct mpl_split *s, LLVMValueRef array, unsigned unit,
                        LLVMValueRef access) {
  int operand = LLVMIsAStoreInst(access) != NULL;
  unsigned size = (unsigned)LLVMABISizeOfType(s->ir->layout, mpl_accessed_type(access));
  LLVMPositionBuilderBefore(s->b, access);
  LLVMValueRef at = offset_of(s, LLVMGetOperand(access, operand)), inside = NULL;
  if (size < unit) {
    inside = LLVMBuildAnd(s->b, at, mpl_const64(s->ir, unit - 1), "");
    at = LLVMBuildNSWSub(s->b, at, inside, "");
  }
  at = LLVMBuildMul(s->b, LLVMBuildExactSDiv(s->b, at, mpl_const64(s->ir, unit), ""),
                    LLVMBuildMul(s->b, s->padded, mpl_const64(s->ir, unit), ""), "");
  if (inside) at = LLVMBuildAdd(s->b, at, inside, "");
  LLVMSetOperand(access, (unsigned)operand, mpl_offset(s->ir, s->b, array, at));
  LLVMSetAlignment(access, size);
}

static void move_accesses(struct mpl_split *s, LLVMValueRef array, unsigned unit,
                          LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAGetElementPtrInst(user)) {
      move_accesses(s, array, unit, user);
      LLVMInstructionEraseFromParent(user);
    } else {
      move_access(s, array, unit, user);
    }
  }
}

unsigned mpl_interleave_array(struct mpl_split *s, LLVMValueRef alloca) {
  if (s->lanes) return 0;
  unsigned unit = mpl_unit_of_array(s->ir->layout, alloca, is_in_region, s);
  if (!unit) return 0;
  LLVMValueRef array = LLVMInstructionClone(alloca); /* has no uses but the new ones, meanwhile */
  LLVMPositionBuilderBefore(s->b, alloca);
  LLVMInsertIntoBuilder(s->b, array);
  move_accesses(s, array, unit, alloca);
  LLVMReplaceAllUsesWith(array, alloca);
  LLVMInstructionEraseFromParent(array);
  return unit;
}
