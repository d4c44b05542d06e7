/* Gathers of all lanes, where the processor does not gather, are a load for each lane.
 *
 * LLVM would take places of 64 bits out of their vectors, where indices of 32 are half as many.  Done
 * earlier, it would hoist each lane's index out of loops that need not use it. */
#include "compiler/analysis/indexed.h"
#include "compiler/analysis/ir.h"
#include "compiler/analysis/target.h"
#include "compiler/plugin.h"

static bool is_of_all(LLVMValueRef gather) {
  LLVMValueRef mask = LLVMGetOperand(gather, 2);
  return LLVMIsConstant(mask) && mask == LLVMConstAllOnes(LLVMTypeOf(mask));
}

static void load_lanes(LLVMTargetDataRef layout, LLVMBuilderRef b, LLVMValueRef gather) {
  struct mpl_indexed at;
  LLVMTypeRef type = LLVMTypeOf(gather);
  LLVMPositionBuilderBefore(b, gather);
  if (!is_of_all(gather) || LLVMGetVectorSize(type) % 2 ||
      !mpl_is_indexed(layout, b, LLVMGetOperand(gather, 0), &at))
    return;
  unsigned align = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(gather, 1));
  mpl_replace(gather, mpl_load_each(b, LLVMGetElementType(type), &at, align));
}

void mpl_load_lanes(LLVMModuleRef module) {
  MPL_BUILDER(b, LLVMGetModuleContext(module));
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  MPL_EACH_FUNCTION(f, module) {
    if (mpl_target_of(f)->least_gathered) continue;
    MPL_EACH_INSTRUCTION_OF(i, f) if (mpl_calls(i, "llvm.masked.gather.")) load_lanes(layout, b, i);
  }
}
