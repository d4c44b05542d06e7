/* The pass `components`: vectors of the program become their components, but where
 * plan/components.c says that the program's vectors are faster than lanes. */
#include "compiler/passes.h"
#include "plan/plan.h"

/* The places of components in a private array are each work-item's own, and what is in the setup is
 * made once for all. */
static void leave_setup(LLVMValueRef function, LLVMBuilderRef b) {
  LLVMBasicBlockRef setup = LLVMGetEntryBasicBlock(function);
  LLVMBasicBlockRef first = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(setup), 0);
  LLVMPositionBuilderBefore(b, mpl_behind_phis(first));
  MPL_EACH_INSTRUCTION(i, setup) {
    LLVMValueRef of = i;
    while (LLVMIsAGetElementPtrInst(of)) of = LLVMGetOperand(of, 0);
    if (of == i || !LLVMIsAAllocaInst(of)) continue;
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilder(b, i);
  }
}

/* In front of `one-item`: behind it, what only one work-item has computed dominates what all do. */
bool mpl_split_vectors(struct mpl_module_ir *ir) {
  bool changed = false;
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ir->context);
  MPL_EACH_KERNEL(kernel, ir) {
    kernel->keeps_vectors = kernel->uses_lanes ? NULL : mpl_keeps_vectors(ir, kernel->group);
    if (kernel->keeps_vectors || !mpl_ir_scalarize(kernel->group)) continue;
    leave_setup(kernel->group, b);
    changed = true;
  }
  LLVMDisposeBuilder(b);
  return changed;
}
