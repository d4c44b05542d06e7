/* Which lanes of a sub-group take part in what some of them call: exactly those that arrive
 * together (OpenCL C 3.0, 6.15.19; the extensions subgroup_non_uniform_vote, _ballot, ...).
 *
 * What the processor calls active is not it: NVIDIA's compiler need not let lanes go on together
 * behind a branch, nor keep those together that are.  So the program computes it.  At the beginning
 * these are the lanes that there are; a branch on which they differ becomes a vote of those that
 * come to it, and each side takes its own; where the sides meet, and behind a loop, it is what it
 * was before.  That needs control flow in which they do meet: LLVM's StructurizeCFG makes it so.
 * Only branches and loops that lead to such a call have votes.
 *
 * Masks are of all lanes that the processor runs together.  A sub-group may be a part of them: the
 * others may be elsewhere, and are in its masks only where it is known that they come too.
 *
 * The same pass takes out meetings that nobody needs (builtins/nvptx/primitives.h, meet_lanes). */
#include <stdlib.h>
#include <string.h>

#include "abi/gpu.h"
#include "compiler/analysis/loops.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"
#include "compiler/source/source.h"

struct masks {
  struct mpl_module_ir *ir;
  LLVMBuilderRef b;
  struct mpl_flow flow;
  bool is_narrow;      /* sub-groups are a part of the lanes that the processor runs together */
  unsigned size;       /* of sub-groups */
  bool is_full;        /* no sub-group is short of lanes */
  bool may_wait;       /* one of them for another */
  unsigned *idom;      /* immediate dominators; of the entry itself */
  LLVMValueRef *masks; /* by block: who comes there, or null if nobody asked */
  LLVMValueRef *votes; /* by block: who takes the first way at its end */
};

static LLVMValueRef call(struct masks *m, const char *name, LLVMValueRef *args, unsigned count) {
  return mpl_call_intrinsic(m->b, name, NULL, args, count);
}

static LLVMValueRef lanes(struct masks *m, const char *relation) {
  char name[64] = "llvm.nvvm.read.ptx.sreg.lanemask.";
  return call(m, strcat(name, relation), NULL, 0);
}

/* All lanes of the processor, of which ptxas must not know that it is all of them: of what it takes
 * for all it leaves out the waiting. */
static LLVMValueRef everyone(struct masks *m) {
  LLVMValueRef below = lanes(m, "le");
  return LLVMBuildOr(m->b, below, lanes(m, "gt"), "");
}

/* Bits of a sub-group's lanes, at its place. */
static LLVMValueRef in_place(struct masks *m, LLVMValueRef bits) {
  if (!m->is_narrow) return bits;
  LLVMValueRef lane = call(m, "llvm.nvvm.read.ptx.sreg.laneid", NULL, 0);
  LLVMValueRef first = LLVMBuildAnd(m->b, lane, mpl_const32(m->ir, MPL_GPU_LANES - m->size), "");
  return LLVMBuildShl(m->b, bits, first, "");
}

/* The lanes of a full sub-group. */
static LLVMValueRef full_lanes(struct masks *m) {
  return in_place(m, mpl_const32(m->ir, ~0u >> (MPL_GPU_LANES - m->size)));
}

/* Those that there are: the last sub-group of a work-group may be short. */
static LLVMValueRef all_here(struct masks *m) {
  struct mpl_module_ir *ir = m->ir;
  LLVMValueRef here = mpl_build_marker(ir, m->b, MPL_MARK_LANES_HERE, ir->i32, NULL, 0);
  here = LLVMBuildZExt(m->b, here, ir->i64, "");
  LLVMValueRef bits = LLVMBuildShl(m->b, mpl_const64(ir, 1), here, "");
  bits = LLVMBuildTrunc(m->b, LLVMBuildSub(m->b, bits, mpl_const64(ir, 1), ""), ir->i32, "");
  LLVMValueRef all = everyone(m);
  return LLVMBuildAnd(m->b, all, in_place(m, bits), "lanes");
}

/* --- dominators: Cooper, Harvey and Kennedy; blocks are numbered in a topological order --- */

static unsigned common(const unsigned *idom, unsigned a, unsigned b) {
  while (a != b) {
    if (a > b)
      a = idom[a];
    else
      b = idom[b];
  }
  return a;
}

static void find_dominators(struct masks *m) {
  const struct mpl_cfg *cfg = &m->flow.cfg;
  m->idom = mpl_allocate(cfg->count, sizeof *m->idom);
  for (unsigned b = 1; b < cfg->count; b++) {
    unsigned found = cfg->count;
    MPL_EACH_EDGE(from, &cfg->preds[b]) {
      if (from < b) found = found == cfg->count ? from : common(m->idom, found, from);
    }
    m->idom[b] = found;
  }
}

static bool meets_at(const struct mpl_cfg *cfg, unsigned from, unsigned b) {
  while (from != b && from != cfg->count) from = cfg->ipdom[from];
  return from == b;
}

/* --- masks --- */

static LLVMValueRef mask_at(struct masks *, unsigned block);
static LLVMValueRef mask_on_arrival(struct masks *, unsigned block);

static void build_at_end(struct masks *m, unsigned block) {
  LLVMPositionBuilderBefore(m->b, LLVMGetBasicBlockTerminator(m->flow.cfg.blocks[block]));
}

/* The outermost loop that an edge leaves, or null. */
static const struct mpl_loop *left(const struct masks *m, unsigned from, unsigned to) {
  for (unsigned k = 0; k < m->flow.loops.count; k++) {
    const struct mpl_loop *loop = &m->flow.loops.list[k];
    if (loop->in[from] && !loop->in[to]) return loop;
  }
  return NULL;
}

static LLVMValueRef vote_at(struct masks *m, unsigned block) {
  if (m->votes[block]) return m->votes[block];
  LLVMValueRef end = LLVMGetBasicBlockTerminator(m->flow.cfg.blocks[block]);
  LLVMValueRef args[] = {mask_at(m, block), LLVMGetCondition(end)};
  build_at_end(m, block);
  return m->votes[block] = call(m, "llvm.nvvm.vote.ballot.sync", args, 2);
}

/* Those that take an edge; all that entered a loop leave it in the end, and are behind it together.
 */
static LLVMValueRef mask_on_edge(struct masks *m, unsigned from, unsigned to) {
  const struct mpl_loop *loop = left(m, from, to);
  if (loop) return mask_on_arrival(m, loop->header);
  LLVMBasicBlockRef target = m->flow.cfg.blocks[to];
  LLVMValueRef end = LLVMGetBasicBlockTerminator(m->flow.cfg.blocks[from]);
  bool parts =
      LLVMGetNumSuccessors(end) == 2 && LLVMGetSuccessor(end, 0) != LLVMGetSuccessor(end, 1);
  if (!parts || !m->flow.shapes.varying_branch[from]) return mask_at(m, from);
  LLVMValueRef first = vote_at(m, from);
  if (LLVMGetSuccessor(end, 0) == target) return first;
  build_at_end(m, from);
  LLVMValueRef mask = mask_at(m, from);
  return LLVMBuildAnd(m->b, mask, LLVMBuildNot(m->b, first, ""), "");
}

/* Those that come to a block, to a loop's from outside. */
static LLVMValueRef mask_on_arrival(struct masks *m, unsigned block) {
  const struct mpl_cfg *cfg = &m->flow.cfg;
  unsigned ways = 0, last = 0;
  MPL_EACH_EDGE(from, &cfg->preds[block]) {
    if (from >= block) continue;
    last = from;
    ways++;
  }
  if (ways == 1) return mask_on_edge(m, last, block);
  unsigned from = m->idom[block];
  const struct mpl_loop *loop = left(m, from, block);
  if (!meets_at(cfg, from, block)) /* StructurizeCFG leaves no such block */
    mpl_report(m->ir, m->flow.function, "internal error: control flow that is not structured");
  return loop ? mask_on_arrival(m, loop->header) : mask_at(m, from);
}

static LLVMValueRef mask_in_loop(struct masks *m, unsigned header) {
  const struct mpl_cfg *cfg = &m->flow.cfg;
  LLVMPositionBuilderBefore(m->b, LLVMGetFirstInstruction(cfg->blocks[header]));
  LLVMValueRef phi = m->masks[header] = LLVMBuildPhi(m->b, m->ir->i32, "lanes");
  MPL_EACH_EDGE(from, &cfg->preds[header]) {
    LLVMValueRef mask = from < header ? mask_on_arrival(m, header) : mask_on_edge(m, from, header);
    LLVMAddIncoming(phi, &mask, &cfg->blocks[from], 1);
  }
  return phi;
}

static LLVMValueRef mask_at(struct masks *m, unsigned block) {
  if (m->masks[block]) return m->masks[block];
  if (mpl_cfg_is_header(&m->flow.cfg, block)) return mask_in_loop(m, block);
  return m->masks[block] = mask_on_arrival(m, block);
}

/* --- a kernel --- */

static bool is_call(LLVMValueRef i, enum mpl_marker marker) {
  return mpl_marker_of(i) == marker;
}

static bool asks_for_active(LLVMValueRef i) {
  return is_call(i, MPL_MARK_LANES_ACTIVE) || is_call(i, MPL_MARK_GPU_ACTIVE);
}

static void replace_with_mask(struct masks *m, LLVMValueRef i, LLVMValueRef mask) {
  mpl_replace(i, LLVMBuildZExt(m->b, mask, LLVMTypeOf(i), ""));
}

/* May lanes come apart on the way to a call?  Until they meet again only those between are asked.
 */
static bool has_parts(struct masks *m) {
  MPL_EACH_INSTRUCTION_OF(i, m->flow.function) {
    if (asks_for_active(i) && m->flow.shapes.diverged[mpl_cfg_block_of(&m->flow.cfg, i)])
      return true;
  }
  return false;
}

/* LLVM runs on a module's functions: the others are kept out of it. */
static void structurize(struct masks *m) {
  static const char *const keep_out[] = {"noinline", "optnone"};
  MPL_MAP(kept);
  MPL_EACH_FUNCTION(f, m->ir->module) {
    if (LLVMIsDeclaration(f) || f == m->flow.function || mpl_has_attribute(f, "optnone")) continue;
    mpl_map_set(&kept, f, 1);
    for (unsigned k = 0; k < 2; k++) mpl_add_attribute(f, keep_out[k]);
  }
  mpl_run_llvm_passes(m->ir, "function(mergereturn,lower-switch)");
  mpl_fix_irreducible(m->ir);
  mpl_run_llvm_passes(m->ir, "function(loop-simplify,unify-loop-exits,structurizecfg,loop-simplify)");
  MPL_EACH_FUNCTION(f, m->ir->module) {
    if (!mpl_map_has(&kept, f)) continue;
    for (unsigned k = 0; k < 2; k++) mpl_drop_attribute(f, keep_out[k]);
  }
}

static void replace_active(struct masks *m) {
  find_dominators(m);
  m->masks = mpl_allocate(m->flow.cfg.count, sizeof *m->masks);
  m->votes = mpl_allocate(m->flow.cfg.count, sizeof *m->votes);
  LLVMPositionBuilderBefore(m->b, LLVMGetFirstInstruction(m->flow.cfg.blocks[0]));
  m->masks[0] = all_here(m);
  MPL_EACH_INSTRUCTION_OF(i, m->flow.function) {
    if (!asks_for_active(i)) continue;
    unsigned block = mpl_cfg_block_of(&m->flow.cfg, i);
    LLVMValueRef mask = m->flow.shapes.diverged[block] ? mask_at(m, block) : m->masks[0];
    LLVMPositionBuilderBefore(m->b, i);
    replace_with_mask(m, i, mask);
  }
  free(m->idom);
  free(m->masks);
  free(m->votes);
}

/* --- meetings --- */

static bool may_loop_inside(LLVMValueRef i) {
  LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  return callee && !LLVMIsAInlineAsm(callee) &&
         !(LLVMIsAFunction(callee) && LLVMIsDeclaration(callee));
}

/* Do all lanes of the processor come to a block together, once for each time that a sub-group does?
 * Nor may they wait on the way for what this one does later. */
static bool others_come(const struct masks *m, unsigned block) {
  return !m->may_wait && !m->flow.shapes.diverged[block];
}

/* A meeting of all of these lanes, not of a part. */
static bool is_meeting_of_all(const struct masks *m, LLVMValueRef i, unsigned block) {
  return is_call(i, MPL_MARK_GPU_MEET_ALL) ||
         (is_call(i, MPL_MARK_GPU_MEET) && (!m->is_narrow || others_come(m, block)));
}

/* What the lanes of a part do together: the parts go on by themselves behind it. */
static bool is_of_part(const struct masks *m, LLVMValueRef i, unsigned block) {
  return m->is_narrow && !others_come(m, block) &&
         (is_call(i, MPL_MARK_GPU_MEET) || is_call(i, MPL_MARK_GPU_OTHERS) || asks_for_active(i));
}

/* The processor's barrier is for all of its lanes at once.  Those of whole sub-groups are together there in
 * any case, but for loops, in front of which the functions of work-groups meet. */
static bool is_barrier_of_parts(const struct masks *m, LLVMValueRef i) {
  static const char name[] = "llvm.nvvm.barrier";
  LLVMValueRef callee = m->is_narrow && LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  size_t length;
  return callee && (is_call(i, MPL_MARK_BARRIER) ||
                    !strncmp(LLVMGetValueName2(callee, &length), name, sizeof name - 1));
}

/* Whether lanes may straggle behind an instruction, if they may in front of it. */
static bool straggles(const struct masks *m, LLVMValueRef i, unsigned block, bool straggle) {
  if (may_loop_inside(i) || is_of_part(m, i, block)) return true;
  return straggle && !is_meeting_of_all(m, i, block) && !is_barrier_of_parts(m, i);
}

static bool straggle_behind(struct masks *m, unsigned block, bool straggle) {
  MPL_EACH_INSTRUCTION(i, m->flow.cfg.blocks[block]) straggle = straggles(m, i, block, straggle);
  return straggle;
}

static bool leaves_varying_loop(const struct masks *m, unsigned from, unsigned to) {
  for (unsigned k = 0; k < m->flow.loops.count; k++) {
    const struct mpl_loop *loop = &m->flow.loops.list[k];
    if (loop->in[from] && !loop->in[to] && !mpl_loop_is_uniform(&m->flow, loop)) return true;
  }
  return false;
}

/* Per block: lanes may come to it one after another, since they left a loop so or came out of a
 * function with one, and have not met since. */
static bool *find_stragglers(struct masks *m) {
  const struct mpl_cfg *cfg = &m->flow.cfg;
  bool *found = mpl_allocate(cfg->count, sizeof *found);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned b = 0; b < cfg->count; b++) {
      bool behind = straggle_behind(m, b, found[b]);
      MPL_EACH_EDGE(to, &cfg->succs[b]) {
        if (found[to] || !(behind || leaves_varying_loop(m, b, to))) continue;
        found[to] = changed = true;
      }
    }
  }
  return found;
}

static void meet(struct masks *m, bool of_all) {
  LLVMValueRef mask = of_all ? everyone(m) : m->is_full ? full_lanes(m) : all_here(m);
  call(m, "llvm.nvvm.bar.warp.sync", &mask, 1);
}

/* Where all lanes of full sub-groups are together, nothing has to be computed. */
static void lower_meetings(struct masks *m) {
  bool *stragglers = find_stragglers(m);
  for (unsigned b = 0; b < m->flow.cfg.count; b++) {
    bool straggle = stragglers[b], together = m->is_full && !m->flow.shapes.diverged[b];
    MPL_EACH_INSTRUCTION(i, m->flow.cfg.blocks[b]) {
      bool of_all = is_meeting_of_all(m, i, b), before = straggle;
      straggle = straggles(m, i, b, before);
      LLVMPositionBuilderBefore(m->b, i);
      if (asks_for_active(i) && together && !before) {
        replace_with_mask(m, i, full_lanes(m));
      } else if (is_call(i, MPL_MARK_GPU_OTHERS)) {
        replace_with_mask(m, i, mpl_const32(m->ir, others_come(m, b) ? ~0u : 0));
      } else if (of_all || is_call(i, MPL_MARK_GPU_MEET)) {
        if (before) meet(m, of_all);
        LLVMInstructionEraseFromParent(i);
      } else if (before && is_barrier_of_parts(m, i)) {
        meet(m, true);
      }
    }
  }
  free(stragglers);
}

/* In a loop, for memory that others write? */
static bool may_wait_at(const struct masks *m, LLVMValueRef i) {
  if (may_loop_inside(i)) return true;
  unsigned block = mpl_cfg_block_of(&m->flow.cfg, i);
  for (unsigned k = 0; mpl_reads_what_others_write(i) && k < m->flow.loops.count; k++)
    if (m->flow.loops.list[k].in[block]) return true;
  return false;
}

static bool may_wait(const struct masks *m) {
  MPL_EACH_INSTRUCTION_OF(i, m->flow.function) {
    if (may_wait_at(m, i)) return true;
  }
  return false;
}

/* The size of groups is required, and ragged ones there are none. */
static bool has_full_lanes(const struct mpl_ir_kernel *kernel) {
  const unsigned *size = kernel->reqd_local;
  return kernel->flags & MPL_KERNEL_UNIFORM && size[0] &&
         size[0] * size[1] * size[2] % kernel->sub_group == 0;
}

bool mpl_keep_masks(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  if (ir->failed) return false;
  MPL_BUILDER(b, ir->context);
  struct masks m = {.ir = ir, .b = b, .size = kernel->sub_group};
  m.is_narrow = m.size < MPL_GPU_LANES;
  mpl_flow_find(&m.flow, kernel->group);
  m.may_wait = may_wait(&m);
  m.is_full = has_full_lanes(kernel);
  lower_meetings(&m);
  if (has_parts(&m)) {
    structurize(&m);
    mpl_flow_find_again(&m.flow);
  }
  if (!ir->failed) replace_active(&m);
  mpl_flow_free(&m.flow);
  return true;
}
