/* For the checking engine: what becomes of a value wherever the instruction that it comes from
 * runs.  Where it goes through a choice, or into a branch that is not always taken, it may well be
 * left aside: shuffled values of lanes that have no source, as a scan's first lane does; what lies
 * behind the end of the data and is read with the rest. */
#include "used.h"

#include "abi/items.h"
#include "compiler/analysis/markers.h"

/* --- Shuffles: whether the result is written to global memory --- */

/* Whatever comes in shows in what comes out. */
static bool hands_on(LLVMValueRef user) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMXor:
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMBitCast:
  case LLVMZExt:
  case LLVMSExt:
    return true;
  default:
    return false;
  }
}

static bool is_stored_from(LLVMValueRef value, LLVMBasicBlockRef block, unsigned depth) {
  enum { MOST = 8 };
  MPL_EACH_USER(user, value) {
    if (!LLVMIsAInstruction(user) || LLVMGetInstructionParent(user) != block) continue;
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value &&
        mpl_space_of(LLVMGetOperand(user, 1)) == MPL_GLOBAL_SPACE)
      return true;
    if (depth < MOST && hands_on(user) && is_stored_from(user, block, depth + 1)) return true;
  }
  return false;
}

bool mpl_is_surely_stored(LLVMValueRef call) {
  return is_stored_from(call, LLVMGetInstructionParent(call), 0);
}

/* --- Reads --- */

enum way { COPIED = 1, BITS = 2, COMPUTED = 4 }; /* as it is; some bits of it; in a result */

struct uses {
  struct mpl_cfg *cfg;
  LLVMValueRef source; /* whose pointer, operand 0, was read from */
  unsigned home;
  struct mpl_map seen; /* value -> the ways in which it was reached */
  unsigned steps, flags;
};

/* Whenever the source runs, that block does afterwards. */
static bool is_always(struct uses *u, unsigned block) {
  unsigned at = u->home;
  while (at != block && at < u->cfg->count) at = u->cfg->ipdom[at];
  return at == block && block < u->cfg->count;
}

static unsigned index_of(struct uses *u, LLVMBasicBlockRef block) {
  return (unsigned)mpl_map_get(&u->cfg->index, block, (uintptr_t)u->cfg->count);
}

static bool takes(LLVMBasicBlockRef block, LLVMBasicBlockRef from, LLVMValueRef value) {
  MPL_EACH_PHI(phi, block) {
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
      if (LLVMGetIncomingBlock(phi, k) == from && LLVMGetIncomingValue(phi, k) == value)
        return true;
  }
  return false;
}

/* Wherever `from` leads, that value is taken along. */
static bool is_carried(LLVMBasicBlockRef from, LLVMValueRef value) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
  for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
    if (!takes(LLVMGetSuccessor(end, k), from, value)) return false;
  return true;
}

static bool comes_by_phi(struct uses *u, LLVMValueRef phi, LLVMValueRef value) {
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
    if (LLVMGetIncomingValue(phi, k) == value && is_always(u, index_of(u, from)) &&
        is_carried(from, value))
      return true;
  }
  return false;
}

static bool comes_by_call(LLVMValueRef call) {
  const struct mpl_marker_row *row = mpl_marker_row(call);
  if (row->does == MPL_DOES_COMBINE) return true;
  LLVMValueRef callee = mpl_callee_of(call);
  return row == &mpl_markers[MPL_NO_MARKER] && callee && LLVMGetIntrinsicID(callee) &&
         LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
}

/* The way on, into the user's result; 0: there is none, or not surely. */
static unsigned way_through(struct uses *u, LLVMValueRef user, LLVMValueRef value, unsigned way) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMBitCast:
  case LLVMFreeze:
  case LLVMInsertElement:
  case LLVMExtractElement:
  case LLVMShuffleVector:
  case LLVMInsertValue:
  case LLVMExtractValue:
    return way;
  case LLVMPHI:
    return comes_by_phi(u, user, value) ? way : 0;
  case LLVMSelect:
    return LLVMGetOperand(user, 0) == value ? COMPUTED : 0;
  case LLVMAnd: /* one mask may have nothing of it */
    if (!LLVMIsAConstant(LLVMGetOperand(user, 0)) && !LLVMIsAConstant(LLVMGetOperand(user, 1)))
      return 0;
    return way == COMPUTED ? COMPUTED : BITS;
  case LLVMOr:
  case LLVMXor:
  case LLVMShl:
  case LLVMLShr:
    return way == COMPUTED ? COMPUTED : BITS;
  case LLVMCall:
    return comes_by_call(user) ? COMPUTED : 0;
  case LLVMBr:
  case LLVMSwitch:
  case LLVMRet:
  case LLVMLoad:
  case LLVMStore:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return 0;
  default:
    return COMPUTED;
  }
}

/* Fields of some bits are written by reading the whole, and that may be for the first time. */
static void write(struct uses *u, LLVMValueRef store, unsigned way, unsigned pointer) {
  LLVMValueRef to = LLVMGetOperand(store, pointer);
  if (LLVMIsAAllocaInst(to) || (way != COMPUTED && to == LLVMGetOperand(u->source, 0))) return;
  u->flags |= way == COPIED ? MPL_ACCESS_COPIED : MPL_ACCESS_USED;
}

static void end_at(struct uses *u, LLVMValueRef user, LLVMValueRef value, unsigned way) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMBr:
  case LLVMSwitch:
    u->flags |= MPL_ACCESS_USED;
    break;
  case LLVMLoad:
    u->flags |= MPL_ACCESS_USED; /* as an address */
    break;
  case LLVMStore:
    if (LLVMGetOperand(user, 1) == value)
      u->flags |= MPL_ACCESS_USED;
    else
      write(u, user, way, 1);
    break;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    if (LLVMGetOperand(user, 0) == value)
      u->flags |= MPL_ACCESS_USED;
    else
      write(u, user, way, 0);
    break;
  default:
    break;
  }
}

static void follow(struct uses *u, LLVMValueRef value, unsigned way) {
  enum { MOST_STEPS = 200 };
  uintptr_t *seen = mpl_map_at(&u->seen, value, 0, true);
  if (*seen & way || u->steps++ > MOST_STEPS) return;
  *seen |= way;
  MPL_EACH_USER(user, value) {
    if (u->flags & MPL_ACCESS_USED) return;
    if (!LLVMIsAInstruction(user) || !is_always(u, index_of(u, LLVMGetInstructionParent(user))))
      continue;
    unsigned on = way_through(u, user, value, way);
    if (on)
      follow(u, user, on);
    else
      end_at(u, user, value, way);
  }
}

unsigned mpl_use_flags(struct mpl_cfg *cfg, LLVMValueRef load) {
  struct uses u = {.cfg = cfg, .source = load};
  u.home = index_of(&u, LLVMGetInstructionParent(load));
  follow(&u, load, COPIED);
  mpl_map_free(&u.seen);
  return u.flags;
}
