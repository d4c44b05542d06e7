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
#include "emit.h"

#include <stddef.h>

#include "abi/filter.h"
#include "compiler/analysis/markers.h"

struct driver {
  struct mpl_split *e;   /* of the driver */
  LLVMValueRef function; /* that runs one */
  LLVMValueRef unit;
  LLVMValueRef states; /* where each sub-group stands, if they are cut */
};

static LLVMValueRef field(struct driver *d, enum mpl_unit_field index) {
  return LLVMBuildStructGEP2(d->e->b, d->e->ir->unit_type, d->unit, index, "");
}

static LLVMValueRef add_phi(struct driver *d, LLVMValueRef first, LLVMBasicBlockRef from,
                            const char *name) {
  return mpl_add_phi(d->e, LLVMGetInsertBlock(d->e->b), name, first, from);
}

static bool is_yield(struct mpl_split *e, unsigned region) {
  return e->plan->regions[region].cut &&
         mpl_marker_of(e->unit->regions.list[region].sync) == MPL_MARK_YIELD;
}

/* The filter's function of that place in its struct mpl_filter_group. */
static void call_filter(struct driver *d, size_t offset, LLVMValueRef *args, unsigned count) {
  struct mpl_split *e = d->e;
  mpl_call(e->b, mpl_load_behind(e->ir, e->b, e->ir->ptr, args[0], offset), e->ir->void_type, args, count);
}

/* Nobody else stores where the mark says that filters read (filter/filter_end.c). */
static void hand_over_filter(struct driver *d) {
  struct mpl_split *e = d->e;
  LLVMValueRef store =
      LLVMBuildStore(e->b, LLVMGetParam(e->function, 1), field(d, MPL_UNIT_FILTER));
  mpl_mark(e->ir, store, MPL_FILTER_STATE);
}

/* The group function: a new one takes the name and place of the one that was split. */
static void begin(struct driver *d) {
  struct mpl_split *e = d->e;
  e->function = LLVMAddFunction(e->ir->module, "", LLVMGlobalGetValueType(d->function));
  mpl_ir_take_place(e->function, d->function);
  e->unit->kernel->group = e->function;
  LLVMPositionBuilderAtEnd(e->b, mpl_append_block(e, "entry"));
  d->unit = LLVMBuildAlloca(e->b, e->ir->unit_type, "unit");
  mpl_read_group(e);
  LLVMValueRef size = LLVMSizeOf(e->ir->group_type);
  LLVMBuildMemCpy(e->b, d->unit, 8, LLVMGetParam(e->function, 1), 8, size);
  LLVMValueRef zero = mpl_const64(e->ir, 0);
  LLVMBuildStore(e->b, mpl_const32(e->ir, 0), field(d, MPL_UNIT_REGION));
  LLVMBuildStore(e->b, zero, field(d, MPL_UNIT_RESULT));
  if (e->ir->filters) hand_over_filter(d);
}

/* The local ids of the work-item with linear id `first`; in the first row, which may be all,
 * without a division. */
static void find_ids(struct driver *d, LLVMValueRef first, LLVMValueRef ids[3]) {
  struct mpl_split *e = d->e;
  LLVMBuilderRef b = e->b;
  LLVMValueRef found[3];
  LLVMBasicBlockRef from = LLVMGetInsertBlock(b), behind = mpl_append_block(e, "behind"),
                    on = mpl_append_block(e, "on");
  LLVMValueRef in_first = LLVMBuildICmp(b, LLVMIntULT, first, e->size[0], "");
  LLVMBuildCondBr(b, in_first, on, behind);
  LLVMPositionBuilderAtEnd(b, behind);
  mpl_divide_id(e, first, e->size[0], e->size[1], found);
  mpl_go_on_in(b, on);
  for (unsigned k = 0; k < 3; k++) {
    ids[k] = add_phi(d, k ? mpl_const64(e->ir, 0) : first, from, "");
    LLVMAddIncoming(ids[k], &found[k], &behind, 1);
  }
}

/* Runs the sub-group that begins at `first`; leaves the builder behind it. */
static void run_unit(struct driver *d, LLVMValueRef id, LLVMValueRef first) {
  struct mpl_split *e = d->e;
  LLVMBuilderRef b = e->b;
  LLVMValueRef lanes = mpl_const64(e->ir, e->unit->lanes), ids[3];
  LLVMValueRef left = LLVMBuildSub(b, e->items, first, "");
  LLVMValueRef fewer = LLVMBuildICmp(b, LLVMIntULT, left, lanes, "");
  LLVMValueRef here = LLVMBuildSelect(b, fewer, left, lanes, "here");
  find_ids(d, first, ids);
  LLVMBuildStore(b, first, field(d, MPL_UNIT_FIRST));
  for (unsigned k = 0; k < 3; k++) LLVMBuildStore(b, ids[k], field(d, MPL_UNIT_X + k));
  LLVMValueRef short_id = LLVMBuildTrunc(b, id, e->ir->i32, "");
  LLVMBuildStore(b, short_id, field(d, MPL_UNIT_ID));
  LLVMValueRef short_here = LLVMBuildTrunc(b, here, e->ir->i32, "");
  LLVMBuildStore(b, short_here, field(d, MPL_UNIT_HERE));
  if (e->unit->kernel->has_steps) {
    LLVMValueRef args[] = {LLVMGetParam(e->function, 1), LLVMBuildTrunc(b, first, e->ir->i32, ""),
                           LLVMBuildTrunc(b, here, e->ir->i32, "")};
    call_filter(d, offsetof(struct mpl_filter_group, begin), args, 3);
  }
  LLVMValueRef args[] = {LLVMGetParam(e->function, 0), d->unit};
  mpl_call(b, d->function, e->ir->void_type, args, 2);
}

/* A loop over the sub-groups: begins after the builder's block, which it ends; `first` and `id` are
 * valid in its body, where the builder is left. */
struct loop {
  LLVMBasicBlockRef body;
  LLVMValueRef id, first;
};

static struct loop begin_loop(struct driver *d) {
  LLVMBasicBlockRef from = LLVMGetInsertBlock(d->e->b);
  struct loop loop = {.body = mpl_append_block(d->e, "sub.group")};
  LLVMValueRef zero = mpl_const64(d->e->ir, 0);
  mpl_go_on_in(d->e->b, loop.body);
  loop.id = add_phi(d, zero, from, "id");
  loop.first = add_phi(d, zero, from, "first");
  return loop;
}

/* Ends the loop's body where the builder is, and leaves the builder in a block behind it. */
static void end_loop(struct driver *d, struct loop *loop) {
  LLVMBuilderRef b = d->e->b;
  LLVMBasicBlockRef from = LLVMGetInsertBlock(b), after = mpl_append_block(d->e, "all");
  LLVMValueRef id = LLVMBuildNUWAdd(b, loop->id, mpl_const64(d->e->ir, 1), "");
  LLVMValueRef first =
      LLVMBuildNUWAdd(b, loop->first, mpl_const64(d->e->ir, d->e->unit->lanes), "");
  LLVMAddIncoming(loop->id, &id, &from, 1);
  LLVMAddIncoming(loop->first, &first, &from, 1);
  LLVMValueRef more = LLVMBuildICmp(b, LLVMIntULT, first, d->e->items, "");
  LLVMBuildCondBr(b, more, loop->body, after);
  LLVMPositionBuilderAtEnd(b, after);
}

static void run_through(struct driver *d) {
  struct loop loop = begin_loop(d);
  LLVMBuildStore(d->e->b, mpl_const32(d->e->ir, 0), field(d, MPL_UNIT_REGION));
  run_unit(d, loop.id, loop.first);
  end_loop(d, &loop);
  LLVMBuildRetVoid(d->e->b);
}

static LLVMValueRef state_of(struct driver *d, LLVMValueRef id) {
  return LLVMBuildInBoundsGEP2(d->e->b, d->e->ir->i32, d->states, &id, 1, "");
}

/* Does a sub-group that stands there yield? */
static LLVMValueRef yields(struct driver *d, LLVMValueRef state) {
  LLVMValueRef any = LLVMConstInt(d->e->ir->i1, 0, false);
  for (unsigned k = 0; k < d->e->unit->regions.count; k++) {
    if (!is_yield(d->e, k)) continue;
    LLVMValueRef here = LLVMBuildICmp(d->e->b, LLVMIntEQ, state, mpl_const32(d->e->ir, k), "");
    any = LLVMBuildOr(d->e->b, any, here, "");
  }
  return any;
}

static void start_all(struct driver *d) {
  struct mpl_split *e = d->e;
  LLVMValueRef bytes = LLVMBuildMul(e->b, e->padded, mpl_const64(e->ir, e->plan->states), "");
  d->states = mpl_offset(e->ir, e->b, e->scratch, bytes);
  struct loop loop = begin_loop(d);
  LLVMBuildStore(e->b, mpl_const32(e->ir, 0), state_of(d, loop.id));
  end_loop(d, &loop);
}

/* A filter's sub-groups all have to stand at one point. */
static void stop_if_apart(struct driver *d, LLVMValueRef least, LLVMValueRef most) {
  struct mpl_split *e = d->e;
  LLVMBasicBlockRef apart = mpl_append_block(e, "apart"),
                    together = mpl_append_block(e, "together");
  LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, least, most, ""), apart, together);
  LLVMPositionBuilderAtEnd(e->b, apart);
  LLVMValueRef group = LLVMGetParam(e->function, 1);
  call_filter(d, offsetof(struct mpl_filter_group, stop), &group, 1);
  LLVMBuildUnreachable(e->b);
  LLVMPositionBuilderAtEnd(e->b, together);
}

/* Runs those that may go on.  Returns in *least the earliest region that any stands at, and in
 * *yielded whether some may go on in the next round whatever the others do. */
static void run_round(struct driver *d, LLVMValueRef due, LLVMValueRef *least,
                      LLVMValueRef *yielded) {
  struct mpl_split *e = d->e;
  LLVMBuilderRef b = e->b;
  LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
  LLVMValueRef no = LLVMConstInt(e->ir->i1, 0, false);
  struct loop loop = begin_loop(d);
  LLVMValueRef least_so_far = add_phi(d, mpl_const32(e->ir, e->unit->regions.count), from, "least");
  LLVMValueRef most_so_far = add_phi(d, mpl_const32(e->ir, 0), from, "most");
  LLVMValueRef yielded_so_far = add_phi(d, no, from, "yielded");
  LLVMValueRef at = LLVMBuildLoad2(b, e->ir->i32, state_of(d, loop.id), "at");
  LLVMValueRef is_due = LLVMBuildICmp(b, LLVMIntEQ, at, due, "");
  LLVMValueRef goes = LLVMBuildOr(b, is_due, yields(d, at), "");
  LLVMBasicBlockRef run = mpl_append_block(e, "run"), next = mpl_append_block(e, "next"),
                    stays = LLVMGetInsertBlock(b);
  LLVMBuildCondBr(b, goes, run, next);
  LLVMPositionBuilderAtEnd(b, run);
  LLVMBuildStore(b, at, field(d, MPL_UNIT_REGION));
  run_unit(d, loop.id, loop.first);
  LLVMValueRef now = LLVMBuildLoad2(b, e->ir->i32, field(d, MPL_UNIT_REGION), "now");
  LLVMBuildStore(b, now, state_of(d, loop.id));
  LLVMBasicBlockRef ran = LLVMGetInsertBlock(b);
  mpl_go_on_in(b, next);
  LLVMValueRef stands = add_phi(d, at, stays, "stands");
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
  if (e->ir->filters) stop_if_apart(d, *least, most);
}

/* The operation of the region that is due. */
static void operate(struct driver *d, LLVMValueRef due, LLVMBasicBlockRef then,
                    LLVMBasicBlockRef end) {
  struct mpl_split *e = d->e;
  LLVMValueRef choice = LLVMBuildSwitch(e->b, due, then, e->unit->regions.count);
  LLVMAddCase(choice, mpl_const32(e->ir, e->unit->regions.count), end);
  for (unsigned k = 0; k < e->unit->regions.count; k++) {
    LLVMValueRef sync = e->unit->regions.list[k].sync;
    if (!e->plan->regions[k].cut) continue;
    bool has_operand = mpl_operand_slot(e->plan, sync, 0);
    if (!has_operand && !e->ir->filters) continue;
    LLVMBasicBlockRef operation = mpl_append_block(e, "operation");
    LLVMAddCase(choice, mpl_const32(e->ir, k), operation);
    LLVMPositionBuilderAtEnd(e->b, operation);
    LLVMValueRef result = has_operand ? mpl_build_group_operation(e, sync) : NULL;
    if (result && LLVMTypeOf(result) != e->ir->void_type)
      LLVMBuildStore(e->b, result, field(d, MPL_UNIT_RESULT));
    if (e->ir->filters) mpl_begin_filter_phase(e, sync);
    LLVMBuildBr(e->b, then);
  }
}

static void run_in_rounds(struct driver *d) {
  struct mpl_split *e = d->e;
  start_all(d);
  LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b), round = mpl_append_block(e, "round"),
                    again = mpl_append_block(e, "again"), next = mpl_append_block(e, "next"),
                    end = mpl_append_block(e, "end");
  mpl_go_on_in(e->b, round);
  LLVMValueRef due = add_phi(d, mpl_const32(e->ir, 0), from, "due"), least, yielded;
  run_round(d, due, &least, &yielded);
  LLVMBuildCondBr(e->b, yielded, again, next);
  LLVMPositionBuilderAtEnd(e->b, next);
  operate(d, least, again, end);
  LLVMPositionBuilderAtEnd(e->b, again);
  LLVMValueRef nobody = mpl_const32(e->ir, UINT32_MAX);
  LLVMValueRef whose = LLVMBuildSelect(e->b, yielded, nobody, least, "due");
  LLVMAddIncoming(due, &whose, &again, 1);
  LLVMBuildBr(e->b, round);
  LLVMPositionBuilderAtEnd(e->b, end);
  LLVMBuildRetVoid(e->b);
}

void mpl_build_driver(const struct mpl_split_plan *plan) {
  const struct mpl_split_unit *unit = plan->unit;
  MPL_BUILDER(b, unit->ir->context);
  struct mpl_split own = {.unit = unit, .plan = plan, .ir = unit->ir, .b = b};
  struct driver d = {.e = &own, .function = unit->function};
  bool cut = false;
  for (unsigned k = 0; k < unit->regions.count; k++) cut |= plan->regions[k].cut;
  begin(&d);
  (cut ? run_in_rounds : run_through)(&d);
  mpl_map_free(&own.combines);
}
