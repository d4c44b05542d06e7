/* A copy of a work-item loop, and what it hands on. */
#ifndef MPL_COMPILER_LOOP_COPY_H
#define MPL_COMPILER_LOOP_COPY_H

#include "values.h"
#include "versions.h"

/* For several whole chunks, for one, or for what is left, under a mask. */
struct mpl_loop_copy {
  unsigned chunks;
  LLVMBasicBlockRef before, first, last; /* the last is open at its end */
  LLVMValueRef counter;
  struct mpl_map scalars; /* of a sub-group: of what is used behind the loop */
};

/* For the work-items from `start` on. */
void mpl_make_copy(struct mpl_emit *, struct mpl_loop_copy *, unsigned chunks, LLVMValueRef start);
/* At the builder: the lanes of the chunk that begins with work-item `first`, of which there is one:
 * `most` of them. */
LLVMValueRef mpl_known_here(struct mpl_emit *, LLVMValueRef number);
LLVMValueRef mpl_lanes_from(struct mpl_emit *, LLVMValueRef first, LLVMValueRef most);
/* What is behind the loop gets each value that it has asked for (emit.h's `handed`) from the chunk
 * that was last, at the end of `fold`. */
void mpl_hand_on(struct mpl_emit *, LLVMBasicBlockRef post, LLVMBasicBlockRef fold);

#endif
