/* Places that are side by side in most chunks, though not in all: of an index that is clamped to
 * the borders of an image, divided into row and column, or so short that it might wrap.  How the
 * index would grow without that is a guess.  Where the chunk runs it is tested, and the access is
 * a wide one, or that of one place for all lanes; or a gather or scatter.
 *
 * The lanes that are there agree with one of them, if the test holds; so lane 0's place follows
 * from it, whether or not lane 0 is there.  Of a clamped index the first lane and the last one are
 * asked, there or not: the test fails for the rest of a row. */

#include "widen.h"

enum { MOST_STEPS = 48 };

struct guess {
  struct mpl_widen *w;
  unsigned block;           /* of the access */
  unsigned left;            /* steps */
  struct mpl_map strides;   /* of values that were asked for */
  LLVMValueRef holds;       /* the test */
};

/* --- what is guessed --- */

static bool is_left(struct guess *g, LLVMValueRef value) {
  struct mpl_widen *w = g->w;
  unsigned own = mpl_cfg_block_of(w->cfg, value);
  if (own >= w->cfg->count || !w->in[own]) return true;
  for (int l = w->inner[own]; l >= 0; l = w->loops[l].parent)
    if (w->loops[l].masked && (g->block < w->loops[l].header || g->block > w->loops[l].last))
      return true;
  return false;
}

static int guessed(struct guess *, LLVMValueRef value);

static bool shape_of(const void *data, LLVMValueRef value, struct mpl_shape *shape) {
  int stride = guessed((struct guess *)data, value);
  *shape = mpl_uniform;
  if (stride == MPL_ANY_STRIDE) shape->kind = MPL_VARYING;
  if (stride && stride != MPL_ANY_STRIDE) shape->kind = MPL_STRIDED, shape->stride = stride;
  return true;
}

static uint64_t number_of(LLVMValueRef value) {
  return LLVMConstIntGetZExtValue(value);
}

/* What is cut into pieces of so many stays in one for most chunks; of a variable that is hoped.
 * 1 in its place is what no lane divides by (source/divide.c). */
static bool is_wide(struct guess *g, LLVMValueRef size) {
  LLVMValueRef one = LLVMIsASelectInst(size) ? LLVMIsAConstantInt(LLVMGetOperand(size, 1)) : NULL;
  if (one && number_of(one) == 1) size = LLVMGetOperand(size, 2);
  if (!LLVMIsAConstantInt(size)) return !guessed(g, size);
  uint64_t number = number_of(size), width = g->w->width;
  return number >= 4 * width || (number >= width && !(number & (number - 1)));
}

static int one_of(int a, int b) {
  return a == b || !b ? a : !a ? b : MPL_ANY_STRIDE;
}

static int guessed_call(struct guess *g, LLVMValueRef call) {
  if (mpl_extreme_of(call).is)
    return one_of(guessed(g, LLVMGetOperand(call, 0)), guessed(g, LLVMGetOperand(call, 1)));
  return mpl_calls(call, "llvm.abs.") ? guessed(g, LLVMGetOperand(call, 0)) : MPL_ANY_STRIDE;
}

/* -n and ~n, known before the loop: a mask that is hoped to have its ones in front. */
static bool is_upper_mask(struct guess *g, LLVMValueRef mask) {
  struct mpl_widen *w = g->w;
  if (LLVMIsAConstantInt(mask)) return LLVMConstIntGetSExtValue(mask) < 0;
  if (!w->enter || !LLVMIsABinaryOperator(mask)) return false;
  unsigned own = mpl_cfg_block_of(w->cfg, mask);
  if (own < w->cfg->count && w->in[own]) return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(mask);
  LLVMValueRef first = LLVMGetOperand(mask, 0), second = LLVMGetOperand(mask, 1);
  return (opcode == LLVMSub && LLVMIsAConstantInt(first) && !number_of(first)) ||
         (opcode == LLVMXor && LLVMIsAConstantInt(second) &&
          LLVMConstIntGetSExtValue(second) == -1);
}

/* A remainder if the mask's ones are at its end, what it is one of if they are in front. */
static int guessed_and(struct guess *g, LLVMValueRef value, LLVMValueRef mask) {
  int stride = guessed(g, value);
  if (stride == MPL_ANY_STRIDE || guessed(g, mask)) return MPL_ANY_STRIDE;
  bool upper = is_upper_mask(g, mask);
  if (!LLVMIsAConstantInt(mask)) return upper ? 0 : stride;
  uint64_t size = upper ? -(uint64_t)LLVMConstIntGetSExtValue(mask) : number_of(mask) + 1;
  return (size & (size - 1)) || size < g->w->width ? MPL_ANY_STRIDE : upper ? 0 : stride;
}

/* Of an instruction whose stride is not known. */
static int look(struct guess *g, LLVMValueRef i) {
  struct mpl_widen *w = g->w;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  LLVMValueRef first = LLVMGetNumOperands(i) ? LLVMGetOperand(i, 0) : NULL;
  switch (opcode) {
  case LLVMURem:
  case LLVMSRem:
    return is_wide(g, LLVMGetOperand(i, 1)) ? guessed(g, first) : MPL_ANY_STRIDE;
  case LLVMUDiv:
  case LLVMSDiv:
    if (!is_wide(g, LLVMGetOperand(i, 1)) || guessed(g, first) == MPL_ANY_STRIDE)
      return MPL_ANY_STRIDE;
    return 0;
  case LLVMSelect:
    if (!mpl_asks_for_ids(w, first, g->block)) return MPL_ANY_STRIDE;
    return one_of(guessed(g, LLVMGetOperand(i, 1)), guessed(g, LLVMGetOperand(i, 2)));
  case LLVMFreeze:
    return guessed(g, first);
  case LLVMCall:
    return guessed_call(g, i);
  case LLVMLoad:
  case LLVMPHI:
  case LLVMAlloca:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg:
    return MPL_ANY_STRIDE;
  default:
    break;
  }
  struct mpl_shape shape = mpl_shape_computed(w->ir->layout, i, shape_of, g);
  if (shape.kind != MPL_VARYING && shape.stride >= -MPL_MOST_STRIDE &&
      shape.stride <= MPL_MOST_STRIDE)
    return shape.kind == MPL_STRIDED ? (int)shape.stride : 0;
  LLVMValueRef second = LLVMGetNumOperands(i) > 1 ? LLVMGetOperand(i, 1) : NULL;
  uint64_t number = second && LLVMIsAConstantInt(second) ? number_of(second) : 0;
  if ((opcode == LLVMLShr || opcode == LLVMAShr) && number < 63 && 1ull << number >= w->width)
    return guessed(g, first) == MPL_ANY_STRIDE ? MPL_ANY_STRIDE : 0;
  if (opcode != LLVMAnd) return MPL_ANY_STRIDE;
  int stride = guessed_and(g, first, second);
  return stride == MPL_ANY_STRIDE ? guessed_and(g, second, first) : stride;
}

static int guessed(struct guess *g, LLVMValueRef value) {
  int stride = mpl_stride_at(g->w, value, g->block);
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  if (stride != MPL_ANY_STRIDE) return stride;
  if (kind != LLVMPointerTypeKind && kind != LLVMIntegerTypeKind) return MPL_ANY_STRIDE;
  uintptr_t *known = mpl_map_at(&g->strides, value, 0, false);
  if (known) return (int)*known;
  if (!g->left || !LLVMIsAInstruction(value) || is_left(g, value)) return MPL_ANY_STRIDE;
  g->left--;
  stride = look(g, value);
  mpl_map_set(&g->strides, value, (uintptr_t)stride);
  return stride;
}

/* --- the test --- */

static void require(struct guess *g, LLVMValueRef is) {
  g->holds = g->holds ? LLVMBuildAnd(g->w->b, g->holds, is, "") : is;
}

static LLVMValueRef moved(struct guess *g, LLVMValueRef scalar, LLVMValueRef by) {
  struct mpl_widen *w = g->w;
  LLVMTypeRef type = LLVMTypeOf(scalar);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return LLVMBuildGEP2(w->b, w->ir->i8, scalar, &by, 1, "");
  return LLVMBuildAdd(w->b, scalar, LLVMBuildIntCast2(w->b, by, type, true, ""), "");
}

/* All lanes that are there are in steps from one of them: where lane 0 is then. */
static LLVMValueRef compared(struct guess *g, LLVMValueRef value, int stride, LLVMValueRef *holds) {
  struct mpl_widen *w = g->w;
  LLVMValueRef vector = mpl_vector(w, value), lane = mpl_some_lane(w),
               step = mpl_const64(w->ir, (uint64_t)(int64_t)-stride),
               first = LLVMBuildExtractElement(w->b, vector, lane, "");
  LLVMTypeRef type = LLVMTypeOf(value);
  first = moved(g, first, LLVMBuildMul(w->b, lane, step, ""));
  LLVMValueRef start = first;
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
    type = w->ir->i64;
    vector = LLVMBuildPtrToInt(w->b, vector, mpl_vector_type(w, type), "");
    start = LLVMBuildPtrToInt(w->b, first, type, "");
  }
  LLVMValueRef steps = LLVMBuildAdd(w->b, mpl_splat(w, start), mpl_steps(w, type, stride), ""),
               differ = LLVMBuildICmp(w->b, LLVMIntNE, vector, steps, "");
  if (w->mask)
    differ = LLVMBuildSelect(w->b, w->mask, differ, LLVMConstNull(LLVMTypeOf(differ)), "");
  *holds = LLVMBuildNot(w->b, mpl_any_lane(w, differ), "");
  return first;
}

/* Does every way to the access come by the value's block, and no more often? */
static bool is_computed_before(struct guess *g, unsigned own) {
  struct mpl_widen *w = g->w;
  if (own >= w->cfg->count || !w->in[own] || own == g->block) return false;
  int l = w->inner[own];
  return l < 0 || (g->block >= w->loops[l].header && g->block <= w->loops[l].last);
}

/* What is known of the value: lane 0's, or the test. */
static uintptr_t *known_of(struct guess *g, LLVMValueRef value, int stride, bool test) {
  return mpl_map_at(&g->w->starts, value, 2 * (uintptr_t)(intptr_t)stride + test, true);
}

/* The same where the value is computed, of all lanes that are there: once for all accesses that
 * follow from it, in front of loops around them, and whoever of those lanes they are for. */
static LLVMValueRef compared_before(struct guess *g, LLVMValueRef value, int stride) {
  struct mpl_widen *w = g->w;
  LLVMValueRef vector = mpl_vector(w, value), mask = w->mask;
  if (!*known_of(g, value, stride, false)) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(w->b);
    LLVMValueRef next = LLVMGetNextInstruction(vector), first, holds;
    while (next && LLVMIsAPHINode(next)) next = LLVMGetNextInstruction(next);
    if (next)
      LLVMPositionBuilderBefore(w->b, next);
    else
      LLVMPositionBuilderAtEnd(w->b, LLVMGetInstructionParent(vector));
    w->mask = w->masks[mpl_cfg_block_of(w->cfg, value)];
    first = compared(g, value, stride, &holds);
    *known_of(g, value, stride, false) = (uintptr_t)first;
    *known_of(g, value, stride, true) = (uintptr_t)holds;
    w->mask = mask;
    mpl_continue_at(w, here);
  }
  require(g, (LLVMValueRef)*known_of(g, value, stride, true));
  return (LLVMValueRef)*known_of(g, value, stride, false);
}

static LLVMValueRef start_by_test(struct guess *g, LLVMValueRef value) {
  struct mpl_widen *w = g->w;
  int stride = guessed(g, value);
  if (is_computed_before(g, mpl_cfg_block_of(w->cfg, value)) &&
      LLVMIsAInstruction(mpl_vector(w, value)))
    return compared_before(g, value, stride);
  LLVMValueRef holds, first = compared(g, value, stride, &holds);
  require(g, holds);
  return first;
}

static LLVMValueRef start_of(struct guess *, LLVMValueRef value);

/* A shorter number as a longer one: it does not wrap from lane to lane. */
static LLVMValueRef extended(struct guess *g, LLVMValueRef i) {
  struct mpl_widen *w = g->w;
  LLVMValueRef narrow = LLVMGetOperand(i, 0), first = start_of(g, narrow);
  LLVMTypeRef type = LLVMTypeOf(i);
  int stride = guessed(g, narrow);
  LLVMValueRef by = mpl_const64(w->ir, (uint64_t)((int64_t)stride * (w->width - 1)));
  LLVMOpcode opcode = LLVMIsASExtInst(i) ? LLVMSExt : LLVMZExt;
  LLVMValueRef last = LLVMBuildCast(w->b, opcode, moved(g, first, by), type, "");
  first = LLVMBuildCast(w->b, opcode, first, type, "");
  if (stride) require(g, LLVMBuildICmp(w->b, LLVMIntEQ, last, moved(g, first, by), ""));
  return first;
}

/* The operand of a number clamped by what all share that grows from lane to lane; or -1. */
static int grows(struct guess *g, LLVMValueRef value) {
  struct mpl_widen *w = g->w;
  if (!mpl_extreme_of(value).is) return -1;
  int which = mpl_stride_at(w, LLVMGetOperand(value, 0), g->block) == 0;
  int stride = guessed(g, LLVMGetOperand(value, (unsigned)which));
  bool shared = !mpl_stride_at(w, LLVMGetOperand(value, !which), g->block);
  LLVMTypeRef type = LLVMTypeOf(value);
  if (!shared || stride <= 0 || LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return -1;
  return mpl_is_short_of_half(w, stride, LLVMGetIntTypeWidth(type)) ? which : -1;
}

/* The first and the last lane are within the bound, and so are those between them if these do not
 * wrap: no vector is looked at. */
static LLVMValueRef inside(struct guess *g, LLVMValueRef value, unsigned which) {
  struct mpl_widen *w = g->w;
  struct mpl_extreme extreme = mpl_extreme_of(value);
  LLVMValueRef along = LLVMGetOperand(value, which), first = start_of(g, along),
               bound = mpl_scalar(w, LLVMGetOperand(value, !which)),
               by = mpl_const64(w->ir, (uint64_t)guessed(g, along) * (w->width - 1)),
               last = moved(g, first, by);
  LLVMIntPredicate at_most = extreme.is_signed ? LLVMIntSLE : LLVMIntULE;
  require(g, LLVMBuildICmp(w->b, at_most, first, last, ""));
  if (extreme.largest)
    require(g, LLVMBuildICmp(w->b, at_most, bound, first, ""));
  else
    require(g, LLVMBuildICmp(w->b, at_most, last, bound, ""));
  return first;
}

/* Which operand is the mask that all share, or -1. */
static int mask_of(struct guess *g, LLVMValueRef value) {
  if (LLVMGetInstructionOpcode(value) != LLVMAnd) return -1;
  int which = mpl_stride_at(g->w, LLVMGetOperand(value, 1), g->block) == 0;
  bool shared = !mpl_stride_at(g->w, LLVMGetOperand(value, (unsigned)which), g->block);
  int stride = guessed(g, LLVMGetOperand(value, !which));
  LLVMTypeRef type = LLVMTypeOf(value);
  if (!shared || stride <= 0 || stride == MPL_ANY_STRIDE ||
      LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
    return -1;
  return mpl_is_short_of_half(g->w, stride, LLVMGetIntTypeWidth(type)) ? which : -1;
}

/* Which of such a mask's bits have to be 0 for any such lanes: asked in front of the loop. */
static void hope(struct guess *g, LLVMValueRef mask, uint64_t distance) {
  struct mpl_widen *w = g->w;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(w->b);
  LLVMTypeRef type = LLVMTypeOf(mask);
  uint64_t change = distance;
  for (unsigned k = 1; k < 64; k *= 2) change |= change >> k;
  LLVMPositionBuilderAtEnd(w->b, w->enter);
  LLVMValueRef lost = LLVMBuildAnd(w->b, mask, LLVMConstInt(type, change, false), ""),
               none = LLVMBuildICmp(w->b, LLVMIntEQ, lost, LLVMConstNull(type), "");
  none = LLVMBuildFreeze(w->b, none, ""); /* where it is asked the mask may be poison */
  w->hope = w->hope ? LLVMBuildAnd(w->b, w->hope, none, "") : none;
  mpl_continue_at(w, here);
}

/* From the first lane to the last one no bits change but those up to the highest in which these
 * differ: all of them are in the mask, or none. */
static LLVMValueRef masked(struct guess *g, LLVMValueRef value, unsigned which) {
  struct mpl_widen *w = g->w;
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMValueRef along = LLVMGetOperand(value, !which), first = start_of(g, along), number[2],
               mask = mpl_scalar(w, LLVMGetOperand(value, which)), lost = mask;
  uint64_t distance = (uint64_t)(int64_t)guessed(g, along) * (w->width - 1);
  bool upper = !guessed(g, value);
  number[0] = LLVMBuildXor(w->b, first, moved(g, first, mpl_const64(w->ir, distance)), "");
  number[1] = LLVMConstInt(w->ir->i1, 1, false); /* it is not 0, as lanes differ */
  LLVMValueRef zeros = mpl_call_intrinsic(w->ir, w->b, "llvm.ctlz", type, number, 2);
  LLVMValueRef change = LLVMBuildLShr(w->b, LLVMConstAllOnes(type), zeros, "");
  if (!upper) lost = LLVMBuildNot(w->b, mask, "");
  lost = LLVMBuildAnd(w->b, change, lost, "");
  require(g, LLVMBuildICmp(w->b, LLVMIntEQ, lost, LLVMConstNull(type), ""));
  if (upper && !LLVMIsAConstantInt(mask)) hope(g, mask, distance);
  return LLVMBuildAnd(w->b, first, mask, "");
}

/* Lane 0's, as far as the guess is right. */
static LLVMValueRef start_of(struct guess *g, LLVMValueRef value) {
  struct mpl_widen *w = g->w;
  if (mpl_stride_at(w, value, g->block) != MPL_ANY_STRIDE) return mpl_scalar(w, value);
  int clamped = grows(g, value);
  if (clamped >= 0) return inside(g, value, (unsigned)clamped);
  int mask = mask_of(g, value);
  if (mask >= 0) return masked(g, value, (unsigned)mask);
  LLVMValueRef operands[16];
  unsigned count = (unsigned)LLVMGetNumOperands(value);
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMZExt:
  case LLVMSExt:
    return extended(g, value);
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
  case LLVMTrunc:
  case LLVMGetElementPtr:
    break;
  default:
    return start_by_test(g, value);
  }
  for (unsigned k = 0; k < count; k++)
    if (count > 16 || guessed(g, LLVMGetOperand(value, k)) == MPL_ANY_STRIDE)
      return start_by_test(g, value);
  for (unsigned k = 0; k < count; k++) operands[k] = start_of(g, LLVMGetOperand(value, k));
  LLVMValueRef copy = LLVMInstructionClone(value);
  for (unsigned k = 0; k < count; k++) LLVMSetOperand(copy, k, operands[k]);
  mpl_ir_drop_promises(copy);
  LLVMInsertIntoBuilder(w->b, copy);
  return copy;
}

static bool build_test(struct guess *g, LLVMValueRef access, unsigned size,
                       struct mpl_guess *guess) {
  LLVMValueRef pointer = mpl_accessed_place(access);
  int stride = guessed(g, pointer);
  guess->uniform = !stride;
  if (stride != (int)size && (stride || LLVMIsAStoreInst(access))) return false;
  guess->at = start_of(g, pointer);
  return true;
}

int mpl_guessed_stride(struct mpl_widen *w, LLVMValueRef access) {
  struct guess g = {.w = w, .block = mpl_cfg_block_of(w->cfg, access), .left = MOST_STEPS};
  int stride = guessed(&g, mpl_accessed_place(access));
  mpl_map_free(&g.strides);
  return stride;
}

bool mpl_guess(struct mpl_widen *w, LLVMValueRef access, unsigned size, struct mpl_guess *guess) {
  struct guess g = {.w = w, .block = mpl_cfg_block_of(w->cfg, access), .left = MOST_STEPS};
  LLVMContextRef context = w->ir->context;
  LLVMValueRef pointer = mpl_accessed_place(access);
  if (w->plain || w->pieces || mpl_stride_at(w, pointer, g.block) != MPL_ANY_STRIDE) return false;
  bool good = build_test(&g, access, size, guess);
  mpl_map_free(&g.strides);
  if (!good) return false;
  guess->beside = LLVMAppendBasicBlockInContext(context, w->function, "beside");
  guess->apart = LLVMAppendBasicBlockInContext(context, w->function, "apart");
  guess->after = LLVMAppendBasicBlockInContext(context, w->function, "after");
  LLVMValueRef holds =
      g.holds ? LLVMBuildFreeze(w->b, g.holds, "") : LLVMConstInt(w->ir->i1, 1, false);
  LLVMBuildCondBr(w->b, holds, guess->beside, guess->apart);
  return true;
}
