/* What is assumed of values: that their numbers do not wrap while the loop runs (shapes.c); and of
 * pointers: that they are the same or apart (interleave_groups.c).  It is asked for in front of the
 * loop. */
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
    all = mpl_both(e, all, (counts ? mpl_counter_holds : holds)(e, i, last));
  }
  return all;
}
