/* How lanes leave the loops inside of the work-item loop, and what leaves with them. */
#include "analysis.h"

static int together_at(const struct mpl_lanes *lanes, const struct mpl_inner_loop *loop) {
  const struct mpl_item_loop *items = lanes->items;
  int at = -1;
  MPL_EACH_LOOP_BLOCK(b, items, loop) {
    MPL_EACH_EDGE(to, &items->cfg->succs[b]) {
      if (to > loop->header && to <= loop->last) continue;
      if (at >= 0 && at != (int)b) return -1;
      at = (int)b;
    }
  }
  LLVMValueRef end = at < 0 ? NULL : LLVMGetBasicBlockTerminator(items->cfg->blocks[at]);
  if (!end || !LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return -1;
  return mpl_stride_at(lanes, LLVMGetCondition(end), (unsigned)at) ? -1 : at;
}

/* The last one, if its branch is the only way back. */
static int counted_at(const struct mpl_lanes *lanes, const struct mpl_inner_loop *loop) {
  const struct mpl_item_loop *items = lanes->items;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(items->cfg->blocks[loop->last]);
  if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return -1;
  const unsigned *to = items->cfg->succs[loop->last].to;
  unsigned backs = 0;
  bool first = to[0] == loop->header;
  if (to[!first] != loop->header || !mpl_is_outside(loop, to[first])) return -1;
  MPL_EACH_EDGE(from, &items->cfg->preds[loop->header]) {
    backs += items->in[from] && !mpl_is_outside(loop, from);
  }
  return backs != 1 || mpl_stride_at(lanes, LLVMGetCondition(end), loop->last) ? -1
                                                                               : (int)loop->last;
}

void mpl_exits_find(struct mpl_lanes *lanes) {
  for (unsigned l = 0; l < lanes->items->num_loops; l++) {
    struct mpl_lane_loop *loop = &lanes->loops[l];
    loop->together = together_at(lanes, &lanes->items->loops[l]);
    loop->counted = loop->together < 0 ? counted_at(lanes, &lanes->items->loops[l]) : -1;
  }
}

/* By the edges over which phis behind the loop take it; anything else there wants it from all. */
static unsigned ways_of_phi(const struct mpl_item_loop *items, const struct mpl_inner_loop *loop,
                            int counted, LLVMValueRef phi, LLVMValueRef value) {
  unsigned ways = 0;
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    if (LLVMGetIncomingValue(phi, k) != value) continue;
    unsigned from = mpl_block_number(items, LLVMGetIncomingBlock(phi, k));
    if (mpl_is_outside(loop, from)) return MPL_BY_COUNT | MPL_EARLY;
    ways |= (int)from == counted ? MPL_BY_COUNT : MPL_EARLY;
  }
  return ways;
}

/* The ways by which the value comes to where it is used behind the loop; 0: it is not.  An index is used where the
 * place in a private array is that is computed from it (emit/private_arrays.c). */
unsigned mpl_ways_of(const struct mpl_item_loop *items, const struct mpl_inner_loop *loop,
                     int counted, LLVMValueRef value) {
  unsigned ways = 0;
  MPL_EACH_USER(user, value) {
    unsigned block = mpl_own_block(items, user);
    if (block == items->cfg->count) continue;
    if (mpl_is_outside(loop, block))
      ways |= LLVMIsAPHINode(user) ? ways_of_phi(items, loop, counted, user, value)
                                   : MPL_BY_COUNT | MPL_EARLY;
    else if (LLVMIsAGetElementPtrInst(user))
      ways |= mpl_ways_of(items, loop, counted, user);
  }
  return counted >= 0 || !ways ? ways : MPL_EARLY;
}
