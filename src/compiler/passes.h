/* maniple's passes over one module.  The order, and what each does, is the table in passes.c. */
#ifndef MPL_COMPILER_PASSES_H
#define MPL_COMPILER_PASSES_H

#include "analysis/ir.h"

void mpl_find_lifetimes(struct mpl_module_ir *);
void mpl_link_library(struct mpl_module_ir *);
void mpl_guard_divisions(struct mpl_module_ir *);
void mpl_find_kernels(struct mpl_module_ir *);
void mpl_lower_printf(struct mpl_module_ir *);
void mpl_inline(struct mpl_module_ir *);
void mpl_check_calls(struct mpl_module_ir *);
void mpl_hoist_launch(struct mpl_module_ir *);
void mpl_lower_local_atomics(struct mpl_module_ir *);
void mpl_place_local_memory(struct mpl_module_ir *);
void mpl_hoist_uniform(struct mpl_module_ir *);
void mpl_compact_stores(struct mpl_module_ir *);
void mpl_peel_loops(struct mpl_module_ir *);
void mpl_interchange_loops(struct mpl_module_ir *);
void mpl_set_one_item_apart(struct mpl_module_ir *);
void mpl_let_spinning_yield(struct mpl_module_ir *);
void mpl_split_kernels(struct mpl_module_ir *);
void mpl_emit_table(struct mpl_module_ir *);

/* For the checking engine. */
void mpl_name_calls(struct mpl_module_ir *);
void mpl_keep_accesses(struct mpl_module_ir *);
void mpl_watch_accesses(struct mpl_module_ir *);
void mpl_make_items(struct mpl_module_ir *);

/* For kernels in C and C++. */
void mpl_free_math(struct mpl_module_ir *);
void mpl_find_records(struct mpl_module_ir *);
void mpl_check_records(struct mpl_module_ir *);
void mpl_mark_math_calls(struct mpl_module_ir *);

/* Runs the passes for these on a module of theirs (extract.h); then `take`, unless there was an error,
 * which is in `why`. */
bool mpl_run_record_passes(LLVMModuleRef, const struct mpl_records *, char why[1024],
                           void (*take)(struct mpl_module_ir *, void *data), void *data);

#endif
