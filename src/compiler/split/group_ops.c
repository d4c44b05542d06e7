/* Puts a group operation where a sync point stood: one call of the built-in library's vector code
 * over the operands of all work-items. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "abi/filter.h"
#include "compiler/analysis/algebra.h"
#include "runtime/options.h"
#include "split.h"

/* One copy of an operation serves many sync points; for a few, LLVM may decide. */
static void keep_one_copy(struct mpl_split *s, LLVMValueRef combine) {
  enum { FEW = 4 };
  unsigned *uses = (unsigned *)mpl_map_at(&s->combines, combine, 0, true);
  if (++*uses == FEW + 1) mpl_add_attribute(combine, "noinline");
}

static void before_region(struct mpl_split *s, unsigned region) {
  LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(s->frames[region].pre));
}

/* An operand that is the same for all. */
static LLVMValueRef uniform_operand(struct mpl_split *s, unsigned region, LLVMValueRef sync,
                                    unsigned operand) {
  struct mpl_slot *slot = mpl_operand_slot(s, sync, operand);
  if (!slot) return mpl_value_in(s, LLVMGetOperand(sync, operand), region);
  LLVMValueRef place = mpl_slot_base(s, slot, region);
  before_region(s, region);
  return LLVMBuildLoad2(s->b, slot->type, place, "");
}

/* An id that no work-item has, which the specification leaves undefined, must still not read
 * outside the operands. */
static LLVMValueRef inside(struct mpl_split *s, LLVMValueRef id, LLVMValueRef items) {
  id = LLVMBuildZExtOrBitCast(s->b, id, s->ir->i64, "");
  LLVMValueRef is_inside = LLVMBuildICmp(s->b, LLVMIntULT, id, items, "");
  return LLVMBuildSelect(s->b, is_inside, id, mpl_const64(s->ir, 0), "");
}

/* The operand of one work-item. */
static LLVMValueRef load_one(struct mpl_split *s, LLVMTypeRef type, LLVMValueRef base,
                             LLVMValueRef id, LLVMValueRef items) {
  id = inside(s, id, items);
  LLVMValueRef place = LLVMBuildInBoundsGEP2(s->b, type, base, &id, 1, "");
  return LLVMBuildLoad2(s->b, type, place, "broadcast");
}

static LLVMValueRef broadcast(struct mpl_split *s, unsigned region, LLVMValueRef sync) {
  struct mpl_slot *operand = mpl_operand_slot(s, sync, 0);
  if (s->frames[region].broadcasts_one) {
    LLVMValueRef id = uniform_operand(s, region, sync, 1);
    before_region(s, region);
    return mpl_build_one(s, LLVMGetOperand(sync, 0), region, inside(s, id, s->items));
  }
  if (!operand) return mpl_value_in(s, LLVMGetOperand(sync, 0), region);
  LLVMValueRef base = mpl_slot_base(s, operand, region), id = uniform_operand(s, region, sync, 1);
  before_region(s, region);
  return load_one(s, operand->type, base, id, s->items);
}

/* The library's function takes values, conditions, number, and the uniform operands that follow
 * (prepare/compaction.c). */
static void compact(struct mpl_split *s, unsigned region, LLVMValueRef sync) {
  enum { FIRST = 2, COUNT = 4 };
  LLVMValueRef args[3 + COUNT], combine = mpl_combine_of(sync);
  args[0] = mpl_slot_base(s, mpl_operand_slot(s, sync, 0), region);
  args[1] = mpl_slot_base(s, mpl_operand_slot(s, sync, 1), region);
  args[2] = s->items;
  for (unsigned k = 0; k < COUNT; k++) args[3 + k] = uniform_operand(s, region, sync, FIRST + k);
  keep_one_copy(s, combine);
  before_region(s, region);
  mpl_call(s->b, combine, s->ir->void_type, args, 3 + COUNT);
}

static LLVMValueRef combine(struct mpl_split *s, LLVMValueRef sync, LLVMValueRef operands) {
  LLVMValueRef args[] = {operands, s->items}, function = mpl_combine_of(sync);
  bool in_place = mpl_is_in_place(mpl_marker_of(sync));
  keep_one_copy(s, function);
  return mpl_call(s->b, function, in_place ? s->ir->void_type : LLVMTypeOf(sync), args, 2);
}

LLVMValueRef mpl_build_group_operation(struct mpl_split *s, LLVMValueRef sync) {
  LLVMValueRef base = mpl_slot_address(s, mpl_operand_slot(s, sync, 0));
  if (mpl_marker_of(sync) != MPL_MARK_BROADCAST) return combine(s, sync, base);
  LLVMValueRef id = LLVMGetOperand(sync, 1);
  struct mpl_slot *slot = mpl_operand_slot(s, sync, 1);
  if (slot) id = LLVMBuildLoad2(s->b, slot->type, mpl_slot_address(s, slot), "");
  return load_one(s, LLVMTypeOf(sync), base, id, s->items);
}

/* Operands that are combined where they are computed: each region that leads to the sync point
 * begins with nothing.  The result of one that leads to itself is read before. */
static void begin_sums(struct mpl_split *s, unsigned region) {
  for (unsigned e = 0; e < s->regions.list[region].num_exits; e++) {
    struct mpl_slot *sum = mpl_sum_slot(s, s->regions.list[region].exits[e]);
    struct mpl_collective collective;
    if (!sum || !mpl_collective_of(sum->scan ? sum->scan : sum->reduce, &collective)) continue;
    LLVMValueRef nothing = sum->is_vote ? LLVMConstNull(sum->type) : mpl_identity(&collective);
    before_region(s, region);
    LLVMBuildStore(s->b, nothing, sum->place);
  }
}

/* Counted are those that decide: for an or the true conditions, for an and the others. */
static LLVMValueRef count_vote(struct mpl_split *s, struct mpl_slot *sum,
                               const struct mpl_collective *collective, LLVMValueRef before,
                               LLVMValueRef operand) {
  LLVMValueRef decides = LLVMBuildTrunc(s->b, operand, s->ir->i1, "");
  if (mpl_is_and(collective)) decides = LLVMBuildNot(s->b, decides, "");
  if (sum->type == s->ir->i1) return LLVMBuildOr(s->b, before, decides, "");
  return LLVMBuildAdd(s->b, before, LLVMBuildZExt(s->b, decides, sum->type, ""), "");
}

static LLVMValueRef result_of_vote(struct mpl_split *s, LLVMValueRef sync, LLVMValueRef count) {
  struct mpl_collective collective;
  if (!mpl_collective_of(sync, &collective)) abort();
  LLVMIntPredicate is = mpl_is_and(&collective) ? LLVMIntEQ : LLVMIntNE;
  LLVMValueRef result = LLVMBuildICmp(s->b, is, count, LLVMConstNull(LLVMTypeOf(count)), "");
  return LLVMBuildZExt(s->b, result, LLVMTypeOf(sync), "");
}

LLVMValueRef mpl_add_to_sum(struct mpl_split *s, struct mpl_slot *sum, LLVMValueRef operand) {
  struct mpl_collective collective;
  if (!mpl_collective_of(sum->reduce, &collective)) abort();
  LLVMValueRef before = LLVMBuildLoad2(s->b, sum->type, sum->place, "");
  if (sum->is_vote) return count_vote(s, sum, &collective, before, operand);
  return mpl_combine(s->b, &collective, before, operand);
}

LLVMValueRef mpl_scan_operand(struct mpl_split *s, struct mpl_slot *slot, LLVMValueRef operand) {
  struct mpl_collective collective;
  if (!mpl_collective_of(slot->scan, &collective)) abort();
  LLVMValueRef before = LLVMBuildLoad2(s->b, slot->type, slot->place, "");
  LLVMValueRef with = mpl_combine(s->b, &collective, before, operand);
  LLVMBuildStore(s->b, with, slot->place);
  return collective.form == MPL_FORM_scan_exclusive ? before : with;
}

static LLVMValueRef combine_operands(struct mpl_split *s, unsigned region, LLVMValueRef sync) {
  struct mpl_slot *slot = mpl_operand_slot(s, sync, 0);
  if (slot->scan == sync) return NULL;
  LLVMValueRef place = mpl_slot_base(s, slot, region);
  before_region(s, region);
  if (slot->kind == MPL_SLOT_SUM) {
    LLVMValueRef sum = LLVMBuildLoad2(s->b, slot->type, place, "sum");
    return slot->is_vote ? result_of_vote(s, sync, sum) : sum;
  }
  return combine(s, sync, place);
}

/* The driver of sub-groups has done it; what remains is to read the result. */
static LLVMValueRef read_result(struct mpl_split *s, unsigned region, LLVMValueRef sync) {
  if (LLVMTypeOf(sync) == s->ir->void_type || mpl_is_in_place(mpl_marker_of(sync))) return NULL;
  before_region(s, region);
  LLVMValueRef unit = LLVMGetParam(s->function, 1);
  LLVMValueRef at = LLVMBuildStructGEP2(s->b, s->ir->unit_type, unit, MPL_UNIT_RESULT, "");
  return LLVMBuildLoad2(s->b, LLVMTypeOf(sync), at, "result");
}

static LLVMValueRef emit(struct mpl_split *s, unsigned region, LLVMValueRef sync) {
  if (mpl_is_cut(s, region)) return read_result(s, region, sync);
  const struct mpl_marker_row *marker = mpl_marker_row(sync);
  switch (marker->does) {
  case MPL_DOES_BROADCAST:
    return broadcast(s, region, sync);
  case MPL_DOES_COMPACT:
    compact(s, region, sync);
    return NULL;
  case MPL_DOES_COMBINE:
    return combine_operands(s, region, sync);
  default:
    return NULL;
  }
}

/* MANIPLE_TRACE_GROUPS: what passes in operations is added up in the group.  Not in kernels of
 * sub-groups, whose operations are among the rest of the code. */
static bool counts(const struct mpl_split *s) {
  return !s->lanes && !s->ir->records && mpl_option_number(MPL_OPTION_TRACE_GROUPS) &&
         !strncmp(LLVMGetTarget(s->ir->module), "x86_64", 6);
}

static LLVMValueRef cycles(struct mpl_split *s, unsigned region) {
  before_region(s, region);
  return mpl_call_intrinsic(s->ir, s->b, "llvm.readcyclecounter", NULL, NULL, 0);
}

static void count_since(struct mpl_split *s, unsigned region, LLVMValueRef start) {
  LLVMValueRef now = cycles(s, region), group = LLVMGetParam(s->function, 1);
  LLVMValueRef at = LLVMBuildStructGEP2(s->b, s->ir->group_type, group, MPL_GROUP_TICKS, "");
  LLVMValueRef sum = LLVMBuildLoad2(s->b, s->ir->i64, at, "");
  sum = LLVMBuildAdd(s->b, sum, LLVMBuildSub(s->b, now, start, ""), "");
  LLVMBuildStore(s->b, sum, at);
  s->kernel->flags |= MPL_KERNEL_COUNTS;
}

void mpl_begin_filter_phase(struct mpl_split *s, LLVMValueRef sync) {
  uint64_t fences = mpl_filter_fences(s->ir, sync);
  if (!fences) return;
  LLVMValueRef args[] = {LLVMGetParam(s->function, 1), mpl_const32(s->ir, (uint32_t)fences)};
  LLVMValueRef next = mpl_const64(s->ir, offsetof(struct mpl_filter_group, next));
  next = LLVMBuildLoad2(s->b, s->ir->ptr, mpl_offset(s->ir, s->b, args[0], next), "");
  mpl_call(s->b, next, s->ir->void_type, args, 2);
}

void mpl_emit_group_operation(struct mpl_split *s, unsigned region) {
  LLVMValueRef sync = s->regions.list[region].sync;
  LLVMValueRef start = sync && counts(s) ? cycles(s, region) : NULL;
  if (sync) s->frames[region].result = emit(s, region, sync);
  if (sync && s->ir->filters && !mpl_is_cut(s, region)) {
    before_region(s, region);
    mpl_begin_filter_phase(s, sync);
  }
  if (start) count_since(s, region, start);
  begin_sums(s, region);
}
