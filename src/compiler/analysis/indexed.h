/* Places of lanes that are elements of one array, known by indices of 32 bits. */
#ifndef MPL_COMPILER_INDEXED_H
#define MPL_COMPILER_INDEXED_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

struct mpl_indexed {
  LLVMValueRef base, index; /* a place of all lanes; a vector of signed 32 bits */
  LLVMTypeRef step;         /* from one index to the next */
  bool from_halves;         /* made of numbers of 16 bits */
};

/* Are the places `at` such ones?  What is not there yet is made at the builder. */
bool mpl_is_indexed(LLVMTargetDataRef, LLVMBuilderRef, LLVMValueRef at, struct mpl_indexed *);

/* A load for each of an even number of lanes: of a vector of elements of `type`. */
LLVMValueRef mpl_load_each(LLVMBuilderRef, LLVMTypeRef type, const struct mpl_indexed *, unsigned align);

#endif
