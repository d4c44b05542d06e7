/* What has no vector form is done lane by lane, where it stands: a loop over the lanes that are
 * there, in their order.  Atomics of one place for all lanes are combined first: a lane finds there
 * what was there before, combined with the operands of the lanes in front of it. */
#include <stdlib.h>

#include "compiler/analysis/algebra.h"
#include "widen.h"

/* An operand or the result.  In memory, if lanes are found there: an element of a vector register
 * by a number that varies costs a way through memory each time. */
struct lanes {
  LLVMTypeRef type;            /* null: it is the same for all */
  unsigned components;         /* of a vector type, else 0 */
  LLVMValueRef vector, memory; /* null: it is taken from the vector */
  LLVMValueRef first;          /* or, if not null: lane 0's, of which the others are in steps */
  int stride;
};

static struct lanes spill(struct mpl_widen *w, LLVMTypeRef type, LLVMValueRef vector) {
  bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  struct lanes lanes = {.type = type, .vector = vector};
  if (is_vector) lanes.components = LLVMGetVectorSize(type);
  if (!mpl_fits_memory(is_vector ? LLVMGetElementType(type) : type)) return lanes;
  lanes.memory = mpl_entry_alloca(w, mpl_vector_type(w, type), "each");
  if (vector) LLVMSetAlignment(LLVMBuildStore(w->b, vector, lanes.memory), 64);
  return lanes;
}

/* Where a lane's component is: each component of all lanes stands behind the one before. */
static LLVMValueRef at(struct mpl_widen *w, struct lanes *lanes, LLVMValueRef lane, unsigned c) {
  LLVMTypeRef type = lanes->components ? LLVMGetElementType(lanes->type) : lanes->type;
  if (c) lane = LLVMBuildAdd(w->b, lane, mpl_const64(w->ir, c * w->width), "");
  return LLVMBuildInBoundsGEP2(w->b, type, lanes->memory, &lane, 1, "");
}

static LLVMValueRef load_lane(struct mpl_widen *w, struct lanes *lanes, LLVMValueRef lane) {
  if (!lanes->components) return LLVMBuildLoad2(w->b, lanes->type, at(w, lanes, lane, 0), "");
  LLVMValueRef value = LLVMGetPoison(lanes->type);
  for (unsigned c = 0; c < lanes->components; c++) {
    LLVMTypeRef type = LLVMGetElementType(lanes->type);
    LLVMValueRef component = LLVMBuildLoad2(w->b, type, at(w, lanes, lane, c), "");
    value = LLVMBuildInsertElement(w->b, value, component, mpl_const64(w->ir, c), "");
  }
  return value;
}

static void store_lane(struct mpl_widen *w, struct lanes *lanes, LLVMValueRef lane,
                       LLVMValueRef value) {
  if (!lanes->components) LLVMBuildStore(w->b, value, at(w, lanes, lane, 0));
  for (unsigned c = 0; c < lanes->components; c++)
    LLVMBuildStore(w->b, LLVMBuildExtractElement(w->b, value, mpl_const64(w->ir, c), ""),
                   at(w, lanes, lane, c));
}

static LLVMValueRef in_steps(struct mpl_widen *w, struct lanes *lanes, LLVMValueRef lane) {
  LLVMValueRef steps = mpl_const64(w->ir, (uint64_t)(int64_t)lanes->stride);
  steps = LLVMBuildMul(w->b, lane, steps, "");
  if (LLVMGetTypeKind(lanes->type) == LLVMPointerTypeKind)
    return LLVMBuildGEP2(w->b, w->ir->i8, lanes->first, &steps, 1, "");
  steps = LLVMBuildIntCast2(w->b, steps, lanes->type, true, "");
  return LLVMBuildAdd(w->b, lanes->first, steps, "");
}

static LLVMValueRef take(struct mpl_widen *w, struct lanes *lanes, LLVMValueRef lane) {
  if (lanes->first) return in_steps(w, lanes, lane);
  if (lanes->memory) return load_lane(w, lanes, lane);
  return mpl_take_lane(w, lanes->vector, lanes->type, lane);
}

/* --- the loop --- */

struct lane_loop {
  LLVMBasicBlockRef before, body, after;
  LLVMValueRef rest, lane; /* the mask's bits, or (all lanes) the lane's number; in the body */
};

static LLVMValueRef first_lane(struct mpl_widen *w, LLVMValueRef bits) {
  LLVMValueRef args[] = {bits, LLVMConstInt(w->ir->i1, 1, false)};
  bits = mpl_call_intrinsic(w->ir, w->b, "llvm.cttz", LLVMTypeOf(bits), args, 2);
  return LLVMBuildIntCast2(w->b, bits, w->ir->i64, false, "lane");
}

static void open_loop(struct mpl_widen *w, struct lane_loop *loop) {
  LLVMContextRef context = w->ir->context;
  LLVMTypeRef type = w->mask ? LLVMIntTypeInContext(context, w->width) : w->ir->i64;
  LLVMValueRef first = w->mask ? LLVMBuildBitCast(w->b, w->mask, type, "") : LLVMConstNull(type);
  loop->before = LLVMGetInsertBlock(w->b);
  loop->body = LLVMAppendBasicBlockInContext(context, w->function, "lane");
  loop->after = LLVMAppendBasicBlockInContext(context, w->function, "lanes.done");
  if (w->mask != w->all)
    LLVMBuildCondBr(w->b, mpl_any_lane(w, w->mask), loop->body, loop->after);
  else
    LLVMBuildBr(w->b, loop->body);
  LLVMPositionBuilderAtEnd(w->b, loop->body);
  loop->rest = LLVMBuildPhi(w->b, type, "");
  LLVMAddIncoming(loop->rest, &first, &loop->before, 1);
}

static void close_loop(struct mpl_widen *w, struct lane_loop *loop) {
  LLVMTypeRef type = LLVMTypeOf(loop->rest);
  LLVMValueRef one = LLVMConstInt(type, 1, false), rest, end;
  if (w->mask) {
    rest = LLVMBuildAnd(w->b, loop->rest, LLVMBuildSub(w->b, loop->rest, one, ""), "");
    end = LLVMConstNull(type);
  } else {
    rest = LLVMBuildNUWAdd(w->b, loop->rest, one, "");
    end = LLVMConstInt(type, w->width, false);
  }
  LLVMBuildCondBr(w->b, LLVMBuildICmp(w->b, LLVMIntNE, rest, end, ""), loop->body, loop->after);
  LLVMAddIncoming(loop->rest, &rest, &loop->body, 1);
  LLVMPositionBuilderAtEnd(w->b, loop->after);
}

void mpl_each_lane(struct mpl_widen *w, LLVMValueRef i) {
  unsigned count = (unsigned)LLVMGetNumOperands(i), block = mpl_cfg_block_of(w->cfg, i);
  LLVMTypeRef type = LLVMTypeOf(i);
  bool gives = LLVMGetTypeKind(type) != LLVMVoidTypeKind;
  struct lanes *operands = mpl_allocate(count + 1, sizeof *operands), result = {0};
  LLVMValueRef copy = LLVMInstructionClone(i), wide = NULL, next = NULL;
  for (unsigned k = 0; k < count; k++) {
    LLVMValueRef value = LLVMGetOperand(i, k);
    int stride = mpl_stride_at(w, value, block);
    if (stride && stride != MPL_ANY_STRIDE)
      operands[k] = (struct lanes){
          .type = LLVMTypeOf(value), .first = mpl_scalar(w, value), .stride = stride};
    else if (stride)
      operands[k] = spill(w, LLVMTypeOf(value), mpl_vector(w, value));
    else
      LLVMSetOperand(copy, k, mpl_scalar(w, value));
  }
  if (gives) result = spill(w, type, NULL);
  struct lane_loop loop;
  open_loop(w, &loop);
  if (gives && !result.memory) {
    wide = LLVMBuildPhi(w->b, mpl_vector_type(w, type), "");
    LLVMValueRef none = mpl_of_none(LLVMTypeOf(wide));
    LLVMAddIncoming(wide, &none, &loop.before, 1);
  }
  LLVMValueRef lane = w->mask ? first_lane(w, loop.rest) : loop.rest;
  for (unsigned k = 0; k < count; k++)
    if (operands[k].type) LLVMSetOperand(copy, k, take(w, &operands[k], lane));
  LLVMInsertIntoBuilder(w->b, copy);
  if (result.memory) store_lane(w, &result, lane, copy);
  if (wide) {
    next = mpl_put_lane(w, wide, copy, lane);
    LLVMAddIncoming(wide, &next, &loop.body, 1);
  }
  close_loop(w, &loop);
  if (result.memory) {
    result.vector = LLVMBuildLoad2(w->b, mpl_vector_type(w, type), result.memory, "");
    LLVMSetAlignment(result.vector, 64);
  } else if (wide) {
    result.vector = LLVMBuildPhi(w->b, LLVMTypeOf(wide), "");
    LLVMValueRef from[] = {next, mpl_of_none(LLVMTypeOf(wide))};
    LLVMBasicBlockRef blocks[] = {loop.body, loop.before};
    LLVMAddIncoming(result.vector, from, blocks, w->mask != w->all ? 2 : 1);
  }
  if (gives) mpl_map_set(&w->vectors, i, (uintptr_t)result.vector);
  free(operands);
}

void mpl_scatter_in_turn(struct mpl_widen *w, const struct mpl_scattered *s) {
  struct lanes places = spill(w, LLVMGetElementType(LLVMTypeOf(s->places)), s->places), units[2];
  for (unsigned u = 0; u < s->count; u++)
    units[u] = spill(w, LLVMGetElementType(LLVMTypeOf(s->units[u])), s->units[u]);
  struct lane_loop loop;
  open_loop(w, &loop);
  LLVMValueRef lane = first_lane(w, loop.rest), place = take(w, &places, lane);
  for (unsigned u = 0; u < s->count; u++) {
    LLVMValueRef value = take(w, &units[u], lane);
    LLVMValueRef store = LLVMBuildStore(w->b, value, mpl_unit_place(w, s, place, u));
    LLVMSetAlignment(store, mpl_unit_align(w, s, u));
  }
  close_loop(w, &loop);
}

/* --- atomics --- */

/* Of integers, since the sum of floats in another order than one by one is another sum: the operand
 * that changes nothing.  Null: it cannot be combined. */
static LLVMValueRef neutral_of(LLVMValueRef atomic) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(atomic, 1));
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return NULL;
  LLVMValueRef least = LLVMConstInt(type, (uint64_t)1 << (LLVMGetIntTypeWidth(type) - 1), false);
  switch (LLVMGetAtomicRMWBinOp(atomic)) {
  case LLVMAtomicRMWBinOpAdd:
  case LLVMAtomicRMWBinOpSub:
  case LLVMAtomicRMWBinOpOr:
  case LLVMAtomicRMWBinOpXor:
  case LLVMAtomicRMWBinOpUMax:
    return LLVMConstNull(type);
  case LLVMAtomicRMWBinOpAnd:
  case LLVMAtomicRMWBinOpUMin:
    return LLVMConstAllOnes(type);
  case LLVMAtomicRMWBinOpMax:
    return least;
  case LLVMAtomicRMWBinOpMin:
    return LLVMConstNot(least);
  default:
    return NULL;
  }
}

/* Two operands: what is subtracted adds up. */
static LLVMValueRef combined(struct mpl_widen *w, LLVMValueRef atomic, LLVMValueRef a,
                             LLVMValueRef b) {
  LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(atomic);
  if (operation == LLVMAtomicRMWBinOpSub) operation = LLVMAtomicRMWBinOpAdd;
  return mpl_apply_atomic(w->b, operation, a, b);
}

bool mpl_is_combined(struct mpl_widen *w, LLVMValueRef i) {
  if (!LLVMIsAAtomicRMWInst(i) || !neutral_of(i)) return false;
  return !mpl_stride_at(w, LLVMGetOperand(i, 0), mpl_cfg_block_of(w->cfg, i));
}

/* What each lane finds, if lane 0 found `old`: `lanes` has what each one and those before it add.
 */
static LLVMValueRef found(struct mpl_widen *w, LLVMValueRef atomic, LLVMValueRef old,
                          LLVMValueRef lanes) {
  lanes = mpl_moved_up(w, lanes, mpl_splat(w, neutral_of(atomic)), 1);
  return mpl_apply_atomic(w->b, LLVMGetAtomicRMWBinOp(atomic), mpl_splat(w, old), lanes);
}

bool mpl_combine_atomic(struct mpl_widen *w, LLVMValueRef i) {
  if (!mpl_is_combined(w, i)) return false;
  LLVMValueRef neutral = mpl_splat(w, neutral_of(i)), lanes = mpl_vector(w, LLVMGetOperand(i, 1));
  if (w->mask) lanes = mpl_choose(w, w->mask, lanes, neutral);
  for (unsigned by = 1; by < w->width; by *= 2)
    lanes = combined(w, i, mpl_moved_up(w, lanes, neutral, by), lanes);
  LLVMValueRef copy = LLVMInstructionClone(i), last = mpl_const64(w->ir, w->width - 1);
  LLVMSetOperand(copy, 0, mpl_scalar(w, LLVMGetOperand(i, 0)));
  LLVMSetOperand(copy, 1, LLVMBuildExtractElement(w->b, lanes, last, ""));
  LLVMBasicBlockRef from = LLVMGetInsertBlock(w->b), any = NULL, after = NULL;
  if (w->mask != w->all) {
    any = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "any");
    after = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "none");
    LLVMBuildCondBr(w->b, mpl_any_lane(w, w->mask), any, after);
    LLVMPositionBuilderAtEnd(w->b, any);
  }
  LLVMInsertIntoBuilder(w->b, copy);
  LLVMValueRef result = LLVMGetFirstUse(i) ? found(w, i, copy, lanes) : NULL;
  if (after) {
    LLVMBuildBr(w->b, after);
    LLVMPositionBuilderAtEnd(w->b, after);
  }
  if (after && result) {
    LLVMValueRef phi = LLVMBuildPhi(w->b, LLVMTypeOf(result), ""),
                 values[] = {result, mpl_of_none(LLVMTypeOf(result))};
    LLVMAddIncoming(phi, values, (LLVMBasicBlockRef[]){any, from}, 2);
    result = phi;
  }
  if (result) mpl_map_set(&w->vectors, i, (uintptr_t)result);
  return true;
}
