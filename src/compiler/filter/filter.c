/* Filters' looks at accesses (abi/filter.h): in front of each, whether it stays within its memory,
 * whether what it reads was written, and whether somebody else was there whom nothing orders. Lanes
 * at one place, or one beside the other, need what one work-item needs; others gather.
 *
 * A look may be mistaken in one direction only: it stops the kernel where nothing is wrong.  Lanes
 * that all read one place leave there that several have; of lanes that have written to one place by
 * one instruction, the last one's stamp stays, and the others see that. */
#include <stddef.h>

#include "abi/filter.h"
#include "abi/items.h"
#include "compiler/passes.h"
#include "look.h"

/* --- Bounds --- */

/* The first element's number; an unaligned one becomes too large. */
static LLVMValueRef unit_of(const struct look *l, LLVMValueRef offset) {
  if (!l->shift) return offset;
  LLVMValueRef right = mpl_look_like(l, mpl_const64(l->ir, l->shift), offset),
               left = mpl_look_like(l, mpl_const64(l->ir, 64 - l->shift), offset);
  LLVMValueRef low = LLVMBuildLShr(l->b, offset, right, "");
  return LLVMBuildOr(l->b, low, LLVMBuildShl(l->b, offset, left, ""), "");
}

/* The first that is no place for so many elements. */
static LLVMValueRef end_for(const struct look *l, uint64_t count) {
  if (count == 1) return l->units;
  LLVMValueRef less = mpl_const64(l->ir, count - 1);
  LLVMValueRef fits = LLVMBuildICmp(l->b, LLVMIntUGT, l->units, less, "");
  return LLVMBuildSelect(l->b, fits, LLVMBuildSub(l->b, l->units, less, ""), mpl_const64(l->ir, 0),
                         "");
}

/* Of lanes, one beside the other. */
static LLVMValueRef each_place(const struct look *l, LLVMValueRef first) {
  return LLVMBuildAdd(l->b, mpl_look_splat(l, first, l->lanes),
                      mpl_steps(l->e, l->ir->i64, l->size), "");
}

static void look_at_bounds(struct look *l, LLVMValueRef offset) {
  if (l->how == BESIDE && l->mask) /* the first lane need not be inside */
    offset = each_place(l, offset);
  uint64_t count = l->how == BESIDE && !l->mask ? (uint64_t)l->lanes * l->each : l->each;
  LLVMValueRef unit = unit_of(l, offset);
  mpl_look_stop_if_any(l, mpl_look_compare(l, LLVMIntUGE, unit, end_for(l, count)), l->mask);
}

/* --- Reads --- */

static LLVMValueRef pointers(const struct look *l, LLVMValueRef numbers) {
  LLVMTypeRef type = l->ir->ptr;
  if (mpl_is_vector_type(LLVMTypeOf(numbers)))
    type = LLVMVectorType(type, LLVMGetVectorSize(LLVMTypeOf(numbers)));
  return LLVMBuildIntToPtr(l->b, numbers, type, "");
}

/* Words that nobody has written hold one number. */
static LLVMValueRef is_unwritten(const struct look *l, LLVMValueRef words, LLVMValueRef mask) {
  return mpl_look_any(l, mpl_look_compare(l, LLVMIntEQ, words, mpl_const32(l->ir, MPL_UNWRITTEN)),
                      mask);
}

static LLVMValueRef word_below(const struct look *l, LLVMValueRef at) {
  return LLVMBuildAnd(l->b, at, mpl_look_like(l, mpl_const64(l->ir, ~UINT64_C(3)), at), "");
}

static LLVMValueRef address(const struct look *l) {
  LLVMValueRef pointer = LLVMGetOperand(l->call, MPL_FILTER_ADDRESS);
  if (!l->e) return pointer;
  return l->how == APART ? mpl_vector(l->e, pointer) : mpl_scalar(l->e, pointer);
}

/* Bytes and half words one beside the other: the words that they are in. */
static LLVMValueRef words_around(const struct look *l) {
  uint64_t bytes = (uint64_t)l->lanes * l->size;
  LLVMValueRef last = LLVMBuildAdd(l->b, l->at, mpl_const64(l->ir, bytes - 1), "");
  LLVMTypeRef type = mpl_look_vector_of(l->ir->i32, (unsigned)((bytes + 3) / 4));
  LLVMValueRef words = mpl_aligned_load(l->b, type, pointers(l, word_below(l, l->at)), 4);
  LLVMValueRef end = mpl_aligned_load(l->b, l->ir->i32, pointers(l, word_below(l, last)), 4);
  LLVMValueRef first = is_unwritten(l, words, NULL);
  return LLVMBuildOr(l->b, first, is_unwritten(l, end, NULL), "");
}

static void look_for_unwritten(struct look *l) {
  LLVMValueRef found = NULL, at = address(l);
  bool whole = l->size % 4 == 0;
  if (l->how == BESIDE && whole) {
    LLVMValueRef words = mpl_look_get(l, at, l->size / 4);
    mpl_look_stop_if(l, is_unwritten(l, words, mpl_look_repeated(l, l->mask, l->size / 4)));
    return;
  }
  if (l->how == BESIDE && !l->mask) {
    mpl_look_stop_if(l, words_around(l));
    return;
  }
  struct look one = *l;
  if (l->how == BESIDE) {
    one.how = APART;
    one.at = each_place(l, l->at);
  }
  if (!whole) at = pointers(l, word_below(l, one.at));
  for (unsigned k = 0; k < (l->size + 3) / 4; k++) {
    LLVMValueRef from =
        mpl_look_safe(&one, k ? mpl_look_place(l, at, mpl_const64(l->ir, 4 * k)) : at);
    LLVMValueRef is =
        is_unwritten(l, mpl_look_get(&one, from, 1), one.how == APART ? l->mask : NULL);
    found = found ? LLVMBuildOr(l->b, found, is, "") : is;
  }
  mpl_look_stop_if(l, l->how == ONE ? mpl_look_if_some(l, found) : found);
}

/* --- One access --- */

/* The sub-group's step, and its number of work-item 0. */
static LLVMValueRef find_steps(struct look *l, unsigned kind) {
  uint64_t at = offsetof(struct mpl_filter_group, steps) + kind * sizeof(struct mpl_filter_steps);
#define STEPS(name)                                                                                \
  mpl_look_load(l, l->ir->i32, l->group, at + offsetof(struct mpl_filter_steps, name), false)
  l->steps = (struct look_steps){.several = STEPS(several),
                                 .from = STEPS(from),
                                 .before = STEPS(before),
                                 .low = STEPS(low),
                                 .done = STEPS(done),
                                 .next = STEPS(next)};
  return STEPS(own);
#undef STEPS
}

static LLVMValueRef own_stamps(const struct look *l, LLVMValueRef of_first, unsigned block) {
  LLVMValueRef item = LLVMGetOperand(l->call, MPL_FILTER_ITEM);
  LLVMTypeRef i32 = l->ir->i32;
  int stride = l->e ? mpl_stride_at(l->e->lanes, item, block) : 0;
  if (stride == MPL_ANY_STRIDE) {
    LLVMValueRef items = mpl_vector(l->e, item);
    items = LLVMBuildTrunc(l->b, items, LLVMVectorType(i32, l->lanes), "");
    return LLVMBuildAdd(l->b, items, mpl_look_splat(l, of_first, l->lanes), "");
  }
  LLVMValueRef first = LLVMBuildTrunc(l->b, l->e ? mpl_scalar(l->e, item) : item, i32, "");
  first = LLVMBuildAdd(l->b, first, of_first, "");
  if (l->lanes == 1) return first;
  return LLVMBuildAdd(l->b, mpl_look_splat(l, first, l->lanes), mpl_steps(l->e, i32, stride), "");
}

/* Who accesses, and which numbers stand for several. */
static void find_own(struct look *l, unsigned block) {
  unsigned kind = l->is_local ? MPL_FILTER_LOCAL : MPL_FILTER_GLOBAL;
  l->phase =
      mpl_look_load(l, l->ir->i32, l->group,
                    offsetof(struct mpl_filter_group, phase) + kind * sizeof(uint32_t), false);
  l->several = LLVMBuildAdd(l->b, l->phase, MPL_LOOK_GROUP(i32, several, true), "");
  l->atomics = l->is_local ? LLVMBuildAdd(l->b, l->several, mpl_const32(l->ir, 1), "")
                           : MPL_LOOK_GROUP(i32, atomics, true);
  l->own = own_stamps(l, l->has_steps ? find_steps(l, kind) : l->phase, block);
}

/* Memory without stamps (check/filter/filter.c) has nothing unwritten, and nobody writes to it. */
static LLVMBasicBlockRef skip_if_known(const struct look *l) {
  LLVMBasicBlockRef done = mpl_look_new_block(l, "filter.known"),
                    look = mpl_look_new_block(l, "filter.look");
  LLVMBuildCondBr(l->b, LLVMBuildIsNull(l->b, l->wrote, ""), done, look);
  LLVMPositionBuilderAtEnd(l->b, look);
  return done;
}

static void look_at(struct look *l, unsigned block) {
  unsigned flags = (unsigned)mpl_look_number(l, MPL_FILTER_FLAGS);
  uint64_t argument = mpl_look_number(l, MPL_FILTER_ARGUMENT);
  l->size = (unsigned)mpl_look_number(l, MPL_FILTER_SIZE);
  l->shift = (unsigned)mpl_look_number(l, MPL_FILTER_SHIFT);
  l->each = l->size >> l->shift;
  l->reads = flags & MPL_ACCESS_READ;
  l->writes = flags & MPL_ACCESS_WRITE;
  l->is_atomic = flags & MPL_ACCESS_ATOMIC;
  l->is_local = mpl_look_number(l, MPL_FILTER_IS_LOCAL);
  l->is_only_read = mpl_look_number(l, MPL_FILTER_ONLY_READ);
  l->has_steps = mpl_look_number(l, MPL_FILTER_STEPS);
  l->group = mpl_look_group(l, LLVMGetOperand(l->call, MPL_FILTER_GROUP));
  l->at = address(l);
  l->at = LLVMBuildPtrToInt(
      l->b, l->at, l->how == APART ? LLVMVectorType(l->ir->i64, l->lanes) : l->ir->i64, "");
  if (argument)
    mpl_look_find_argument(l, argument);
  else
    mpl_look_find_variable(l);
  LLVMValueRef offset = LLVMBuildSub(l->b, l->at, mpl_look_like(l, l->low, l->at), "");
  look_at_bounds(l, offset);
  LLVMBasicBlockRef done = l->is_only_read && !l->is_local ? skip_if_known(l) : NULL;
  find_own(l, block);
  if (l->reads && !l->is_local && flags & (MPL_ACCESS_USED | MPL_ACCESS_COPIED))
    look_for_unwritten(l);
  mpl_look_at_stamps(l, offset);
  if (done) mpl_go_on_in(l->b, done);
}

/* MPL_MARK_FILTER_STOP: of lanes that are there. */
static void stop_on_condition(struct look *l, unsigned block) {
  LLVMValueRef condition = LLVMGetOperand(l->call, MPL_STOP_CONDITION);
  bool varies = l->e && mpl_stride_at(l->e->lanes, condition, block);
  l->group = mpl_look_group(l, LLVMGetOperand(l->call, MPL_STOP_GROUP));
  if (varies)
    mpl_look_stop_if(l, mpl_look_any(l, mpl_vector(l->e, condition), l->mask));
  else
    mpl_look_stop_if(l, mpl_look_if_some(l, l->e ? mpl_scalar(l->e, condition) : condition));
}

void mpl_look_at_call(struct look *l, unsigned block) {
  switch (mpl_marker_of(l->call)) {
  case MPL_MARK_FILTER_STOP:
    stop_on_condition(l, block);
    break;
  case MPL_MARK_FILTER_LANES:
    mpl_look_at_lanes(l);
    break;
  default:
    look_at(l, block);
  }
}

void mpl_widen_filter(struct mpl_emit *e, LLVMValueRef call) {
  unsigned block = mpl_cfg_block_of(e->items->cfg, call);
  struct look l = {.ir = e->ir,
                   .e = e,
                   .b = e->b,
                   .function = e->function,
                   .call = call,
                   .lanes = e->width,
                   .mask = e->mask};
  if (e->mask != e->all) l.some = mpl_any_lane(e, e->mask);
  if (mpl_marker_of(call) == MPL_MARK_FILTER) {
    int stride = mpl_stride_at(e->lanes, LLVMGetOperand(call, MPL_FILTER_ADDRESS), block);
    int size = (int)LLVMConstIntGetZExtValue(LLVMGetOperand(call, MPL_FILTER_SIZE));
    l.how = !stride ? ONE : stride == size ? BESIDE : APART;
  }
  mpl_look_at_call(&l, block);
}
