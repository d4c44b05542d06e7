/* Loops that wait for another work-item.  Lanes that have left a loop go on when the last one has
 * left it: if that one waits for what another does behind the loop, as at a spin lock, it would
 * wait forever.  OpenCL promises work-items of a group nothing there, but run one after another
 * they get on.  So such a loop is not widened.
 *
 * Who waits reads one place again and again until something else is there: a volatile or atomic
 * load, or an atomic that leaves there what it has left before, or what claims or counts the
 * packets of a pipe.  One that tries again with a new value (the usual loop around a
 * compare-and-exchange) makes progress whenever it fails, since another has made some. */
#include "analysis.h"

struct wait {
  const struct mpl_item_loop *items;
  const struct mpl_inner_loop *loop;
  struct mpl_map seen;
};

static bool is_inside(struct wait *s, LLVMValueRef value) {
  return !mpl_is_outside(s->loop, mpl_own_block(s->items, value));
}

static bool is_invariant(struct wait *s, LLVMValueRef value, unsigned depth) {
  if (!is_inside(s, value)) return true;
  if (LLVMIsAPHINode(value) || LLVMIsACallInst(value) || depth > MPL_DEEPEST) return false;
  for (int k = 0; k < LLVMGetNumOperands(value); k++)
    if (!is_invariant(s, LLVMGetOperand(value, k), depth + 1)) return false;
  return true;
}

static bool is_zero(LLVMValueRef value) {
  return LLVMIsAConstant(value) && LLVMIsNull(value);
}

/* Does it leave at its place the same again and again? */
static bool repeats(struct wait *s, LLVMValueRef i) {
  if (!LLVMIsALoadInst(i) && !LLVMIsAAtomicCmpXchgInst(i) && !LLVMIsAAtomicRMWInst(i) &&
      !mpl_looks_into_pipe(i))
    return false;
  for (int k = 0; k < LLVMGetNumOperands(i); k++)
    if (!is_invariant(s, LLVMGetOperand(i, k), 0)) return false;
  if (LLVMIsALoadInst(i)) return mpl_is_seen_by_others(i);
  if (!LLVMIsAAtomicRMWInst(i)) return true;
  switch (LLVMGetAtomicRMWBinOp(i)) {
  case LLVMAtomicRMWBinOpAdd:
  case LLVMAtomicRMWBinOpSub:
  case LLVMAtomicRMWBinOpXor:
    return is_zero(LLVMGetOperand(i, 1));
  default:
    return true;
  }
}

static bool leaves(struct wait *s, LLVMValueRef end) {
  for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
    if (!is_inside(s, LLVMGetBasicBlockTerminator(LLVMGetSuccessor(end, k)))) return true;
  return false;
}

/* Does the value decide who leaves the loop?  Not if another attempt is made with it. */
static bool decides(struct wait *s, LLVMValueRef value) {
  if (!mpl_map_add(&s->seen, value)) return false;
  bool found = false;
  MPL_EACH_USER(user, value) {
    if (!is_inside(s, user)) continue;
    if (LLVMIsAAtomicCmpXchgInst(user)) return false;
    found |= LLVMIsATerminatorInst(user) ? leaves(s, user) : decides(s, user);
  }
  return found;
}

bool mpl_may_wait(const struct mpl_item_loop *items, unsigned loop) {
  struct wait s = {.items = items, .loop = &items->loops[loop]};
  bool found = false;
  MPL_EACH_LOOP_BLOCK(b, items, s.loop) {
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) {
      if (LLVMIsATerminatorInst(i) || !repeats(&s, i)) continue;
      mpl_map_free(&s.seen);
      found |= decides(&s, i);
    }
  }
  mpl_map_free(&s.seen);
  return found;
}
