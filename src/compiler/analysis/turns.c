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
  for (unsigned n = 0; n < loop->num_blocks; n++) {
    unsigned b = loop->blocks[n];
    if (b != loop->latch && mpl_loop_leaves(cfg, loop, b)) return false;
  }
  return true;
}

static bool is_number(LLVMValueRef value) {
  return LLVMIsAConstantInt(value) && mpl_is_number(value);
}

bool mpl_turns_find_counter(struct mpl_turns *t, const struct mpl_cfg *cfg, const struct mpl_loop *loop,
                            LLVMValueRef phi) {
  if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2 ||
      LLVMGetInstructionParent(phi) != cfg->blocks[loop->header])
    return false;
  unsigned back = LLVMGetIncomingBlock(phi, 1) == cfg->blocks[loop->latch];
  LLVMValueRef next = LLVMGetIncomingValue(phi, back), first = LLVMGetIncomingValue(phi, !back);
  if (!is_number(first) || !mpl_is_op(next, LLVMAdd) || LLVMGetOperand(next, 0) != phi ||
      !is_number(LLVMGetOperand(next, 1)))
    return false;
  t->phi = phi;
  t->first = LLVMConstIntGetZExtValue(first);
  t->step = LLVMConstIntGetZExtValue(LLVMGetOperand(next, 1));
  return true;
}

bool mpl_turns_find(struct mpl_turns *t, const struct mpl_cfg *cfg, const struct mpl_loop *loop) {
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(cfg->blocks[loop->latch]);
  if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch) || !has_one_end(cfg, loop)) return false;
  t->condition = LLVMGetCondition(branch);
  if (!LLVMIsAICmpInst(t->condition) || !is_number(LLVMGetOperand(t->condition, 1))) return false;
  LLVMValueRef number = LLVMGetOperand(t->condition, 0);
  bool adds = mpl_is_op(number, LLVMAdd) && is_number(LLVMGetOperand(number, 1));
  t->ahead = adds ? LLVMConstIntGetZExtValue(LLVMGetOperand(number, 1)) : 0;
  t->goes_on_if = LLVMGetSuccessor(branch, 0) == cfg->blocks[loop->header];
  return mpl_turns_find_counter(t, cfg, loop, adds ? LLVMGetOperand(number, 0) : number);
}

static bool holds(LLVMIntPredicate is, uint64_t a, uint64_t b, LLVMTypeRef type) {
  enum { LESS = 1, SAME = 2, MORE = 4 };
  static const unsigned char wanted[] = {
      [LLVMIntEQ] = SAME,         [LLVMIntNE] = LESS | MORE,  [LLVMIntUGT] = MORE,
      [LLVMIntUGE] = MORE | SAME, [LLVMIntULT] = LESS,        [LLVMIntULE] = LESS | SAME,
      [LLVMIntSGT] = MORE,        [LLVMIntSGE] = MORE | SAME, [LLVMIntSLT] = LESS,
      [LLVMIntSLE] = LESS | SAME};
  bool less = is < LLVMIntSGT ? a < b : mpl_sign_extended(a, type) < mpl_sign_extended(b, type);
  return wanted[is] & (a == b ? SAME : less ? LESS : MORE);
}

bool mpl_turns_next(const struct mpl_turns *t, uint64_t *number) {
  LLVMTypeRef type = LLVMTypeOf(t->phi);
  uint64_t end = LLVMConstIntGetZExtValue(LLVMGetOperand(t->condition, 1)), now = *number;
  *number = mpl_masked(now + t->step, type);
  return holds(LLVMGetICmpPredicate(t->condition), mpl_masked(now + t->ahead, type), end, type) ==
         t->goes_on_if;
}
