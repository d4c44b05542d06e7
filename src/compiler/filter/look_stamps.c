/* Whether somebody else was at the place of an access whom nothing orders. */
#include <stddef.h>

#include "abi/filter.h"
#include "look.h"

/* One of so many numbers. */
static LLVMValueRef is_among(const struct look *l, LLVMValueRef stamp, LLVMValueRef from,
                             LLVMValueRef count) {
  LLVMValueRef since = LLVMBuildSub(l->b, stamp, mpl_look_like(l, from, stamp), "");
  return mpl_look_compare(l, LLVMIntULT, since, count);
}

/* Of the sub-group's own, and not in the steps behind it (abi/filter.h). */
static LLVMValueRef but_in_step(const struct look *l, LLVMValueRef is, LLVMValueRef stamp) {
  if (!l->has_steps) return is;
  LLVMValueRef first = is_among(l, stamp, l->steps.from, l->steps.before),
               behind = is_among(l, stamp, l->steps.low, l->steps.done);
  LLVMValueRef neither = LLVMBuildNot(l->b, LLVMBuildOr(l->b, first, behind, ""), "");
  return LLVMBuildAnd(l->b, is, mpl_look_like(l, neither, is), "");
}

/* Somebody else's, in this phase, or a group's that nothing orders. */
static LLVMValueRef is_other(const struct look *l, LLVMValueRef stamp, LLVMValueRef own) {
  LLVMValueRef now = mpl_look_compare(l, LLVMIntUGE, stamp, l->phase);
  now = mpl_look_like(l, now, own);
  LLVMValueRef is = LLVMBuildAnd(l->b, now, mpl_look_compare(l, LLVMIntNE, stamp, own), "");
  return but_in_step(l, is, stamp);
}

/* Who wrote that is not in order; of local memory that is read also that nobody did in this group.
 */
static LLVMValueRef is_wrong_writer(const struct look *l, LLVMValueRef stamp, LLVMValueRef own) {
  if (!l->is_local || !l->reads) return is_other(l, stamp, own);
  LLVMValueRef first = MPL_LOOK_GROUP(i32, first, true);
  LLVMValueRef since = LLVMBuildSub(l->b, stamp, mpl_look_like(l, first, stamp), "");
  LLVMValueRef wrong =
      mpl_look_compare(l, LLVMIntUGE, since, LLVMBuildSub(l->b, l->phase, first, ""));
  wrong = mpl_look_like(l, wrong, own);
  wrong = LLVMBuildAnd(l->b, wrong, mpl_look_compare(l, LLVMIntNE, stamp, own), "");
  return but_in_step(l, wrong, stamp);
}

static LLVMValueRef umax(const struct look *l, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef is = mpl_look_compare(l, LLVMIntUGT, a, b);
  return LLVMBuildSelect(l->b, is, a, mpl_look_like(l, b, a), "");
}

/* Several have read where that one did; of the sub-group, if he is of it and it has steps. */
static LLVMValueRef read_by_several(const struct look *l, LLVMValueRef stamp) {
  LLVMValueRef any = umax(l, stamp, l->several);
  if (!l->has_steps) return any;
  LLVMValueRef count = LLVMBuildSub(l->b, l->steps.next, l->steps.low, ""),
               items = MPL_LOOK_GROUP(i32, num_items, false);
  LLVMValueRef own = is_among(l, stamp, l->steps.from, items);
  own = LLVMBuildOr(l->b, own, is_among(l, stamp, l->steps.low, count), "");
  own = LLVMBuildOr(l->b, own, mpl_look_compare(l, LLVMIntULT, stamp, l->phase), "");
  return LLVMBuildSelect(l->b, own, mpl_look_like(l, l->steps.several, any), any, "");
}

/* The stamp of who has read, after one more. */
static LLVMValueRef read_by(const struct look *l, LLVMValueRef stamp, LLVMValueRef own) {
  LLVMValueRef alone = mpl_look_compare(l, LLVMIntULT, stamp, l->phase);
  alone = LLVMBuildOr(l->b, alone, mpl_look_compare(l, LLVMIntEQ, stamp, own), "");
  if (l->has_steps) { /* or nobody who is not in order */
    LLVMValueRef open = but_in_step(l, LLVMBuildNot(l->b, alone, ""), stamp);
    alone = LLVMBuildNot(l->b, open, "");
  }
  return LLVMBuildSelect(l->b, alone, own, read_by_several(l, stamp), "");
}

/* One place for all lanes: whether there is but one of them, and its stamp. */
struct alone {
  LLVMValueRef is, own;
};

static struct alone find_alone(const struct look *l) {
  struct alone alone = {LLVMConstInt(l->ir->i1, l->lanes == 1, false), l->own};
  if (l->lanes == 1 || !l->mask) return alone;
  LLVMValueRef bits = mpl_mask_bits(l->e, l->mask);
  LLVMTypeRef type = LLVMTypeOf(bits);
  LLVMValueRef rest = LLVMBuildSub(l->b, bits, LLVMConstInt(type, 1, false), "");
  rest = LLVMBuildAnd(l->b, bits, rest, "");
  alone.is = LLVMBuildICmp(l->b, LLVMIntEQ, rest, LLVMConstNull(type), "");
  alone.own = LLVMBuildExtractElement(l->b, l->own, mpl_some_lane(l->e), "");
  return alone;
}

/* Of local memory, where nobody writes before the next barrier. */
static void only_read(struct look *l, LLVMValueRef wrote) {
  unsigned times = l->how == BESIDE ? l->each : 1;
  LLVMValueRef own = mpl_look_repeated(l, l->own, times),
               mask = mpl_look_repeated(l, l->mask, times);
  mpl_look_stop_if_any(l, is_wrong_writer(l, mpl_look_get(l, wrote, times), own), mask);
}

static void stamp_one(struct look *l, LLVMValueRef wrote, LLVMValueRef read) {
  struct alone alone = find_alone(l);
  bool many = l->lanes > 1 && !l->mask; /* and all are there */
  LLVMValueRef writer = mpl_look_get(l, wrote, 1), reader = mpl_look_get(l, read, 1);
  LLVMValueRef own = l->lanes == 1 ? l->own : alone.own;
  if (l->writes) {
    LLVMValueRef wrong =
        many ? LLVMConstInt(l->ir->i1, 1, false) : is_wrong_writer(l, writer, own);
    if (!many) wrong = LLVMBuildOr(l->b, wrong, is_other(l, reader, own), "");
    if (l->lanes > 1) wrong = LLVMBuildOr(l->b, wrong, LLVMBuildNot(l->b, alone.is, ""), "");
    mpl_look_stop_if_any(l, wrong, NULL);
    mpl_look_put(l, many ? l->several : own, wrote);
    return;
  }
  mpl_look_stop_if_any(l, is_wrong_writer(l, writer, l->own), l->mask);
  LLVMValueRef now = read_by_several(l, reader);
  if (l->lanes == 1)
    now = read_by(l, reader, own);
  else if (l->mask)
    now = LLVMBuildSelect(l->b, alone.is, read_by(l, reader, own), now, "");
  mpl_look_put(l, now, read);
}

static void stamp_beside(struct look *l, LLVMValueRef wrote, LLVMValueRef read) {
  LLVMValueRef own = mpl_look_repeated(l, l->own, l->each),
               mask = mpl_look_repeated(l, l->mask, l->each);
  LLVMValueRef writer = mpl_look_get(l, wrote, l->each), reader = mpl_look_get(l, read, l->each);
  LLVMValueRef wrong = is_wrong_writer(l, writer, own);
  if (l->writes) wrong = LLVMBuildOr(l->b, wrong, is_other(l, reader, own), "");
  mpl_look_stop_if_any(l, wrong, mask);
  if (l->writes)
    mpl_look_put(l, own, wrote);
  else
    mpl_look_put(l, read_by(l, reader, own), read);
}

/* Stamps that change are put; then those of lanes that have met others say so. */
static void read_apart(struct look *l, LLVMValueRef read, LLVMValueRef reader) {
  LLVMBasicBlockRef change = mpl_look_new_block(l, "filter.read"),
                    lost = mpl_look_new_block(l, "filter.met"),
                    done = mpl_look_new_block(l, "filter.done");
  LLVMValueRef now = read_by(l, reader, l->own), mask = l->mask;
  LLVMValueRef changes = mpl_look_any(l, mpl_look_compare(l, LLVMIntNE, now, reader), mask);
  LLVMBuildCondBr(l->b, changes, change, done);
  LLVMPositionBuilderAtEnd(l->b, change);
  mpl_look_put(l, now, read);
  LLVMValueRef met = mpl_look_compare(l, LLVMIntNE, mpl_look_get(l, read, 1), now);
  if (mask) met = LLVMBuildSelect(l->b, mask, met, LLVMConstNull(LLVMTypeOf(met)), "");
  LLVMBuildCondBr(l->b, mpl_look_any(l, met, NULL), lost, done);
  LLVMPositionBuilderAtEnd(l->b, lost);
  l->e->mask = met;
  mpl_look_put(l, read_by_several(l, now), read);
  l->e->mask = mask;
  mpl_go_on_in(l->b, done);
}

static void stamp_apart(struct look *l, LLVMValueRef wrote, LLVMValueRef read) {
  LLVMValueRef writer = mpl_look_get(l, wrote, 1), reader = NULL;
  LLVMValueRef wrong = is_wrong_writer(l, writer, l->own);
  reader = mpl_look_get(l, read, 1);
  if (l->writes) wrong = LLVMBuildOr(l->b, wrong, is_other(l, reader, l->own), "");
  mpl_look_stop_if_any(l, wrong, l->mask);
  if (!l->writes) {
    read_apart(l, read, reader);
    return;
  }
  mpl_look_put(l, l->own, wrote);
  wrong = mpl_look_compare(l, LLVMIntNE, mpl_look_get(l, wrote, 1), l->own);
  mpl_look_stop_if_any(l, wrong, l->mask);
}

/* Of global memory: who wrote in this launch and is in order with this group, but with no other. */
static LLVMValueRef hides(const struct look *l, LLVMValueRef writer) {
  LLVMValueRef since = mpl_look_compare(l, LLVMIntUGE, writer, MPL_LOOK_GROUP(i32, earlier, true));
  return LLVMBuildAnd(l->b, since, mpl_look_compare(l, LLVMIntULT, writer, l->phase), "");
}

/* What is not in order with all of the phase: steps order the sub-group's own only, and the number
 * of all atomics does not say which of them it was. */
static LLVMValueRef is_wrong_for_atomics(struct look *l, LLVMValueRef stamp, LLVMValueRef own) {
  bool has_steps = l->has_steps;
  l->has_steps = false;
  LLVMValueRef wrong = is_wrong_writer(l, stamp, own);
  l->has_steps = has_steps;
  return wrong;
}

/* Atomics meet one another, but nobody else in this phase, and in global memory in this launch: so
 * in the place of who wrote last there is a number for all of them.  One who wrote there before
 * stays: others see that.  What they make known to one another is for the engine. */
static void stamp_atomic(struct look *l, LLVMValueRef wrote, LLVMValueRef read) {
  unsigned times = l->how == BESIDE ? l->each : 1;
  LLVMValueRef own = mpl_look_repeated(l, l->own, times),
               mask = mpl_look_repeated(l, l->mask, times);
  LLVMValueRef writer = mpl_look_get(l, wrote, times), reader = mpl_look_get(l, read, times);
  LLVMValueRef wrong = is_wrong_for_atomics(l, writer, own),
               others = mpl_look_compare(l, LLVMIntNE, writer, l->atomics);
  wrong = LLVMBuildAnd(l->b, wrong, mpl_look_like(l, others, wrong), "");
  if (!l->is_local) wrong = LLVMBuildOr(l->b, wrong, mpl_look_like(l, hides(l, writer), wrong), "");
  mpl_look_stop_if_any(l, LLVMBuildOr(l->b, wrong, is_other(l, reader, own), ""), mask);
  LLVMValueRef stays = mpl_look_compare(l, LLVMIntUGE, writer, l->phase);
  LLVMValueRef atomics = mpl_look_like(l, l->atomics, writer);
  mpl_look_put(l, LLVMBuildSelect(l->b, stays, writer, atomics, ""), wrote);
}

void mpl_look_at_stamps(struct look *l, LLVMValueRef offset) {
  offset = LLVMBuildAShr(l->b, offset, mpl_look_like(l, mpl_const64(l->ir, l->shift), offset), "");
  offset = LLVMBuildShl(l->b, offset, mpl_look_like(l, mpl_const64(l->ir, 2), offset), "");
  for (unsigned k = 0; k < (l->how == BESIDE ? 1 : l->each); k++) {
    LLVMValueRef at = offset;
    if (k) at = LLVMBuildAdd(l->b, offset, mpl_look_like(l, mpl_const64(l->ir, 4 * k), offset), "");
    LLVMValueRef wrote = mpl_look_safe(l, mpl_look_place(l, l->wrote, at)),
                 read = mpl_look_safe(l, mpl_look_place(l, l->read, at));
    if (l->is_atomic)
      stamp_atomic(l, wrote, read);
    else if (l->is_only_read && l->is_local)
      only_read(l, wrote);
    else if (l->how == ONE)
      stamp_one(l, wrote, read);
    else if (l->how == BESIDE)
      stamp_beside(l, wrote, read);
    else
      stamp_apart(l, wrote, read);
  }
}
