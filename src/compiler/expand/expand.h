/* What the splitter leaves and lanes cannot take as it is becomes simpler code of the same meaning.
 */
#ifndef MPL_COMPILER_EXPAND_H
#define MPL_COMPILER_EXPAND_H

#include "compiler/analysis/slots.h"

/* Each returns true if it changed the function. */
bool mpl_empty_dead_ends(struct mpl_module_ir *, LLVMValueRef function);
bool mpl_expand_copies(struct mpl_module_ir *, LLVMValueRef function);
bool mpl_expand_bits(struct mpl_module_ir *, LLVMValueRef function);
bool mpl_narrow(struct mpl_module_ir *, LLVMValueRef function);

/* A block that mpl_empty_dead_ends emptied. */
static inline bool mpl_is_dead_end(LLVMBasicBlockRef block) {
  return LLVMIsAUnreachableInst(LLVMGetFirstInstruction(block)) != NULL;
}

#endif
