/* Uniform arithmetic under a varying condition is done before the condition: once, and for all
 * work-items, as soon as its operands are there.  Not divisions: their guard (divide.c) may be gone
 * where the condition implies it. */
#include "compiler/analysis/markers.h"
#include "compiler/analysis/shape.h"
#include "compiler/passes.h"

static bool is_arithmetic(LLVMValueRef i) {
  if (mpl_only_computes(i, MPL_INTEGER | MPL_SELECT | MPL_ADDRESS) || mpl_is_id(mpl_marker_of(i)))
    return true;
  return LLVMIsACallInst(i) && LLVMGetIntrinsicID(LLVMGetCalledValue(i)) && mpl_ir_is_pure_call(i);
}

/* Is `a` behind `b`, where both dominate one instruction? */
static bool is_behind(struct mpl_cfg *cfg, LLVMValueRef a, LLVMValueRef b) {
  unsigned block_a = mpl_cfg_block_of(cfg, a), block_b = mpl_cfg_block_of(cfg, b);
  if (block_a != block_b) return block_a > block_b;
  for (LLVMValueRef i = LLVMGetNextInstruction(b); i; i = LLVMGetNextInstruction(i))
    if (i == a) return true;
  return false;
}

/* The operand that is there last, or null if all are constants and parameters. */
static LLVMValueRef last_operand(struct mpl_cfg *cfg, LLVMValueRef i) {
  LLVMValueRef last = NULL;
  for (int k = 0; k < LLVMGetNumOperands(i); k++) {
    LLVMValueRef operand = LLVMGetOperand(i, k);
    if (LLVMIsAInstruction(operand) && (!last || is_behind(cfg, operand, last))) last = operand;
  }
  return last;
}

/* Block 0 is the set-up block: outside the work-items' code, so only for what is uniform. */
static bool hoist(struct mpl_shapes *u, LLVMBuilderRef b, LLVMValueRef i) {
  struct mpl_cfg *cfg = u->cfg;
  LLVMValueRef last = last_operand(cfg, i), before;
  if (last && LLVMGetInstructionParent(last) == LLVMGetInstructionParent(i)) return false;
  if (!last || mpl_cfg_block_of(cfg, last) == 0) {
    before = !mpl_is_uniform(u, i) ? LLVMGetFirstInstruction(cfg->blocks[1])
                                   : LLVMGetBasicBlockTerminator(cfg->blocks[0]);
  } else {
    before = LLVMGetNextInstruction(last);
    while (LLVMIsAPHINode(before)) before = LLVMGetNextInstruction(before);
  }
  if (before == i) return false;
  LLVMInstructionRemoveFromParent(i);
  LLVMPositionBuilderBefore(b, before);
  LLVMInsertIntoBuilder(b, i);
  return true;
}

static bool hoist_in(struct mpl_module_ir *ir, LLVMValueRef function) {
  bool changed = false;
  struct mpl_cfg cfg;
  struct mpl_shapes u;
  mpl_cfg_build(&cfg, function);
  mpl_shapes_find(&u, &cfg, function);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ir->context);
  /* Operands come before their users: one pass will do. */
  for (unsigned n = 1; n < cfg.count; n++) {
    bool hoisted = false;
    if (!u.influenced[n]) continue;
    MPL_EACH_INSTRUCTION(i, cfg.blocks[n]) {
      if (!is_arithmetic(i) || !mpl_is_uniform(&u, i) || !hoist(&u, b, i)) continue;
      if (!hoisted) mpl_remark(ir, i, "uniform arithmetic hoisted out of a varying branch");
      hoisted = changed = true;
    }
  }
  LLVMDisposeBuilder(b);
  mpl_shapes_free(&u);
  mpl_cfg_free(&cfg);
  return changed;
}

bool mpl_hoist_uniform(struct mpl_module_ir *ir) {
  bool changed = false;
  for (unsigned k = 0; k < ir->num_kernels; k++) changed |= hoist_in(ir, ir->kernels[k].group);
  return changed;
}
