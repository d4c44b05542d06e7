/* Global and local memory are not the same: LLVM knows it of no processor whose addresses are of
 * one kind, but believes scopes.  So a sum in global memory, over what is in local memory, can stay
 * in a register while a loop runs. */
#include <string.h>

#include "compiler/passes.h"
#include "source.h"

enum { GLOBAL = 1, LOCAL = 3 };

static LLVMMetadataRef list_of(LLVMContextRef c, LLVMMetadataRef domain, const char *name) {
  LLVMMetadataRef operands[] = {LLVMMDStringInContext2(c, name, strlen(name)), domain};
  LLVMMetadataRef scope = LLVMMDNodeInContext2(c, operands, 2);
  return LLVMMDNodeInContext2(c, &scope, 1);
}

void mpl_tell_spaces_apart(struct mpl_module_ir *ir) {
  static const char name[] = "maniple";
  LLVMMetadataRef text = LLVMMDStringInContext2(ir->context, name, sizeof name - 1),
                  domain = LLVMMDNodeInContext2(ir->context, &text, 1),
                  global = list_of(ir->context, domain, "global"),
                  local = list_of(ir->context, domain, "local");
  for (unsigned k = 0; k < ir->num_kernels; k++) MPL_EACH_INSTRUCTION_OF(i, ir->kernels[k].group) {
      bool store = LLVMIsAStoreInst(i) != NULL;
      if (!store && !LLVMIsALoadInst(i)) continue;
      unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, store)));
      if (space != GLOBAL && space != LOCAL) continue;
      mpl_set_metadata(ir, i, "alias.scope", space == GLOBAL ? global : local);
      mpl_set_metadata(ir, i, "noalias", space == GLOBAL ? local : global);
    }
}
