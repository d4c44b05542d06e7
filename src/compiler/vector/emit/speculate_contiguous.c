/* The tests of places that are taken to be side by side, though they are not in all chunks
 * (lanes/contiguous.c): the access is a wide one then, or that of one place; or a gather or scatter. */

#include "memory.h"

struct guess {
  struct mpl_emit *e;
  struct mpl_contiguous strides;
  LLVMValueRef holds; /* the test */
};

static int guessed(struct guess *g, LLVMValueRef value) {
  return mpl_contiguous_stride(&g->strides, value);
}

/* --- the test --- */

static void require(struct guess *g, LLVMValueRef is) {
  g->holds = mpl_both(g->e, g->holds, is);
}

static LLVMValueRef last_lane(struct guess *g, LLVMValueRef first, LLVMValueRef along) {
  return mpl_last_lane(g->e, first, guessed(g, along));
}

/* All lanes that are there are in steps from one of them: where lane 0 is then. */
static LLVMValueRef compared(struct guess *g, LLVMValueRef value, int stride, LLVMValueRef *holds) {
  struct mpl_emit *e = g->e;
  LLVMValueRef vector = mpl_vector(e, value), lane = mpl_some_lane(e),
               step = mpl_const64(e->ir, (uint64_t)(int64_t)-stride),
               first = LLVMBuildExtractElement(e->b, vector, lane, "");
  LLVMTypeRef type = LLVMTypeOf(value);
  first = mpl_moved(g->e, first, LLVMBuildMul(e->b, lane, step, ""));
  LLVMValueRef start = first;
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
    type = e->ir->i64;
    vector = LLVMBuildPtrToInt(e->b, vector, mpl_vector_type(e, type), "");
    start = LLVMBuildPtrToInt(e->b, first, type, "");
  }
  LLVMValueRef steps = LLVMBuildAdd(e->b, mpl_splat(e, start), mpl_steps(e, type, stride), ""),
               differ = LLVMBuildICmp(e->b, LLVMIntNE, vector, steps, "");
  *holds = LLVMBuildNot(e->b, mpl_any_lane(e, mpl_lanes_of_both(e, e->mask, differ)), "");
  return first;
}

/* Does every way to the access come by the value's block, and no more often? */
static bool is_computed_before(struct guess *g, unsigned own) {
  struct mpl_emit *e = g->e;
  const struct mpl_item_loop *items = e->items;
  if (own == items->cfg->count || own == g->strides.block) return false;
  int l = items->inner[own];
  return l < 0 || !mpl_is_outside(&items->loops[l], g->strides.block);
}

/* What is known of the value: lane 0's, or the test. */
static uintptr_t *known_of(struct guess *g, LLVMValueRef value, int stride, bool test) {
  return mpl_map_at(&g->e->starts, value, 2 * (uintptr_t)(intptr_t)stride + test, true);
}

/* The same where the value is computed, of all lanes that are there: once for all accesses that
 * follow from it, in front of loops around them, and whoever of those lanes they are for. */
static LLVMValueRef compared_before(struct guess *g, LLVMValueRef value, int stride) {
  struct mpl_emit *e = g->e;
  LLVMValueRef vector = mpl_vector(e, value), mask = e->mask;
  if (!*known_of(g, value, stride, false)) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMValueRef next = LLVMGetNextInstruction(vector), first, holds;
    while (next && LLVMIsAPHINode(next)) next = LLVMGetNextInstruction(next);
    if (next)
      LLVMPositionBuilderBefore(e->b, next);
    else
      LLVMPositionBuilderAtEnd(e->b, LLVMGetInstructionParent(vector));
    e->mask = e->copies[mpl_cfg_block_of(e->items->cfg, value)].mask;
    first = compared(g, value, stride, &holds);
    *known_of(g, value, stride, false) = (uintptr_t)first;
    *known_of(g, value, stride, true) = (uintptr_t)holds;
    e->mask = mask;
    mpl_continue_at(e, here);
  }
  require(g, (LLVMValueRef)*known_of(g, value, stride, true));
  return (LLVMValueRef)*known_of(g, value, stride, false);
}

static LLVMValueRef start_by_test(struct guess *g, LLVMValueRef value) {
  struct mpl_emit *e = g->e;
  int stride = guessed(g, value);
  if (is_computed_before(g, mpl_own_block(e->items, value)) &&
      LLVMIsAInstruction(mpl_vector(e, value)))
    return compared_before(g, value, stride);
  LLVMValueRef holds, first = compared(g, value, stride, &holds);
  require(g, holds);
  return first;
}

static LLVMValueRef start_of(struct guess *, LLVMValueRef value);

/* A shorter number as a longer one: it does not wrap from lane to lane. */
static LLVMValueRef extended(struct guess *g, LLVMValueRef i) {
  struct mpl_emit *e = g->e;
  LLVMValueRef narrow = LLVMGetOperand(i, 0), first = start_of(g, narrow);
  LLVMTypeRef type = LLVMTypeOf(i);
  LLVMOpcode opcode = LLVMIsASExtInst(i) ? LLVMSExt : LLVMZExt;
  LLVMValueRef last = LLVMBuildCast(e->b, opcode, last_lane(g, first, narrow), type, "");
  first = LLVMBuildCast(e->b, opcode, first, type, "");
  if (guessed(g, narrow))
    require(g, LLVMBuildICmp(e->b, LLVMIntEQ, last, last_lane(g, first, narrow), ""));
  return first;
}

/* Does it grow from lane to lane, not half the way round, so that the first lane and the last one tell? */
static bool grows(struct guess *g, LLVMValueRef value) {
  int stride = guessed(g, value); /* of no constant: less than 0 */
  LLVMTypeRef type = LLVMTypeOf(value);
  return stride > 0 && LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
         mpl_is_short_of_half(g->e->lanes, stride, LLVMGetIntTypeWidth(type));
}

/* The operand that grows so, where all share the other one; or -1. */
static int along_of(struct guess *g, LLVMValueRef value) {
  int which = mpl_stride_at(g->e->lanes, LLVMGetOperand(value, 0), g->strides.block) == 0;
  bool shared = !mpl_stride_at(g->e->lanes, LLVMGetOperand(value, !which), g->strides.block);
  return shared && grows(g, LLVMGetOperand(value, (unsigned)which)) ? which : -1;
}

/* The first and the last lane are within the bound, and so are those between them if these do not
 * wrap: no vector is looked at. */
static LLVMValueRef inside(struct guess *g, LLVMValueRef value, unsigned which) {
  struct mpl_emit *e = g->e;
  struct mpl_extreme extreme = mpl_extreme_of(value);
  LLVMValueRef along = LLVMGetOperand(value, which), first = start_of(g, along),
               bound = mpl_scalar(e, LLVMGetOperand(value, !which)),
               last = last_lane(g, first, along);
  LLVMIntPredicate at_most = extreme.is_signed ? LLVMIntSLE : LLVMIntULE;
  require(g, LLVMBuildICmp(e->b, at_most, first, last, ""));
  if (extreme.largest)
    require(g, LLVMBuildICmp(e->b, at_most, bound, first, ""));
  else
    require(g, LLVMBuildICmp(e->b, at_most, last, bound, ""));
  return first;
}

/* From the first lane to the last one no bits change but those up to the highest in which these
 * differ: all of them are in the mask, or none. */
static LLVMValueRef masked(struct guess *g, LLVMValueRef value, unsigned which) {
  struct mpl_emit *e = g->e;
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMValueRef along = LLVMGetOperand(value, which), first = start_of(g, along), number[2],
               mask = mpl_scalar(e, LLVMGetOperand(value, !which)), lost = mask;
  number[0] = LLVMBuildXor(e->b, first, last_lane(g, first, along), "");
  number[1] = LLVMConstInt(e->ir->i1, 1, false); /* it is not 0, as lanes differ */
  LLVMValueRef zeros = mpl_call_intrinsic(e->b, "llvm.ctlz", type, number, 2);
  LLVMValueRef change = LLVMBuildLShr(e->b, LLVMConstAllOnes(type), zeros, "");
  if (guessed(g, value)) lost = LLVMBuildNot(e->b, mask, "");
  lost = LLVMBuildAnd(e->b, change, lost, "");
  require(g, LLVMBuildICmp(e->b, LLVMIntEQ, lost, LLVMConstNull(type), ""));
  return LLVMBuildAnd(e->b, first, mask, "");
}

/* Is it without its last bits, by a number that is known, what grows and does not wrap half way? */
static bool is_shifted(struct guess *g, LLVMValueRef value) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  return (opcode == LLVMLShr || opcode == LLVMAShr) && !guessed(g, value) &&
         LLVMIsAConstantInt(LLVMGetOperand(value, 1)) && grows(g, LLVMGetOperand(value, 0));
}

/* The first lane and the last one have the same, and so have those between them: they go less far than
 * what is cut off counts. */
static LLVMValueRef shifted(struct guess *g, LLVMValueRef value) {
  struct mpl_emit *e = g->e;
  LLVMValueRef along = LLVMGetOperand(value, 0), by = LLVMGetOperand(value, 1),
               first = start_of(g, along), last = last_lane(g, first, along);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  first = LLVMBuildBinOp(e->b, opcode, first, by, "");
  require(g, LLVMBuildICmp(e->b, LLVMIntEQ, first, LLVMBuildBinOp(e->b, opcode, last, by, ""), ""));
  return first;
}

/* Lane 0's, as far as the guess is right. */
static LLVMValueRef start_of(struct guess *g, LLVMValueRef value) {
  struct mpl_emit *e = g->e;
  if (mpl_stride_at(e->lanes, value, g->strides.block) != MPL_ANY_STRIDE)
    return mpl_scalar(e, value);
  bool clamped = mpl_extreme_of(value).is, cut = LLVMGetInstructionOpcode(value) == LLVMAnd;
  int along = clamped || cut ? along_of(g, value) : -1;
  if (along >= 0) return (clamped ? inside : masked)(g, value, (unsigned)along);
  if (is_shifted(g, value)) return shifted(g, value);
  unsigned count = (unsigned)LLVMGetNumOperands(value);
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMZExt:
  case LLVMSExt:
    return extended(g, value);
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
  case LLVMOr:
  case LLVMTrunc:
  case LLVMGetElementPtr:
    break;
  default:
    return start_by_test(g, value);
  }
  for (unsigned k = 0; k < count; k++)
    if (guessed(g, LLVMGetOperand(value, k)) == MPL_ANY_STRIDE) return start_by_test(g, value);
  LLVMValueRef copy = LLVMInstructionClone(value);
  for (unsigned k = 0; k < count; k++) LLVMSetOperand(copy, k, start_of(g, LLVMGetOperand(value, k)));
  return mpl_insert_unpromised(e, copy); /* of lane 0 nothing is promised */
}

LLVMValueRef mpl_guess(struct mpl_emit *e, LLVMValueRef access, struct mpl_versions *versions) {
  struct guess g = {.e = e, .strides = mpl_contiguous_at(e->lanes, access)};
  LLVMValueRef at = start_of(&g, mpl_accessed_place(access));
  mpl_map_free(&g.strides.strides);
  LLVMValueRef holds =
      g.holds ? LLVMBuildFreeze(e->b, g.holds, "") : LLVMConstInt(e->ir->i1, 1, false);
  mpl_begin_versions(e, versions, holds, "beside", "apart", "after");
  return at;
}
