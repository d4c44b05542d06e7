/* Independent forward progress of sub-groups (API specification, 5.10 and 3.2.2; cl_khr_subgroups):
 * one that spins until another sub-group of its work-group has stored something must let it run.
 *
 * On the checking engine all work-items make progress like that.
 *
 * A loop that can wait for somebody reads memory atomically, or volatile memory, and decides on
 * what it read.  Where such a loop turns back, the sub-group yields; one that does not have to turn
 * back loses nothing. */
#include <llvm-c/DebugInfo.h>

#include "compiler/analysis/loops.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"

struct finder {
  struct mpl_cfg *cfg;
  const bool *in; /* the blocks of the loop */
  bool tries;     /* an attempt to exchange what was read for another is no waiting */
  bool ends_only; /* branches that leave the loop */
  struct mpl_map seen;
};

static bool reads_what_others_write(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return true;
  case LLVMCall:
    return mpl_looks_into_pipe(i);
  case LLVMLoad:
    return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
  default:
    return false;
  }
}

static bool is_attempted_with(LLVMValueRef value) {
  MPL_EACH_USER(user, value)
  if (LLVMIsAAtomicCmpXchgInst(user)) return true;
  return false;
}

static bool leaves(struct finder *f, LLVMValueRef branch) {
  for (unsigned k = 0; k < LLVMGetNumSuccessors(branch); k++) {
    unsigned to = mpl_map_get(&f->cfg->index, LLVMGetSuccessor(branch, k), f->cfg->count);
    if (to < f->cfg->count && !f->in[to]) return true;
  }
  return false;
}

/* Does the read value decide on a branch of the loop? */
static bool decides(struct finder *f, LLVMValueRef value) {
  if ((f->tries && is_attempted_with(value)) || !mpl_map_add(&f->seen, value)) return false;
  MPL_EACH_USER(user, value) {
    unsigned block = mpl_cfg_block_of(f->cfg, user);
    if (block >= f->cfg->count || !f->in[block]) continue;
    bool is_branch = LLVMIsATerminatorInst(user) && (!f->ends_only || leaves(f, user));
    if (is_branch || decides(f, user)) return true;
  }
  return false;
}

static bool is_fixed(const struct finder *f, LLVMValueRef value, unsigned depth) {
  unsigned block = LLVMIsAInstruction(value) ? mpl_cfg_block_of(f->cfg, value) : f->cfg->count;
  if (block >= f->cfg->count || !f->in[block]) return true;
  if (depth > MPL_DEEPEST || !mpl_only_computes(value, MPL_INTEGER | MPL_ADDRESS | MPL_POINTER))
    return false;
  for (int k = 0; k < LLVMGetNumOperands(value); k++)
    if (!is_fixed(f, LLVMGetOperand(value, k), depth + 1)) return false;
  return true;
}

/* The same again and again, until another has been there: what counts gets on by itself. */
static bool is_same_again(const struct finder *f, LLVMValueRef i) {
  LLVMAtomicRMWBinOp does =
      LLVMIsAAtomicRMWInst(i) ? LLVMGetAtomicRMWBinOp(i) : LLVMAtomicRMWBinOpXchg;
  bool counts = does == LLVMAtomicRMWBinOpAdd || does == LLVMAtomicRMWBinOpSub;
  if (counts && LLVMIsAConstantInt(LLVMGetOperand(i, 1)) && !LLVMIsNull(LLVMGetOperand(i, 1)))
    return false;
  for (int k = 0; k < LLVMGetNumOperands(i); k++)
    if (!is_fixed(f, LLVMGetOperand(i, k), 0)) return false;
  return true;
}

static bool may_wait(struct mpl_cfg *cfg, const struct mpl_loop *loop, bool surely) {
  struct finder f = {.cfg = cfg, .in = loop->in, .tries = surely};
  bool found = false;
  for (unsigned n = 0; n < loop->num_blocks && !found; n++) {
    MPL_EACH_INSTRUCTION(i, cfg->blocks[loop->blocks[n]]) {
      if (!found && reads_what_others_write(i) && (!surely || is_same_again(&f, i)))
        found = decides(&f, i);
    }
  }
  mpl_map_free(&f.seen);
  return found;
}

static bool add_yield(struct mpl_module_ir *ir, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  mpl_remark(ir, LLVMGetBasicBlockTerminator(from),
             "the loop may wait for another sub-group: it yields");
  LLVMBasicBlockRef way = mpl_ir_split_edge(from, to, "yield");
  MPL_BUILDER(b, ir->context);
  LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(way));
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(LLVMGetBasicBlockTerminator(from)));
  mpl_build_marker(ir, b, MPL_MARK_YIELD, ir->void_type, NULL, 0);
  return true;
}

bool mpl_insert_yields(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  if (!kernel->uses_lanes && !ir->checked) return false;
  MPL_CFG(cfg, kernel->group);
  MPL_LOOPS(loops, &cfg);
  bool changed = false;
  for (unsigned k = 0; k < loops.count; k++) {
    struct mpl_loop *loop = &loops.list[k];
    if (may_wait(&cfg, loop, false))
      changed |= add_yield(ir, cfg.blocks[loop->latch], cfg.blocks[loop->header]);
  }
  return changed;
}

bool mpl_waits_for_others(LLVMValueRef function) {
  MPL_CFG(cfg, function);
  MPL_LOOPS(loops, &cfg);
  for (unsigned k = 0; k < loops.count; k++)
    if (may_wait(&cfg, &loops.list[k], true)) return true;
  return false;
}

void mpl_find_waiting_reads(struct mpl_cfg *cfg, struct mpl_map *reads) {
  MPL_LOOPS(loops, cfg);
  for (unsigned k = 0; k < loops.count; k++) {
    const struct mpl_loop *loop = &loops.list[k];
    for (unsigned n = 0; n < loop->num_blocks; n++) {
      MPL_EACH_INSTRUCTION(i, cfg->blocks[loop->blocks[n]]) {
        struct finder f = {.cfg = cfg, .in = loop->in, .ends_only = true};
        if (reads_what_others_write(i) && decides(&f, i)) mpl_map_set(reads, i, 1);
        mpl_map_free(&f.seen);
      }
    }
  }
}
