/* Where loops begin and end, if that is clamped at the borders of an image: `max(x - r, 0)`.
 * Between the borders it grows from lane to lane as it would without the clamp, so that lanes have
 * as many turns and are side by side in each.  The copy of whole chunks takes it to, and tests it
 * in front of the loop; a chunk with a border is done as what is left of a row is.
 *
 * What grows is a coordinate, which is clamped at borders; what becomes less is how much there is
 * still, of which mostly the bound is taken.
 *
 * Where two numbers that grow alike are compared, or what a loop counts is extended, and may wrap
 * between two lanes, that is taken not to happen in the same way. */
#include "values.h"

/* From the first lane to the last one it wraps, as a signed number or as an unsigned one. */
static LLVMValueRef wraps(struct mpl_emit *e, LLVMValueRef first, int64_t stride) {
  uint64_t by = (uint64_t)(stride * (e->width - 1));
  LLVMValueRef last = LLVMBuildAdd(e->b, first, LLVMConstInt(LLVMTypeOf(first), by, true), "");
  LLVMValueRef low = stride < 0 ? last : first, high = stride < 0 ? first : last;
  LLVMValueRef is_signed = LLVMBuildICmp(e->b, LLVMIntSGT, low, high, "");
  return LLVMBuildOr(e->b, is_signed, LLVMBuildICmp(e->b, LLVMIntUGT, low, high, ""), "");
}

/* Both are frozen: what is poison for one lane only must not be for the others. */
static LLVMValueRef is_clamped(struct mpl_emit *e, LLVMValueRef value) {
  int stride = mpl_stride_of(e->lanes, value);
  LLVMValueRef first = LLVMBuildFreeze(e->b, mpl_scalar(e, value), ""), each, fails;
  each = LLVMBuildFreeze(e->b, mpl_computed_vector(e, value), "");
  mpl_map_set(&e->scalars, value, (uintptr_t)first);
  mpl_map_set(&e->vectors, value, (uintptr_t)each);
  LLVMValueRef steps = LLVMBuildAdd(e->b, mpl_splat(e, first),
                                    mpl_steps(e, LLVMTypeOf(value), stride), "");
  fails = mpl_any_lane(e, LLVMBuildICmp(e->b, LLVMIntNE, each, steps, ""));
  return stride ? LLVMBuildOr(e->b, fails, wraps(e, first, stride), "") : fails;
}

LLVMValueRef mpl_bound_fails(struct mpl_emit *e, LLVMValueRef value) {
  bool compares = LLVMIsAICmpInst(value) != NULL;
  if (!compares && !LLVMIsACastInst(value)) return is_clamped(e, value);
  LLVMValueRef a = LLVMGetOperand(value, 0), b = compares ? LLVMGetOperand(value, 1) : a,
               fails = wraps(e, mpl_scalar(e, a), mpl_stride_of(e->lanes, a));
  return a == b
             ? fails
             : LLVMBuildOr(e->b, fails, wraps(e, mpl_scalar(e, b), mpl_stride_of(e->lanes, b)), "");
}
