/* For the checking engine: in front of the calls that tell it of an access, a look at the stamps
 * (check/memory/stamps.h) of what is accessed.  If they say that it repeats what the engine knows,
 * the calls are left out.  Accesses of one block at known distances are looked at together. */
#ifndef MPL_COMPILER_REPEATS_H
#define MPL_COMPILER_REPEATS_H

#include "compiler/analysis/ir.h"
#include "compiler/analysis/map.h"

struct mpl_told;

struct mpl_repeats {
  struct mpl_module_ir *ir;
  LLVMBuilderRef b;
  struct mpl_told *told;
  size_t count, grouped;
  unsigned run;         /* which stretch of code without calls */
  struct mpl_map views; /* base -> index in known, from 1 on */
  struct mpl_view_ir *known;
  size_t num_known;
  LLVMValueRef watch; /* what the group's `now` leads to, loaded at the function's top */
};

/* Instructions from `first` up to but not `behind` tell of an access of `size` bytes at `pointer`,
 * which leads to `base`: an argument, by its number from 1 on, or (0) a variable of `whole` bytes
 * in local memory.  Noted for the pass mpl_leave_out_repeats, which comes when nothing looks at the
 * kernel's branches any more. */
void mpl_repeats_note(struct mpl_repeats *, LLVMValueRef first, LLVMValueRef behind,
                      LLVMValueRef pointer, LLVMValueRef base, LLVMValueRef size, unsigned flags,
                      unsigned argument, uint64_t whole);
/* Something else may happen behind this: a call, or a block's end. */
void mpl_repeats_end_run(struct mpl_repeats *);

/* All of a kernel's were noted. */
void mpl_repeats_group(struct mpl_repeats *);

#endif
