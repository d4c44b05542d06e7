/* Work-item ids of a function that is not split yet. */
#ifndef MPL_COMPILER_SPLIT_IDS_H
#define MPL_COMPILER_SPLIT_IDS_H

#include "compiler/analysis/ir.h"

/* Local ids that powers of two divide become masks and shifts. */
void mpl_divide_ids(struct mpl_module_ir *, LLVMValueRef function);

#endif
