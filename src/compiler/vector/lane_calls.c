/* Sub-group functions in a chunk that is a sub-group: those take part that the mask says.
 *
 * The library's functions (src/builtins/sync.h) take operands in arrays, which LLVM turns into
 * registers when these are inlined. */
#include "widen.h"

bool mpl_is_lanes_call(LLVMValueRef i) {
  enum mpl_marker marker = mpl_marker_of(i);
  return mpl_is_sync(marker) && mpl_markers[marker].scope == MPL_SCOPE_LANES;
}

const char *mpl_cannot_call_lanes(LLVMValueRef call) {
  for (unsigned k = 0; k < mpl_marker_row(call)->own; k++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, k))) == LLVMVectorTypeKind)
      return "a sub-group function of a vector type";
  return NULL;
}

/* A bit for each lane that takes part. */
static LLVMValueRef active_lanes(struct mpl_widen *w) {
  if (!w->mask) return mpl_const64(w->ir, UINT64_MAX >> (64 - w->width));
  LLVMTypeRef bits = LLVMIntTypeInContext(w->ir->context, w->width);
  return LLVMBuildZExtOrBitCast(w->b, LLVMBuildBitCast(w->b, w->mask, bits, ""), w->ir->i64, "");
}

/* Lanes that take no part may have poisoned operands, which must not spoil what is computed from
 * all. */
static LLVMValueRef operand_of(struct mpl_widen *w, LLVMValueRef call, unsigned k) {
  LLVMValueRef vector = mpl_vector(w, LLVMGetOperand(call, k));
  return w->mask ? LLVMBuildFreeze(w->b, vector, "") : vector;
}

/* Room for whole registers. */
static LLVMValueRef make_array(struct mpl_widen *w, LLVMTypeRef type) {
  LLVMBasicBlockRef at = LLVMGetInsertBlock(w->b), entry = LLVMGetEntryBasicBlock(w->function);
  uint64_t bytes = (LLVMABISizeOfType(w->ir->layout, type) * w->width + 63) / 64 * 64;
  LLVMPositionBuilderBefore(w->b, LLVMGetFirstInstruction(entry));
  LLVMValueRef array = LLVMBuildAlloca(w->b, LLVMArrayType2(w->ir->i8, bytes), "operands");
  LLVMSetAlignment(array, 64);
  LLVMPositionBuilderAtEnd(w->b, at);
  return array;
}

static LLVMValueRef store_operand(struct mpl_widen *w, LLVMValueRef call, unsigned k) {
  LLVMValueRef vector = operand_of(w, call, k),
               array = make_array(w, LLVMTypeOf(LLVMGetOperand(call, k)));
  LLVMSetAlignment(LLVMBuildStore(w->b, vector, array), 64);
  return array;
}

/* An operand that should be the same for all that take part: the first one's. */
static LLVMValueRef shared_operand(struct mpl_widen *w, LLVMValueRef call, unsigned k) {
  LLVMValueRef value = LLVMGetOperand(call, k);
  if (!mpl_stride_at(w, value, mpl_cfg_block_of(w->cfg, call))) return mpl_scalar(w, value);
  LLVMTypeRef type = w->ir->i64;
  unsigned id = LLVMLookupIntrinsicID("llvm.cttz", 9);
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(w->ir->module, id, &type, 1);
  LLVMValueRef args[] = {active_lanes(w), LLVMConstInt(w->ir->i1, 0, false)};
  LLVMValueRef first =
      LLVMBuildCall2(w->b, LLVMGlobalGetValueType(function), function, args, 2, "");
  first = LLVMBuildAnd(w->b, first, mpl_const64(w->ir, w->width - 1), "");
  return LLVMBuildExtractElement(w->b, operand_of(w, call, k), first, "");
}

/* An id that no lane has must still not read outside. */
static LLVMValueRef broadcast(struct mpl_widen *w, LLVMValueRef call) {
  LLVMValueRef value = LLVMGetOperand(call, 0), id = shared_operand(w, call, 1);
  if (!mpl_stride_at(w, value, mpl_cfg_block_of(w->cfg, call))) return mpl_scalar(w, value);
  LLVMValueRef last = LLVMConstInt(LLVMTypeOf(id), w->width - 1, false);
  id = LLVMBuildAnd(w->b, id, last, "");
  if (LLVMIsAConstant(id) || LLVMGetNumArgOperands(call) < 3)
    return LLVMBuildExtractElement(w->b, operand_of(w, call, 0), id, "");
  LLVMValueRef args[] = {store_operand(w, call, 0), LLVMConstInt(w->ir->i32, w->width, false), id};
  return mpl_call(w->b, mpl_combine_of(call), LLVMTypeOf(call), args, 3);
}

static LLVMValueRef combine(struct mpl_widen *w, LLVMValueRef call) {
  const struct mpl_marker_row *marker = mpl_marker_row(call);
  LLVMTypeRef type = LLVMTypeOf(call);
  LLVMValueRef args[5];
  unsigned count = 0;
  for (unsigned k = 0; k < marker->own; k++) args[count++] = store_operand(w, call, k);
  args[count++] = LLVMConstInt(w->ir->i32, w->width, false);
  args[count++] = active_lanes(w);
  if (LLVMGetNumArgOperands(call) > marker->own + 1)
    args[count++] = shared_operand(w, call, marker->own);
  LLVMValueRef result =
      mpl_call(w->b, mpl_combine_of(call), marker->in_place ? w->ir->void_type : type, args, count);
  if (!marker->in_place) return result;
  result = LLVMBuildLoad2(w->b, mpl_vector_type(w, type), args[0], "");
  LLVMSetAlignment(result, 64);
  return result;
}

bool mpl_widen_lanes_call(struct mpl_widen *w, LLVMValueRef call) {
  if (!mpl_is_lanes_call(call)) return false;
  const struct mpl_marker_row *marker = mpl_marker_row(call);
  if (marker->does == MPL_DOES_NOTHING) return true; /* lanes do everything together */
  LLVMValueRef result = marker->does == MPL_DOES_BROADCAST ? broadcast(w, call)
                        : marker->does == MPL_DOES_ACTIVE  ? active_lanes(w)
                                                           : combine(w, call);
  mpl_map_set(marker->in_place ? &w->vectors : &w->scalars, call, (uintptr_t)result);
  return true;
}
