/* Independent forward progress of sub-groups (API specification, 5.10 and 3.2.2; cl_khr_subgroups):
 * one that spins until another sub-group of its work-group has stored something must let it run.
 *
 * On the checking engine all work-items make progress like that.
 *
 * A loop that can wait for somebody reads memory atomically, or volatile memory, and decides on
 * what it read.  Where such a loop turns back, the sub-group yields; one that does not have to turn
 * back loses nothing. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "compiler/analysis/cfg.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"

struct finder {
  struct mpl_cfg *cfg;
  bool *in; /* the blocks of the loop */
  struct mpl_map seen;
};

static bool reads_what_others_write(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return true;
  case LLVMLoad:
    return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
  default:
    return false;
  }
}

/* Does what was read decide on a branch of the loop? */
static bool decides(struct finder *f, LLVMValueRef value) {
  if (mpl_map_has(&f->seen, value)) return false;
  mpl_map_set(&f->seen, value, 1);
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    unsigned block = mpl_cfg_block_of(f->cfg, user);
    if (block >= f->cfg->count || !f->in[block]) continue;
    if (LLVMIsATerminatorInst(user) || decides(f, user)) return true;
  }
  return false;
}

static void find_body(struct finder *f, unsigned header, unsigned latch) {
  unsigned *stack = mpl_allocate(f->cfg->count + 1, sizeof *stack), depth = 0;
  f->in[header] = true;
  if (!f->in[latch]) stack[depth++] = latch;
  f->in[latch] = true;
  while (depth) {
    struct mpl_edges *preds = &f->cfg->preds[stack[--depth]];
    for (unsigned p = 0; p < preds->count; p++) {
      if (f->in[preds->to[p]]) continue;
      f->in[preds->to[p]] = true;
      stack[depth++] = preds->to[p];
    }
  }
  free(stack);
}

static bool may_wait(struct mpl_cfg *cfg, unsigned header, unsigned latch) {
  struct finder f = {.cfg = cfg, .in = mpl_allocate(cfg->count, sizeof *f.in)};
  bool found = false;
  find_body(&f, header, latch);
  for (unsigned b = header; b < cfg->count && !found; b++) {
    if (!f.in[b]) continue;
    MPL_EACH_INSTRUCTION(i, cfg->blocks[b]) {
      if (!found && reads_what_others_write(i)) found = decides(&f, i);
    }
  }
  mpl_map_free(&f.seen);
  free(f.in);
  return found;
}

static bool add_yield(struct mpl_module_ir *ir, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  mpl_remark(ir, LLVMGetBasicBlockTerminator(from), "the loop may wait for another sub-group: it yields");
  LLVMBasicBlockRef way = mpl_ir_split_edge(from, to, "yield");
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ir->context);
  LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(way));
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(LLVMGetBasicBlockTerminator(from)));
  mpl_build_marker(ir, b, MPL_MARK_YIELD, NULL);
  LLVMDisposeBuilder(b);
  return true;
}

static bool find_waits(struct mpl_module_ir *ir, LLVMValueRef function) {
  bool changed = false;
  struct mpl_cfg cfg;
  mpl_cfg_build(&cfg, function);
  for (unsigned header = 1; header < cfg.count; header++) {
    for (unsigned p = 0; p < cfg.preds[header].count; p++) {
      unsigned latch = cfg.preds[header].to[p];
      if (latch >= header && may_wait(&cfg, header, latch))
        changed |= add_yield(ir, cfg.blocks[latch], cfg.blocks[header]);
    }
  }
  mpl_cfg_free(&cfg);
  return changed;
}

bool mpl_insert_yields(struct mpl_module_ir *ir) {
  bool changed = false;
  for (unsigned k = 0; k < ir->num_kernels; k++)
    if (ir->kernels[k].uses_lanes || ir->checked) changed |= find_waits(ir, ir->kernels[k].group);
  return changed;
}
