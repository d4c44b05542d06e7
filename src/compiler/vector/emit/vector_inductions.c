/* Numbers that grow with the work-item, as vectors that grow from chunk to chunk: an addition,
 * where a scalar would have to be spread over all lanes. */
#include "values.h"

LLVMValueRef mpl_value_for(struct mpl_emit *e, LLVMValueRef value, LLVMValueRef counter) {
  const struct mpl_item_loop *items = e->items;
  if (value == items->counter) return counter;
  if (!mpl_is_made_inside(items, value)) return value;
  if (mpl_is_known_choice(e->items, value))
    return mpl_value_for(e, LLVMGetOperand(value, 1), counter);
  LLVMValueRef copy = LLVMInstructionClone(value);
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(value); k++)
    LLVMSetOperand(copy, k, mpl_value_for(e, LLVMGetOperand(value, k), counter));
  LLVMInsertIntoBuilder(e->b, copy);
  return copy;
}

/* At the builder: what it grows by in so many chunks. */
static LLVMValueRef grow(struct mpl_emit *e, LLVMValueRef vector, LLVMValueRef value,
                         unsigned chunks) {
  int64_t by = (int64_t)mpl_stride_of(e->lanes, value) * e->width * chunks;
  LLVMValueRef number = LLVMConstInt(LLVMTypeOf(value), (uint64_t)by, true);
  return LLVMBuildAdd(e->b, vector, mpl_splat(e, number), "");
}

/* For the first chunk, at the builder. */
static LLVMValueRef begin(struct mpl_emit *e, LLVMValueRef value) {
  LLVMValueRef vector = mpl_load_spread(e, value);
  if (vector) return vector;
  if (mpl_computes_spread(e, value)) {
    vector = begin(e, LLVMGetOperand(value, 0));
    LLVMValueRef other = begin(e, LLVMGetOperand(value, 1));
    return LLVMBuildBinOp(e->b, LLVMGetInstructionOpcode(value), vector, other, "");
  }
  int stride = mpl_stride_of(e->lanes, value);
  vector = mpl_splat(e, mpl_value_for(e, value, e->start));
  return stride ? LLVMBuildAdd(e->b, vector, mpl_steps(e, LLVMTypeOf(value), stride), "") : vector;
}

LLVMValueRef mpl_counted(struct mpl_emit *e, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (!e->before || LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
      !mpl_is_known_before(e->lanes, value))
    return NULL;
  LLVMValueRef phi = (LLVMValueRef)mpl_map_get(&e->counted, value, 0);
  if (!phi) {
    LLVMBasicBlockRef at = LLVMGetInsertBlock(e->b),
                      top = e->top ? e->top : e->copies[e->items->header].begin;
    LLVMPositionBuilderAtEnd(e->b, e->before);
    LLVMValueRef first = begin(e, value);
    LLVMPositionBuilderBefore(e->b, LLVMGetFirstInstruction(top)); /* the counter */
    phi = LLVMBuildPhi(e->b, mpl_vector_type(e, type), "counted");
    LLVMAddIncoming(phi, &first, &e->before, 1);
    LLVMPositionBuilderAtEnd(e->b, at);
    mpl_map_set(&e->counted, value, (uintptr_t)phi);
    mpl_map_set(&e->counted, phi, (uintptr_t)value);
  }
  return e->chunk ? grow(e, phi, value, e->chunk) : phi;
}

/* In the order of the phis: that of a map by addresses would differ from build to build. */
void mpl_close_counted(struct mpl_emit *e, LLVMBasicBlockRef last, unsigned chunks) {
  LLVMPositionBuilderAtEnd(e->b, last);
  MPL_EACH_PHI(phi, e->top) {
    LLVMValueRef value = (LLVMValueRef)mpl_map_get(&e->counted, phi, 0);
    if (!value) continue;
    LLVMValueRef next = grow(e, phi, value, chunks);
    LLVMAddIncoming(phi, &next, &last, 1);
  }
  mpl_map_free(&e->counted);
}
