/* Which instructions the kernels of a C or C++ program are compiled for. */
#ifndef MPL_COMPILER_INSTRUCTION_SET_H
#define MPL_COMPILER_INSTRUCTION_SET_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* Is the program for the kind of processor that this is? */
bool mpl_is_own_target(LLVMModuleRef);

/* Where the user chose no processor (-march=), the functions get the best level of the x86-64
 * architecture that this machine has; the rest of the program keeps running on any.  The result is
 * for the record's flags (MPL_RECORD_LEVEL_SHIFT): on a processor of a lower level the kernel runs
 * on fibres. */
uint32_t mpl_choose_instruction_set(LLVMModuleRef);

#endif
