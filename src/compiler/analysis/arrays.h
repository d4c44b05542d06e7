/* Private arrays that can lie lane beside lane, unit by unit. */
#ifndef MPL_COMPILER_ARRAYS_H
#define MPL_COMPILER_ARRAYS_H

#include "ir.h"

/* May it use the array? */
typedef bool mpl_array_user(const void *data, LLVMValueRef user);

/* Bytes of the largest access, if the array is accessed by places in it only, at multiples of the
 * access's size; else 0. */
unsigned mpl_unit_of_array(LLVMTargetDataRef, LLVMValueRef alloca, mpl_array_user *,
                           const void *data);

/* What the indices add, in bytes, at the builder; `wraps`: they may lead anywhere. */
LLVMValueRef mpl_distance(struct mpl_module_ir *, LLVMBuilderRef, LLVMValueRef gep, bool wraps);

#endif
