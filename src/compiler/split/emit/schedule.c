/* What follows each region.  In a masked kernel, work-items may leave to different regions.  Each
 * then has its own continuation; `schedule` goes on with the region, earliest in reverse post order,
 * at which any work-item stands, and that region's loop runs those only. */
#include "emit.h"

/* Where a sub-group goes on, or stands when it returns. */
static LLVMValueRef continuation(struct mpl_split *e) {
  LLVMValueRef unit = LLVMGetParam(e->function, 1);
  return LLVMBuildStructGEP2(e->b, e->ir->unit_type, unit, MPL_UNIT_REGION, "");
}

/* A sub-group that goes on at a sync point of the work-group returns to the driver. */
static LLVMBasicBlockRef leave(struct mpl_split *e, unsigned region) {
  LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b), leaving = mpl_append_block(e, "leave");
  LLVMPositionBuilderAtEnd(e->b, leaving);
  LLVMValueRef at = continuation(e);
  LLVMBuildStore(e->b, mpl_const32(e->ir, region), at);
  LLVMBuildRetVoid(e->b);
  LLVMPositionBuilderAtEnd(e->b, from);
  return leaving;
}

static LLVMBasicBlockRef target(struct mpl_split *e, int region) {
  if (region < 0) return e->end;
  return e->plan->regions[region].cut ? leave(e, (unsigned)region) : e->frames[region].pre;
}

/* A masked region leaves each work-item's continuation behind. */
static void store_next(struct mpl_split *e, unsigned k) {
  LLVMValueRef next = e->frames[k].next, first = next;
  while (LLVMIsAPHINode(first)) first = LLVMGetNextInstruction(first);
  mpl_write_slot(e, e->plan->next, k, next, first);
}

/* Goes to the one of the region's exits that has the number `next`. */
static void choose_next(struct mpl_split *e, unsigned k) {
  const struct mpl_region *region = &e->unit->regions.list[k];
  LLVMPositionBuilderAtEnd(e->b, e->frames[k].post);
  if (region->scheduled_exit) {
    LLVMBuildBr(e->b, e->schedule);
    return;
  }
  if (!region->num_exits) {
    LLVMBuildUnreachable(e->b); /* the region never ends */
    return;
  }
  unsigned last = region->num_exits - 1;
  LLVMBasicBlockRef otherwise = target(e, region->exits[last]);
  if (!last) {
    LLVMBuildBr(e->b, otherwise);
    return;
  }
  LLVMValueRef choice = LLVMBuildSwitch(e->b, e->frames[k].next, otherwise, last);
  for (unsigned x = 0; x < last; x++) {
    unsigned number = region->exits[x] < 0 ? e->unit->regions.count : (unsigned)region->exits[x];
    LLVMAddCase(choice, mpl_const32(e->ir, number), target(e, region->exits[x]));
  }
}

/* Where the first of a sub-group's lanes stands, all looked at together. */
static LLVMValueRef least_of_lanes(struct mpl_split *e, LLVMValueRef base) {
  unsigned lanes = e->unit->lanes;
  LLVMTypeRef type = LLVMVectorType(e->ir->i32, lanes);
  LLVMValueRef each[64], ends[64];
  for (unsigned k = 0; k < lanes; k++) {
    each[k] = mpl_const32(e->ir, k);
    ends[k] = mpl_const32(e->ir, e->unit->regions.count);
  }
  LLVMValueRef at = LLVMBuildLoad2(e->b, type, base, ""), zero = each[0];
  LLVMSetAlignment(at, 4);
  LLVMValueRef count = LLVMBuildTrunc(e->b, e->here, e->ir->i32, "");
  LLVMValueRef here = LLVMBuildInsertElement(e->b, LLVMGetPoison(type), count, zero, "");
  here = LLVMBuildShuffleVector(e->b, here, LLVMGetPoison(type), LLVMConstNull(type), "");
  here = LLVMBuildICmp(e->b, LLVMIntULT, LLVMConstVector(each, lanes), here, "");
  at = LLVMBuildSelect(e->b, here, at, LLVMConstVector(ends, lanes), "");
  return mpl_call_intrinsic(e->b, "llvm.vector.reduce.umin", type, &at, 1);
}

static LLVMValueRef least_of_items(struct mpl_split *e, LLVMValueRef base, LLVMBasicBlockRef go) {
  LLVMBasicBlockRef find = mpl_append_block(e, "find");
  LLVMValueRef end = mpl_const32(e->ir, e->unit->regions.count);
  LLVMBuildBr(e->b, find);
  LLVMValueRef i = mpl_add_phi(e, find, "i", mpl_const64(e->ir, 0), e->schedule);
  LLVMValueRef least = mpl_add_phi(e, find, "least", end, e->schedule);
  LLVMValueRef place = LLVMBuildInBoundsGEP2(e->b, e->ir->i32, base, &i, 1, "");
  LLVMValueRef at = LLVMBuildLoad2(e->b, e->ir->i32, place, "");
  LLVMValueRef less = LLVMBuildICmp(e->b, LLVMIntULT, at, least, "");
  LLVMValueRef lesser = LLVMBuildSelect(e->b, less, at, least, "");
  LLVMAddIncoming(least, &lesser, &find, 1);
  mpl_count_on(e, find, i, e->items, find, go);
  return lesser;
}

/* The earliest region that any work-item stands at runs next. */
static void build_schedule(struct mpl_split *e) {
  LLVMBasicBlockRef go = mpl_append_block(e, "go");
  LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(e->setup));
  LLVMValueRef base = mpl_slot_address(e, e->plan->next);
  LLVMValueRef count = e->unit->lanes ? e->here : e->items;
  if (e->unit->regions.list[0].masked) {
    LLVMValueRef size = LLVMBuildMul(e->b, count, mpl_const64(e->ir, 4), "");
    LLVMBuildMemSet(e->b, base, LLVMConstInt(e->ir->i8, 0, false), size, 4);
  }
  LLVMPositionBuilderAtEnd(e->b, e->schedule);
  LLVMValueRef lesser = e->unit->lanes ? least_of_lanes(e, base) : least_of_items(e, base, go);
  if (e->unit->lanes) LLVMBuildBr(e->b, go);
  LLVMPositionBuilderAtEnd(e->b, go);
  LLVMValueRef choice = LLVMBuildSwitch(e->b, lesser, e->end, e->unit->regions.count);
  for (unsigned k = 0; k < e->unit->regions.count; k++)
    LLVMAddCase(choice, mpl_const32(e->ir, k), target(e, (int)k));
}

/* A sub-group goes on where it stood; where one that returns stands is `count`. */
static void build_entry(struct mpl_split *e) {
  LLVMValueRef jump = LLVMGetBasicBlockTerminator(e->setup);
  unsigned count = e->unit->regions.count;
  LLVMPositionBuilderBefore(e->b, jump);
  LLVMValueRef at = continuation(e);
  LLVMValueRef region = LLVMBuildLoad2(e->b, e->ir->i32, at, "region");
  LLVMValueRef choice = LLVMBuildSwitch(e->b, region, e->frames[0].pre, count);
  for (unsigned k = 1; k < count; k++)
    if (e->plan->regions[k].cut) LLVMAddCase(choice, mpl_const32(e->ir, k), e->frames[k].pre);
  LLVMInstructionEraseFromParent(jump);
  LLVMPositionBuilderAtEnd(e->b, e->end);
  LLVMBuildStore(e->b, mpl_const32(e->ir, count), at);
}

void mpl_connect_frames(struct mpl_split *e) {
  for (unsigned k = 0; k < e->unit->regions.count; k++) {
    if (e->unit->regions.list[k].scheduled_exit) store_next(e, k);
    choose_next(e, k);
  }
  if (e->schedule) build_schedule(e);
  LLVMSetSuccessor(LLVMGetBasicBlockTerminator(e->setup), 0, e->frames[0].pre);
  if (e->unit->lanes) build_entry(e);
  LLVMPositionBuilderAtEnd(e->b, e->end);
  LLVMBuildRetVoid(e->b);
}
