/* What is assumed of values: that their numbers do not wrap while the loop runs (shapes.c); and of
 * pointers: that they are the same or apart (interleave_groups.c).  It is asked for in front of the
 * loop. */
#include <stdlib.h>

#include "values.h"

/* Has the number grown by its stride from the first work-item to the last, and so, since it wraps
 * at most once, from each to the next? */
static LLVMValueRef holds(struct mpl_emit *e, LLVMValueRef value, LLVMValueRef last) {
  LLVMTypeRef type = e->ir->i64;
  LLVMValueRef zero = mpl_items(e, 0), ends[2];
  ends[0] = mpl_value_for(e, value, zero);
  ends[1] = mpl_value_for(e, value, last);
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
    for (unsigned k = 0; k < 2; k++) ends[k] = LLVMBuildPtrToInt(e->b, ends[k], type, "");
  LLVMValueRef grown = LLVMBuildMul(
      e->b, last, mpl_const64(e->ir, (uint64_t)(int64_t)mpl_stride_of(e->lanes, value)), "");
  LLVMValueRef is[2];
  for (int s = 0; s < 2; s++) { /* as a signed number, and as an unsigned one */
    LLVMValueRef first = LLVMBuildIntCast2(e->b, ends[0], type, s, ""),
                 end = LLVMBuildIntCast2(e->b, ends[1], type, s, "");
    is[s] = LLVMBuildICmp(e->b, LLVMIntEQ, LLVMBuildSub(e->b, end, first, ""), grown, "");
  }
  return LLVMBuildAnd(e->b, is[0], is[1], "");
}

static LLVMValueRef extended(struct mpl_emit *e, const struct mpl_counter *c, LLVMValueRef value) {
  return LLVMBuildIntCast2(e->b, value, e->ir->i64, c->is_signed, "");
}

/* Counters of loops that step by what all lanes share (lanes/no_wrap_inductions.c): from the first
 * work-item to the last one they begin side by side, and no step leads further than words go, also not
 * that of a lane which has left, and that others are counted from. */
static LLVMValueRef counter_holds(struct mpl_emit *e, LLVMValueRef part, LLVMValueRef last) {
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

static LLVMValueRef are_apart(struct mpl_emit *e, const struct mpl_apart *pair) {
  uint64_t bytes = (uint64_t)pair->bytes;
  LLVMValueRef a = LLVMBuildPtrToInt(e->b, pair->a, e->ir->i64, ""),
               b = LLVMBuildPtrToInt(e->b, pair->b, e->ir->i64, ""),
               by = LLVMBuildAdd(e->b, LLVMBuildSub(e->b, a, b, ""), mpl_const64(e->ir, bytes - 1),
                                 ""),
               far = LLVMBuildICmp(e->b, LLVMIntUGT, by, mpl_const64(e->ir, 2 * bytes - 2), "");
  return LLVMBuildOr(e->b, far, LLVMBuildICmp(e->b, LLVMIntEQ, a, b, ""), "");
}

void mpl_emit_by(struct mpl_emit *e, const struct mpl_lanes *lanes) {
  e->lanes = lanes;
  e->width = lanes->width;
  MPL_EACH_ITEM_INSTRUCTION(i, e->items) {
    uintptr_t how = mpl_map_get(&lanes->assumed, i, 0);
    if (how && !mpl_map_has(&e->assumed, i)) mpl_map_set(&e->assumed, i, how);
  }
  for (size_t k = 0; k < lanes->apart.count; k++) mpl_add_apart(&e->apart, lanes->apart.list[k]);
}

LLVMValueRef mpl_all_hold(struct mpl_emit *e) {
  const struct mpl_item_loop *items = e->items;
  LLVMValueRef all = NULL, last = NULL;
  for (size_t k = 0; k < e->apart.count; k++)
    all = mpl_both(e, all, are_apart(e, &e->apart.list[k]));
  MPL_EACH_ITEM_INSTRUCTION(i, items) {
    int stride = mpl_stride_of(e->lanes, i);
    if (!mpl_map_has(&e->assumed, i) || !stride || stride == MPL_ANY_STRIDE) continue;
    if (!last) last = LLVMBuildSub(e->b, items->count, mpl_items(e, 1), "last");
    bool counts = mpl_map_get(&e->assumed, i, 0) > 1;
    all = mpl_both(e, all, (counts ? counter_holds : holds)(e, i, last));
  }
  return all;
}
