/* What the passes for GPUs share, and lack in LLVM-C (address_spaces.cpp, read_only.cpp). */
#ifndef MPL_COMPILER_GPU_H
#define MPL_COMPILER_GPU_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Moves what is in an address space to another, in all types, variables and functions of a module:
 * space i becomes to[i], for i < count.  Casts that lead nowhere any more go. */
void mpl_gpu_move_spaces(LLVMModuleRef module, const unsigned *to, unsigned count);

/* Loads from an address space whose memory nobody writes say so. */
void mpl_gpu_mark_loads(LLVMModuleRef module, unsigned space);

/* The same of loads through the pointer at that offset of an entry's parameter, which the kernel
 * calls restrict, if it does nothing else with it. */
void mpl_gpu_mark_read_only(LLVMValueRef entry, uint64_t offset);

/* Where in an entry's parameter it finds pointers through which it reads or writes; as many as there is
 * room for. */
unsigned mpl_gpu_used_pointers(LLVMValueRef entry, uint64_t *offsets, unsigned room);

/* half_bytes.c: bytes of halves are stored as NVIDIA's compiler gets them right. */
void mpl_gpu_keep_half_bytes(LLVMValueRef function);

/* join_bytes.cpp: bytes side by side of global memory are read as words. */
void mpl_gpu_join_bytes(LLVMModuleRef module);

/* small_to_float.c: bytes and half-words of words become floats by ordinary instructions. */
void mpl_gpu_convert_parts(LLVMValueRef function);

/* float_to_small.c: floats that are clamped become integers by sums. */
void mpl_gpu_convert_to_integers(LLVMValueRef function);

/* signatures.c: vectors of floats are passed as LLVM 21 can. */
void mpl_gpu_pass_floats(LLVMValueRef function);

/* What a constant address is an offset into. */
LLVMValueRef mpl_gpu_constant_base(LLVMModuleRef module, LLVMValueRef address, int64_t *offset);

/* variables.c: a call for the place of a variable that each device has for itself; whether that is
 * known; calls become the places that the launch came with. */
struct mpl_module_ir;
struct mpl_ir_kernel;
bool mpl_gpu_is_variable(LLVMValueRef instruction);
bool mpl_gpu_knows_variable(struct mpl_module_ir *, LLVMValueRef call);
void mpl_gpu_place_variables(struct mpl_module_ir *, const struct mpl_ir_kernel *);

#ifdef __cplusplus
}
#endif
#endif
