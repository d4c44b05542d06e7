#include "turns.h"

#include <stdlib.h>

uint64_t mpl_masked(uint64_t value, LLVMTypeRef type) {
  unsigned bits = LLVMGetIntTypeWidth(type);
  return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

int64_t mpl_sign_extended(uint64_t value, LLVMTypeRef type) {
  unsigned bits = LLVMGetIntTypeWidth(type);
  return bits < 64 ? (int64_t)(value << (64 - bits)) >> (64 - bits) : (int64_t)value;
}

bool mpl_is_number(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64;
}

bool mpl_is_on_all_ways(const struct mpl_cfg *cfg, unsigned by, unsigned to) {
  if (by == to || by == 0) return true;
  MPL_ARRAY(bool, reached, cfg->count);
  reached[by] = true;
  mpl_cfg_reach(cfg, 0, reached);
  return !reached[to];
}

static bool has_one_end(const struct mpl_cfg *cfg, const struct mpl_loop *loop) {
  if (cfg->preds[loop->header].count != 2) return false;
  for (unsigned n = 0; n < loop->num_blocks; n++) {
    unsigned b = loop->blocks[n];
    MPL_EACH_EDGE(to, &cfg->succs[b])
    if (b != loop->latch && !loop->in[to]) return false;
  }
  return true;
}

/* The value that the latch compares with a constant: the loop's number or the next one. */
static LLVMValueRef compared(const struct mpl_cfg *cfg, const struct mpl_loop *loop,
                             LLVMValueRef *branch) {
  *branch = LLVMGetBasicBlockTerminator(cfg->blocks[loop->latch]);
  if (!LLVMIsABranchInst(*branch) || !LLVMIsConditional(*branch)) return NULL;
  LLVMValueRef condition = LLVMGetCondition(*branch);
  bool is = LLVMIsAICmpInst(condition) && LLVMIsAConstantInt(LLVMGetOperand(condition, 1)) &&
            mpl_is_number(LLVMGetOperand(condition, 0));
  return is ? LLVMGetOperand(condition, 0) : NULL;
}

static bool holds(LLVMIntPredicate is, uint64_t a, uint64_t b, LLVMTypeRef type) {
  int64_t x = mpl_sign_extended(a, type), y = mpl_sign_extended(b, type);
  switch (is) {
  case LLVMIntEQ:
    return a == b;
  case LLVMIntNE:
    return a != b;
  case LLVMIntUGT:
    return a > b;
  case LLVMIntUGE:
    return a >= b;
  case LLVMIntULT:
    return a < b;
  case LLVMIntULE:
    return a <= b;
  case LLVMIntSGT:
    return x > y;
  case LLVMIntSGE:
    return x >= y;
  case LLVMIntSLT:
    return x < y;
  default:
    return x <= y;
  }
}

bool mpl_turns_find(struct mpl_turns *c, const struct mpl_cfg *cfg, const struct mpl_loop *loop) {
  LLVMBasicBlockRef header = cfg->blocks[loop->header], latch = cfg->blocks[loop->latch];
  LLVMValueRef branch, number = compared(cfg, loop, &branch);
  if (!number || !has_one_end(cfg, loop)) return false;
  c->condition = LLVMGetCondition(branch);
  c->goes_on_if = LLVMGetSuccessor(branch, 0) == header;
  MPL_EACH_PHI(phi, header) {
    unsigned back = LLVMGetIncomingBlock(phi, 0) == latch ? 0 : 1;
    LLVMValueRef next = LLVMGetIncomingValue(phi, back), first = LLVMGetIncomingValue(phi, !back);
    c->compares_next = number == next;
    if ((number != phi && number != next) || !LLVMIsAConstantInt(first)) continue;
    if (!mpl_is_op(next, LLVMAdd) || LLVMGetOperand(next, 0) != phi ||
        !LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
      continue;
    c->phi = phi;
    c->first = LLVMConstIntGetZExtValue(first);
    c->step = LLVMConstIntGetZExtValue(LLVMGetOperand(next, 1));
    return true;
  }
  return false;
}

bool mpl_turns_next(const struct mpl_turns *t, uint64_t *number) {
  LLVMTypeRef type = LLVMTypeOf(t->phi);
  uint64_t end = LLVMConstIntGetZExtValue(LLVMGetOperand(t->condition, 1)), now = *number;
  *number = mpl_masked(now + t->step, type);
  return holds(LLVMGetICmpPredicate(t->condition), t->compares_next ? *number : now, end, type) ==
         t->goes_on_if;
}
