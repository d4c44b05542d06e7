/* Loads of lanes that stop or go round at a border.
 *
 * Of an index that is clamped, where the clamp takes hold, lanes in the middle are side by side, as they would be
 * without it; those in front of them all have the first lane's place, those behind them the last lane's.  So it
 * is a masked load and one or two of one place each.  They lie so unless a number wraps between the first lane
 * and the last, which is tested where the chunk runs, by scalars for each clamp and each extension.
 * Rows of a tile in local memory are mostly as short as a chunk, so that nearly all chunks have a
 * border; those of an image are long, and lanes that gather at its borders cost less than code for
 * them: a blur of 7 x 7 takes 1.3 times as long with it.
 *
 * Of an index that is a remainder by a power of two, as in a rotation in local memory, from one lane on they are at
 * the begin again, so it is two masked loads, from the first lane's place and from as far in front of it as it is
 * round.  They lie so if no lane comes round twice and the mask's ones are at its end, which is tested where the
 * chunk runs.  Rows that go round are mostly as short as a chunk, so that each chunk comes to their end. */
#include "memory.h"

/* A value that grows with the lanes, but for where it is clamped. */
struct stopped {
  LLVMValueRef first, last; /* of the first and the last lane, */
  LLVMValueRef free;        /* of the first one without the clamps */
  int64_t stride;           /* of what is clamped first */
  LLVMValueRef clamp;       /* what is clamped last, */
  struct {
    LLVMValueRef first, free;
  } there;            /* and these of it */
  bool low, high;     /* lanes may stop in front of the middle, behind it */
  LLVMValueRef holds; /* nothing wraps */
};

static void require(struct mpl_emit *e, struct stopped *s, LLVMIntPredicate is, LLVMValueRef a,
                    LLVMValueRef b) {
  s->holds = mpl_both(e, s->holds, LLVMBuildICmp(e->b, is, a, b, ""));
}

/* `value` of one lane, `of` in place of the operand `which`. */
static LLVMValueRef compute_with(struct mpl_emit *e, LLVMValueRef value, unsigned which, LLVMValueRef of) {
  LLVMValueRef copy = LLVMInstructionClone(value);
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(value); k++) {
    LLVMValueRef operand = LLVMGetOperand(value, k);
    if (k == which)
      operand = of;
    else if (!LLVMIsAFunction(operand))
      operand = mpl_scalar(e, operand);
    LLVMSetOperand(copy, k, operand);
  }
  return mpl_insert_unpromised(e, copy);
}

static void extend(struct mpl_emit *e, struct stopped *s, LLVMValueRef value) {
  /* A number of which it is said that it is not negative was so behind the clamp. */
  bool is_signed = LLVMIsASExtInst(value) || LLVMGetNNeg(value);
  LLVMTypeRef type = LLVMTypeOf(value);
  require(e, s, is_signed ? LLVMIntSLE : LLVMIntULE, s->free, mpl_last_lane(e, s->free, s->stride));
  s->free = LLVMBuildIntCast2(e->b, s->free, type, is_signed, "");
  s->first = LLVMBuildIntCast2(e->b, s->first, type, is_signed, "");
  s->last = LLVMBuildIntCast2(e->b, s->last, type, is_signed, "");
}

static void follow(struct mpl_emit *e, struct stopped *s, LLVMValueRef value, unsigned block) {
  int stride = mpl_stride_at(e->lanes, value, block);
  if (stride != MPL_ANY_STRIDE) {
    s->first = s->free = mpl_scalar(e, value);
    s->last = mpl_last_lane(e, s->first, s->stride = stride);
    return;
  }
  unsigned which = (unsigned)mpl_grows_with(e->lanes, value, block);
  follow(e, s, LLVMGetOperand(value, which), block);
  struct mpl_extreme extreme = mpl_extreme_of(value);
  if (LLVMIsAZExtInst(value) || LLVMIsASExtInst(value)) {
    extend(e, s, value);
    return;
  }
  if (extreme.is) require(e, s, extreme.is_signed ? LLVMIntSLE : LLVMIntULE, s->first, s->last);
  s->first = compute_with(e, value, which, s->first);
  s->last = compute_with(e, value, which, s->last);
  if (extreme.is) {
    *(extreme.largest ? &s->low : &s->high) = true;
    s->clamp = value, s->there.free = s->free, s->there.first = s->first;
    return;
  }
  s->free = compute_with(e, value, which, s->free);
}

/* All lanes' that `which` has, from one place or from there on. */
static LLVMValueRef load_some(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef load,
                              LLVMValueRef which, LLVMValueRef at, bool uniform) {
  LLVMValueRef mask = e->mask;
  if (mask || !uniform) /* else the first lane and the last one are there */
    e->mask = mpl_lanes_of_both(e, mask, which);
  LLVMValueRef value = mpl_load_at(e, r, load, at, uniform);
  e->mask = mask;
  return value;
}

static LLVMValueRef load_clamped(struct mpl_emit *e, const struct mpl_recipe *r, struct stopped *s, LLVMValueRef load) {
  LLVMTypeRef type = LLVMTypeOf(s->clamp);
  LLVMValueRef lanes = mpl_vector(e, s->clamp), steps = mpl_steps(e, type, s->stride),
               along = LLVMBuildAdd(e->b, mpl_splat(e, s->there.free), steps, ""),
               middle = LLVMBuildICmp(e->b, LLVMIntEQ, lanes, along, ""),
               ends = LLVMBuildNot(e->b, middle, ""), low = ends, high = ends, end = NULL;
  if (s->low && s->high) {
    LLVMValueRef first = mpl_splat(e, s->there.first);
    low = LLVMBuildAnd(e->b, ends, LLVMBuildICmp(e->b, LLVMIntEQ, lanes, first, ""), "");
    high = LLVMBuildAnd(e->b, ends, LLVMBuildNot(e->b, low, ""), "");
  }
  if (s->high) end = load_some(e, r, load, high, s->last, true);
  if (s->low) {
    LLVMValueRef first = load_some(e, r, load, low, s->first, true);
    end = end ? LLVMBuildSelect(e->b, low, first, end, "") : first;
  }
  return LLVMBuildSelect(e->b, middle, load_some(e, r, load, middle, s->free, false), end, "");
}

/* --- lanes that go round --- */

/* The place of the first lane, for which `value` is `first`. */
static LLVMValueRef place(struct mpl_emit *e, LLVMValueRef pointer, unsigned block, LLVMValueRef value,
                          LLVMValueRef first) {
  if (pointer == value) return first;
  unsigned which = (unsigned)mpl_grows_with(e->lanes, pointer, block);
  first = place(e, LLVMGetOperand(pointer, which), block, value, first);
  return compute_with(e, pointer, which, first);
}

/* Of the lanes that are there none comes round twice. */
static LLVMValueRef goes_round_once(struct mpl_emit *e, LLVMValueRef mask, int stride) {
  LLVMTypeRef type = LLVMTypeOf(mask);
  LLVMValueRef one = LLVMConstInt(type, 1, false), zero = LLVMConstNull(type),
               behind = LLVMBuildAdd(e->b, mask, one, ""),
               low = LLVMBuildICmp(e->b, LLVMIntEQ, LLVMBuildAnd(e->b, mask, behind, ""), zero, ""),
               some = LLVMBuildICmp(e->b, LLVMIntSGT, mask, zero, ""), once;
  if (e->mask) {
    LLVMValueRef twice = LLVMBuildICmp(e->b, LLVMIntUGT, mpl_steps(e, type, stride),
                                       mpl_splat(e, mask), "");
    once = LLVMBuildNot(e->b, mpl_any_lane(e, mpl_lanes_of_both(e, e->mask, twice)), "");
  } else {
    uint64_t last = (uint64_t)stride * (e->width - 1);
    once = LLVMBuildICmp(e->b, LLVMIntULE, LLVMConstInt(type, last, false), mask, "");
  }
  return LLVMBuildAnd(e->b, LLVMBuildAnd(e->b, low, some, ""), once, "");
}

static LLVMValueRef load_wrapped(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef load) {
  const struct mpl_border *w = &r->border;
  unsigned block = mpl_cfg_block_of(e->items->cfg, load);
  int size = (int)LLVMABISizeOfType(e->ir->layout, LLVMTypeOf(load));
  LLVMValueRef mask = mpl_scalar(e, w->mask), lanes = mpl_vector(e, w->value),
               from = LLVMBuildAnd(e->b, mpl_scalar(e, w->along), mask, ""),
               again = LLVMBuildICmp(e->b, LLVMIntULT, lanes, mpl_splat(e, from), ""),
               at = place(e, LLVMGetOperand(load, 0), block, w->value, from),
               round = LLVMBuildAdd(e->b, LLVMBuildIntCast2(e->b, mask, e->ir->i64, false, ""),
                                    mpl_const64(e->ir, 1), "");
  round = LLVMBuildMul(e->b, round, mpl_const64(e->ir, (uint64_t)(int64_t)(-size / w->stride)), "");
  LLVMValueRef begin = mpl_moved(e, at, round),
               ahead = load_some(e, r, load, LLVMBuildNot(e->b, again, ""), at, false);
  return LLVMBuildSelect(e->b, again, load_some(e, r, load, again, begin, false), ahead, "");
}

LLVMValueRef mpl_load_at_border(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef load,
                                struct mpl_versions *versions) {
  const struct mpl_border *border = &r->border;
  if (border->kind == MPL_CLAMPED) {
    struct stopped s = {0};
    follow(e, &s, LLVMGetOperand(load, 0), mpl_cfg_block_of(e->items->cfg, load));
    mpl_insert_version(e, versions, s.holds, "stopped");
    return load_clamped(e, r, &s, load);
  }
  LLVMValueRef holds = goes_round_once(e, mpl_scalar(e, border->mask), border->stride);
  mpl_insert_version(e, versions, holds, "wrapped");
  return load_wrapped(e, r, load);
}
