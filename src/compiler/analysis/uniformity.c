#include "uniformity.h"

#include <stdlib.h>
#include <string.h>

#include "markers.h"

static bool has_varying_operand(struct mpl_uniformity *u, LLVMValueRef i) {
  int count = LLVMGetNumOperands(i);
  for (int k = 0; k < count; k++)
    if (mpl_is_varying(u, LLVMGetOperand(i, k))) return true;
  return false;
}

static bool phi_varies(struct mpl_uniformity *u, LLVMValueRef phi, unsigned block) {
  unsigned count = LLVMCountIncoming(phi);
  bool same = true;
  for (unsigned k = 0; k < count; k++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, k);
    if (mpl_is_varying(u, value)) return true;
    same &= value == LLVMGetIncomingValue(phi, 0);
  }
  return u->influenced[block] && !same;
}

/* What work-items compute together is the same for all that reach the call together. */
static bool call_varies(struct mpl_uniformity *u, LLVMValueRef call, unsigned block) {
  if (!mpl_marker_of(call)) return !mpl_ir_is_pure_call(call) || has_varying_operand(u, call);
  switch (mpl_marker_row(call)->result) {
  case MPL_RESULT_UNIFORM:
    return false;
  case MPL_RESULT_TOGETHER:
    return u->diverged[block];
  default:
    return true;
  }
}

static bool varies(struct mpl_uniformity *u, LLVMValueRef i, unsigned block) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMAlloca:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg:
    return true;
  case LLVMPHI:
    return phi_varies(u, i, block);
  case LLVMCall:
    return call_varies(u, i, block);
  case LLVMLoad:
    return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic ||
           has_varying_operand(u, i);
  default:
    return has_varying_operand(u, i);
  }
}

/* Marks the blocks between a varying branch and where its sides meet: a phi there has taken a value
 * by a path that varies.  If the branch leaves a loop, work-items leave it in different iterations:
 * what the loop computes varies to those behind it. */
static void spread(struct mpl_uniformity *u, unsigned branch) {
  struct mpl_cfg *cfg = u->cfg;
  unsigned meet = cfg->ipdom[branch], depth = 0;
  bool *in = mpl_allocate(cfg->count + 1, sizeof *in);
  unsigned *stack = mpl_allocate(cfg->count + 1, sizeof *stack);
  in[meet] = true;
  if (meet < cfg->count) u->influenced[meet] = true;
  stack[depth++] = branch;
  bool again = false; /* the branch is reached from itself: a loop */
  while (depth) {
    unsigned b = stack[--depth];
    for (unsigned s = 0; s < cfg->succs[b].count; s++) {
      unsigned to = cfg->succs[b].to[s];
      again |= to == branch;
      if (in[to]) continue;
      in[to] = u->influenced[to] = u->diverged[to] = true;
      stack[depth++] = to;
    }
  }
  in[meet] = false;
  in[branch] |= again;
  u->diverged[branch] |= again;
  for (unsigned b = 0; again && b < cfg->count; b++) {
    if (!in[b]) continue;
    MPL_EACH_INSTRUCTION(i, cfg->blocks[b]) {
      for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
        unsigned at = mpl_cfg_block_of(cfg, LLVMGetUser(use));
        if (at < cfg->count && !in[at]) {
          mpl_map_set(&u->varying, i, 1);
          break;
        }
      }
    }
  }
  free(in);
  free(stack);
}

void mpl_uniformity_find(struct mpl_uniformity *u, struct mpl_cfg *cfg, LLVMValueRef function) {
  *u = (struct mpl_uniformity){.cfg = cfg};
  u->influenced = mpl_allocate(cfg->count, sizeof *u->influenced);
  u->diverged = mpl_allocate(cfg->count, sizeof *u->diverged);
  u->varying_branch = mpl_allocate(cfg->count, sizeof *u->varying_branch);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned b = 0; b < cfg->count; b++) {
      MPL_EACH_INSTRUCTION(i, cfg->blocks[b]) {
        if (!mpl_is_varying(u, i) && varies(u, i, b)) {
          mpl_map_set(&u->varying, i, 1);
          changed = true;
        }
      }
      LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg->blocks[b]);
      if (u->varying_branch[b] || LLVMGetNumSuccessors(end) < 2 || !has_varying_operand(u, end))
        continue;
      u->varying_branch[b] = changed = true;
      spread(u, b);
    }
  }
}

void mpl_uniformity_free(struct mpl_uniformity *u) {
  mpl_map_free(&u->varying);
  free(u->diverged);
  free(u->influenced);
  free(u->varying_branch);
}
