/* A kernel's function for groups of few work-items. */
#ifndef MPL_COMPILER_SPLIT_FEW_H
#define MPL_COMPILER_SPLIT_FEW_H

#include "compiler/analysis/cost_table.h"
#include "plan/plan.h"

/* As many, in a row, as rows mostly have; and how many have a place in slots. */
enum { MPL_FEW = MPL_GIVEN_ROW, MPL_PADDED_FEW = 64 };

/* A copy of the group function that is not split yet; or null: the kernel has no use for it. */
LLVMValueRef mpl_copy_for_few(const struct mpl_module_ir *, const struct mpl_ir_kernel *);
/* Does the kernel, by the plan of its group function, take it?  `length` is the sum of those of
 * the program. */
bool mpl_takes_few(const struct mpl_split_plan *, LLVMValueRef copy, unsigned *length);

#endif
