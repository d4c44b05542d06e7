/* Counters of loops that step by what all lanes share:
 *
 *   for (int i = get_local_id(0); i < n; i += get_local_size(0)) ... x[i] ...
 *
 * The sum of an int and a size_t is cut to an int again, which may wrap: so nobody promises that
 * the i of neighbours stay side by side as indices.  They do if n and a step together are a number
 * of that type, which is asked for in front of the work-item loop: what a lane counts is below n
 * before it takes a step. */
#include "analysis.h"

enum { WORD = 32 /* bits that count */ };

/* The number whose low word the value is, as a longer one or times a power of two; or null. */
static LLVMValueRef of_word(LLVMValueRef value, bool *is_signed) {
  *is_signed = mpl_is_op(value, LLVMAShr) || LLVMIsASExtInst(value);
  if (mpl_is_op(value, LLVMAShr) || mpl_is_op(value, LLVMLShr)) {
    LLVMValueRef up = LLVMGetOperand(value, 0), by = LLVMGetOperand(value, 1);
    bool is = mpl_is_op(up, LLVMShl) && mpl_is_constant(LLVMGetOperand(up, 1), WORD) &&
              LLVMIsAConstantInt(by) && LLVMConstIntGetZExtValue(by) <= WORD;
    return is ? LLVMGetOperand(up, 0) : NULL;
  }
  if (mpl_is_op(value, LLVMAnd))
    return mpl_is_constant(LLVMGetOperand(value, 1), UINT32_MAX) ? LLVMGetOperand(value, 0) : NULL;
  if (!LLVMIsASExtInst(value) && !LLVMIsAZExtInst(value)) return NULL;
  LLVMValueRef narrow = LLVMGetOperand(value, 0);
  if (LLVMGetIntTypeWidth(LLVMTypeOf(narrow)) != WORD) return NULL;
  return LLVMIsATruncInst(narrow) ? LLVMGetOperand(narrow, 0) : narrow;
}

/* Is it `number`, or its low word? */
static bool is_low(LLVMValueRef value, LLVMValueRef number) {
  bool is_signed;
  if (value == number) return true;
  if (LLVMIsATruncInst(value)) return LLVMGetOperand(value, 0) == number;
  return LLVMIsAInstruction(value) && of_word(value, &is_signed) == number;
}

/* Lanes are in the loop behind `block` only if `next` is below what they share. */
static bool is_bound(const struct mpl_lanes *lanes, const struct mpl_inner_loop *loop,
                     unsigned block, LLVMValueRef next, struct mpl_counter *c) {
  const struct mpl_item_loop *items = lanes->items;
  LLVMValueRef jump = LLVMGetBasicBlockTerminator(items->cfg->blocks[block]);
  if (!LLVMIsABranchInst(jump) || !LLVMIsConditional(jump)) return false;
  LLVMValueRef asks = LLVMGetCondition(jump);
  if (!LLVMIsAICmpInst(asks)) return false;
  unsigned stays[2];
  for (unsigned s = 0; s < 2; s++) stays[s] = !mpl_is_outside(loop, items->cfg->succs[block].to[s]);
  if (stays[0] == stays[1]) return false;
  bool second = is_low(LLVMGetOperand(asks, 1), next), less, equal;
  if (!second && !is_low(LLVMGetOperand(asks, 0), next)) return false;
  LLVMIntPredicate by = LLVMGetICmpPredicate(asks);
  if (by == LLVMIntEQ || by == LLVMIntNE || (by >= LLVMIntSGT) != c->is_signed) return false;
  less = by == LLVMIntSLT || by == LLVMIntSLE || by == LLVMIntULT || by == LLVMIntULE;
  equal = by == LLVMIntSLE || by == LLVMIntULE || by == LLVMIntSGE || by == LLVMIntUGE;
  if ((less != second) != stays[0]) return false;
  c->reaches = equal == stays[0];
  c->end = LLVMGetOperand(asks, !second);
  return !mpl_stride_at(lanes, c->end, block) && mpl_is_known_before(lanes, c->end);
}

static bool steps(const struct mpl_lanes *lanes, LLVMValueRef next, struct mpl_counter *c) {
  if (!mpl_is_op(next, LLVMAdd)) return false;
  for (unsigned k = 0; k < 2; k++) {
    if (!is_low(LLVMGetOperand(next, k), c->phi)) continue;
    c->step = LLVMGetOperand(next, !k);
    return !mpl_stride_of(lanes, c->step) && mpl_is_known_before(lanes, c->step);
  }
  return false;
}

bool mpl_counter_of(const struct mpl_lanes *lanes, LLVMValueRef part, struct mpl_counter *c) {
  const struct mpl_item_loop *items = lanes->items;
  c->phi = of_word(part, &c->is_signed);
  if (!c->phi || !LLVMIsAPHINode(c->phi) || LLVMCountIncoming(c->phi) != 2) return false;
  unsigned own = mpl_own_block(items, c->phi);
  int l = own < items->cfg->count ? items->inner[own] : -1;
  if (l < 0 || items->loops[l].header != own) return false;
  const struct mpl_inner_loop *loop = &items->loops[l];
  unsigned from[2];
  for (unsigned k = 0; k < 2; k++)
    from[k] = (unsigned)mpl_map_get(&items->cfg->index, LLVMGetIncomingBlock(c->phi, k), 0);
  bool second = from[1] >= loop->header && from[1] <= loop->last;
  LLVMValueRef next = LLVMGetIncomingValue(c->phi, second);
  c->start = LLVMGetIncomingValue(c->phi, !second);
  return steps(lanes, next, c) && mpl_is_known_before(lanes, c->start) &&
         (is_bound(lanes, loop, from[second], next, c) || is_bound(lanes, loop, own, c->phi, c));
}
