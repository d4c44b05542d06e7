/* Puts a group operation where a sync point stood: one call of the built-in library's vector code
 * over the operands of all work-items, or what is left of that where loops have combined them. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "abi/filter.h"
#include "emit.h"
#include "runtime/options.h"

/* One copy of an operation serves many sync points; for a few, LLVM may decide. */
static void keep_one_copy(struct mpl_split *e, LLVMValueRef combine) {
  enum { FEW = 4 };
  unsigned *uses = (unsigned *)mpl_map_at(&e->combines, combine, 0, true);
  if (++*uses == FEW + 1) mpl_add_attribute(combine, "noinline");
}

/* An operand that is the same for all. */
static LLVMValueRef uniform_operand(struct mpl_split *e, unsigned region, LLVMValueRef sync,
                                    unsigned operand) {
  const struct mpl_slot *slot = mpl_operand_slot(e->plan, sync, operand);
  return slot ? mpl_read_slot(e, slot, region, slot->type)
              : mpl_value_in(e, LLVMGetOperand(sync, operand), region);
}

/* An id that no work-item has, which the specification leaves undefined, must still not read
 * outside the operands. */
static LLVMValueRef inside(struct mpl_split *e, LLVMValueRef id) {
  id = LLVMBuildZExtOrBitCast(e->b, id, e->ir->i64, "");
  LLVMValueRef is_inside = LLVMBuildICmp(e->b, LLVMIntULT, id, e->items, "");
  return LLVMBuildSelect(e->b, is_inside, id, mpl_const64(e->ir, 0), "");
}

/* The operand of one work-item. */
static LLVMValueRef load_one(struct mpl_split *e, LLVMTypeRef type, LLVMValueRef base,
                             LLVMValueRef id) {
  id = inside(e, id);
  LLVMValueRef place = LLVMBuildInBoundsGEP2(e->b, type, base, &id, 1, "");
  return LLVMBuildLoad2(e->b, type, place, "broadcast");
}

static LLVMValueRef broadcast(struct mpl_split *e, unsigned region, LLVMValueRef sync) {
  const struct mpl_slot *slot = mpl_operand_slot(e->plan, sync, 0);
  LLVMValueRef base = mpl_slot_base(e, slot, region), id = uniform_operand(e, region, sync, 1);
  mpl_before_region(e, region);
  return load_one(e, slot->type, base, id);
}

/* What the work-item that is asked for has, computed in front of the region. */
static LLVMValueRef broadcast_one(struct mpl_split *e, unsigned region, LLVMValueRef sync) {
  mpl_site site = region + e->unit->regions.count;
  struct mpl_frame *frame = &e->frames[site];
  frame->pre = frame->body = e->frames[region].pre;
  LLVMValueRef id = uniform_operand(e, region, sync, 1);
  mpl_before_region(e, region);
  frame->linear = frame->group_linear = inside(e, id);
  if (e->unit->kernel->dims == 1) {
    frame->ids[0] = frame->linear;
    frame->ids[1] = frame->ids[2] = mpl_const64(e->ir, 0);
  }
  return mpl_value_in(e, LLVMGetOperand(sync, 0), site);
}

/* The library's function takes the operands of work-items, their number, and the uniform operands that
 * follow. */
static LLVMValueRef combine(struct mpl_split *e, LLVMValueRef sync, LLVMValueRef *args,
                            unsigned count) {
  LLVMValueRef function = mpl_combine_of(sync);
  bool in_place = mpl_is_in_place(mpl_marker_of(sync));
  keep_one_copy(e, function);
  return mpl_call(e->b, function, in_place ? e->ir->void_type : LLVMTypeOf(sync), args, count);
}

static LLVMValueRef call_library(struct mpl_split *e, unsigned region, LLVMValueRef sync) {
  enum { MOST = 8 };
  unsigned own = mpl_marker_row(sync)->own, last = LLVMGetNumArgOperands(sync) - 1;
  LLVMValueRef args[MOST];
  if (last >= MOST) abort();
  for (unsigned k = 0; k < own; k++)
    args[k] = mpl_slot_base(e, mpl_operand_slot(e->plan, sync, k), region);
  args[own] = e->items;
  for (unsigned k = own; k < last; k++) args[k + 1] = uniform_operand(e, region, sync, k);
  mpl_before_region(e, region);
  return combine(e, sync, args, last + 1);
}

LLVMValueRef mpl_build_group_operation(struct mpl_split *e, LLVMValueRef sync) {
  LLVMValueRef base = mpl_slot_address(e, mpl_operand_slot(e->plan, sync, 0));
  LLVMValueRef args[] = {base, e->items};
  if (mpl_marker_of(sync) != MPL_MARK_BROADCAST) return combine(e, sync, args, 2);
  LLVMValueRef id = LLVMGetOperand(sync, 1);
  const struct mpl_slot *slot = mpl_operand_slot(e->plan, sync, 1);
  if (slot) id = LLVMBuildLoad2(e->b, slot->type, mpl_slot_address(e, slot), "");
  return load_one(e, LLVMTypeOf(sync), base, id);
}

/* Operands that are combined where they are computed: each region that leads to the sync point
 * begins with nothing.  The result of one that leads to itself is read before. */
static void begin_sums(struct mpl_split *e, unsigned region) {
  const struct mpl_region *from = &e->unit->regions.list[region];
  for (unsigned k = 0; k < from->num_exits; k++) {
    const struct mpl_slot *sum = from->exits[k] < 0 ? NULL : e->plan->regions[from->exits[k]].sum;
    if (!sum) continue;
    bool votes = sum->storage == MPL_IN_VOTE;
    mpl_before_region(e, region);
    LLVMBuildStore(e->b, votes ? LLVMConstNull(sum->type) : mpl_identity(&sum->collective),
                   e->places[sum->number]);
  }
}

/* Counted are those that decide: for an or the true conditions, for an and the others. */
static LLVMValueRef count_vote(struct mpl_split *e, const struct mpl_slot *sum, LLVMValueRef before,
                               LLVMValueRef operand) {
  LLVMValueRef decides = LLVMBuildTrunc(e->b, operand, e->ir->i1, "");
  if (mpl_is_and(&sum->collective)) decides = LLVMBuildNot(e->b, decides, "");
  if (sum->type == e->ir->i1) return LLVMBuildOr(e->b, before, decides, "");
  return LLVMBuildAdd(e->b, before, LLVMBuildZExt(e->b, decides, sum->type, ""), "");
}

LLVMValueRef mpl_accumulate(struct mpl_split *e, const struct mpl_slot *slot,
                            LLVMValueRef operand) {
  LLVMValueRef place = e->places[slot->number];
  LLVMValueRef before = LLVMBuildLoad2(e->b, slot->type, place, "");
  if (slot->storage == MPL_IN_VOTE) return count_vote(e, slot, before, operand);
  LLVMValueRef with = mpl_combine(e->b, &slot->collective, before, operand);
  if (slot->storage == MPL_IN_SUM) return with;
  LLVMBuildStore(e->b, with, place);
  return slot->collective.form == MPL_FORM_scan_exclusive ? before : with;
}

/* Of what the loops in front have combined, or counted. */
static LLVMValueRef accumulated(struct mpl_split *e, const struct mpl_slot *slot,
                                LLVMTypeRef type) {
  LLVMValueRef sum = LLVMBuildLoad2(e->b, slot->type, e->places[slot->number], "sum");
  if (slot->storage == MPL_IN_SUM) return sum;
  LLVMIntPredicate is = mpl_is_and(&slot->collective) ? LLVMIntEQ : LLVMIntNE;
  LLVMValueRef result = LLVMBuildICmp(e->b, is, sum, LLVMConstNull(slot->type), "");
  return LLVMBuildZExt(e->b, result, type, "");
}

/* The driver of sub-groups has done it; what remains is to read the result. */
static LLVMValueRef read_result(struct mpl_split *e, LLVMTypeRef type) {
  LLVMValueRef unit = LLVMGetParam(e->function, 1);
  LLVMValueRef at = LLVMBuildStructGEP2(e->b, e->ir->unit_type, unit, MPL_UNIT_RESULT, "");
  return LLVMBuildLoad2(e->b, type, at, "result");
}

static LLVMValueRef emit(struct mpl_split *e, unsigned region, LLVMValueRef sync) {
  const struct mpl_slot *operand = mpl_operand_slot(e->plan, sync, 0);
  mpl_before_region(e, region);
  switch (e->plan->regions[region].work) {
  case MPL_WORK_NOTHING:
  case MPL_WORK_SCANNED:
    return NULL;
  case MPL_WORK_RESULT:
    return read_result(e, LLVMTypeOf(sync));
  case MPL_WORK_SAME:
    return mpl_value_in(e, LLVMGetOperand(sync, 0), region);
  case MPL_WORK_BROADCAST:
    return broadcast(e, region, sync);
  case MPL_WORK_ONE:
    return broadcast_one(e, region, sync);
  case MPL_WORK_CALL:
    return call_library(e, region, sync);
  case MPL_WORK_SUMMED:
  case MPL_WORK_COUNTED:
    return accumulated(e, operand, LLVMTypeOf(sync));
  }
  abort();
}

/* MANIPLE_TRACE_GROUPS: what passes in operations is added up in the group.  Not in kernels of
 * sub-groups, whose operations are among the rest of the code. */
static bool counts(const struct mpl_split *e) {
  return !e->unit->lanes && !e->ir->records && mpl_option_number(MPL_OPTION_TRACE_GROUPS) &&
         !strncmp(LLVMGetTarget(e->ir->module), "x86_64", 6);
}

static LLVMValueRef cycles(struct mpl_split *e, unsigned region) {
  mpl_before_region(e, region);
  return mpl_call_intrinsic(e->b, "llvm.readcyclecounter", NULL, NULL, 0);
}

static void count_since(struct mpl_split *e, unsigned region, LLVMValueRef start) {
  LLVMValueRef now = cycles(e, region), group = LLVMGetParam(e->function, 1);
  LLVMValueRef at = LLVMBuildStructGEP2(e->b, e->ir->group_type, group, MPL_GROUP_TICKS, "");
  LLVMValueRef sum = LLVMBuildLoad2(e->b, e->ir->i64, at, "");
  sum = LLVMBuildAdd(e->b, sum, LLVMBuildSub(e->b, now, start, ""), "");
  LLVMBuildStore(e->b, sum, at);
  e->unit->kernel->flags |= MPL_KERNEL_COUNTS;
}

void mpl_begin_filter_phase(struct mpl_split *e, LLVMValueRef sync) {
  uint64_t fences = mpl_filter_fences(e->ir, sync);
  if (!fences) return;
  LLVMValueRef args[] = {LLVMGetParam(e->function, 1), mpl_const32(e->ir, (uint32_t)fences)};
  LLVMValueRef next = mpl_load_behind(e->ir, e->b, e->ir->ptr, args[0], offsetof(struct mpl_filter_group, next));
  mpl_call(e->b, next, e->ir->void_type, args, 2);
}

void mpl_emit_group_operation(struct mpl_split *e, unsigned region) {
  LLVMValueRef sync = e->unit->regions.list[region].sync;
  LLVMValueRef start = sync && counts(e) ? cycles(e, region) : NULL;
  if (sync) e->frames[region].result = emit(e, region, sync);
  if (sync && e->ir->filters && !e->plan->regions[region].cut) {
    mpl_before_region(e, region);
    mpl_begin_filter_phase(e, sync);
  }
  if (start) count_since(e, region, start);
  begin_sums(e, region);
}
