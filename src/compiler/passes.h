/* maniple's passes over one module: passes.def.  Each returns whether it changed the module.  Those for
 * instructions have a builder in front of theirs, which they may replace. */
#ifndef MPL_COMPILER_PASSES_H
#define MPL_COMPILER_PASSES_H

#include "analysis/ir.h"

#define MPL_PASS(name, function, who, text) bool function(struct mpl_module_ir *);
#define MPL_KERNEL_PASS(name, function, who, text)                                                 \
  bool function(struct mpl_module_ir *, struct mpl_ir_kernel *);
#define MPL_INSTRUCTION_PASS(name, function, who, text)                                            \
  bool function(struct mpl_module_ir *, LLVMBuilderRef, LLVMValueRef);
#include "tables/passes.def"

/* printf.c, on a GPU: prints packed arguments of `size` bytes; what printf returns (gpu/print.c). */
LLVMValueRef mpl_gpu_print(struct mpl_module_ir *, LLVMBuilderRef, LLVMValueRef format,
                           LLVMValueRef args, uint64_t size);

/* Is there something in the function's signature that LLVM's back end for GPUs cannot pass
 * (gpu/signatures.c)? */
bool mpl_gpu_must_inline(LLVMValueRef function);

/* What is not widened of the instructions that math functions ask for (vector/emit/target_math.c); true if
 * there was any. */
bool mpl_lower_target_math(struct mpl_module_ir *);

/* A call of a trap that is no instruction yet (source/traps.c). */
bool mpl_is_trap(LLVMValueRef instruction);

/* Of what printf became, in a filter (source/printf.c): the call of the host, or the array of its
 * arguments. */
bool mpl_is_of_print(struct mpl_module_ir *, LLVMValueRef);

/* Has it a loop in which somebody does the same again and again until another work-item has been
 * there (prepare/yield.c)? */
bool mpl_waits_for_others(LLVMValueRef function);

/* Loops of a program in C or C++ around group functions, as written, count for the checking engine
 * (items/turns.c): behind the passes for its kernels. */
void mpl_count_turns_of_host(LLVMModuleRef);

/* The reads, volatile or atomic, on which it depends whether a loop ends (prepare/yield.c). */
struct mpl_cfg;
void mpl_find_waiting_reads(struct mpl_cfg *, struct mpl_map *reads);

/* Runs the passes for kernels in C and C++ on a module of theirs (extract.h), or those for their
 * filters; then `take`, unless there was an error, which is in `why`. */
bool mpl_run_record_passes(LLVMModuleRef, const struct mpl_records *, bool filters, char why[1024],
                           void (*take)(struct mpl_module_ir *, void *data), void *data);

/* For the splitter, in front of mpl_widen_sub_group (expand/): expands copies and bits of a function as
 * the pass `expand` does. */
void mpl_expand_sub_group(struct mpl_module_ir *, LLVMValueRef function);
/* For the splitter (vector/).  Makes the loops over the lanes of a sub-group vector code: in each,
 * one copy for where `whole` is true, without masks, and one for the rest.  False, and reported, if
 * one cannot be made so. */
bool mpl_widen_sub_group(struct mpl_module_ir *, LLVMValueRef function, unsigned lanes,
                         LLVMValueRef whole);

#endif
