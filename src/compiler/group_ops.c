/* Puts a group operation where a sync point stood: one call of the built-in library's vector code
 * over the operands of all work-items. */
#include <stdlib.h>

#include "algebra.h"
#include "split.h"

/* The function that combines a sync's operands; OpenCL C hands it over as a generic pointer. */
static LLVMValueRef combine_of(LLVMValueRef sync) {
  LLVMValueRef combine = LLVMGetOperand(sync, LLVMGetNumArgOperands(sync) - 1);
  while (LLVMIsAConstantExpr(combine)) combine = LLVMGetOperand(combine, 0);
  return combine;
}

/* One copy of an operation serves many sync points; for a few, LLVM may decide. */
static void keep_one_copy(struct mpl_split *s, LLVMValueRef combine) {
  enum { FEW = 4 };
  unsigned *uses = (unsigned *)mpl_map_at(&s->combines, combine, 0, true);
  if (++*uses == FEW + 1)
    LLVMAddAttributeAtIndex(
        combine, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(s->ir->context, mpl_enum_attribute("noinline"), 0));
}

static LLVMValueRef call_combine(struct mpl_split *s, LLVMValueRef combine, LLVMValueRef operands,
                                 LLVMTypeRef result) {
  LLVMTypeRef params[] = {s->ir->ptr, s->ir->i64};
  LLVMValueRef args[] = {operands, s->items};
  LLVMTypeRef type = LLVMFunctionType(result, params, 2, false);
  return LLVMBuildCall2(s->b, type, combine, args, 2, "");
}

/* The operand of the work-item with that linear id; an id outside the group, which the
 * specification leaves undefined, must still not read outside the operands. */
static LLVMValueRef broadcast(struct mpl_split *s, unsigned region, LLVMValueRef sync) {
  struct mpl_home *operand = mpl_operand_home(s, sync), *index = mpl_second_home(s, sync);
  if (!operand) return mpl_value_in(s, LLVMGetOperand(sync, 0), region);
  LLVMValueRef base = mpl_home_base(s, operand, region), at, place;
  if (!index) at = mpl_value_in(s, LLVMGetOperand(sync, 1), region);
  LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(s->frames[region].pre));
  if (index) at = LLVMBuildLoad2(s->b, s->ir->i64, index->place, "");
  LLVMValueRef inside = LLVMBuildICmp(s->b, LLVMIntULT, at, s->items, "");
  at = LLVMBuildSelect(s->b, inside, at, mpl_const64(s->ir, 0), "");
  place = LLVMBuildInBoundsGEP2(s->b, operand->type, base, &at, 1, "");
  return LLVMBuildLoad2(s->b, operand->type, place, "broadcast");
}

/* The library's function takes values, ranks, number, and the uniform operands that follow
 * (pack.c). */
static void pack(struct mpl_split *s, unsigned region, LLVMValueRef sync) {
  enum { FIRST = 2, COUNT = 3 };
  LLVMValueRef args[3 + COUNT], combine = combine_of(sync);
  LLVMTypeRef types[3 + COUNT];
  args[0] = mpl_home_base(s, mpl_operand_home(s, sync), region);
  args[1] = mpl_home_base(s, mpl_second_home(s, sync), region);
  args[2] = s->items;
  for (unsigned k = 0; k < COUNT; k++)
    args[3 + k] = mpl_value_in(s, LLVMGetOperand(sync, FIRST + k), region);
  for (unsigned k = 0; k < 3 + COUNT; k++) types[k] = LLVMTypeOf(args[k]);
  keep_one_copy(s, combine);
  LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(s->frames[region].pre));
  LLVMBuildCall2(s->b, LLVMFunctionType(s->ir->void_type, types, 3 + COUNT, false), combine, args,
                 3 + COUNT, "");
}

/* Operands that are combined where they are computed: each region that leads to the sync point
 * begins with nothing.  The result of one that leads to itself is read before. */
static void begin_sums(struct mpl_split *s, unsigned region) {
  for (unsigned e = 0; e < s->regions.list[region].num_exits; e++) {
    struct mpl_home *sum = mpl_sum_home(s, s->regions.list[region].exits[e]);
    struct mpl_collective collective;
    if (!sum || !mpl_collective_of(s->regions.list[sum->region].sync, &collective)) continue;
    LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(s->frames[region].pre));
    LLVMBuildStore(s->b, mpl_identity(&collective), sum->place);
  }
}

LLVMValueRef mpl_add_to_sum(struct mpl_split *s, struct mpl_home *sum, LLVMValueRef operand) {
  struct mpl_collective collective;
  if (!mpl_collective_of(s->regions.list[sum->region].sync, &collective)) abort();
  LLVMValueRef before = LLVMBuildLoad2(s->b, sum->type, sum->place, "");
  return mpl_combine(s->b, &collective, before, operand);
}

static void combine_operands(struct mpl_split *s, unsigned region, LLVMValueRef sync, bool reduce) {
  struct mpl_home *operand = mpl_operand_home(s, sync);
  struct mpl_frame *frame = &s->frames[region];
  if (operand->kind == MPL_HOME_SUM) {
    LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(frame->pre));
    frame->result = LLVMBuildLoad2(s->b, operand->type, operand->place, "sum");
    return;
  }
  LLVMValueRef base = mpl_home_base(s, operand, region), combine = combine_of(sync);
  LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(frame->pre));
  keep_one_copy(s, combine);
  LLVMTypeRef result = reduce ? LLVMTypeOf(sync) : s->ir->void_type;
  frame->result = call_combine(s, combine, base, result);
}

void mpl_emit_group_operation(struct mpl_split *s, unsigned region) {
  LLVMValueRef sync = s->regions.list[region].sync;
  struct mpl_frame *frame = &s->frames[region];
  enum mpl_marker marker = sync ? mpl_marker_of(sync) : MPL_NO_MARKER;
  if (marker == MPL_MARK_BROADCAST) frame->result = broadcast(s, region, sync);
  if (marker == MPL_MARK_PACK) pack(s, region, sync);
  if (marker == MPL_MARK_REDUCE || marker == MPL_MARK_SCAN)
    combine_operands(s, region, sync, marker == MPL_MARK_REDUCE);
  begin_sums(s, region);
}
