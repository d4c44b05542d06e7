/* A kernel's function for launches whose strides, which are arguments, are one. */
#ifndef MPL_COMPILER_SPLIT_UNIT_STRIDES_H
#define MPL_COMPILER_SPLIT_UNIT_STRIDES_H

#include "compiler/analysis/ir.h"

enum { MPL_MOST_STRIDES = 8 };
struct mpl_unit_strides {
  LLVMValueRef list[MPL_MOST_STRIDES]; /* integers, loaded in the set-up block, */
  uint64_t ones[MPL_MOST_STRIDES];     /* and with which elements lie side by side */
  unsigned count;
};

/* A copy of the group function, which is not split yet, in which the strides have these values;
 * null: the kernel has no use for it.  `length` is the sum of those of the program. */
LLVMValueRef mpl_copy_for_unit_strides(struct mpl_module_ir *, const struct mpl_ir_kernel *,
                                       struct mpl_unit_strides *of_group, unsigned *length);
/* At the builder, in the group function: whether they have. */
LLVMValueRef mpl_are_unit_strides(LLVMBuilderRef, const struct mpl_unit_strides *);

#endif
