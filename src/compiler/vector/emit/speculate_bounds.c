/* The tests of bounds that are taken not to be clamped, and of numbers that are taken not to wrap
 * (lanes/bounds.c). */
#include "flow.h"

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
  mpl_set_vector(e, value, each);
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
