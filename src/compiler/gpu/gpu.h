/* What the passes for GPUs share, and lack in LLVM-C (address_spaces.cpp). */
#ifndef MPL_COMPILER_GPU_H
#define MPL_COMPILER_GPU_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Moves what is in an address space to another, in all types, variables and functions of a module:
 * space i becomes to[i], for i < count.  Casts that lead nowhere any more go. */
void mpl_gpu_move_spaces(LLVMModuleRef module, const unsigned *to, unsigned count);

#ifdef __cplusplus
}
#endif
#endif
