/* Where loops begin and end, if that is clamped at the borders of an image: `max(x - r, 0)`.
 * Between the borders it grows from lane to lane as it would without the clamp, so that lanes have
 * as many turns and are side by side in each.  The copy of whole chunks takes it to, and tests it
 * in front of the loop; a chunk with a border is done as what is left of a row is.
 *
 * What grows is a coordinate, which is clamped at borders; what becomes less is how much there is
 * still, of which mostly the bound is taken.
 *
 * Where two numbers that grow alike are compared, or what a loop counts is extended, and may wrap
 * between two lanes, that is taken not to happen in the same way. */
#include "widen.h"

static int one_of(int a, int b) {
  if (a == b || a == MPL_ANY_STRIDE) return a;
  if (b == MPL_ANY_STRIDE || (a && b)) return MPL_ANY_STRIDE;
  return a + b > 0 ? a + b : 0;
}

static int guessed(struct mpl_widen *w, LLVMValueRef value, unsigned block) {
  bool select = LLVMIsASelectInst(value), difference = mpl_calls(value, "llvm.usub.sat.");
  if (select ? !mpl_asks_for_ids(w, LLVMGetOperand(value, 0), block)
             : !difference && !mpl_extreme_of(value).is)
    return MPL_ANY_STRIDE;
  int a = mpl_stride_at(w, LLVMGetOperand(value, select), block),
      b = mpl_stride_at(w, LLVMGetOperand(value, select + 1), block);
  if (difference && b) return MPL_ANY_STRIDE; /* else it is max(a, b) - b */
  return one_of(a, b);
}

/* A loop that `from` is not in begins with it or with what is computed from it, or asks for it. */
static bool bounds_loop(struct mpl_widen *w, LLVMValueRef value, unsigned from, unsigned depth) {
  enum { DEEPEST = 4 };
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    unsigned block = mpl_cfg_block_of(w->cfg, user);
    if (block >= w->cfg->count || !w->in[block]) continue;
    int loop = w->inner[block];
    bool inside = loop >= 0 && (from < w->loops[loop].header || from > w->loops[loop].last);
    if (inside && (LLVMIsAPHINode(user) ? w->loops[loop].header == block
                                        : LLVMIsAICmpInst(user) != NULL))
      return true;
    bool computes = mpl_only_computes(user, MPL_INTEGER) || mpl_extreme_of(user).is;
    if (computes && depth < DEEPEST && bounds_loop(w, user, from, depth + 1)) return true;
  }
  return false;
}

/* What a loop counts, and extends for an address. */
static bool extends_count(struct mpl_widen *w, LLVMValueRef value, unsigned block) {
  enum { FEW = 32 };
  if (!LLVMIsAZExtInst(value) && !LLVMIsASExtInst(value)) return false;
  LLVMValueRef count = LLVMGetOperand(value, 0);
  return w->inner[block] >= 0 && LLVMIsAPHINode(count) &&
         LLVMGetIntTypeWidth(LLVMTypeOf(count)) >= FEW;
}

bool mpl_guess_bound(struct mpl_widen *w, LLVMValueRef value, unsigned block,
                     struct mpl_shape *shape) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64) return false;
  bool extends = extends_count(w, value, block);
  LLVMValueRef number = extends ? LLVMGetOperand(value, 0) : value;
  int stride = extends ? mpl_stride_at(w, number, block) : guessed(w, value, block);
  if (stride == MPL_ANY_STRIDE || (!extends && !bounds_loop(w, value, block, 0))) return false;
  if (!mpl_is_short_of_half(w, stride, LLVMGetIntTypeWidth(LLVMTypeOf(number)))) return false;
  *shape = (struct mpl_shape){MPL_STRIDED, .stride = stride, .bits = LLVMGetIntTypeWidth(type)};
  shape->nsw = shape->nuw = true;
  mpl_map_set(&w->bounds, value, 1);
  return true;
}

bool mpl_guess_order(struct mpl_widen *w, LLVMValueRef compares, int64_t stride) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(compares, 0));
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
      !mpl_is_short_of_half(w, stride, LLVMGetIntTypeWidth(type)))
    return false;
  mpl_map_set(&w->bounds, compares, 1);
  return true;
}

bool mpl_is_bound(struct mpl_widen *w, LLVMValueRef value) {
  return mpl_map_has(&w->bounds, value) && mpl_stride_of(w, value) != MPL_ANY_STRIDE;
}

/* From the first lane to the last one it wraps, as a signed number or as an unsigned one. */
static LLVMValueRef wraps(struct mpl_widen *w, LLVMValueRef first, int64_t stride) {
  uint64_t by = (uint64_t)(stride * (w->width - 1));
  LLVMValueRef last = LLVMBuildAdd(w->b, first, LLVMConstInt(LLVMTypeOf(first), by, true), "");
  LLVMValueRef low = stride < 0 ? last : first, high = stride < 0 ? first : last;
  return LLVMBuildOr(w->b, LLVMBuildICmp(w->b, LLVMIntSGT, low, high, ""),
                     LLVMBuildICmp(w->b, LLVMIntUGT, low, high, ""), "");
}

/* Both are frozen: what is poison for one lane only must not be for the others. */
static LLVMValueRef is_clamped(struct mpl_widen *w, LLVMValueRef value) {
  int stride = mpl_stride_of(w, value);
  LLVMValueRef first = LLVMBuildFreeze(w->b, mpl_scalar(w, value), ""), each, fails;
  struct mpl_shape *shape = &w->shapes[mpl_map_get(&w->index, value, 0)], known = *shape;
  *shape = (struct mpl_shape){MPL_VARYING, .bits = 64};
  mpl_widen_instruction(w, value);
  each = LLVMBuildFreeze(w->b, mpl_vector(w, value), "");
  *shape = known;
  mpl_map_set(&w->scalars, value, (uintptr_t)first);
  mpl_map_set(&w->vectors, value, (uintptr_t)each);
  LLVMValueRef steps = LLVMBuildAdd(w->b, mpl_splat(w, first),
                                    mpl_steps(w, LLVMTypeOf(value), stride), "");
  fails = mpl_any_lane(w, LLVMBuildICmp(w->b, LLVMIntNE, each, steps, ""));
  return stride ? LLVMBuildOr(w->b, fails, wraps(w, first, stride), "") : fails;
}

LLVMValueRef mpl_bound_fails(struct mpl_widen *w, LLVMValueRef value) {
  bool compares = LLVMIsAICmpInst(value) != NULL;
  if (!compares && !LLVMIsACastInst(value)) return is_clamped(w, value);
  LLVMValueRef a = LLVMGetOperand(value, 0), b = compares ? LLVMGetOperand(value, 1) : a,
               fails = wraps(w, mpl_scalar(w, a), mpl_stride_of(w, a));
  return a == b ? fails : LLVMBuildOr(w->b, fails, wraps(w, mpl_scalar(w, b), mpl_stride_of(w, b)),
                                      "");
}

bool mpl_has_bound(struct mpl_widen *w, unsigned block) {
  MPL_EACH_INSTRUCTION(i, w->cfg->blocks[block])
  if (mpl_is_bound(w, i)) return true;
  return false;
}
