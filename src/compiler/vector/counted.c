/* Numbers that grow with the work-item, as vectors that grow from chunk to chunk: an addition,
 * where a scalar would have to be spread over all lanes. */
#include "widen.h"

LLVMValueRef mpl_value_for(struct mpl_widen *w, LLVMValueRef value, LLVMValueRef counter) {
  if (value == w->counter) return counter;
  unsigned own = LLVMIsAInstruction(value) ? mpl_cfg_block_of(w->cfg, value) : w->cfg->count;
  if (own >= w->cfg->count || !w->in[own]) return value;
  if (mpl_is_known_choice(w, value)) return mpl_value_for(w, LLVMGetOperand(value, 1), counter);
  LLVMValueRef operands[8];
  int count = LLVMGetNumOperands(value);
  for (int k = 0; k < count; k++) operands[k] = mpl_value_for(w, LLVMGetOperand(value, k), counter);
  LLVMValueRef copy = LLVMInstructionClone(value);
  for (int k = 0; k < count; k++) LLVMSetOperand(copy, k, operands[k]);
  LLVMInsertIntoBuilder(w->b, copy);
  return copy;
}

/* At the builder: what it grows by in so many chunks. */
static LLVMValueRef grow(struct mpl_widen *w, LLVMValueRef vector, LLVMValueRef value,
                         unsigned chunks) {
  int64_t by = (int64_t)mpl_stride_of(w, value) * w->width * chunks;
  LLVMValueRef number = LLVMConstInt(LLVMTypeOf(value), (uint64_t)by, true);
  return LLVMBuildAdd(w->b, vector, mpl_splat(w, number), "");
}

/* For the first chunk, at the builder. */
static LLVMValueRef begin(struct mpl_widen *w, LLVMValueRef value) {
  LLVMValueRef vector = mpl_load_spread(w, value);
  if (vector) return vector;
  if (mpl_computes_spread(w, value))
    return LLVMBuildBinOp(w->b, LLVMGetInstructionOpcode(value), begin(w, LLVMGetOperand(value, 0)),
                          begin(w, LLVMGetOperand(value, 1)), "");
  int stride = mpl_stride_of(w, value);
  vector = mpl_splat(w, mpl_value_for(w, value, w->start));
  return stride ? LLVMBuildAdd(w->b, vector, mpl_steps(w, LLVMTypeOf(value), stride), "") : vector;
}

LLVMValueRef mpl_counted(struct mpl_widen *w, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (!w->before || LLVMGetTypeKind(type) != LLVMIntegerTypeKind || !mpl_is_known_before(w, value))
    return NULL;
  LLVMValueRef phi = (LLVMValueRef)mpl_map_get(&w->counted, value, 0);
  if (!phi) {
    LLVMBasicBlockRef at = LLVMGetInsertBlock(w->b), top = w->top ? w->top : w->blocks[w->header];
    LLVMPositionBuilderAtEnd(w->b, w->before);
    LLVMValueRef first = begin(w, value);
    LLVMPositionBuilderBefore(w->b, LLVMGetFirstInstruction(top)); /* the counter */
    phi = LLVMBuildPhi(w->b, mpl_vector_type(w, type), "counted");
    LLVMAddIncoming(phi, &first, &w->before, 1);
    LLVMPositionBuilderAtEnd(w->b, at);
    mpl_map_set(&w->counted, value, (uintptr_t)phi);
    mpl_map_set(&w->counted, phi, (uintptr_t)value);
  }
  return w->chunk ? grow(w, phi, value, w->chunk) : phi;
}

/* In the order of the phis: that of a map by addresses would differ from build to build. */
void mpl_close_counted(struct mpl_widen *w, LLVMBasicBlockRef last, unsigned chunks) {
  LLVMPositionBuilderAtEnd(w->b, last);
  for (LLVMValueRef phi = LLVMGetFirstInstruction(w->top); LLVMIsAPHINode(phi);
       phi = LLVMGetNextInstruction(phi)) {
    LLVMValueRef value = (LLVMValueRef)mpl_map_get(&w->counted, phi, 0);
    if (!value) continue;
    LLVMValueRef next = grow(w, phi, value, chunks);
    LLVMAddIncoming(phi, &next, &last, 1);
  }
  mpl_map_free(&w->counted);
  w->counted = (struct mpl_map){0};
}
