/* Builds the blocks around each region: the work-item loops, and what follows them.
 *
 *        pre:   group operation; uniform values of other regions
 *        row:   for each (y, z)              only if ids of the dimensions are asked for
 *        body:    for each x                 varying values of other regions; then the region
 *        latch:
 *        post:  to the region that the work-items left to
 *
 * In a masked kernel, work-items may leave to different regions.  Each then has its own
 * continuation; `schedule` goes on with the region, earliest in reverse post order, at which any
 * work-item stands, and that region's loop runs those only. */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "split.h"

static LLVMBasicBlockRef block(struct mpl_split *s, const char *name) {
  return LLVMAppendBasicBlockInContext(s->ir->context, s->function, name);
}

static LLVMValueRef phi(struct mpl_split *s, LLVMBasicBlockRef at, const char *name,
                        LLVMValueRef first, LLVMBasicBlockRef from) {
  LLVMPositionBuilderAtEnd(s->b, at);
  LLVMValueRef value = LLVMBuildPhi(s->b, LLVMTypeOf(first), name);
  LLVMAddIncoming(value, &first, &from, 1);
  return value;
}

static LLVMMetadataRef property(struct mpl_split *s, const char *name, LLVMMetadataRef value) {
  LLVMMetadataRef operands[] = {LLVMMDStringInContext2(s->ir->context, name, strlen(name)), value};
  return LLVMMDNodeInContext2(s->ir->context, operands, value ? 2 : 1);
}

/* Loop metadata whose first operand is the node itself, as LLVM wants it.  Loops over work-items
 * are not LLVM's to vectorise: it would not know where they may be (vector/). */
static void mark_loop(struct mpl_split *s, LLVMValueRef branch, bool items, bool unroll) {
  LLVMContextRef c = s->ir->context;
  LLVMMetadataRef no = LLVMValueAsMetadata(LLVMConstInt(s->ir->i1, 0, false));
  LLVMMetadataRef self = LLVMTemporaryMDNode(c, NULL, 0), operands[3] = {self};
  unsigned count = 1;
  if (items) operands[count++] = property(s, "llvm.loop.vectorize.enable", no);
  if (!unroll) operands[count++] = property(s, "llvm.loop.unroll.disable", NULL);
  LLVMMetadataRef loop = LLVMMDNodeInContext2(c, operands, count);
  mpl_set_metadata(s->ir, branch, "llvm.loop", loop);
  LLVMMetadataReplaceAllUsesWith(self, loop);
}

/* One step of a counted loop, at the end of `from`: back to `to`, or on to `after`.  A loop over
 * rows is not unrolled: there mostly is one. */
static LLVMValueRef close_loop(struct mpl_split *s, LLVMBasicBlockRef from, LLVMValueRef counter,
                               LLVMValueRef count, LLVMBasicBlockRef to, LLVMBasicBlockRef after,
                               bool items, bool rows) {
  LLVMPositionBuilderAtEnd(s->b, from);
  LLVMValueRef next = LLVMBuildNUWAdd(s->b, counter, mpl_const64(s->ir, 1), "");
  LLVMAddIncoming(counter, &next, &from, 1);
  LLVMValueRef more = LLVMBuildICmp(s->b, LLVMIntULT, next, count, "");
  LLVMValueRef branch = LLVMBuildCondBr(s->b, more, to, after);
  mark_loop(s, branch, items, !rows);
  return branch;
}

static void mark_items(struct mpl_split *s, LLVMValueRef branch) {
  LLVMMetadataRef none = LLVMMDNodeInContext2(s->ir->context, NULL, 0);
  mpl_set_metadata(s->ir, branch, MPL_WORK_ITEM_LOOP, none);
}

/* In a masked kernel the loop's body begins by asking whether the work-item stands at this region.
 */
static void enter_region(struct mpl_split *s, unsigned k) {
  struct mpl_frame *frame = &s->frames[k];
  LLVMBasicBlockRef head = s->regions.cfg.blocks[s->regions.list[k].head];
  LLVMPositionBuilderAtEnd(s->b, frame->body);
  if (!s->regions.list[k].masked) {
    LLVMBuildBr(s->b, head);
    return;
  }
  LLVMBasicBlockRef enter = block(s, "enter");
  LLVMValueRef stop = LLVMBuildBr(s->b, enter); /* where mpl_slot_base's caller comes back to */
  LLVMValueRef base = mpl_slot_base(s, s->next, k);
  LLVMPositionBuilderBefore(s->b, stop);
  LLVMValueRef place = LLVMBuildInBoundsGEP2(s->b, s->ir->i32, base, &frame->linear, 1, "");
  LLVMValueRef at = mpl_mark_element(s, s->next, LLVMBuildLoad2(s->b, s->ir->i32, place, "at"));
  LLVMValueRef here =
      LLVMBuildICmp(s->b, LLVMIntEQ, at, LLVMConstInt(s->ir->i32, k, false), "here");
  LLVMBuildCondBr(s->b, here, enter, frame->latch);
  LLVMInstructionEraseFromParent(stop);
  frame->at = at;
  frame->body = enter;
  LLVMPositionBuilderAtEnd(s->b, enter);
  LLVMBuildBr(s->b, head);
}

static LLVMValueRef short_id(struct mpl_split *s, LLVMValueRef id) {
  return LLVMBuildTrunc(s->b, id, s->ir->i32, "");
}

/* Ids from the linear one; where a sub-group may be a whole one, as that has them. */
static void find_ids(struct mpl_split *s, struct mpl_frame *frame) {
  LLVMValueRef id = short_id(s, frame->group_linear), size_x = short_id(s, s->size[0]),
               size_y = short_id(s, s->size[1]), row = LLVMBuildUDiv(s->b, id, size_x, "row");
  LLVMValueRef ids[] = {LLVMBuildURem(s->b, id, size_x, ""), LLVMBuildURem(s->b, row, size_y, ""),
                        LLVMBuildUDiv(s->b, row, size_y, "")};
  LLVMValueRef in_row[] = {LLVMBuildNUWAdd(s->b, s->first_id[0], frame->linear, ""), s->first_id[1],
                           s->first_id[2]};
  for (unsigned d = 0; d < 3; d++) {
    ids[d] = LLVMBuildZExt(s->b, ids[d], s->ir->i64, "");
    frame->ids[d] = LLVMBuildSelect(s->b, s->is_whole, in_row[d], ids[d], "");
  }
}

/* The lanes of a sub-group. */
static void count_lanes(struct mpl_split *s, struct mpl_frame *frame) {
  LLVMValueRef zero = mpl_const64(s->ir, 0);
  frame->linear = frame->loop ? phi(s, frame->body, "lane", zero, frame->pre) : zero;
  LLVMPositionBuilderAtEnd(s->b, frame->body);
  frame->group_linear = LLVMBuildNUWAdd(s->b, s->first, frame->linear, "linear");
  frame->lane = LLVMBuildTrunc(s->b, frame->linear, s->ir->i32, "");
  if (frame->uses_ids) find_ids(s, frame);
}

/* The ends of the region's loops; the innermost one begins at `counted`. */
static void end_loops(struct mpl_split *s, unsigned k, LLVMBasicBlockRef counted) {
  struct mpl_frame *frame = &s->frames[k];
  if (s->regions.list[k].num_exits > 1 || s->regions.list[k].scheduled_exit) {
    LLVMPositionBuilderAtEnd(s->b, frame->latch);
    frame->next = LLVMBuildPhi(s->b, s->ir->i32, "next");
    if (frame->at)
      LLVMAddIncoming(frame->next, &frame->at, &counted, 1); /* passed by: stays where it is */
  }
  if (!frame->row) {
    LLVMValueRef count = s->lanes ? s->here : s->items;
    mark_items(
        s, close_loop(s, frame->latch, frame->linear, count, counted, frame->post, true, false));
    return;
  }
  if (mpl_is_one_item(s, k)) {
    LLVMPositionBuilderAtEnd(s->b, frame->latch);
    LLVMBuildBr(s->b, frame->row_latch);
  } else {
    mark_items(s, close_loop(s, frame->latch, frame->ids[s->inner], s->size[s->inner], counted,
                             frame->row_latch, true, false));
  }
  close_loop(s, frame->row_latch, frame->row_id, frame->rows, frame->row, frame->post, true, true);
}

/* The work-item's number where the dimension `inner` is counted first. */
static LLVMValueRef linear_id(struct mpl_split *s, unsigned inner, const LLVMValueRef *ids) {
  unsigned first = inner == 0, second = inner == 2 ? 1 : 2;
  LLVMValueRef row = LLVMBuildMul(s->b, ids[second], s->size[first], "");
  row = LLVMBuildMul(s->b, LLVMBuildNUWAdd(s->b, row, ids[first], ""), s->size[inner], "");
  return LLVMBuildNUWAdd(s->b, row, ids[inner], "linear");
}

/* The ids of rows, the second one grows when the first begins again: no row waits for a division.
 */
static void count_rows(struct mpl_split *s, struct mpl_frame *frame, unsigned first,
                       unsigned second) {
  static const char *const names[] = {"x", "y", "z"};
  LLVMValueRef zero = mpl_const64(s->ir, 0), *ids = frame->ids;
  frame->row_id = phi(s, frame->row, "row", zero, frame->pre);
  ids[first] = phi(s, frame->row, names[first], zero, frame->pre);
  ids[second] = phi(s, frame->row, names[second], zero, frame->pre);
  LLVMPositionBuilderAtEnd(s->b, frame->row_latch);
  LLVMValueRef next = LLVMBuildNUWAdd(s->b, ids[first], mpl_const64(s->ir, 1), ""),
               again = LLVMBuildICmp(s->b, LLVMIntEQ, next, s->size[first], ""),
               carry = LLVMBuildZExt(s->b, again, s->ir->i64, "");
  next = LLVMBuildSelect(s->b, again, zero, next, "");
  LLVMAddIncoming(ids[first], &next, &frame->row_latch, 1);
  next = LLVMBuildNUWAdd(s->b, ids[second], carry, "");
  LLVMAddIncoming(ids[second], &next, &frame->row_latch, 1);
  LLVMPositionBuilderAtEnd(s->b, frame->row);
}

/* A row is all work-items that differ in the inner dimension only.  From `pre` to `body`. */
static void count_in_rows(struct mpl_split *s, struct mpl_frame *frame, LLVMValueRef one) {
  unsigned inner = one ? 0 : s->inner, first = inner == 0, second = inner == 2 ? 1 : 2;
  LLVMValueRef zero = mpl_const64(s->ir, 0), *ids = frame->ids;
  frame->row_latch = block(s, "row.latch");
  LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(frame->pre));
  frame->rows = inner ? LLVMBuildNUWMul(s->b, s->size[first], s->size[second], "rows") : s->rows;
  count_rows(s, frame, first, second);
  LLVMValueRef begin = LLVMBuildMul(s->b, frame->row_id, s->size[inner], "");
  if (one) {
    LLVMValueRef inside = LLVMBuildICmp(s->b, LLVMIntULT, one, s->size[0], "");
    LLVMBuildCondBr(s->b, inside, frame->body, frame->row_latch);
    ids[0] = one;
    LLVMPositionBuilderAtEnd(s->b, frame->body);
  } else {
    LLVMBuildBr(s->b, frame->body);
    ids[inner] = phi(s, frame->body, inner ? inner == 1 ? "y" : "z" : "x", zero, frame->row);
  }
  frame->linear = inner == s->inner ? LLVMBuildNUWAdd(s->b, begin, ids[inner], "linear")
                                    : linear_id(s, s->inner, ids);
}

static void build_frame(struct mpl_split *s, unsigned k) {
  struct mpl_frame *frame = &s->frames[k];
  LLVMValueRef zero = mpl_const64(s->ir, 0), *ids = frame->ids;
  frame->pre = block(s, "pre");
  frame->body = block(s, "body");
  frame->post = block(s, "post");
  frame->latch = frame->loop ? block(s, "latch") : frame->post;
  bool rows = frame->uses_ids && (s->kernel->dims != 1 || mpl_is_one_item(s, k));
  frame->row = frame->loop && rows && !s->lanes ? block(s, "row") : NULL;
  LLVMPositionBuilderAtEnd(s->b, frame->pre);
  LLVMBuildBr(s->b, frame->row ? frame->row : frame->body);
  LLVMValueRef one =
      mpl_is_one_item(s, k) ? mpl_value_in(s, LLVMGetOperand(s->regions.list[k].sync, 0), k) : NULL;
  if (s->lanes) {
    count_lanes(s, frame);
  } else if (!frame->loop) {
    ids[0] = ids[1] = ids[2] = frame->linear = zero;
  } else if (!frame->row) { /* all in one, if anybody asks for ids */
    frame->linear = ids[0] = phi(s, frame->body, "linear", zero, frame->pre);
    ids[1] = ids[2] = zero;
  } else {
    count_in_rows(s, frame, one);
  }
  if (!s->lanes)
    frame->group_linear = s->inner && frame->row ? linear_id(s, 0, ids) : frame->linear;
  LLVMBasicBlockRef counted = frame->body;
  enter_region(s, k);
  if (frame->loop) end_loops(s, k, counted);
}

void mpl_build_frames(struct mpl_split *s) {
  s->end = block(s, "end");
  if (s->regions.masked) s->schedule = block(s, "schedule");
  for (unsigned k = 0; k < s->regions.count; k++) build_frame(s, k);
}

LLVMBasicBlockRef mpl_build_edge(struct mpl_split *s, unsigned region, int to) {
  struct mpl_frame *frame = &s->frames[region];
  LLVMBasicBlockRef edge = block(s, "edge");
  if (!frame->next && !frame->loop && s->regions.list[region].num_exits > 1) {
    LLVMPositionBuilderAtEnd(s->b, frame->post);
    frame->next = LLVMBuildPhi(s->b, s->ir->i32, "next");
  }
  LLVMPositionBuilderAtEnd(s->b, edge);
  LLVMBuildBr(s->b, frame->latch);
  LLVMValueRef number = LLVMConstInt(s->ir->i32, to < 0 ? s->regions.count : (unsigned)to, false);
  if (frame->next) LLVMAddIncoming(frame->next, &number, &edge, 1);
  return edge;
}

/* A sub-group that goes on at a sync point of the work-group returns to the driver. */
static LLVMBasicBlockRef leave(struct mpl_split *s, unsigned region) {
  LLVMBasicBlockRef from = LLVMGetInsertBlock(s->b), leaving = block(s, "leave");
  LLVMPositionBuilderAtEnd(s->b, leaving);
  LLVMValueRef unit = LLVMGetParam(s->function, 1);
  LLVMValueRef at = LLVMBuildStructGEP2(s->b, s->ir->unit_type, unit, MPL_UNIT_REGION, "");
  LLVMBuildStore(s->b, LLVMConstInt(s->ir->i32, region, false), at);
  LLVMBuildRetVoid(s->b);
  LLVMPositionBuilderAtEnd(s->b, from);
  return leaving;
}

static LLVMBasicBlockRef target(struct mpl_split *s, int region) {
  if (region < 0) return s->end;
  return mpl_is_cut(s, region) ? leave(s, region) : s->frames[region].pre;
}

/* A masked region leaves each work-item's continuation behind. */
static void store_next(struct mpl_split *s, unsigned k) {
  struct mpl_frame *frame = &s->frames[k];
  LLVMPositionBuilderAtEnd(s->b, frame->latch);
  LLVMValueRef base = mpl_slot_base(s, s->next, k), first = frame->next;
  while (LLVMIsAPHINode(first)) first = LLVMGetNextInstruction(first);
  LLVMPositionBuilderBefore(s->b, first);
  LLVMValueRef place = LLVMBuildInBoundsGEP2(s->b, s->ir->i32, base, &frame->linear, 1, "");
  mpl_mark_element(s, s->next, LLVMBuildStore(s->b, frame->next, place));
}

/* Goes to the one of the region's exits that has this number. */
static void choose(struct mpl_split *s, unsigned k, LLVMValueRef next) {
  struct mpl_region *region = &s->regions.list[k];
  unsigned last = region->num_exits - 1;
  LLVMValueRef choice = LLVMBuildSwitch(s->b, next, target(s, region->exits[last]), last);
  for (unsigned e = 0; e < last; e++) {
    unsigned number = region->exits[e] < 0 ? s->regions.count : (unsigned)region->exits[e];
    LLVMAddCase(choice, LLVMConstInt(s->ir->i32, number, false), target(s, region->exits[e]));
  }
}

static void choose_next(struct mpl_split *s, unsigned k) {
  struct mpl_region *region = &s->regions.list[k];
  struct mpl_frame *frame = &s->frames[k];
  LLVMPositionBuilderAtEnd(s->b, frame->post);
  if (region->scheduled_exit) {
    LLVMBuildBr(s->b, s->schedule);
  } else if (!region->num_exits) {
    LLVMBuildUnreachable(s->b); /* the region never ends */
  } else {
    LLVMBasicBlockRef last = target(s, region->exits[region->num_exits - 1]);
    if (region->num_exits == 1) {
      LLVMBuildBr(s->b, last);
      return;
    }
    choose(s, k, frame->next);
  }
}

/* Where the first of a sub-group's lanes stands, all looked at together. */
static LLVMValueRef least_of_lanes(struct mpl_split *s, LLVMValueRef base) {
  LLVMTypeRef type = LLVMVectorType(s->ir->i32, s->lanes);
  LLVMValueRef each[64], ends[64];
  for (unsigned k = 0; k < s->lanes; k++) {
    each[k] = LLVMConstInt(s->ir->i32, k, false);
    ends[k] = LLVMConstInt(s->ir->i32, s->regions.count, false);
  }
  LLVMValueRef at = LLVMBuildLoad2(s->b, type, base, ""), zero = each[0];
  LLVMSetAlignment(at, 4);
  LLVMValueRef here =
      LLVMBuildInsertElement(s->b, LLVMGetPoison(type), short_id(s, s->here), zero, "");
  here = LLVMBuildShuffleVector(s->b, here, LLVMGetPoison(type), LLVMConstNull(type), "");
  here = LLVMBuildICmp(s->b, LLVMIntULT, LLVMConstVector(each, s->lanes), here, "");
  at = LLVMBuildSelect(s->b, here, at, LLVMConstVector(ends, s->lanes), "");
  return mpl_call_intrinsic(s->ir, s->b, "llvm.vector.reduce.umin", type, &at, 1);
}

static LLVMValueRef least_of_items(struct mpl_split *s, LLVMValueRef base, LLVMBasicBlockRef go) {
  LLVMBasicBlockRef find = block(s, "find");
  LLVMBuildBr(s->b, find);
  LLVMValueRef i = phi(s, find, "i", mpl_const64(s->ir, 0), s->schedule);
  LLVMValueRef least =
      phi(s, find, "least", LLVMConstInt(s->ir->i32, s->regions.count, false), s->schedule);
  LLVMValueRef place = LLVMBuildInBoundsGEP2(s->b, s->ir->i32, base, &i, 1, "");
  LLVMValueRef at = LLVMBuildLoad2(s->b, s->ir->i32, place, "");
  LLVMValueRef less = LLVMBuildICmp(s->b, LLVMIntULT, at, least, "");
  LLVMValueRef lesser = LLVMBuildSelect(s->b, less, at, least, "");
  LLVMAddIncoming(least, &lesser, &find, 1);
  close_loop(s, find, i, s->items, find, go, false, false);
  return lesser;
}

/* The earliest region that any work-item stands at runs next. */
static void build_schedule(struct mpl_split *s) {
  LLVMBasicBlockRef go = block(s, "go");
  LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(s->setup));
  LLVMValueRef base = s->next->place ? s->next->place : mpl_slot_address(s, s->next);
  LLVMValueRef count = s->lanes ? s->here : s->items;
  if (s->regions.list[0].masked) {
    LLVMValueRef size = LLVMBuildMul(s->b, count, mpl_const64(s->ir, 4), "");
    LLVMBuildMemSet(s->b, base, LLVMConstInt(s->ir->i8, 0, false), size, 4);
  }
  LLVMPositionBuilderAtEnd(s->b, s->schedule);
  LLVMValueRef lesser = s->lanes ? least_of_lanes(s, base) : least_of_items(s, base, go);
  if (s->lanes) LLVMBuildBr(s->b, go);
  LLVMPositionBuilderAtEnd(s->b, go);
  LLVMValueRef choice = LLVMBuildSwitch(s->b, lesser, s->end, s->regions.count);
  for (unsigned k = 0; k < s->regions.count; k++)
    LLVMAddCase(choice, LLVMConstInt(s->ir->i32, k, false), target(s, k));
}

/* A sub-group goes on where it stood; where one that returns stands is `count`. */
static void build_entry(struct mpl_split *s) {
  LLVMValueRef jump = LLVMGetBasicBlockTerminator(s->setup);
  LLVMPositionBuilderBefore(s->b, jump);
  LLVMValueRef unit = LLVMGetParam(s->function, 1);
  LLVMValueRef at = LLVMBuildStructGEP2(s->b, s->ir->unit_type, unit, MPL_UNIT_REGION, "");
  LLVMValueRef region = LLVMBuildLoad2(s->b, s->ir->i32, at, "region");
  LLVMValueRef choice = LLVMBuildSwitch(s->b, region, s->frames[0].pre, s->regions.count);
  for (unsigned k = 1; k < s->regions.count; k++)
    if (mpl_is_cut(s, k)) LLVMAddCase(choice, LLVMConstInt(s->ir->i32, k, false), s->frames[k].pre);
  LLVMInstructionEraseFromParent(jump);
  LLVMPositionBuilderAtEnd(s->b, s->end);
  LLVMBuildStore(s->b, LLVMConstInt(s->ir->i32, s->regions.count, false), at);
}

void mpl_connect_frames(struct mpl_split *s) {
  for (unsigned k = 0; k < s->regions.count; k++) {
    if (s->regions.list[k].scheduled_exit) store_next(s, k);
    choose_next(s, k);
  }
  if (s->schedule) build_schedule(s);
  LLVMSetSuccessor(LLVMGetBasicBlockTerminator(s->setup), 0, s->frames[0].pre);
  if (s->lanes) build_entry(s);
  LLVMPositionBuilderAtEnd(s->b, s->end);
  LLVMBuildRetVoid(s->b);
}
