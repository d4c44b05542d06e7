/* Loads of lanes that go round: of an index that is a remainder by a power of two, as in a rotation in
 * local memory.  From one lane on they are at the begin again, so it is two masked loads, from the first
 * lane's place and from as far in front of it as it is round.  They lie so if no lane comes round twice
 * and the mask's ones are at its end, which is tested where the chunk runs.
 * Rows that go round are mostly as short as a chunk, so that each chunk comes to their end. */
#include "memory.h"

/* The place of the first lane, for which `value` is `first`. */
static LLVMValueRef place(struct mpl_emit *e, LLVMValueRef pointer, unsigned block, LLVMValueRef value,
                          LLVMValueRef first) {
  if (pointer == value) return first;
  unsigned which = (unsigned)mpl_grows_with(e->lanes, pointer, block);
  first = place(e, LLVMGetOperand(pointer, which), block, value, first);
  return mpl_compute_with(e, pointer, which, first);
}

/* Of the lanes that are there none comes round twice. */
static LLVMValueRef goes_round_once(struct mpl_emit *e, LLVMValueRef mask, int stride) {
  LLVMTypeRef type = LLVMTypeOf(mask);
  LLVMValueRef one = LLVMConstInt(type, 1, false), zero = LLVMConstNull(type),
               behind = LLVMBuildAdd(e->b, mask, one, ""),
               low = LLVMBuildICmp(e->b, LLVMIntEQ, LLVMBuildAnd(e->b, mask, behind, ""), zero, ""),
               some = LLVMBuildICmp(e->b, LLVMIntSGT, mask, zero, ""), once;
  if (e->mask) {
    LLVMValueRef twice = LLVMBuildICmp(e->b, LLVMIntUGT, mpl_steps(e, type, stride),
                                       mpl_splat(e, mask), "");
    once = LLVMBuildNot(e->b, mpl_any_lane(e, mpl_lanes_of_both(e, e->mask, twice)), "");
  } else {
    uint64_t last = (uint64_t)stride * (e->width - 1);
    once = LLVMBuildICmp(e->b, LLVMIntULE, LLVMConstInt(type, last, false), mask, "");
  }
  return LLVMBuildAnd(e->b, LLVMBuildAnd(e->b, low, some, ""), once, "");
}

static LLVMValueRef load_parts(struct mpl_emit *e, const struct mpl_wrapped *w, int size,
                               LLVMValueRef load) {
  unsigned block = mpl_cfg_block_of(e->items->cfg, load);
  LLVMValueRef mask = mpl_scalar(e, w->mask), lanes = mpl_vector(e, w->value),
               from = LLVMBuildAnd(e->b, mpl_scalar(e, w->along), mask, ""),
               again = LLVMBuildICmp(e->b, LLVMIntULT, lanes, mpl_splat(e, from), ""),
               at = place(e, LLVMGetOperand(load, 0), block, w->value, from),
               round = LLVMBuildAdd(e->b, LLVMBuildIntCast2(e->b, mask, e->ir->i64, false, ""),
                                    mpl_const64(e->ir, 1), "");
  round = LLVMBuildMul(e->b, round, mpl_const64(e->ir, (uint64_t)(int64_t)(-size / w->stride)), "");
  LLVMValueRef begin = mpl_moved(e, at, round),
               ahead = mpl_load_some(e, load, LLVMBuildNot(e->b, again, ""), at, false);
  return LLVMBuildSelect(e->b, again, mpl_load_some(e, load, again, begin, false), ahead, "");
}

LLVMValueRef mpl_load_wrapped(struct mpl_emit *e, LLVMValueRef load, struct mpl_versions *versions) {
  struct mpl_wrapped w;
  mpl_wrapped_load(e->lanes, load, &w); /* it is the recipe */
  LLVMValueRef holds = goes_round_once(e, mpl_scalar(e, w.mask), w.stride);
  mpl_insert_version(e, versions, holds, "wrapped");
  return load_parts(e, &w, (int)LLVMABISizeOfType(e->ir->layout, LLVMTypeOf(load)), load);
}
