/* A copy of a work-item loop, and what it hands on. */
#ifndef MPL_COMPILER_LOOP_COPY_H
#define MPL_COMPILER_LOOP_COPY_H

#include "values.h"
#include "versions.h"

struct mpl_loop_copy {
  const struct mpl_copy *is;
  LLVMValueRef most;      /* under a mask: lanes that a chunk has, if there are so many */
  LLVMValueRef start;     /* the work-item that it begins with; a phi of `before`, if it was null */
  LLVMBasicBlockRef before, first, last; /* the last is open at its end */
  LLVMValueRef counter;
  struct mpl_map scalars; /* of a sub-group: of what is used behind the loop */
};

/* `is`, `most` and `start` are set. */
void mpl_make_copy(struct mpl_emit *, struct mpl_loop_copy *);
/* From block `enter` on to `go`, or, if the condition is not null and does not hold, to the old loop, by the
 * returned block. */
LLVMBasicBlockRef mpl_enter_copies(struct mpl_emit *, LLVMBasicBlockRef enter, LLVMBasicBlockRef go,
                                   LLVMValueRef condition);
/* What is behind the loop gets each value that it has asked for (emit.h's `handed`) from the chunk
 * that was last, at the end of `fold`. */
void mpl_hand_on(struct mpl_emit *, LLVMBasicBlockRef post, LLVMBasicBlockRef fold);

#endif
