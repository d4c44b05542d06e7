/* Loads along rows of the lanes' own, a[row * n + k] for each k, where the processor gathers
 * slowly.
 *
 * Each lane's row begins where it does before the loop, and all lanes are as far along it.  So the
 * begins are taken out of their vector once, in front of the loop, and in the loop each lane's
 * element is a scalar's load; LLVM makes one load of several iterations' then.  The address of a
 * gather would be a vector of 64-bit sums in each iteration, out of which it takes one lane after
 * another. */
#include <stdlib.h>

#include "memory.h"

/* The begins of all lanes, and the bytes along them that all share. */
struct row {
  LLVMValueRef begins, along;
};

/* Adds what the step counts to the one or to the other. */
static void add_terms(struct mpl_emit *e, struct row *r, const struct mpl_row_terms *t) {
  LLVMValueRef by = mpl_const64(e->ir, t->size);
  for (unsigned k = 0; k < t->count; k++) {
    bool varies = mpl_stride_of(e->lanes, t->list[k]) != 0;
    LLVMTypeRef type = varies ? mpl_vector_type(e, e->ir->i64) : e->ir->i64;
    LLVMValueRef term = varies ? mpl_vector(e, t->list[k]) : mpl_scalar(e, t->list[k]);
    term = LLVMBuildIntCast2(e->b, term, type, t->is_signed[k], "");
    term = LLVMBuildMul(e->b, term, varies ? mpl_splat(e, by) : by, "");
    if (varies)
      r->begins = LLVMBuildGEP2(e->b, e->ir->i8, r->begins, &term, 1, "");
    else
      r->along = LLVMBuildAdd(e->b, r->along, term, "");
  }
}

LLVMValueRef mpl_load_rows(struct mpl_emit *e, LLVMValueRef load) {
  struct mpl_row_load of;
  LLVMTypeRef type = LLVMTypeOf(load);
  if (!mpl_row_load_of(e->lanes, load, &of)) abort(); /* it is the recipe */
  struct row r = {mpl_vector(e, of.pointer), mpl_const64(e->ir, 0)};
  for (unsigned s = of.count; s--;) add_terms(e, &r, &of.steps[s]);
  LLVMValueRef value = LLVMGetPoison(mpl_vector_type(e, type));
  for (unsigned k = 0; k < e->width; k++) {
    LLVMValueRef lane = mpl_const32(e->ir, k),
                 at = LLVMBuildExtractElement(e->b, r.begins, lane, "");
    at = LLVMBuildGEP2(e->b, e->ir->i8, at, &r.along, 1, "");
    LLVMValueRef element = mpl_aligned_load(e->b, type, at, LLVMGetAlignment(load));
    value = LLVMBuildInsertElement(e->b, value, element, lane, "");
  }
  return value;
}
