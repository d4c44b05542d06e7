/* The kernels of a C or C++ program, compiled for GPUs.
 *
 * x86-64, AArch64 and NVPTX lay out numbers, pointers and structs alike, so what the kernels reach
 * of the host's module is copied (extract.h) and becomes a module for a GPU, as clang makes one of
 * OpenCL C: each kernel takes its argument block by value.  All pointers are generic there. */
#ifndef MPL_COMPILER_GPU_PART_H
#define MPL_COMPILER_GPU_PART_H

#include <llvm-c/Core.h>

#include "record.h"

/* The name of a record's kernel in such a module. */
#define MPL_GPU_KERNEL "kernel_%u"

/* Bitcode of a module with all of these kernels. */
LLVMMemoryBufferRef mpl_gpu_part(LLVMModuleRef host, const struct mpl_records *);

/* gpu_ends.c: a throw, a failed assertion, an abort: a GPU ends the kernel by a fault, of which the
 * program hears. */
void mpl_gpu_end_by_fault(LLVMValueRef function);

/* gpu_text.c: its text in PTX, made by a clang of its own, since options of LLVM are the process's.
 * Null: it could not be made, and `why` has what clang says.  Free it. */
char *mpl_gpu_text(LLVMMemoryBufferRef bitcode, char *why, size_t room);

/* gpu_variables.c: the variables that a kernel of the text asks for, as an array of struct
 * mpl_gpu_variable, or null if there are none; false: one of them is not to be found. */
bool mpl_gpu_variables(LLVMModuleRef host, const char *text, const char *kernel,
                       LLVMValueRef *list, unsigned *count);

#endif
