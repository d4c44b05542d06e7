/* The instructions of looks at accesses (look.h). */
#include <stddef.h>

#include "abi/filter.h"
#include "look.h"

/* --- Values --- */

static LLVMValueRef operand_of(const struct look *l, enum mpl_filter_operand k) {
  LLVMValueRef value = LLVMGetOperand(l->call, k);
  return l->e ? mpl_scalar(l->e, value) : value;
}

uint64_t mpl_look_number(const struct look *l, unsigned k) {
  return LLVMConstIntGetZExtValue(LLVMGetOperand(l->call, k));
}

LLVMTypeRef mpl_look_vector_of(LLVMTypeRef type, unsigned count) {
  return count > 1 ? LLVMVectorType(type, count) : type;
}

LLVMValueRef mpl_look_splat(const struct look *l, LLVMValueRef value, unsigned count) {
  LLVMValueRef zeros = LLVMConstNull(LLVMVectorType(l->ir->i32, count));
  LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(value), count);
  if (count == 1) return value;
  value = LLVMBuildInsertElement(l->b, LLVMGetPoison(type), value, mpl_const64(l->ir, 0), "");
  return LLVMBuildShuffleVector(l->b, value, LLVMGetPoison(type), zeros, "");
}

/* So that both are of one type. */
LLVMValueRef mpl_look_like(const struct look *l, LLVMValueRef value, LLVMValueRef other) {
  LLVMTypeRef type = LLVMTypeOf(other);
  bool wide = mpl_is_vector_type(type);
  bool is_wide = mpl_is_vector_type(LLVMTypeOf(value));
  return wide && !is_wide ? mpl_look_splat(l, value, LLVMGetVectorSize(type)) : value;
}

/* Each lane's so many times, one beside the other. */
LLVMValueRef mpl_look_repeated(const struct look *l, LLVMValueRef vector, unsigned times) {
  if (times == 1 || !vector) return vector;
  unsigned count = l->lanes * times;
  LLVMTypeRef type = LLVMTypeOf(vector);
  if (!mpl_is_vector_type(type)) return mpl_look_splat(l, vector, count);
  return mpl_pick(l->b, vector, NULL, &(struct mpl_pick){count, times, .outer = 1});
}

LLVMValueRef mpl_look_compare(const struct look *l, LLVMIntPredicate is, LLVMValueRef a,
                              LLVMValueRef b) {
  a = mpl_look_like(l, a, b);
  return LLVMBuildICmp(l->b, is, a, mpl_look_like(l, b, a), "");
}

/* Of those that are there; a condition. */
LLVMValueRef mpl_look_any(const struct look *l, LLVMValueRef condition, LLVMValueRef mask) {
  LLVMTypeRef type = LLVMTypeOf(condition);
  if (!mpl_is_vector_type(type)) return condition;
  if (mask) condition = LLVMBuildSelect(l->b, mask, condition, LLVMConstNull(type), "");
  LLVMTypeRef bits = LLVMIntTypeInContext(l->ir->context, LLVMGetVectorSize(type));
  condition = LLVMBuildBitCast(l->b, condition, bits, "");
  return LLVMBuildICmp(l->b, LLVMIntNE, condition, LLVMConstNull(bits), "");
}

/* Without a lane there the condition may be poison, and that of a branch must not be. */
LLVMValueRef mpl_look_if_some(const struct look *l, LLVMValueRef condition) {
  LLVMValueRef none = LLVMConstNull(l->ir->i1);
  return l->some ? LLVMBuildSelect(l->b, l->some, condition, none, "") : condition;
}

LLVMValueRef mpl_look_place(const struct look *l, LLVMValueRef base, LLVMValueRef bytes) {
  return LLVMBuildGEP2(l->b, l->ir->i8, base, &bytes, 1, "");
}

/* --- Fields of the group --- */

LLVMValueRef mpl_look_load(const struct look *l, LLVMTypeRef type, LLVMValueRef base,
                           uint64_t offset, bool fixed) {
  LLVMValueRef value = mpl_load_behind(l->ir, l->b, type, base, offset);
  mpl_mark(l->ir, value, fixed ? "invariant.load" : MPL_FILTER_STATE);
  return value;
}

LLVMValueRef mpl_look_group(const struct look *l, LLVMValueRef operand) {
  if (!l->e) return operand;
  operand = mpl_scalar(l->e, operand);
  if (!l->e->items->sub_group) return operand;
  LLVMValueRef at = LLVMBuildStructGEP2(l->b, l->ir->unit_type, operand, MPL_UNIT_FILTER, "");
  return mpl_look_load(l, l->ir->ptr, at, 0, false);
}

void mpl_look_find_variable(struct look *l) {
  LLVMValueRef base = operand_of(l, MPL_FILTER_BASE),
               local = MPL_LOOK_GROUP(ptr, group.local_base, true);
  l->low = LLVMBuildPtrToInt(l->b, base, l->ir->i64, "");
  l->units = mpl_const64(l->ir, mpl_look_number(l, MPL_FILTER_WHOLE) >> l->shift);
  LLVMValueRef from = LLVMBuildPtrToInt(l->b, local, l->ir->i64, "");
  LLVMValueRef stamps =
      LLVMBuildShl(l->b, LLVMBuildSub(l->b, l->low, from, ""), mpl_const64(l->ir, 2), "");
  l->wrote = mpl_look_place(l, MPL_LOOK_GROUP(ptr, local_wrote, true), stamps);
  l->read = mpl_look_place(l, MPL_LOOK_GROUP(ptr, local_read, true), stamps);
}

void mpl_look_find_argument(struct look *l, uint64_t argument) {
  LLVMValueRef views = MPL_LOOK_GROUP(ptr, views, true);
  uint64_t offset = (argument - 1) * sizeof(struct mpl_filter_view);
#define VIEW(type, name)                                                                           \
  mpl_look_load(l, l->ir->type, views, offset + offsetof(struct mpl_filter_view, name), true)
  l->low = LLVMBuildPtrToInt(l->b, VIEW(ptr, low), l->ir->i64, "");
  l->units = l->writes ? VIEW(i64, writable) : VIEW(i64, units);
  l->wrote = VIEW(ptr, wrote);
  l->read = VIEW(ptr, read);
#undef VIEW
}

/* --- Stopping --- */

LLVMBasicBlockRef mpl_look_new_block(const struct look *l, const char *name) {
  return LLVMAppendBasicBlockInContext(l->ir->context, l->function, name);
}

static void make_stop(struct look *l) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(l->b);
  l->stop = mpl_look_new_block(l, "filter.stop");
  LLVMPositionBuilderAtEnd(l->b, l->stop);
  LLVMValueRef stop = MPL_LOOK_GROUP(ptr, stop, true);
  mpl_call(l->b, stop, l->ir->void_type, &l->group, 1);
  LLVMBuildUnreachable(l->b);
  LLVMPositionBuilderAtEnd(l->b, here);
}

void mpl_look_stop_if(struct look *l, LLVMValueRef condition) {
  LLVMBasicBlockRef go = mpl_look_new_block(l, "filter.go");
  if (!l->stop) make_stop(l);
  mpl_set_weights(l->ir, LLVMBuildCondBr(l->b, condition, l->stop, go), 1, 100000);
  LLVMPositionBuilderAtEnd(l->b, go);
}

void mpl_look_stop_if_any(struct look *l, LLVMValueRef condition, LLVMValueRef mask) {
  condition = mpl_look_any(l, condition, mask);
  mpl_look_stop_if(l, l->how == ONE ? mpl_look_if_some(l, condition) : condition);
}

/* --- Words in memory: stamps, and read values --- */

LLVMValueRef mpl_look_get(const struct look *l, LLVMValueRef at, unsigned times) {
  unsigned count = l->how == ONE ? 1 : l->how == BESIDE ? l->lanes * times : l->lanes;
  LLVMTypeRef type = mpl_look_vector_of(l->ir->i32, count);
  LLVMValueRef value;
  if (l->how == APART) return mpl_gather(l->e, mpl_gathers_by(l->ir->target, MPL_WORD), type, at, MPL_WORD);
  if (l->how == BESIDE && l->mask)
    return mpl_masked_load(l->e, type, at, 4, mpl_look_repeated(l, l->mask, times));
  value = mpl_aligned_load(l->b, type, at, 4);
  return value;
}

void mpl_look_put(const struct look *l, LLVMValueRef value, LLVMValueRef at) {
  if (l->how == APART)
    mpl_scatter(l->e, mpl_scatters_by(l->ir->target, MPL_WORD), value, at, MPL_WORD);
  else if (l->how == BESIDE && l->mask)
    mpl_masked_store(l->e, value, at, 4, mpl_look_repeated(l, l->mask, l->each));
  else
    mpl_aligned_store(l->b, value, at, 4);
}

LLVMValueRef mpl_look_safe(const struct look *l, LLVMValueRef at) {
  if (l->how != ONE || !l->some) return at;
  return LLVMBuildSelect(l->b, l->some, at, mpl_nowhere(l->e, LLVMTypeOf(at)), "");
}
