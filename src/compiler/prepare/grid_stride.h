/* Loops from a work-item's id on in steps that are the same for all, as a group goes over an array:
 *
 *   for (i = id; i < end; i += step) body      becomes
 *
 *   for (n = 0; n < rounds; n++) body          rounds: those that all work-items take part in
 *   for (; i < end; i += step) body            what is left: one round for some of them
 *
 * The first loop is uniform, so that interchange takes it; the second is as before. */
#ifndef MPL_COMPILER_GRID_STRIDE_H
#define MPL_COMPILER_GRID_STRIDE_H

#include "compiler/analysis/shape.h"

struct mpl_grid_stride {
  struct mpl_module_ir *ir;
  struct mpl_cfg *cfg;
  struct mpl_shapes *shapes;
  LLVMBasicBlockRef guard, enter, body, leave; /* guard branches to enter, which leads to body, or
                                                  past the loop; body to itself or to leave */
  LLVMValueRef counter;       /* the phi that counts */
  LLVMValueRef base;          /* what it begins with beyond the local id in x; null: nothing */
  LLVMValueRef step, end;     /* uniform, of 32 or 64 bits */
  bool is_signed;             /* the comparison with `end` */
};

/* Looks for such a loop in one block. */
bool mpl_match_grid_stride(struct mpl_grid_stride *, unsigned block);

/* Makes two loops of it; the first one's condition and block are new. */
void mpl_split_grid_stride(struct mpl_grid_stride *);

#endif
