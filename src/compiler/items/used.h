/* What surely becomes of a value (used.c). */
#ifndef MPL_COMPILER_USED_H
#define MPL_COMPILER_USED_H

#include "compiler/analysis/cfg.h"

/* The result of a shuffle is written to global memory. */
bool mpl_is_surely_stored(LLVMValueRef call);

/* Of what a load reads, or an atomic exchange: MPL_ACCESS_USED, it decides on a branch or an
 * address, or something that is computed of it is written; MPL_ACCESS_COPIED, it is written as it
 * is.  Neither: that is not sure. */
unsigned mpl_use_flags(struct mpl_cfg *, LLVMValueRef load);

#endif
