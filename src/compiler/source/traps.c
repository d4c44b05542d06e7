/* A trap (__builtin_trap) is a fault when the kernel runs, and is seen.  To LLVM nothing comes
 * behind it, so a path that ends in one leads nowhere, and is gone where the branches of each
 * work-item become masks.  So a trap becomes an instruction that might let a work-item go on: it
 * never does, but every path then has an end.  Likewise a call that never returns, as of exit() or
 * of what assert() calls: it becomes one that might. */
#include <string.h>

#include "compiler/passes.h"

static bool ends(LLVMValueRef i) {
  return mpl_calls(i, "llvm.trap") || mpl_calls(i, "llvm.ubsantrap");
}

bool mpl_is_trap(LLVMValueRef i) {
  return ends(i) || mpl_calls(i, "llvm.debugtrap");
}

static void build_return(LLVMBuilderRef b, LLVMValueRef function) {
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(b);
  else
    LLVMBuildRet(b, LLVMGetPoison(type));
}

static bool never_returns(LLVMValueRef i) {
  LLVMValueRef behind = LLVMIsACallInst(i) ? LLVMGetNextInstruction(i) : NULL;
  return behind && LLVMIsAUnreachableInst(behind) && !LLVMIsAIntrinsicInst(i);
}

/* The new end of the path. */
static void end_path(LLVMBuilderRef b, LLVMValueRef unreachable) {
  LLVMPositionBuilderBefore(b, unreachable);
  build_return(b, mpl_function_of(unreachable));
  LLVMInstructionEraseFromParent(unreachable);
}

static void let_return(LLVMBuilderRef b, LLVMValueRef call) {
  LLVMValueRef callee = mpl_callee_of(call);
  LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, mpl_enum_attribute("noreturn"));
  if (callee) mpl_drop_attribute(callee, "noreturn");
  end_path(b, LLVMGetNextInstruction(call));
}

static void make_instruction(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef trap) {
  const char *text = strncmp(LLVMGetTarget(ir->module), "x86", 3) ? "udf #0" : "ud2";
  LLVMValueRef behind = LLVMGetNextInstruction(trap);
  LLVMPositionBuilderBefore(b, trap);
  LLVMValueRef call = mpl_call_assembly(b, text, "", true, ir->void_type, NULL, 0);
  mpl_add_attribute_to_call(call, "nounwind");
  if (LLVMIsAUnreachableInst(behind)) end_path(b, behind);
  LLVMInstructionEraseFromParent(trap);
}

bool mpl_keep_traps(struct mpl_module_ir *ir) {
  bool changed = false;
  MPL_BUILDER(b, ir->context);
  MPL_EACH_FUNCTION(f, ir->module) MPL_EACH_BLOCK(block, f) {
    for (LLVMValueRef before, i = LLVMGetLastInstruction(block); i; i = before) {
      before = LLVMGetPreviousInstruction(i);
      if (ends(i))
        make_instruction(ir, b, i);
      else if (never_returns(i))
        let_return(b, i);
      else
        continue;
      changed = true;
    }
  }
  return changed;
}
