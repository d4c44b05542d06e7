/* Loops that ask again and again for what is the same for the whole launch:
 *
 *   for (y...) for (x...) switch (image->layout) { case 1: ... case 2: ... }
 *
 * becomes a switch over loops, each with the code of one case.  What is asked for is uniform, and
 * known before the loop; so all work-items take the same one, and a loop with one case is small
 * enough to be unrolled and to keep its constants in registers.  The outermost such loop is taken.
 */
#include <stdlib.h>

#include "compiler/analysis/loops.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"

/* Instructions that the loops may have together, and that one may have; cases of a switch. */
enum { MOST_INSTRUCTIONS = 1200, MOST_IN_LOOP = 600, LEAST_CASES = 3, MOST_CASES = 12 };

static bool is_outside(struct mpl_flow *flow, const struct mpl_loop *loop, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value)) return LLVMIsAArgument(value);
  unsigned block = mpl_cfg_block_of(&flow->cfg, value);
  return block < flow->cfg.count && !loop->in[block];
}

static bool has_sync(struct mpl_flow *flow, const struct mpl_loop *loop) {
  for (unsigned n = 0; n < loop->num_blocks; n++)
    MPL_EACH_INSTRUCTION(i, flow->cfg.blocks[loop->blocks[n]])
  if (mpl_is_sync(mpl_marker_of(i))) return true;
  return false;
}

/* Instructions of the loop that are reached if the condition has the value; null: one that is no
 * case's. */
static unsigned size_with(struct mpl_flow *flow, const struct mpl_loop *loop,
                          LLVMValueRef condition, LLVMValueRef value) {
  bool *reached = calloc(flow->cfg.count, sizeof *reached);
  unsigned size = 0;
  if (!reached) abort();
  reached[loop->header] = true;
  for (unsigned n = 0; n < loop->num_blocks; n++) { /* in topological order */
    unsigned b = loop->blocks[n];
    if (!reached[b]) continue;
    MPL_EACH_INSTRUCTION(i, flow->cfg.blocks[b]) size++;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->cfg.blocks[b]);
    bool decided = LLVMIsASwitchInst(end) && LLVMGetOperand(end, 0) == condition;
    LLVMBasicBlockRef only = decided ? LLVMGetSwitchDefaultDest(end) : NULL;
    for (unsigned k = 2; decided && k < (unsigned)LLVMGetNumOperands(end); k += 2)
      if (LLVMGetOperand(end, k) == value) only = LLVMValueAsBasicBlock(LLVMGetOperand(end, k + 1));
    for (unsigned e = 0; e < flow->cfg.succs[b].count; e++) {
      unsigned to = flow->cfg.succs[b].to[e];
      if (!only || flow->cfg.blocks[to] == only) reached[to] = true;
    }
  }
  free(reached);
  return size;
}

/* A switch that is better asked in front of the loop, or null; how many instructions the loops have
 * then. */
static LLVMValueRef find_switch(struct mpl_flow *flow, const struct mpl_loop *loop,
                                unsigned *size) {
  if (mpl_loop_size(flow, loop) > MOST_IN_LOOP || has_sync(flow, loop)) return NULL;
  for (unsigned n = 0; n < loop->num_blocks; n++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->cfg.blocks[loop->blocks[n]]);
    if (!LLVMIsASwitchInst(end)) continue;
    LLVMValueRef condition = LLVMGetOperand(end, 0);
    unsigned cases = LLVMGetNumSuccessors(end) - 1;
    if (cases < LEAST_CASES || cases > MOST_CASES || !mpl_is_uniform(&flow->shapes, condition) ||
        !is_outside(flow, loop, condition))
      continue;
    *size = size_with(flow, loop, condition, NULL);
    for (unsigned k = 0; k < cases; k++)
      *size += size_with(flow, loop, condition, LLVMGetOperand(end, 2 * k + 2));
    if (*size <= MOST_INSTRUCTIONS) return end;
  }
  return NULL;
}

static bool unswitch_one(struct mpl_module_ir *ir, struct mpl_flow *flow, unsigned *left) {
  for (unsigned k = 0; k < flow->loops.count; k++) { /* outer ones first */
    struct mpl_loop *loop = &flow->loops.list[k];
    unsigned size;
    LLVMValueRef on = find_switch(flow, loop, &size);
    if (!on || size > *left) continue;
    LLVMValueRef at = LLVMGetBasicBlockTerminator(flow->cfg.blocks[loop->latch]);
    unsigned cases = LLVMGetNumSuccessors(on) - 1;
    *left -= size;
    mpl_remark(ir, at, "a loop for each of %u cases, which are the same for all", cases + 1);
    if (mpl_ir_unswitch(flow->cfg.blocks[loop->header], on)) return true;
  }
  return false;
}

static bool unswitch_in(struct mpl_module_ir *ir, LLVMValueRef function) {
  struct mpl_flow flow;
  unsigned left = MOST_INSTRUCTIONS;
  bool changed = false;
  mpl_flow_find(&flow, function);
  for (; unswitch_one(ir, &flow, &left); changed = true) mpl_flow_find_again(&flow);
  mpl_flow_free(&flow);
  return changed;
}

/* Loops that run a few times and are small now are unrolled, as others were (source/inline.c). */
bool mpl_unswitch_loops(struct mpl_module_ir *ir) {
  static const char unrolled[] = "function(loop(loop-unroll-full),early-cse,loop-simplify,lcssa)";
  bool changed = false;
  for (unsigned k = 0; k < ir->num_kernels; k++) changed |= unswitch_in(ir, ir->kernels[k].group);
  if (changed) mpl_run_llvm_passes(ir, unrolled);
  return changed;
}
