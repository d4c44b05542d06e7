/* What the passes for the checking engine share. */
#ifndef MPL_COMPILER_ITEMS_H
#define MPL_COMPILER_ITEMS_H

#include "compiler/analysis/ir.h"

/* accesses.c: messages call what the pointer leads to by this name. */
void mpl_name_variable(struct mpl_module_ir *, LLVMValueRef pointer, const char *name);

/* The same of the kernel's argument of that number. */
void mpl_name_argument(struct mpl_module_ir *, LLVMValueRef pointer, const char *name,
                       unsigned index);
/* The same with its size, of a variable, and 0 if it has none. */
void mpl_size_variable(struct mpl_module_ir *, LLVMValueRef pointer, uint64_t size);
uint64_t mpl_named_size(struct mpl_module_ir *, LLVMValueRef pointer);

/* branches.c: in front of each branch on which it depends whether a work-item comes to a collective
 * a call of MPL_MARK_BRANCH with index, condition, and the fields of struct mpl_branch behind its
 * place.  Returns how many. */
unsigned mpl_mark_branches(struct mpl_module_ir *, LLVMValueRef function);

/* branches.c: work-items may part at a branch whose sides meet only behind a collective. */
bool mpl_parts_before_sync(LLVMValueRef function);

/* objects.c: an alloca of which the engine hears where accesses are. */
bool mpl_is_private_array(LLVMValueRef alloca);

#endif
