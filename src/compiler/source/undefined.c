/* Operands that nobody takes.  A work-item may pass anything where another's operand decides, as to a
 * broadcast of what the first one has set: clang marks each argument as defined (noundef), so LLVM
 * takes such a call for one that is never made, and the branch in front of it for one that all
 * take. */
#include <string.h>

#include "compiler/analysis/attributes.h"
#include "compiler/plugin.h"

struct marks {
  unsigned argument, load; /* kinds: of an attribute, of metadata */
};

static void permit_in_call(LLVMValueRef call, const struct marks *marks) {
  unsigned count = LLVMGetNumArgOperands(call);
  for (LLVMAttributeIndex i = LLVMAttributeReturnIndex; i <= count; i++)
    LLVMRemoveCallSiteEnumAttribute(call, i, marks->argument);
}

static void permit_in_parameters(LLVMValueRef function, const struct marks *marks) {
  for (LLVMAttributeIndex i = LLVMAttributeReturnIndex; i <= LLVMCountParams(function); i++)
    LLVMRemoveEnumAttributeAtIndex(function, i, marks->argument);
}

static void permit_in_body(LLVMValueRef function, const struct marks *marks) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) permit_in_call(i, marks);
      if (LLVMIsALoadInst(i)) LLVMSetMetadata(i, marks->load, NULL);
    }
}

/* A kernel's own arguments are defined: the host has set them. */
void mpl_permit_undefined(LLVMModuleRef module) {
  static const char name[] = "noundef";
  const struct marks marks = {
      mpl_enum_attribute(name),
      LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), name, sizeof name - 1)};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMGetFunctionCallConv(f) != LLVMSPIRKERNELCallConv) permit_in_parameters(f, &marks);
    permit_in_body(f, &marks);
  }
}
