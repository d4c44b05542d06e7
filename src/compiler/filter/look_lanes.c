/* Whether lanes may call a function of their sub-group as they do (items/filter.c says what is
 * asked), and what its barriers order.  Without a lane that comes nothing is asked. */
#include <stddef.h>

#include "abi/filter.h"
#include "look.h"

/* Each lane's argument, frozen: what lanes have that do not come may be poison. */
static LLVMValueRef arguments(const struct look *l) {
  LLVMValueRef vector = mpl_vector(l->e, LLVMGetOperand(l->call, MPL_LANES_ARGUMENT));
  return l->mask ? LLVMBuildFreeze(l->b, vector, "") : vector;
}

static void stop_if_any(struct look *l, LLVMValueRef wrong) {
  mpl_look_stop_if(l, mpl_look_any(l, wrong, l->mask));
}

static void look_at_argument(struct look *l, uint64_t asked, LLVMValueRef here, LLVMValueRef all) {
  LLVMValueRef each = arguments(l);
  if (asked & MPL_LANES_INSIDE) {
    LLVMValueRef count = mpl_call_intrinsic(l->b, "llvm.ctpop", l->ir->i64, &all, 1);
    stop_if_any(l, mpl_look_compare(l, LLVMIntUGE, each, count));
  }
  if (!(asked & MPL_LANES_SAME)) return;
  LLVMValueRef first = mpl_first_bit(l->e, here, false);
  first = LLVMBuildAnd(l->b, first, mpl_const64(l->ir, l->lanes - 1), "");
  first = LLVMBuildExtractElement(l->b, each, first, "");
  stop_if_any(l, mpl_look_compare(l, LLVMIntNE, each, first));
}

/* The lane that each takes a value from is one of those that have come. */
static void look_at_sources(struct look *l, uint64_t asked, LLVMValueRef here) {
  LLVMValueRef from = arguments(l), own = mpl_steps(l->e, l->ir->i64, 1);
  if (asked & MPL_LANES_XOR) from = LLVMBuildXor(l->b, own, from, "");
  if (asked & MPL_LANES_DOWN) from = LLVMBuildAdd(l->b, own, from, "");
  if (asked & MPL_LANES_UP) from = LLVMBuildSub(l->b, own, from, "");
  LLVMValueRef outside = mpl_look_compare(l, LLVMIntUGE, from, mpl_const64(l->ir, l->lanes));
  LLVMValueRef by = LLVMBuildAnd(l->b, from, mpl_look_like(l, mpl_const64(l->ir, 63), from), "");
  LLVMValueRef bit = LLVMBuildLShr(l->b, mpl_look_like(l, here, by), by, "");
  bit = LLVMBuildAnd(l->b, bit, mpl_look_like(l, mpl_const64(l->ir, 1), bit), "");
  LLVMValueRef absent = LLVMBuildICmp(l->b, LLVMIntEQ, bit, LLVMConstNull(LLVMTypeOf(bit)), "");
  stop_if_any(l, LLVMBuildOr(l->b, outside, absent, ""));
}

/* For lanes of which some have come, and then all: a barrier wants them. */
static void step(struct look *l, uint64_t fences) {
  LLVMBasicBlockRef done = NULL;
  LLVMValueRef args[] = {l->group, mpl_const32(l->ir, (unsigned)fences)};
  if (l->some) {
    LLVMBasicBlockRef some = mpl_look_new_block(l, "filter.step");
    done = mpl_look_new_block(l, "filter.done");
    LLVMBuildCondBr(l->b, l->some, some, done);
    LLVMPositionBuilderAtEnd(l->b, some);
  }
  LLVMValueRef function = MPL_LOOK_GROUP(ptr, step, true);
  mpl_call(l->b, function, l->ir->void_type, args, 2);
  if (done) mpl_go_on_in(l->b, done);
}

void mpl_look_at_lanes(struct look *l) {
  uint64_t asked = mpl_look_number(l, MPL_LANES_ASKED),
           fences = mpl_look_number(l, MPL_LANES_FENCES);
  l->group = mpl_look_group(l, LLVMGetOperand(l->call, MPL_LANES_GROUP));
  LLVMValueRef here = mpl_mask_word(l->e, l->mask), all = mpl_mask_word(l->e, l->e->all);
  if (asked & MPL_LANES_ALL && l->mask != l->e->all)
    mpl_look_stop_if(l, mpl_look_if_some(l, LLVMBuildICmp(l->b, LLVMIntNE, here, all, "")));
  if (asked & (MPL_LANES_SAME | MPL_LANES_INSIDE)) look_at_argument(l, asked, here, all);
  if (asked & (MPL_LANES_AT | MPL_LANES_XOR | MPL_LANES_DOWN | MPL_LANES_UP))
    look_at_sources(l, asked, here);
  if (fences) step(l, fences);
}
