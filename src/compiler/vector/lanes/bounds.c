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
#include "analysis.h"

static int one_of(int a, int b) {
  if (a == b || a == MPL_ANY_STRIDE) return a;
  if (b == MPL_ANY_STRIDE || (a && b)) return MPL_ANY_STRIDE;
  return a + b > 0 ? a + b : 0;
}

static int guessed(const struct mpl_lanes *lanes, LLVMValueRef value, unsigned block) {
  bool select = LLVMIsASelectInst(value), difference = mpl_calls(value, "llvm.usub.sat.");
  if (select ? !mpl_asks_for_ids(lanes, LLVMGetOperand(value, 0), block)
             : !difference && !mpl_extreme_of(value).is)
    return MPL_ANY_STRIDE;
  int a = mpl_stride_at(lanes, LLVMGetOperand(value, select), block),
      b = mpl_stride_at(lanes, LLVMGetOperand(value, select + 1), block);
  if (difference && b) return MPL_ANY_STRIDE; /* else it is max(a, b) - b */
  return one_of(a, b);
}

/* A loop that `from` is not in begins with it or with what is computed from it, or asks for it. */
static bool bounds_loop(const struct mpl_item_loop *items, LLVMValueRef value, unsigned from,
                        unsigned depth) {
  enum { DEEPEST = 4 };
  MPL_EACH_USER(user, value) {
    unsigned block = mpl_own_block(items, user);
    if (block == items->cfg->count) continue;
    int loop = items->inner[block];
    bool inside = loop >= 0 && mpl_is_outside(&items->loops[loop], from);
    if (inside && (LLVMIsAPHINode(user) ? items->loops[loop].header == block
                                        : LLVMIsAICmpInst(user) != NULL))
      return true;
    bool computes = mpl_only_computes(user, MPL_INTEGER) || mpl_extreme_of(user).is;
    if (computes && depth < DEEPEST && bounds_loop(items, user, from, depth + 1)) return true;
  }
  return false;
}

/* What a loop counts, and extends for an address. */
static bool extends_count(const struct mpl_item_loop *items, LLVMValueRef value, unsigned block) {
  enum { FEW = 32 };
  if (!LLVMIsAZExtInst(value) && !LLVMIsASExtInst(value)) return false;
  LLVMValueRef count = LLVMGetOperand(value, 0);
  return items->inner[block] >= 0 && LLVMIsAPHINode(count) &&
         LLVMGetIntTypeWidth(LLVMTypeOf(count)) >= FEW;
}

bool mpl_guess_bound(struct mpl_lanes *lanes, LLVMValueRef value, unsigned block,
                     struct mpl_shape *shape) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64) return false;
  bool extends = extends_count(lanes->items, value, block);
  LLVMValueRef number = extends ? LLVMGetOperand(value, 0) : value;
  int stride = extends ? mpl_stride_at(lanes, number, block) : guessed(lanes, value, block);
  if (stride == MPL_ANY_STRIDE || (!extends && !bounds_loop(lanes->items, value, block, 0)))
    return false;
  if (!mpl_is_short_of_half(lanes, stride, LLVMGetIntTypeWidth(LLVMTypeOf(number)))) return false;
  *shape = (struct mpl_shape){MPL_STRIDED, .stride = stride, .bits = LLVMGetIntTypeWidth(type)};
  shape->nsw = shape->nuw = true;
  mpl_map_set(&lanes->bounds, value, 1);
  return true;
}

bool mpl_guess_order(struct mpl_lanes *lanes, LLVMValueRef compares, int64_t stride) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(compares, 0));
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
      !mpl_is_short_of_half(lanes, stride, LLVMGetIntTypeWidth(type)))
    return false;
  mpl_map_set(&lanes->bounds, compares, 1);
  return true;
}

bool mpl_is_bound(const struct mpl_lanes *lanes, LLVMValueRef value) {
  return mpl_map_has(&lanes->bounds, value) && !mpl_varies(lanes, value);
}
