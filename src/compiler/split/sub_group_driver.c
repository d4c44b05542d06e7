/* Runs the sub-groups of a work-group: the group function of a kernel that calls sub-group
 * functions.
 *
 * Without sync points of the work-group, each sub-group runs from its beginning to its end:
 *
 *   for each sub-group: run it
 *
 * With them, each runs until it stands at one.  When nobody can go on, all stand at the same (or
 * the kernel is at fault: then the earliest counts), and the group operation is done:
 *
 *   due = 0                             the region whose sub-groups may go on
 *   do {
 *     for each sub-group that stands at `due` or yields: run it; note where it stands
 *     if (some yielded) due = nobody;
 *     else due = the earliest that any stands at; do its operation
 *   } while (due is not the end)
 *
 * Sub-groups that spin until another one has done something yield after each iteration of their
 * loop (prepare/yield.c), so each makes progress whatever the others do.
 *
 * A filter for the checking engine stops where sub-groups stand at different points, and is told of
 * each sub-group that begins. */
#include "split.h"

#include <stddef.h>

#include "abi/filter.h"
#include "compiler/analysis/markers.h"

struct driver {
  struct mpl_split *s;   /* as of a sub-group, with the driver's own values */
  LLVMValueRef function; /* that runs one */
  LLVMValueRef unit;
  LLVMValueRef states; /* where each sub-group stands, if they are cut */
  LLVMBasicBlockRef entry;
};

static LLVMBasicBlockRef block(struct driver *d, const char *name) {
  return LLVMAppendBasicBlockInContext(d->s->ir->context, d->s->function, name);
}

static LLVMValueRef field(struct driver *d, enum mpl_unit_field index) {
  return LLVMBuildStructGEP2(d->s->b, d->s->ir->unit_type, d->unit, index, "");
}

static LLVMValueRef const32(struct driver *d, unsigned value) {
  return LLVMConstInt(d->s->ir->i32, value, false);
}

static LLVMValueRef add_phi(struct driver *d, LLVMTypeRef type, LLVMValueRef first,
                            LLVMBasicBlockRef from, const char *name) {
  LLVMValueRef phi = LLVMBuildPhi(d->s->b, type, name);
  LLVMAddIncoming(phi, &first, &from, 1);
  return phi;
}

static bool is_cut_anywhere(struct mpl_split *s) {
  for (unsigned k = 0; k < s->regions.count; k++)
    if (mpl_is_cut(s, k)) return true;
  return false;
}

static bool is_yield(struct mpl_split *s, unsigned region) {
  return mpl_is_cut(s, region) && mpl_marker_of(s->regions.list[region].sync) == MPL_MARK_YIELD;
}

/* The filter's function of that place in its struct mpl_filter_group. */
static void call_filter(struct driver *d, size_t offset, LLVMValueRef *args, unsigned count) {
  struct mpl_split *s = d->s;
  LLVMValueRef at = mpl_offset(s->ir, s->b, args[0], mpl_const64(s->ir, offset));
  mpl_call(s->b, LLVMBuildLoad2(s->b, s->ir->ptr, at, ""), s->ir->void_type, args, count);
}

/* Nobody else stores where the mark says that filters read (filter/filter_end.c). */
static void hand_over_filter(struct driver *d) {
  struct mpl_split *s = d->s;
  LLVMValueRef store =
      LLVMBuildStore(s->b, LLVMGetParam(s->function, 1), field(d, MPL_UNIT_FILTER));
  mpl_set_metadata(s->ir, store, MPL_FILTER_STATE, LLVMMDNodeInContext2(s->ir->context, NULL, 0));
}

/* The group function: a new one takes the name and place of the one that was split. */
static void begin(struct driver *d) {
  struct mpl_split *s = d->s;
  LLVMTypeRef params[] = {s->ir->ptr, s->ir->ptr};
  s->function =
      LLVMAddFunction(s->ir->module, "", LLVMFunctionType(s->ir->void_type, params, 2, false));
  mpl_ir_take_place(s->function, d->function);
  s->kernel->group = s->function;
  d->entry = block(d, "entry");
  LLVMPositionBuilderAtEnd(s->b, d->entry);
  d->unit = LLVMBuildAlloca(s->b, s->ir->unit_type, "unit");
  mpl_read_group(s);
  LLVMValueRef size = LLVMSizeOf(s->ir->group_type);
  LLVMBuildMemCpy(s->b, d->unit, 8, LLVMGetParam(s->function, 1), 8, size);
  LLVMValueRef zero = mpl_const64(s->ir, 0);
  LLVMBuildStore(s->b, const32(d, 0), field(d, MPL_UNIT_REGION));
  LLVMBuildStore(s->b, zero, field(d, MPL_UNIT_RESULT));
  if (s->ir->filters) hand_over_filter(d);
}

static void call_unit(struct driver *d) {
  LLVMTypeRef params[] = {d->s->ir->ptr, d->s->ir->ptr};
  LLVMValueRef args[] = {LLVMGetParam(d->s->function, 0), d->unit};
  LLVMTypeRef type = LLVMFunctionType(d->s->ir->void_type, params, 2, false);
  LLVMBuildCall2(d->s->b, type, d->function, args, 2, "");
}

/* The local ids of the work-item with linear id `first`; in the first row, which may be all,
 * without a division. */
static void find_ids(struct driver *d, LLVMValueRef first, LLVMValueRef ids[3]) {
  struct mpl_split *s = d->s;
  LLVMBuilderRef b = s->b;
  LLVMBasicBlockRef from = LLVMGetInsertBlock(b), behind = block(d, "behind"), on = block(d, "on");
  LLVMValueRef in_first = LLVMBuildICmp(b, LLVMIntULT, first, s->size[0], "");
  LLVMBuildCondBr(b, in_first, on, behind);
  LLVMPositionBuilderAtEnd(b, behind);
  LLVMValueRef row = LLVMBuildUDiv(b, first, s->size[0], "row");
  LLVMValueRef found[] = {LLVMBuildURem(b, first, s->size[0], ""),
                          LLVMBuildURem(b, row, s->size[1], ""),
                          LLVMBuildUDiv(b, row, s->size[1], "")};
  LLVMBuildBr(b, on);
  LLVMPositionBuilderAtEnd(b, on);
  for (unsigned k = 0; k < 3; k++) {
    ids[k] = add_phi(d, s->ir->i64, k ? mpl_const64(s->ir, 0) : first, from, "");
    LLVMAddIncoming(ids[k], &found[k], &behind, 1);
  }
}

/* Runs the sub-group that begins at `first`; leaves the builder behind it. */
static void run_unit(struct driver *d, LLVMValueRef id, LLVMValueRef first) {
  struct mpl_split *s = d->s;
  LLVMBuilderRef b = s->b;
  LLVMValueRef lanes = mpl_const64(s->ir, s->lanes), ids[3];
  LLVMValueRef left = LLVMBuildSub(b, s->items, first, "");
  LLVMValueRef fewer = LLVMBuildICmp(b, LLVMIntULT, left, lanes, "");
  LLVMValueRef here = LLVMBuildSelect(b, fewer, left, lanes, "here");
  find_ids(d, first, ids);
  LLVMBuildStore(b, first, field(d, MPL_UNIT_FIRST));
  for (unsigned k = 0; k < 3; k++) LLVMBuildStore(b, ids[k], field(d, MPL_UNIT_X + k));
  LLVMBuildStore(b, LLVMBuildTrunc(b, id, s->ir->i32, ""), field(d, MPL_UNIT_ID));
  LLVMBuildStore(b, LLVMBuildTrunc(b, here, s->ir->i32, ""), field(d, MPL_UNIT_HERE));
  if (s->kernel->has_steps) {
    LLVMValueRef args[] = {LLVMGetParam(s->function, 1), LLVMBuildTrunc(b, first, s->ir->i32, ""),
                           LLVMBuildTrunc(b, here, s->ir->i32, "")};
    call_filter(d, offsetof(struct mpl_filter_group, begin), args, 3);
  }
  call_unit(d);
}

/* A loop over the sub-groups: begins after the builder's block, which it ends; `first` and `id` are
 * valid in its body, where the builder is left. */
struct loop {
  LLVMBasicBlockRef body;
  LLVMValueRef id, first;
};

static struct loop begin_loop(struct driver *d) {
  LLVMBasicBlockRef from = LLVMGetInsertBlock(d->s->b);
  struct loop loop = {.body = block(d, "sub.group")};
  LLVMValueRef zero = mpl_const64(d->s->ir, 0);
  LLVMBuildBr(d->s->b, loop.body);
  LLVMPositionBuilderAtEnd(d->s->b, loop.body);
  loop.id = add_phi(d, d->s->ir->i64, zero, from, "id");
  loop.first = add_phi(d, d->s->ir->i64, zero, from, "first");
  return loop;
}

/* Ends the loop's body where the builder is, and leaves the builder in a block behind it. */
static void end_loop(struct driver *d, struct loop *loop) {
  LLVMBuilderRef b = d->s->b;
  LLVMBasicBlockRef from = LLVMGetInsertBlock(b), after = block(d, "all");
  LLVMValueRef id = LLVMBuildNUWAdd(b, loop->id, mpl_const64(d->s->ir, 1), "");
  LLVMValueRef first = LLVMBuildNUWAdd(b, loop->first, mpl_const64(d->s->ir, d->s->lanes), "");
  LLVMAddIncoming(loop->id, &id, &from, 1);
  LLVMAddIncoming(loop->first, &first, &from, 1);
  LLVMValueRef more = LLVMBuildICmp(b, LLVMIntULT, first, d->s->items, "");
  LLVMBuildCondBr(b, more, loop->body, after);
  LLVMPositionBuilderAtEnd(b, after);
}

static void run_through(struct driver *d) {
  struct loop loop = begin_loop(d);
  LLVMBuildStore(d->s->b, const32(d, 0), field(d, MPL_UNIT_REGION));
  run_unit(d, loop.id, loop.first);
  end_loop(d, &loop);
  LLVMBuildRetVoid(d->s->b);
}

static LLVMValueRef state_of(struct driver *d, LLVMValueRef id) {
  return LLVMBuildInBoundsGEP2(d->s->b, d->s->ir->i32, d->states, &id, 1, "");
}

/* Does a sub-group that stands there yield? */
static LLVMValueRef yields(struct driver *d, LLVMValueRef state) {
  LLVMValueRef any = LLVMConstInt(d->s->ir->i1, 0, false);
  for (unsigned k = 0; k < d->s->regions.count; k++) {
    if (!is_yield(d->s, k)) continue;
    LLVMValueRef here = LLVMBuildICmp(d->s->b, LLVMIntEQ, state, const32(d, k), "");
    any = LLVMBuildOr(d->s->b, any, here, "");
  }
  return any;
}

static void start_all(struct driver *d) {
  struct mpl_split *s = d->s;
  LLVMValueRef bytes = LLVMBuildMul(s->b, s->padded, mpl_const64(s->ir, s->states), "");
  d->states = mpl_offset(s->ir, s->b, s->scratch, bytes);
  struct loop loop = begin_loop(d);
  LLVMBuildStore(s->b, const32(d, 0), state_of(d, loop.id));
  end_loop(d, &loop);
}

/* A filter's sub-groups all have to stand at one point. */
static void stop_if_apart(struct driver *d, LLVMValueRef least, LLVMValueRef most) {
  struct mpl_split *s = d->s;
  LLVMBasicBlockRef apart = block(d, "apart"), together = block(d, "together");
  LLVMBuildCondBr(s->b, LLVMBuildICmp(s->b, LLVMIntNE, least, most, ""), apart, together);
  LLVMPositionBuilderAtEnd(s->b, apart);
  LLVMValueRef group = LLVMGetParam(s->function, 1);
  call_filter(d, offsetof(struct mpl_filter_group, stop), &group, 1);
  LLVMBuildUnreachable(s->b);
  LLVMPositionBuilderAtEnd(s->b, together);
}

/* Runs those that may go on.  Returns in *least the earliest region that any stands at, and in
 * *yielded whether some may go on in the next round whatever the others do. */
static void run_round(struct driver *d, LLVMValueRef due, LLVMValueRef *least,
                      LLVMValueRef *yielded) {
  struct mpl_split *s = d->s;
  LLVMBuilderRef b = s->b;
  LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
  LLVMValueRef no = LLVMConstInt(s->ir->i1, 0, false);
  struct loop loop = begin_loop(d);
  LLVMValueRef least_so_far = add_phi(d, s->ir->i32, const32(d, s->regions.count), from, "least");
  LLVMValueRef most_so_far = add_phi(d, s->ir->i32, const32(d, 0), from, "most");
  LLVMValueRef yielded_so_far = add_phi(d, s->ir->i1, no, from, "yielded");
  LLVMValueRef at = LLVMBuildLoad2(b, s->ir->i32, state_of(d, loop.id), "at");
  LLVMValueRef is_due = LLVMBuildICmp(b, LLVMIntEQ, at, due, "");
  LLVMValueRef goes = LLVMBuildOr(b, is_due, yields(d, at), "");
  LLVMBasicBlockRef run = block(d, "run"), next = block(d, "next"), stays = LLVMGetInsertBlock(b);
  LLVMBuildCondBr(b, goes, run, next);
  LLVMPositionBuilderAtEnd(b, run);
  LLVMBuildStore(b, at, field(d, MPL_UNIT_REGION));
  run_unit(d, loop.id, loop.first);
  LLVMValueRef now = LLVMBuildLoad2(b, s->ir->i32, field(d, MPL_UNIT_REGION), "now");
  LLVMBuildStore(b, now, state_of(d, loop.id));
  LLVMBasicBlockRef ran = LLVMGetInsertBlock(b);
  LLVMBuildBr(b, next);
  LLVMPositionBuilderAtEnd(b, next);
  LLVMValueRef stands = add_phi(d, s->ir->i32, at, stays, "stands");
  LLVMAddIncoming(stands, &now, &ran, 1);
  LLVMValueRef less = LLVMBuildICmp(b, LLVMIntULT, stands, least_so_far, "");
  *least = LLVMBuildSelect(b, less, stands, least_so_far, "");
  LLVMValueRef more = LLVMBuildICmp(b, LLVMIntUGT, stands, most_so_far, "");
  LLVMValueRef most = LLVMBuildSelect(b, more, stands, most_so_far, "");
  *yielded = LLVMBuildOr(b, yielded_so_far, yields(d, stands), "");
  LLVMAddIncoming(most_so_far, &most, &next, 1);
  LLVMAddIncoming(least_so_far, least, &next, 1);
  LLVMAddIncoming(yielded_so_far, yielded, &next, 1);
  end_loop(d, &loop);
  if (s->ir->filters) stop_if_apart(d, *least, most);
}

/* The operation of the region that is due. */
static void operate(struct driver *d, LLVMValueRef due, LLVMBasicBlockRef then,
                    LLVMBasicBlockRef end) {
  struct mpl_split *s = d->s;
  LLVMValueRef choice = LLVMBuildSwitch(s->b, due, then, s->regions.count);
  LLVMAddCase(choice, const32(d, s->regions.count), end);
  for (unsigned k = 0; k < s->regions.count; k++) {
    LLVMValueRef sync = s->regions.list[k].sync;
    if (!mpl_is_cut(s, k)) continue;
    bool has_operand = mpl_operand_slot(s, sync, 0);
    if (!has_operand && !s->ir->filters) continue;
    LLVMBasicBlockRef operation = block(d, "operation");
    LLVMAddCase(choice, const32(d, k), operation);
    LLVMPositionBuilderAtEnd(s->b, operation);
    LLVMValueRef result = has_operand ? mpl_build_group_operation(s, sync) : NULL;
    if (result && LLVMTypeOf(result) != s->ir->void_type)
      LLVMBuildStore(s->b, result, field(d, MPL_UNIT_RESULT));
    if (s->ir->filters) mpl_begin_filter_phase(s, sync);
    LLVMBuildBr(s->b, then);
  }
}

static void run_in_rounds(struct driver *d) {
  struct mpl_split *s = d->s;
  start_all(d);
  LLVMBasicBlockRef from = LLVMGetInsertBlock(s->b), round = block(d, "round"),
                    again = block(d, "again"), next = block(d, "next"), end = block(d, "end");
  LLVMBuildBr(s->b, round);
  LLVMPositionBuilderAtEnd(s->b, round);
  LLVMValueRef due = add_phi(d, s->ir->i32, const32(d, 0), from, "due"), least, yielded;
  run_round(d, due, &least, &yielded);
  LLVMBuildCondBr(s->b, yielded, again, next);
  LLVMPositionBuilderAtEnd(s->b, next);
  operate(d, least, again, end);
  LLVMPositionBuilderAtEnd(s->b, again);
  LLVMValueRef nobody = LLVMConstInt(s->ir->i32, UINT32_MAX, false);
  LLVMValueRef whose = LLVMBuildSelect(s->b, yielded, nobody, least, "due");
  LLVMAddIncoming(due, &whose, &again, 1);
  LLVMBuildBr(s->b, round);
  LLVMPositionBuilderAtEnd(s->b, end);
  LLVMBuildRetVoid(s->b);
}

void mpl_build_driver(struct mpl_split *split) {
  struct mpl_split own = *split;
  struct driver d = {.s = &own, .function = own.function};
  own.first = NULL; /* arrays of all sub-groups */
  begin(&d);
  if (is_cut_anywhere(&own))
    run_in_rounds(&d);
  else
    run_through(&d);
}
