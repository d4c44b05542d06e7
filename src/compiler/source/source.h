/* What the passes that make kernels of functions share, with those for records too. */
#ifndef MPL_COMPILER_SOURCE_H
#define MPL_COMPILER_SOURCE_H

#include "abi/spir.h"
#include "compiler/analysis/ir.h"

/* lifetime.c: the kernels that it makes; no name that a program can give. */
#define MPL_CONSTRUCT "mpl.construct"
#define MPL_DESTRUCT  "mpl.destruct"

/* kernel_stubs.c: kernels of which clang 21 made two functions are one.  Whole programs only: kernels of other
 * programs call the second one. */
bool mpl_unite_kernels(struct mpl_module_ir *);
/* The calling convention of kernels, and of what is none, is that of all targets. */
bool mpl_use_one_convention(LLVMValueRef function);

/* blocks.c: before kernels are looked for.  What stands for the place in the table of a block's
 * kernel; null of any other kernel. */
void mpl_find_blocks(struct mpl_module_ir *);
LLVMValueRef mpl_block_place(struct mpl_module_ir *, const char *kernel);

/* find.c */
void mpl_copy_attributes(LLVMValueRef to, LLVMValueRef from); /* but for those on inlining */
/* The function that runs a work-group of the kernel, `void name(launch, group)`, up to where its
 * argument block is loaded; the builder is for what comes then, and given back at the end. */
LLVMBuilderRef mpl_begin_group_function(struct mpl_module_ir *, struct mpl_ir_kernel *,
                                        const char *name, LLVMValueRef *block);
void mpl_end_group_function(struct mpl_ir_kernel *, LLVMBuilderRef);
/* left_out.c: takes kernels out of the list, with their group functions: those of which `out` is true;
 * or those whose sub-groups have sizes that the device has not. */
void mpl_leave_out(struct mpl_module_ir *, const bool *out);
void mpl_leave_out_sizes(struct mpl_module_ir *);

/* helpers.c: marks calls in kernels that widening wants inlined; those of `needed` functions are.
 * `by_words`: not those of functions that are noinline. */
void mpl_inline_helpers(struct mpl_module_ir *, struct mpl_map *needed, bool by_words);
/* id_arguments.c: what is noinline and asks for ids only gets them as arguments; but for `needed`. */
void mpl_hand_ids(struct mpl_module_ir *, struct mpl_map *needed);

/* irreducible.c */
void mpl_fix_irreducible(struct mpl_module_ir *);

/* loops.c: marks loops for LLVM to unroll, and those that nothing is to be hoisted from. */
void mpl_mark_loops(struct mpl_module_ir *);
void mpl_unmark_loops(struct mpl_module_ir *); /* the latter */

/* mirrored.c: between values and the first instcombine. */
void mpl_widen_mirrored_indices(struct mpl_module_ir *);

/* spaces.c: the second where loops are marked. */
void mpl_infer_spaces(struct mpl_module_ir *);
void mpl_tell_spaces_apart(struct mpl_module_ir *);

/* check.c: whether a library ("libm.so.6") has the function itself, in the file of that name. */
bool mpl_is_in_library(const char *library, const char *file, const char *name);

/* check.c: reports sizes of clusters that are no constants. */
void mpl_diagnose_clusters(struct mpl_module_ir *);

/* The section of OpenCL C++'s local variables of program scope: clang takes none, so the translation
 * of the source (opencl_cpp/translate.c) declares them in global memory there. */
#define MPL_LOCAL_SECTION "maniple.local"
/* local.c: of OpenCL C++, a local variable of program scope, until mpl_place_local_memory. */
bool mpl_is_program_local(LLVMValueRef global);
bool mpl_is_own_section(const char *name); /* one of those that only mark variables for local.c */

/* Of kernels in C and C++: what records/extract.c calls the host's variables, and printf, which the
 * passes know as OpenCL C's, until the part is linked back. */
#define MPL_EXTRACT_SHARED "mpl.shared."

#endif
