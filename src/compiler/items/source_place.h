/* Where an instruction comes from in the user's source, for messages of the checking engine. */
#ifndef MPL_COMPILER_SOURCE_PLACE_H
#define MPL_COMPILER_SOURCE_PLACE_H

#include "compiler/analysis/ir.h"

/* A struct mpl_place (abi/items.h); line 0 if the module has no debug information. */
LLVMValueRef mpl_source_place(struct mpl_module_ir *, LLVMValueRef instruction);

#endif
