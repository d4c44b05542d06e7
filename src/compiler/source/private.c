/* Refuses private memory that a stack cannot hold, or whose size is not known: OpenCL C has arrays
 * of a constant size only (6.11, variable length arrays), and a stack is measured before it is
 * used. */
#include "compiler/passes.h"
#include "source.h"

enum { MOST_BITS = 31 }; /* frames of 2 GB and more are not what LLVM makes code for */

static bool is_static(LLVMValueRef alloca) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(alloca);
  return LLVMIsAConstantInt(LLVMGetOperand(alloca, 0)) &&
         block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
}

bool mpl_check_private(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef alloca) {
  if (!LLVMIsAAllocaInst(alloca)) return false;
  LLVMValueRef function = mpl_function_of(alloca);
  bool is_known = is_static(alloca);
  uint64_t size = is_known ? mpl_size_of_alloca(ir->layout, alloca) : 0;
  if (is_known && size >> MOST_BITS == 0) return false;
  char *name = mpl_ir_demangle(LLVMGetValueName(function));
  if (!is_known)
    mpl_report(ir, alloca,
               "'%s' asks for private memory while it runs (alloca); OpenCL has none: "
               "declare an array whose size is a constant",
               name);
  else
    mpl_report(ir, function,
               "a private variable of '%s' has %llu bytes, which is more than one "
               "may have: %llu",
               name, (unsigned long long)size, (1ull << MOST_BITS) - 1);
  LLVMDisposeMessage(name);
  return false;
}
