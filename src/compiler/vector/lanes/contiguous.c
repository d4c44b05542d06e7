/* Places that are side by side in most chunks, though not in all: of an index that is clamped to
 * the borders of an image, divided into row and column, or so short that it might wrap.  How the
 * index would grow without that is a guess.  Where the chunk runs it is tested, and the access is
 * a wide one, or that of one place for all lanes; or a gather or scatter.
 *
 * The lanes that are there agree with one of them, if the test holds; so lane 0's place follows
 * from it, whether or not lane 0 is there.  Of a clamped index the first lane and the last one are
 * asked, there or not: the test fails for the rest of a row. */
#include "analysis.h"

enum { MOST_STEPS = 48 };

static bool is_left(struct mpl_contiguous *g, LLVMValueRef value) {
  unsigned own = mpl_own_block(g->lanes->items, value);
  return own == g->lanes->items->cfg->count || mpl_leaves_mask(g->lanes, own, g->block);
}

static bool shape_of(const void *data, LLVMValueRef value, struct mpl_shape *shape) {
  int stride = mpl_contiguous_stride((struct mpl_contiguous *)data, value);
  *shape = mpl_uniform;
  if (stride == MPL_ANY_STRIDE) shape->kind = MPL_VARYING;
  if (stride && stride != MPL_ANY_STRIDE) shape->kind = MPL_STRIDED, shape->stride = stride;
  return true;
}

static uint64_t number_of(LLVMValueRef value) {
  return LLVMConstIntGetZExtValue(value);
}

/* What is taken of a chunk of no more than so many lanes. */
static bool holds_for(struct mpl_contiguous *g, uint64_t lanes) {
  if (lanes < g->lanes->width) return false;
  if (lanes < g->most) g->most = (unsigned)lanes;
  return true;
}

/* What is cut into pieces of so many stays in one for most chunks; of a variable that is hoped.
 * 1 in its place is what no lane divides by (source/divide.c). */
static bool is_wide(struct mpl_contiguous *g, LLVMValueRef size) {
  LLVMValueRef one = LLVMIsASelectInst(size) ? LLVMIsAConstantInt(LLVMGetOperand(size, 1)) : NULL;
  if (one && number_of(one) == 1) size = LLVMGetOperand(size, 2);
  if (!LLVMIsAConstantInt(size)) return !mpl_contiguous_stride(g, size);
  enum { CHUNKS = 4 }; /* in a piece that chunks do not divide */
  uint64_t number = number_of(size);
  return holds_for(g, number & (number - 1) ? number / CHUNKS : number);
}

static int one_of(int a, int b) {
  return a == b || !b ? a : !a ? b : MPL_ANY_STRIDE;
}

static int guessed_call(struct mpl_contiguous *g, LLVMValueRef call) {
  if (mpl_extreme_of(call).is)
    return one_of(mpl_contiguous_stride(g, LLVMGetOperand(call, 0)),
                  mpl_contiguous_stride(g, LLVMGetOperand(call, 1)));
  return mpl_calls(call, "llvm.abs.") ? mpl_contiguous_stride(g, LLVMGetOperand(call, 0))
                                      : MPL_ANY_STRIDE;
}

/* -n and ~n: a mask that is hoped to have its ones in front. */
static bool is_upper_mask(LLVMValueRef mask) {
  if (LLVMIsAConstantInt(mask)) return LLVMConstIntGetSExtValue(mask) < 0;
  if (!LLVMIsABinaryOperator(mask)) return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(mask);
  LLVMValueRef first = LLVMGetOperand(mask, 0), second = LLVMGetOperand(mask, 1);
  return (opcode == LLVMSub && LLVMIsAConstantInt(first) && !number_of(first)) ||
         (opcode == LLVMXor && LLVMIsAConstantInt(second) &&
          LLVMConstIntGetSExtValue(second) == -1);
}

/* A remainder if the mask's ones are at its end, what it is one of if they are in front. */
static int guessed_and(struct mpl_contiguous *g, LLVMValueRef value, LLVMValueRef mask) {
  int stride = mpl_contiguous_stride(g, value);
  if (stride == MPL_ANY_STRIDE || mpl_contiguous_stride(g, mask)) return MPL_ANY_STRIDE;
  bool upper = is_upper_mask(mask);
  if (!LLVMIsAConstantInt(mask)) return upper ? 0 : stride;
  uint64_t size = upper ? -(uint64_t)LLVMConstIntGetSExtValue(mask) : number_of(mask) + 1;
  return (size & (size - 1)) || !holds_for(g, size) ? MPL_ANY_STRIDE : upper ? 0 : stride;
}

/* Of an instruction whose stride is not known. */
static int look(struct mpl_contiguous *g, LLVMValueRef i) {
  const struct mpl_lanes *lanes = g->lanes;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  LLVMValueRef first = LLVMGetNumOperands(i) ? LLVMGetOperand(i, 0) : NULL;
  switch (opcode) {
  case LLVMURem:
  case LLVMSRem:
    return is_wide(g, LLVMGetOperand(i, 1)) ? mpl_contiguous_stride(g, first) : MPL_ANY_STRIDE;
  case LLVMUDiv:
  case LLVMSDiv:
    if (!is_wide(g, LLVMGetOperand(i, 1)) || mpl_contiguous_stride(g, first) == MPL_ANY_STRIDE)
      return MPL_ANY_STRIDE;
    return 0;
  case LLVMSelect:
    if (!mpl_asks_for_ids(lanes, first, g->block)) return MPL_ANY_STRIDE;
    return one_of(mpl_contiguous_stride(g, LLVMGetOperand(i, 1)),
                  mpl_contiguous_stride(g, LLVMGetOperand(i, 2)));
  case LLVMFreeze:
    return mpl_contiguous_stride(g, first);
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
  struct mpl_shape shape = mpl_shape_computed(lanes->items->ir->layout, i, shape_of, g);
  if (shape.kind != MPL_VARYING && shape.stride >= -MPL_MOST_STRIDE &&
      shape.stride <= MPL_MOST_STRIDE)
    return shape.kind == MPL_STRIDED ? (int)shape.stride : 0;
  LLVMValueRef second = LLVMGetNumOperands(i) > 1 ? LLVMGetOperand(i, 1) : NULL;
  uint64_t number = second && LLVMIsAConstantInt(second) ? number_of(second) : 0;
  if ((opcode == LLVMLShr || opcode == LLVMAShr) && number < 63 && holds_for(g, 1ull << number))
    return mpl_contiguous_stride(g, first) == MPL_ANY_STRIDE ? MPL_ANY_STRIDE : 0;
  if (opcode != LLVMAnd) return MPL_ANY_STRIDE;
  int stride = guessed_and(g, first, second);
  return stride == MPL_ANY_STRIDE ? guessed_and(g, second, first) : stride;
}

int mpl_contiguous_stride(struct mpl_contiguous *g, LLVMValueRef value) {
  int stride = mpl_stride_at(g->lanes, value, g->block);
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

struct mpl_contiguous mpl_contiguous_at(const struct mpl_lanes *lanes, LLVMValueRef access) {
  return (struct mpl_contiguous){.lanes = lanes,
                                 .block = mpl_cfg_block_of(lanes->items->cfg, access),
                                 .most = MPL_MOST_LANES,
                                 .left = MOST_STEPS};
}

int mpl_guessed_stride(const struct mpl_lanes *lanes, LLVMValueRef access) {
  struct mpl_contiguous g = mpl_contiguous_at(lanes, access);
  int stride = mpl_contiguous_stride(&g, mpl_accessed_place(access));
  mpl_map_free(&g.strides);
  return stride;
}

unsigned mpl_guessed_lanes(const struct mpl_lanes *lanes, const struct mpl_lane_access *a) {
  struct mpl_contiguous g = mpl_contiguous_at(lanes, a->at);
  int stride = mpl_contiguous_stride(&g, a->place);
  mpl_map_free(&g.strides);
  return stride == a->size || !stride ? g.most : MPL_MOST_LANES;
}
