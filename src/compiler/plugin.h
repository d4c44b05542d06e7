/* What the plugin, which is C++, has the passes do. */
#ifndef MPL_COMPILER_PLUGIN_H
#define MPL_COMPILER_PLUGIN_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Attributes of functions that LLVM has fewer passes for (tables/left_out.def). */
#define MPL_WIDENED "maniple-widened"
#define MPL_LARGE "maniple-large"

/* read.c: tells whoever has started clang, if it wants to know, that the source is read. */
void mpl_tell_read(void);

/* source/undefined.c: arguments and what is loaded need not be defined. */
void mpl_permit_undefined(LLVMModuleRef module);

/* passes.c; false if an error was reported. */
bool mpl_run_passes(LLVMModuleRef module);

/* lifetime.c: gives destructors the objects that clang 19 loses where address spaces have numbers,
 * and virtual bases' tables the casts that they need; kernels of blocks are the module's own, since
 * other modules may have static functions of the same name.  Without the former the module is not valid, and
 * what is written of it is no bitcode.  Returns whether there was anything. */
bool mpl_mend_front_end(LLVMModuleRef module);

/* single_source.c: the module is of OpenCL C, OpenCL C++ or SPIR-V, not of a program in C or C++. */
bool mpl_is_opencl(LLVMModuleRef);

/* single_source.c: fills in the kernel records of a C or C++ program, if it has any; false if the
 * module is OpenCL's. */
bool mpl_compile_records(LLVMModuleRef module);

/* items/host_volatile.c: in a C or C++ program that tells of its accesses, which volatile ones no loop
 * waits with. */
void mpl_tell_volatile(LLVMModuleRef module);

/* gpu/back_end.c: what LLVM's own passes leave, in forms that do well in the back ends for GPUs. */
void mpl_gpu_finish(LLVMModuleRef module);
/* The same of bytes and half-words, once loops have pointers that move on. */
void mpl_gpu_finish_numbers(LLVMModuleRef module);
/* gpu/constants.c: variables' values, in forms that LLVM's back end for GPUs gets right. */
void mpl_gpu_pad_constants(LLVMModuleRef module);

/* after/loaded_lanes.c: gathers of all lanes become loads, where the processor does not gather. */
void mpl_load_lanes(LLVMModuleRef module);
/* after/merges.c: selects of merged bits, in a form that LLVM's back end for AVX-512 gets right. */
void mpl_order_merges(LLVMModuleRef module);
/* after/inverse_roots.c: quotients by roots of vectors that need not be rounded. */
void mpl_estimate_inverse_roots(LLVMModuleRef module);
/* after/rounded.c: numbers that are rounded and converted, by one instruction of AArch64. */
void mpl_convert_rounded(LLVMModuleRef module);
/* after/pressure.c: what blocks only read comes from memory where registers are too few. */
void mpl_relieve_registers(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif
#endif
