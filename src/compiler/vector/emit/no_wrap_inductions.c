/* Counters of loops that step by what all lanes share (lanes/no_wrap_inductions.c): what is asked for in front
 * of the work-item loop. */
#include <stdlib.h>

#include "values.h"

static LLVMValueRef extended(struct mpl_emit *e, const struct mpl_counter *c, LLVMValueRef value) {
  return LLVMBuildIntCast2(e->b, value, e->ir->i64, c->is_signed, "");
}

/* From the first work-item to the last one they begin side by side, and no step leads further than
 * words go, also not that of a lane which has left, and that others are counted from. */
LLVMValueRef mpl_counter_holds(struct mpl_emit *e, LLVMValueRef part, LLVMValueRef last) {
  struct mpl_counter c;
  if (!mpl_counter_of(e->lanes, part, &c)) abort();
  int64_t stride = mpl_stride_of(e->lanes, c.phi);
  uint64_t most = c.is_signed ? INT32_MAX : UINT32_MAX;
  LLVMValueRef zero = mpl_items(e, 0),
               limit = mpl_const64(e->ir, most - c.reaches - (uint64_t)llabs(stride) * e->width),
               step = extended(e, &c, mpl_value_for(e, c.step, zero)),
               end = extended(e, &c, mpl_value_for(e, c.end, zero)),
               left = LLVMBuildSub(e->b, limit, step, ""), starts[2], holds, is;
  holds = LLVMBuildICmp(e->b, LLVMIntULE, step, limit, "");
  is = LLVMBuildICmp(e->b, c.is_signed ? LLVMIntSLE : LLVMIntULE, end, left, "");
  holds = LLVMBuildAnd(e->b, holds, is, "");
  for (unsigned k = 0; k < 2; k++) {
    starts[k] = extended(e, &c, mpl_value_for(e, c.start, k ? last : zero));
    is = LLVMBuildICmp(e->b, LLVMIntULE, starts[k], limit, "");
    holds = LLVMBuildAnd(e->b, holds, is, "");
  }
  LLVMValueRef grown = LLVMBuildSub(e->b, starts[1], starts[0], ""),
               by = LLVMBuildMul(e->b, last, mpl_const64(e->ir, (uint64_t)stride), "");
  return LLVMBuildAnd(e->b, holds, LLVMBuildICmp(e->b, LLVMIntEQ, grown, by, ""), "");
}
