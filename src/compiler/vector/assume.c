/* What is assumed of values: that their numbers do not wrap while the loop runs (lanes.c); and of
 * pointers: that they are the same or apart (fields.c).  It is asked for in front of the loop. */
#include "widen.h"

/* Has the number grown by its stride from the first work-item to the last, and so, since it wraps
 * at most once, from each to the next? */
static LLVMValueRef holds(struct mpl_widen *w, LLVMValueRef value, LLVMValueRef last) {
  LLVMTypeRef type = w->ir->i64;
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(w->count)), ends[2];
  ends[0] = mpl_value_for(w, value, zero);
  ends[1] = mpl_value_for(w, value, last);
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
    for (unsigned k = 0; k < 2; k++) ends[k] = LLVMBuildPtrToInt(w->b, ends[k], type, "");
  LLVMValueRef grown =
      LLVMBuildMul(w->b, last, mpl_const64(w->ir, (uint64_t)(int64_t)mpl_stride_of(w, value)), "");
  LLVMValueRef is[2];
  for (int s = 0; s < 2; s++) { /* as a signed number, and as an unsigned one */
    LLVMValueRef first = LLVMBuildIntCast2(w->b, ends[0], type, s, ""),
                 end = LLVMBuildIntCast2(w->b, ends[1], type, s, "");
    is[s] = LLVMBuildICmp(w->b, LLVMIntEQ, LLVMBuildSub(w->b, end, first, ""), grown, "");
  }
  return LLVMBuildAnd(w->b, is[0], is[1], "");
}

static LLVMValueRef are_apart(struct mpl_widen *w, const struct mpl_apart *pair) {
  uint64_t bytes = (uint64_t)pair->bytes;
  LLVMValueRef a = LLVMBuildPtrToInt(w->b, pair->a, w->ir->i64, ""),
               b = LLVMBuildPtrToInt(w->b, pair->b, w->ir->i64, ""),
               by = LLVMBuildAdd(w->b, LLVMBuildSub(w->b, a, b, ""), mpl_const64(w->ir, bytes - 1),
                                 ""),
               far = LLVMBuildICmp(w->b, LLVMIntUGT, by, mpl_const64(w->ir, 2 * bytes - 2), "");
  return LLVMBuildOr(w->b, far, LLVMBuildICmp(w->b, LLVMIntEQ, a, b, ""), "");
}

/* Null if nothing is assumed. */
LLVMValueRef mpl_all_hold(struct mpl_widen *w) {
  LLVMValueRef all = NULL, last = NULL;
  for (size_t k = 0; k < w->num_apart; k++) {
    LLVMValueRef is = are_apart(w, &w->apart[k]);
    all = all ? LLVMBuildAnd(w->b, all, is, "") : is;
  }
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) {
      if (!mpl_map_has(&w->assumed, i) || !mpl_stride_of(w, i) ||
          mpl_stride_of(w, i) == MPL_ANY_STRIDE)
        continue;
      if (!last)
        last = LLVMBuildSub(w->b, w->count, LLVMConstInt(LLVMTypeOf(w->count), 1, false), "last");
      bool counts = mpl_map_get(&w->assumed, i, 0) > 1;
      LLVMValueRef is = counts ? mpl_counter_holds(w, i, last) : holds(w, i, last);
      all = all ? LLVMBuildAnd(w->b, all, is, "") : is;
    }
  }
  return all;
}
