/* Masks as numbers, of which each lane has a bit; and what is handed to functions that take all lanes. */
#include "values.h"

LLVMTypeRef mpl_mask_type(struct mpl_emit *e) {
  return mpl_vector_type(e, e->ir->i1);
}

LLVMValueRef mpl_full_mask(struct mpl_emit *e, LLVMValueRef mask) {
  return mask ? mask : LLVMConstAllOnes(mpl_mask_type(e));
}

LLVMValueRef mpl_mask_bits(struct mpl_emit *e, LLVMValueRef mask) {
  unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(mask));
  return LLVMBuildBitCast(e->b, mask, LLVMIntTypeInContext(e->ir->context, lanes), "");
}

/* At a loop's top nothing is to be tested: it goes on only where a lane stays. */
LLVMValueRef mpl_any_lane(struct mpl_emit *e, LLVMValueRef mask) {
  for (unsigned l = 0; l < e->items->num_loops; l++)
    if (e->masked[l].active == mask && e->masked[l].some) return e->masked[l].some;
  LLVMValueRef bits = mpl_mask_bits(e, mask);
  return LLVMBuildICmp(e->b, LLVMIntNE, bits, LLVMConstNull(LLVMTypeOf(bits)), "");
}

LLVMValueRef mpl_all_lanes(struct mpl_emit *e, LLVMValueRef mask) {
  LLVMValueRef bits = mpl_mask_bits(e, mask);
  return LLVMBuildICmp(e->b, LLVMIntEQ, bits, LLVMConstAllOnes(LLVMTypeOf(bits)), "");
}

LLVMValueRef mpl_mask_word(struct mpl_emit *e, LLVMValueRef mask) {
  if (!mask) return mpl_const64(e->ir, UINT64_MAX >> (64 - e->width));
  return LLVMBuildZExtOrBitCast(e->b, mpl_mask_bits(e, mask), e->ir->i64, "");
}

LLVMValueRef mpl_active_lanes(struct mpl_emit *e) {
  return mpl_mask_word(e, e->mask);
}

LLVMValueRef mpl_first_bit(struct mpl_emit *e, LLVMValueRef bits, bool some) {
  LLVMValueRef args[] = {bits, LLVMConstInt(e->ir->i1, some, false)};
  bits = mpl_call_intrinsic(e->b, "llvm.cttz", LLVMTypeOf(bits), args, 2);
  return LLVMBuildIntCast2(e->b, bits, e->ir->i64, false, some ? "lane" : "");
}

LLVMValueRef mpl_some_lane(struct mpl_emit *e) {
  if (!e->mask) return mpl_const64(e->ir, 0);
  LLVMValueRef lane = mpl_first_bit(e, mpl_mask_bits(e, e->mask), false);
  return LLVMBuildAnd(e->b, lane, mpl_const64(e->ir, e->width - 1), "");
}

LLVMValueRef mpl_lanes_room(struct mpl_emit *e, LLVMTypeRef lane, const char *name) {
  uint64_t bytes = (LLVMABISizeOfType(e->ir->layout, lane) * e->width + 63) / 64 * 64;
  return mpl_entry_alloca(e, LLVMArrayType2(e->ir->i8, bytes), name);
}

LLVMValueRef mpl_put_down(struct mpl_emit *e, LLVMValueRef lanes, LLVMTypeRef lane, const char *name) {
  LLVMValueRef room = mpl_lanes_room(e, lane, name);
  mpl_aligned_store(e->b, lanes, room, 64);
  return room;
}
