/* What never returns is not there on a GPU.  A block from which every way leads to a call of it is
 * one fault: nobody sees what else it does, a message for an exception for instance. */
#include <stdlib.h>
#include <string.h>

#include "compiler/analysis/ir.h"
#include "compiler/analysis/map.h"
#include "gpu_part.h"

static bool never_returns(LLVMValueRef i) {
  LLVMValueRef callee = mpl_callee_of(i);
  return callee && !LLVMGetIntrinsicID(callee) && mpl_has_attribute(callee, "noreturn");
}

static bool calls_end(LLVMBasicBlockRef block) {
  MPL_EACH_INSTRUCTION(i, block) {
    if (never_returns(i)) return true;
  }
  return false;
}

static bool leads_to_end(const struct mpl_map *ends, LLVMBasicBlockRef block) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
  unsigned count = LLVMGetNumSuccessors(last);
  for (unsigned s = 0; s < count; s++)
    if (!mpl_map_has(ends, LLVMGetSuccessor(last, s))) return false;
  return count;
}

static void find_ends(struct mpl_map *ends, LLVMValueRef function) {
  MPL_EACH_BLOCK(b, function) {
    if (calls_end(b)) mpl_map_set(ends, b, 1);
  }
  for (bool changed = ends->count; changed;) {
    changed = false;
    MPL_EACH_BLOCK(b, function) {
      if (mpl_map_has(ends, b) || !leads_to_end(ends, b)) continue;
      mpl_map_set(ends, b, 1);
      changed = true;
    }
  }
}

void mpl_gpu_end_by_fault(LLVMValueRef function) {
  static const char name[] = "llvm.trap";
  MPL_MAP(ends);
  if (LLVMIsDeclaration(function)) return;
  find_ends(&ends, function);
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  MPL_BUILDER(b, LLVMGetModuleContext(module));
  MPL_EACH_BLOCK(block, function) {
    if (!mpl_map_has(&ends, block)) continue;
    LLVMValueRef trap =
        LLVMGetIntrinsicDeclaration(module, LLVMLookupIntrinsicID(name, sizeof name - 1), NULL, 0);
    mpl_empty_block(block);
    LLVMPositionBuilderAtEnd(b, block);
    LLVMBuildCall2(b, LLVMGlobalGetValueType(trap), trap, NULL, 0, "");
    LLVMBuildUnreachable(b);
  }
}
