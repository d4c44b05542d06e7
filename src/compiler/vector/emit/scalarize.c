/* What has no vector form is done lane by lane, where it stands: a loop over the lanes that are
 * there, in their order.  Atomics of one place for all lanes are combined first: a lane finds there
 * what was there before, combined with the operands of the lanes in front of it. */
#include <stdlib.h>

#include "compiler/analysis/algebra.h"
#include "memory.h"

/* An operand or the result.  In memory, if lanes are found there: an element of a vector register
 * by a number that varies costs a way through memory each time. */
struct lanes {
  LLVMTypeRef type;            /* null: it is the same for all */
  unsigned components;         /* of a vector type, else 0 */
  LLVMValueRef vector, memory; /* null: it is taken from the vector */
  LLVMValueRef first;          /* or, if not null: lane 0's, of which the others are in steps */
  int stride;
  LLVMValueRef place;          /* or, if not null: a GEP of which the lanes' index stands above */
  LLVMTypeRef index;
  bool is_signed;
};

static struct lanes spill(struct mpl_emit *e, LLVMTypeRef type, LLVMValueRef vector) {
  struct lanes lanes = {.type = type, .vector = vector};
  if (mpl_is_vector_type(type)) lanes.components = LLVMGetVectorSize(type);
  if (!mpl_fits_memory(mpl_element_of(type))) return lanes;
  lanes.memory = mpl_entry_alloca(e, mpl_vector_type(e, type), "each");
  if (vector) mpl_aligned_store(e->b, vector, lanes.memory, 64);
  return lanes;
}

/* Where a lane's component is: each component of all lanes stands behind the one before. */
static LLVMValueRef at(struct mpl_emit *e, struct lanes *lanes, LLVMValueRef lane, unsigned c) {
  LLVMTypeRef type = lanes->components ? LLVMGetElementType(lanes->type) : lanes->type;
  if (c) lane = LLVMBuildAdd(e->b, lane, mpl_const64(e->ir, c * e->width), "");
  return LLVMBuildInBoundsGEP2(e->b, type, lanes->memory, &lane, 1, "");
}

static LLVMValueRef load_lane(struct mpl_emit *e, struct lanes *lanes, LLVMValueRef lane) {
  if (!lanes->components) return LLVMBuildLoad2(e->b, lanes->type, at(e, lanes, lane, 0), "");
  LLVMValueRef value = LLVMGetPoison(lanes->type);
  for (unsigned c = 0; c < lanes->components; c++) {
    LLVMTypeRef type = LLVMGetElementType(lanes->type);
    LLVMValueRef component = LLVMBuildLoad2(e->b, type, at(e, lanes, lane, c), "");
    value = LLVMBuildInsertElement(e->b, value, component, mpl_const64(e->ir, c), "");
  }
  return value;
}

static void store_lane(struct mpl_emit *e, struct lanes *lanes, LLVMValueRef lane,
                       LLVMValueRef value) {
  if (!lanes->components) LLVMBuildStore(e->b, value, at(e, lanes, lane, 0));
  for (unsigned c = 0; c < lanes->components; c++) {
    LLVMValueRef one = LLVMBuildExtractElement(e->b, value, mpl_const64(e->ir, c), "");
    LLVMBuildStore(e->b, one, at(e, lanes, lane, c));
  }
}

static LLVMValueRef in_steps(struct mpl_emit *e, struct lanes *lanes, LLVMValueRef lane) {
  LLVMValueRef steps = mpl_const64(e->ir, (uint64_t)(int64_t)lanes->stride);
  return mpl_moved(e, lanes->first, LLVMBuildMul(e->b, lane, steps, ""));
}

/* Places that differ in the last index only: it has mostly fewer bits, and the processor adds the
 * base.  Null: it is no such place. */
static LLVMValueRef own_index(struct mpl_emit *e, LLVMValueRef place, unsigned block) {
  if (!LLVMIsAGetElementPtrInst(place)) return NULL;
  unsigned last = LLVMGetNumIndices(place);
  for (unsigned k = 0; k < last; k++)
    if (mpl_stride_at(e->lanes, LLVMGetOperand(place, k), block)) return NULL;
  return LLVMGetOperand(place, last);
}

static struct lanes spill_index(struct mpl_emit *e, LLVMValueRef place, LLVMValueRef index) {
  LLVMTypeRef type = LLVMTypeOf(index);
  bool is_signed = LLVMIsASExtInst(index);
  if (is_signed || LLVMIsAZExtInst(index)) index = LLVMGetOperand(index, 0);
  struct lanes lanes = spill(e, LLVMTypeOf(index), mpl_vector(e, index));
  lanes.place = place;
  lanes.index = type;
  lanes.is_signed = is_signed;
  return lanes;
}

static LLVMValueRef take(struct mpl_emit *e, struct lanes *lanes, LLVMValueRef lane) {
  if (lanes->first) return in_steps(e, lanes, lane);
  LLVMValueRef value = lanes->memory ? load_lane(e, lanes, lane)
                                     : mpl_take_lane(e, lanes->vector, lanes->type, lane);
  if (!lanes->place) return value;
  LLVMValueRef place = LLVMInstructionClone(lanes->place);
  unsigned last = LLVMGetNumIndices(place);
  for (unsigned k = 0; k < last; k++)
    LLVMSetOperand(place, k, mpl_scalar(e, LLVMGetOperand(lanes->place, k)));
  value = LLVMBuildIntCast2(e->b, value, lanes->index, lanes->is_signed, "");
  LLVMSetOperand(place, last, value);
  LLVMInsertIntoBuilder(e->b, place);
  return place;
}

/* --- the loop --- */

struct lane_loop {
  struct mpl_versions versions; /* the loop, or nothing */
  LLVMBasicBlockRef before, body;
  LLVMValueRef rest; /* the mask's bits, or (all lanes) the lane's number; in the body */
};

static void open_loop(struct mpl_emit *e, struct lane_loop *loop) {
  LLVMValueRef first = e->mask ? mpl_mask_bits(e, e->mask) : mpl_const64(e->ir, 0),
               some = e->mask != e->all ? mpl_any_lane(e, e->mask) : NULL;
  loop->before = LLVMGetInsertBlock(e->b);
  mpl_begin_versions(e, &loop->versions, some, "lane", NULL, "lanes.done");
  loop->body = LLVMGetInsertBlock(e->b);
  loop->rest = mpl_phi(e->b, &first, &loop->before, 1);
}

static void close_loop(struct mpl_emit *e, struct lane_loop *loop) {
  LLVMTypeRef type = LLVMTypeOf(loop->rest);
  LLVMValueRef one = LLVMConstInt(type, 1, false), rest, end;
  if (e->mask) {
    rest = LLVMBuildAnd(e->b, loop->rest, LLVMBuildSub(e->b, loop->rest, one, ""), "");
    end = LLVMConstNull(type);
  } else {
    rest = LLVMBuildNUWAdd(e->b, loop->rest, one, "");
    end = LLVMConstInt(type, e->width, false);
  }
  LLVMAddIncoming(loop->rest, &rest, &loop->body, 1);
  LLVMValueRef again = LLVMBuildICmp(e->b, LLVMIntNE, rest, end, "");
  mpl_repeat_version(e, &loop->versions, again, loop->body);
}

void mpl_each_lane(struct mpl_emit *e, LLVMValueRef i) {
  unsigned count = (unsigned)LLVMGetNumOperands(i), block = mpl_cfg_block_of(e->items->cfg, i);
  LLVMTypeRef type = LLVMTypeOf(i);
  bool gives = LLVMGetTypeKind(type) != LLVMVoidTypeKind;
  struct lanes *operands = mpl_allocate(count + 1, sizeof *operands), result = {0};
  LLVMValueRef copy = LLVMInstructionClone(i), wide = NULL, next = NULL;
  for (unsigned k = 0; k < count; k++) {
    LLVMValueRef value = LLVMGetOperand(i, k), index;
    int stride = mpl_stride_at(e->lanes, value, block);
    if (stride && stride != MPL_ANY_STRIDE)
      operands[k] = (struct lanes){
          .type = LLVMTypeOf(value), .first = mpl_scalar(e, value), .stride = stride};
    else if (stride && (index = own_index(e, value, block)))
      operands[k] = spill_index(e, value, index);
    else if (stride)
      operands[k] = spill(e, LLVMTypeOf(value), mpl_vector(e, value));
    else
      LLVMSetOperand(copy, k, mpl_scalar(e, value));
  }
  if (gives) result = spill(e, type, NULL);
  struct lane_loop loop;
  open_loop(e, &loop);
  if (gives && !result.memory) {
    LLVMValueRef none = mpl_of_none(mpl_vector_type(e, type));
    wide = mpl_phi(e->b, &none, &loop.before, 1);
  }
  LLVMValueRef lane = e->mask ? mpl_first_bit(e, loop.rest, true) : loop.rest;
  for (unsigned k = 0; k < count; k++)
    if (operands[k].type) LLVMSetOperand(copy, k, take(e, &operands[k], lane));
  LLVMInsertIntoBuilder(e->b, copy);
  if (result.memory) store_lane(e, &result, lane, copy);
  if (wide) {
    next = mpl_put_lane(e, wide, copy, lane);
    LLVMAddIncoming(wide, &next, &loop.body, 1);
  }
  close_loop(e, &loop);
  if (result.memory) {
    result.vector = mpl_aligned_load(e->b, mpl_vector_type(e, type), result.memory, 64);
  } else if (wide) {
    LLVMValueRef from[] = {next, mpl_of_none(LLVMTypeOf(wide))};
    LLVMBasicBlockRef blocks[] = {loop.body, loop.before};
    result.vector = mpl_phi(e->b, from, blocks, e->mask != e->all ? 2 : 1);
  }
  if (gives) mpl_set_vector(e, i, result.vector);
  free(operands);
}

void mpl_scatter_in_turn(struct mpl_emit *e, const struct mpl_scattered *s) {
  struct lanes places = spill(e, LLVMGetElementType(LLVMTypeOf(s->places)), s->places), units[2];
  for (unsigned u = 0; u < s->count; u++)
    units[u] = spill(e, LLVMGetElementType(LLVMTypeOf(s->units[u])), s->units[u]);
  struct lane_loop loop;
  open_loop(e, &loop);
  LLVMValueRef lane = mpl_first_bit(e, loop.rest, true), place = take(e, &places, lane);
  for (unsigned u = 0; u < s->count; u++) {
    LLVMValueRef value = take(e, &units[u], lane);
    LLVMValueRef store = LLVMBuildStore(e->b, value, mpl_unit_place(e, s, place, u));
    LLVMSetAlignment(store, mpl_unit_align(e, s, u));
  }
  close_loop(e, &loop);
}

/* Two operands: what is subtracted adds up. */
static LLVMValueRef combined(struct mpl_emit *e, LLVMValueRef atomic, LLVMValueRef a,
                             LLVMValueRef b) {
  LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(atomic);
  if (operation == LLVMAtomicRMWBinOpSub) operation = LLVMAtomicRMWBinOpAdd;
  return mpl_apply_atomic(e->b, operation, a, b);
}

/* What each lane finds, if lane 0 found `old`: `lanes` has what each one and those before it add.
 */
static LLVMValueRef found(struct mpl_emit *e, LLVMValueRef atomic, LLVMValueRef old,
                          LLVMValueRef lanes) {
  lanes = mpl_moved_up(e, lanes, mpl_splat(e, mpl_neutral_of(atomic)), 1);
  return mpl_apply_atomic(e->b, LLVMGetAtomicRMWBinOp(atomic), mpl_splat(e, old), lanes);
}

bool mpl_combine_atomic(struct mpl_emit *e, LLVMValueRef i) {
  if (!mpl_is_combined(e->lanes, i)) return false;
  LLVMValueRef neutral = mpl_splat(e, mpl_neutral_of(i)),
               lanes = mpl_vector(e, LLVMGetOperand(i, 1));
  if (e->mask) lanes = mpl_choose(e, e->mask, lanes, neutral);
  for (unsigned by = 1; by < e->width; by *= 2)
    lanes = combined(e, i, mpl_moved_up(e, lanes, neutral, by), lanes);
  LLVMValueRef copy = LLVMInstructionClone(i), last = mpl_const64(e->ir, e->width - 1);
  LLVMSetOperand(copy, 0, mpl_scalar(e, LLVMGetOperand(i, 0)));
  LLVMSetOperand(copy, 1, LLVMBuildExtractElement(e->b, lanes, last, ""));
  struct mpl_versions versions;
  bool some = e->mask != e->all;
  if (some) mpl_begin_versions(e, &versions, mpl_any_lane(e, e->mask), "any", NULL, "none");
  LLVMInsertIntoBuilder(e->b, copy);
  LLVMValueRef result = LLVMGetFirstUse(i) ? found(e, i, copy, lanes) : NULL;
  if (some) mpl_end_versions(e, &versions);
  if (some && result) result = mpl_of_two(e, &versions, result, mpl_of_none(LLVMTypeOf(result)));
  if (result) mpl_set_vector(e, i, result);
  return true;
}
