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
  const struct mpl_cfg *cfg;
  const struct mpl_loop *loop;
  bool tries;     /* an attempt to exchange what was read for another is no waiting */
  bool ends_only; /* branches that leave the loop */
  struct mpl_map seen;
};

static void forget(struct finder *f) {
  mpl_map_free(&f->seen);
}

static bool is_attempted_with(LLVMValueRef value) {
  MPL_EACH_USER(user, value)
  if (LLVMIsAAtomicCmpXchgInst(user)) return true;
  return false;
}

/* Does the read value decide on a branch of the loop? */
static bool decides(struct finder *f, LLVMValueRef value) {
  if ((f->tries && is_attempted_with(value)) || !mpl_map_add(&f->seen, value)) return false;
  MPL_EACH_USER(user, value) {
    unsigned block = mpl_cfg_block_of(f->cfg, user);
    if (block >= f->cfg->count || !f->loop->in[block]) continue;
    bool is_branch = LLVMIsATerminatorInst(user) &&
                     (!f->ends_only || mpl_loop_leaves(f->cfg, f->loop, block));
    if (is_branch || decides(f, user)) return true;
  }
  return false;
}

/* The same again and again, until another has been there: what counts gets on by itself. */
static bool is_same_again(const struct finder *f, LLVMValueRef i) {
  LLVMAtomicRMWBinOp does =
      LLVMIsAAtomicRMWInst(i) ? LLVMGetAtomicRMWBinOp(i) : LLVMAtomicRMWBinOpXchg;
  bool counts = does == LLVMAtomicRMWBinOpAdd || does == LLVMAtomicRMWBinOpSub;
  if (counts && LLVMIsAConstantInt(LLVMGetOperand(i, 1)) && !LLVMIsNull(LLVMGetOperand(i, 1)))
    return false;
  for (int k = 0; k < LLVMGetNumOperands(i); k++)
    if (!mpl_loop_fixes(f->cfg, f->loop, LLVMGetOperand(i, k), MPL_INTEGER | MPL_ADDRESS | MPL_POINTER))
      return false;
  return true;
}

static bool may_wait(const struct mpl_cfg *cfg, const struct mpl_loop *loop, bool surely) {
  MPL_FREED(forget) struct finder f = {.cfg = cfg, .loop = loop, .tries = surely};
  MPL_EACH_INSTRUCTION_IN(i, loop, cfg) {
    bool reads = mpl_reads_what_others_write(i) && (!surely || is_same_again(&f, i));
    if (reads && decides(&f, i)) return true;
  }
  return false;
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
    MPL_EACH_INSTRUCTION_IN(i, loop, cfg) {
      MPL_FREED(forget) struct finder f = {.cfg = cfg, .loop = loop, .ends_only = true};
      if (mpl_reads_what_others_write(i) && decides(&f, i)) mpl_map_set(reads, i, 1);
    }
  }
}
