/* Builds the blocks around each region: the work-item loops.
 *
 *        pre:   group operation; uniform values of other regions
 *        row:   for each (y, z)              only if ids of the dimensions are asked for
 *        body:    for each x                 varying values of other regions; then the region
 *        latch:
 *        post:  to the region that the work-items left to (schedule.c) */
#include "emit.h"

LLVMBasicBlockRef mpl_append_block(struct mpl_split *e, const char *name) {
  return LLVMAppendBasicBlockInContext(e->ir->context, e->function, name);
}

LLVMValueRef mpl_add_phi(struct mpl_split *e, LLVMBasicBlockRef at, const char *name,
                         LLVMValueRef first, LLVMBasicBlockRef from) {
  LLVMPositionBuilderAtEnd(e->b, at);
  LLVMValueRef value = LLVMBuildPhi(e->b, LLVMTypeOf(first), name);
  LLVMAddIncoming(value, &first, &from, 1);
  return value;
}

LLVMValueRef mpl_count_on(struct mpl_split *e, LLVMBasicBlockRef from, LLVMValueRef counter,
                          LLVMValueRef count, LLVMBasicBlockRef to, LLVMBasicBlockRef after) {
  LLVMPositionBuilderAtEnd(e->b, from);
  LLVMValueRef next = LLVMBuildNUWAdd(e->b, counter, mpl_const64(e->ir, 1), "");
  LLVMAddIncoming(counter, &next, &from, 1);
  LLVMValueRef more = LLVMBuildICmp(e->b, LLVMIntULT, next, count, "");
  return LLVMBuildCondBr(e->b, more, to, after);
}

/* In a masked kernel the loop's body begins by asking whether the work-item stands at this region.
 */
static void enter_region(struct mpl_split *e, unsigned k) {
  struct mpl_frame *frame = &e->frames[k];
  LLVMBasicBlockRef head = e->unit->regions.cfg.blocks[e->unit->regions.list[k].head];
  LLVMPositionBuilderAtEnd(e->b, frame->body);
  if (!e->unit->regions.list[k].masked) {
    LLVMBuildBr(e->b, head);
    return;
  }
  LLVMBasicBlockRef enter = mpl_append_block(e, "enter");
  LLVMValueRef stop = LLVMBuildBr(e->b, enter); /* in front of which it is read */
  LLVMValueRef at = mpl_read_slot(e, e->plan->next, k, e->ir->i32);
  LLVMValueRef here = LLVMBuildICmp(e->b, LLVMIntEQ, at, mpl_const32(e->ir, k), "here");
  LLVMBuildCondBr(e->b, here, enter, frame->latch);
  LLVMInstructionEraseFromParent(stop);
  frame->at = at;
  frame->body = enter;
  LLVMPositionBuilderAtEnd(e->b, enter);
  LLVMBuildBr(e->b, head);
}

void mpl_divide_id(struct mpl_split *e, LLVMValueRef linear, LLVMValueRef size_x,
                   LLVMValueRef size_y, LLVMValueRef ids[3]) {
  LLVMValueRef row = LLVMBuildUDiv(e->b, linear, size_x, "row");
  ids[0] = LLVMBuildURem(e->b, linear, size_x, "");
  ids[1] = LLVMBuildURem(e->b, row, size_y, "");
  ids[2] = LLVMBuildUDiv(e->b, row, size_y, "");
}

static LLVMValueRef short_id(struct mpl_split *e, LLVMValueRef id) {
  return LLVMBuildTrunc(e->b, id, e->ir->i32, "");
}

/* Ids from the linear one; where a sub-group may be a whole one, as that has them. */
static void find_ids(struct mpl_split *e, struct mpl_frame *frame) {
  LLVMValueRef id = short_id(e, frame->group_linear), size_x = short_id(e, e->size[0]),
               size_y = short_id(e, e->size[1]), ids[3];
  mpl_divide_id(e, id, size_x, size_y, ids);
  LLVMValueRef in_row[] = {LLVMBuildNUWAdd(e->b, e->first_id[0], frame->linear, ""), e->first_id[1],
                           e->first_id[2]};
  for (unsigned d = 0; d < 3; d++) {
    ids[d] = LLVMBuildZExt(e->b, ids[d], e->ir->i64, "");
    frame->ids[d] = LLVMBuildSelect(e->b, e->is_whole, in_row[d], ids[d], "");
  }
}

/* The lanes of a sub-group. */
static void count_lanes(struct mpl_split *e, unsigned k) {
  struct mpl_frame *frame = &e->frames[k];
  LLVMValueRef zero = mpl_const64(e->ir, 0);
  bool loop = e->plan->regions[k].visit != MPL_VISIT_ONCE;
  frame->linear = loop ? mpl_add_phi(e, frame->body, "lane", zero, frame->pre) : zero;
  LLVMPositionBuilderAtEnd(e->b, frame->body);
  frame->group_linear = LLVMBuildNUWAdd(e->b, e->first, frame->linear, "linear");
  frame->lane = short_id(e, frame->linear);
  if (e->plan->regions[k].uses_ids) find_ids(e, frame);
}

/* The ends of the region's loops; the innermost one begins at `counted`.  They are not LLVM's to
 * vectorise: it would not know where they may be (vector/).  Nor is a loop over rows to be unrolled: there
 * mostly is one. */
static void end_loops(struct mpl_split *e, unsigned k, LLVMBasicBlockRef counted) {
  struct mpl_frame *frame = &e->frames[k];
  unsigned inner = e->unit->inner;
  LLVMValueRef items = NULL, rows;
  switch (e->plan->regions[k].visit) {
  case MPL_VISIT_ONCE:
    return;
  case MPL_VISIT_ALL:
    items = mpl_count_on(e, frame->latch, frame->linear, e->unit->lanes ? e->here : e->items,
                         counted, frame->post);
    break;
  case MPL_VISIT_ROWS:
  case MPL_VISIT_COLUMN:
    items =
        mpl_count_on(e, frame->latch, frame->ids[inner], e->size[inner], counted, frame->row_latch);
    break;
  case MPL_VISIT_FIRSTS:
    LLVMPositionBuilderAtEnd(e->b, frame->latch);
    LLVMBuildBr(e->b, frame->row_latch);
  }
  if (items) mpl_keep_from_vectorizer(e->ir, items);
  if (items) mpl_mark(e->ir, items, MPL_WORK_ITEM_LOOP);
  if (!frame->row) return;
  rows = mpl_count_on(e, frame->row_latch, frame->row_id, frame->rows, frame->row, frame->post);
  mpl_keep_from_vectorizer(e->ir, rows);
  mpl_set_loop_property(e->ir, rows, "llvm.loop.unroll.disable", true);
}

/* The work-item's number where the dimension `inner` is counted first. */
static LLVMValueRef linear_id(struct mpl_split *e, unsigned inner, const LLVMValueRef *ids) {
  unsigned first = inner == 0, second = inner == 2 ? 1 : 2;
  LLVMValueRef row = LLVMBuildMul(e->b, ids[second], e->size[first], "");
  row = LLVMBuildMul(e->b, LLVMBuildNUWAdd(e->b, row, ids[first], ""), e->size[inner], "");
  return LLVMBuildNUWAdd(e->b, row, ids[inner], "linear");
}

/* The ids of rows, the second one grows when the first begins again: no row waits for a division.
 */
static void count_rows(struct mpl_split *e, struct mpl_frame *frame, unsigned first,
                       unsigned second) {
  static const char *const names[] = {"x", "y", "z"};
  LLVMValueRef zero = mpl_const64(e->ir, 0), *ids = frame->ids;
  frame->row_id = mpl_add_phi(e, frame->row, "row", zero, frame->pre);
  ids[first] = mpl_add_phi(e, frame->row, names[first], zero, frame->pre);
  ids[second] = mpl_add_phi(e, frame->row, names[second], zero, frame->pre);
  LLVMPositionBuilderAtEnd(e->b, frame->row_latch);
  LLVMValueRef next = LLVMBuildNUWAdd(e->b, ids[first], mpl_const64(e->ir, 1), ""),
               again = LLVMBuildICmp(e->b, LLVMIntEQ, next, e->size[first], ""),
               carry = LLVMBuildZExt(e->b, again, e->ir->i64, "");
  next = LLVMBuildSelect(e->b, again, zero, next, "");
  LLVMAddIncoming(ids[first], &next, &frame->row_latch, 1);
  next = LLVMBuildNUWAdd(e->b, ids[second], carry, "");
  LLVMAddIncoming(ids[second], &next, &frame->row_latch, 1);
  LLVMPositionBuilderAtEnd(e->b, frame->row);
}

/* From `row` to `body` if the group has the work-item `one` of a row. */
static void enter_if_has(struct mpl_split *e, struct mpl_frame *frame, LLVMValueRef one) {
  LLVMValueRef inside = LLVMBuildICmp(e->b, LLVMIntULT, one, e->size[0], "");
  LLVMBuildCondBr(e->b, inside, frame->body, frame->row_latch);
  frame->ids[0] = one;
  LLVMPositionBuilderAtEnd(e->b, frame->body);
}

/* A row is all work-items that differ in the inner dimension only; `one` is the id of the only one
 * that is visited, or null.  From `pre` to `body`. */
static void count_in_rows(struct mpl_split *e, struct mpl_frame *frame, LLVMValueRef one) {
  unsigned inner = one ? 0 : e->unit->inner, first = inner == 0, second = inner == 2 ? 1 : 2;
  LLVMValueRef zero = mpl_const64(e->ir, 0), *ids = frame->ids;
  frame->row_latch = mpl_append_block(e, "row.latch");
  LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(frame->pre));
  frame->rows = inner ? LLVMBuildNUWMul(e->b, e->size[first], e->size[second], "rows") : e->rows;
  count_rows(e, frame, first, second);
  LLVMValueRef begin = LLVMBuildMul(e->b, frame->row_id, e->size[inner], "");
  if (one) {
    enter_if_has(e, frame, one);
  } else {
    LLVMBuildBr(e->b, frame->body);
    ids[inner] =
        mpl_add_phi(e, frame->body, inner ? inner == 1 ? "y" : "z" : "x", zero, frame->row);
  }
  frame->linear = inner == e->unit->inner ? LLVMBuildNUWAdd(e->b, begin, ids[inner], "linear")
                                          : linear_id(e, e->unit->inner, ids);
}

/* Of each row the work-item `one`: these are counted along the inner dimension.  From `pre` to `body`. */
static void count_in_column(struct mpl_split *e, struct mpl_frame *frame, LLVMValueRef one) {
  unsigned inner = e->unit->inner, outer = 3 - inner;
  LLVMValueRef zero = mpl_const64(e->ir, 0), *ids = frame->ids;
  frame->row_latch = mpl_append_block(e, "row.latch");
  frame->rows = e->size[outer];
  frame->row_id = ids[outer] = mpl_add_phi(e, frame->row, "row", zero, frame->pre);
  enter_if_has(e, frame, one);
  ids[inner] = mpl_add_phi(e, frame->body, inner == 1 ? "y" : "z", zero, frame->row);
  frame->linear = linear_id(e, inner, ids);
}

/* From `pre` to `body`, with the work-item's ids. */
static void begin_loops(struct mpl_split *e, unsigned k) {
  struct mpl_frame *frame = &e->frames[k];
  LLVMValueRef zero = mpl_const64(e->ir, 0), *ids = frame->ids,
               sync = e->unit->regions.list[k].sync;
  switch (e->plan->regions[k].visit) {
  case MPL_VISIT_ONCE:
    ids[0] = ids[1] = ids[2] = frame->linear = zero;
    break;
  case MPL_VISIT_ALL: /* in one row, if anybody asks for ids */
    frame->linear = ids[0] = mpl_add_phi(e, frame->body, "linear", zero, frame->pre);
    ids[1] = ids[2] = zero;
    break;
  case MPL_VISIT_ROWS:
    count_in_rows(e, frame, NULL);
    break;
  case MPL_VISIT_COLUMN:
    count_in_column(e, frame, mpl_value_in(e, LLVMGetOperand(sync, 0), k));
    break;
  case MPL_VISIT_FIRSTS:
    count_in_rows(e, frame, mpl_value_in(e, LLVMGetOperand(sync, 0), k));
  }
  frame->group_linear = e->unit->inner && frame->row ? linear_id(e, 0, ids) : frame->linear;
}

static void build_frame(struct mpl_split *e, unsigned k) {
  struct mpl_frame *frame = &e->frames[k];
  const struct mpl_region *region = &e->unit->regions.list[k];
  enum mpl_visit visit = e->plan->regions[k].visit;
  frame->pre = mpl_append_block(e, "pre");
  frame->body = mpl_append_block(e, "body");
  frame->post = mpl_append_block(e, "post");
  frame->latch = visit != MPL_VISIT_ONCE ? mpl_append_block(e, "latch") : frame->post;
  frame->row = visit >= MPL_VISIT_ROWS ? mpl_append_block(e, "row") : NULL;
  LLVMPositionBuilderAtEnd(e->b, frame->pre);
  LLVMBuildBr(e->b, frame->row ? frame->row : frame->body);
  (e->unit->lanes ? count_lanes : begin_loops)(e, k);
  LLVMBasicBlockRef counted = frame->body;
  enter_region(e, k);
  if (region->num_exits > 1 || region->scheduled_exit) {
    LLVMPositionBuilderAtEnd(e->b, frame->latch);
    frame->next = LLVMBuildPhi(e->b, e->ir->i32, "next");
    if (frame->at) /* passed by: stays where it is */
      LLVMAddIncoming(frame->next, &frame->at, &counted, 1);
  }
  end_loops(e, k, counted);
}

void mpl_build_frames(struct mpl_split *e) {
  e->end = mpl_append_block(e, "end");
  if (e->unit->regions.masked) e->schedule = mpl_append_block(e, "schedule");
  for (unsigned k = 0; k < e->unit->regions.count; k++) build_frame(e, k);
}

LLVMBasicBlockRef mpl_build_edge(struct mpl_split *e, unsigned region, int to) {
  struct mpl_frame *frame = &e->frames[region];
  LLVMBasicBlockRef edge = mpl_append_block(e, "edge");
  LLVMPositionBuilderAtEnd(e->b, edge);
  LLVMBuildBr(e->b, frame->latch);
  unsigned number = to < 0 ? e->unit->regions.count : (unsigned)to;
  LLVMValueRef next = mpl_const32(e->ir, number);
  if (frame->next) LLVMAddIncoming(frame->next, &next, &edge, 1);
  return edge;
}
