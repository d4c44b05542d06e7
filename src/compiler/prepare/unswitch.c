/* Loops that ask again and again for what is the same for the whole launch:
 *
 *   for (y...) for (x...) switch (image->layout) { case 1: ... case 2: ... }
 *
 * becomes a switch over loops, each with the code of one case.  What is asked for is uniform, and
 * known before the loop; so all work-items take the same one, and a loop with one case is small
 * enough to be unrolled and to keep its constants in registers.  The outermost such loop is taken.
 *
 * Where no loop is around, it is the one over the work-items: the kernel begins with the switch,
 * and each case is a region of its own (a barrier that only divides regions).  So are the cases of
 * the next switch in these, as that of the image which is written; but if there are too many
 * combinations, or they are much code, only the same case of all.  Whatever is none of these goes
 * on in the kernel as it was, with all its switches.  A region takes a tenth of a second to compile
 * and saves up to half of the kernel's time; programs that access images in many places get none.
 * Of loops' instructions these get as many as one kernel does else.  On a GPU only loops are taken. */
#include <stdlib.h>

#include "compiler/analysis/loops.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"

/* Instructions that the loops may have together, and that one may have; those that a loop may
 * become if it is unrolled; those of a kernel's cases, and of one switch's to be combined with
 * others'; cases of a switch, and of all of a kernel. */
enum {
  MOST_INSTRUCTIONS = 1200,
  MOST_IN_LOOP = 600,
  MOST_UNROLLED = 400,
  MOST_IN_KERNEL = 2000,
  MOST_COMBINED = 500,
  LEAST_CASES = 2,
  MOST_CASES = 12,
};
/* Cases of kernels in a program; while so many are left, all combinations. */
enum { MOST_IN_PROGRAM = 36, MANY = 18 };

static bool is_outside(struct mpl_flow *flow, const struct mpl_loop *loop, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value)) return LLVMIsAArgument(value);
  unsigned block = mpl_cfg_block_of(&flow->cfg, value);
  return block < flow->cfg.count && !loop->in[block];
}

/* Instructions of the loop that are reached if the condition has the value; null: one that is no
 * case's.  Not `plain` if there is a loop among them. */
static unsigned size_with(struct mpl_flow *flow, const struct mpl_loop *loop,
                          LLVMValueRef condition, LLVMValueRef value, bool *plain) {
  MPL_ARRAY(bool, reached, flow->cfg.count);
  unsigned size = 0;
  reached[loop->header] = true;
  for (unsigned n = 0; n < loop->num_blocks; n++) { /* in topological order */
    unsigned b = loop->blocks[n];
    if (!reached[b]) continue;
    for (unsigned k = 0; k < flow->loops.count; k++) *plain &= !flow->loops.list[k].in[b];
    MPL_EACH_INSTRUCTION(i, flow->cfg.blocks[b]) size++;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->cfg.blocks[b]);
    bool decided = LLVMIsASwitchInst(end) && LLVMGetOperand(end, 0) == condition;
    LLVMBasicBlockRef only = decided ? LLVMGetSwitchDefaultDest(end) : NULL;
    for (unsigned k = 2; decided && k < (unsigned)LLVMGetNumOperands(end); k += 2)
      if (LLVMGetOperand(end, k) == value) only = LLVMValueAsBasicBlock(LLVMGetOperand(end, k + 1));
    MPL_EACH_EDGE(to, &flow->cfg.succs[b]) {
      if (!only || flow->cfg.blocks[to] == only) reached[to] = true;
    }
  }
  return size;
}

/* Of the loops, or whatever they are, that there are then for the cases. */
static unsigned size_of_cases(struct mpl_flow *flow, const struct mpl_loop *loop, LLVMValueRef on,
                              bool *plain) {
  LLVMValueRef condition = LLVMGetOperand(on, 0);
  unsigned size = 0, cases = LLVMGetNumSuccessors(on) - 1;
  for (unsigned k = 0; k < cases; k++)
    size += size_with(flow, loop, condition, LLVMGetOperand(on, 2 * k + 2), plain);
  return size;
}

/* A switch that is better asked in front of the loop, or null; how many instructions the loops have
 * then, `most` at most.  Of a kernel: only those of the cases count, in which there is no loop. */
static LLVMValueRef find_switch(struct mpl_flow *flow, const struct mpl_loop *loop, bool of_kernel,
                                unsigned most, unsigned *size) {
  for (unsigned n = 0; n < loop->num_blocks; n++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->cfg.blocks[loop->blocks[n]]);
    if (!LLVMIsASwitchInst(end)) continue;
    LLVMValueRef condition = LLVMGetOperand(end, 0);
    unsigned cases = LLVMGetNumSuccessors(end) - 1;
    if (cases < LEAST_CASES || cases > MOST_CASES || !mpl_is_uniform(&flow->shapes, condition) ||
        !is_outside(flow, loop, condition))
      continue;
    bool plain = true;
    *size = size_of_cases(flow, loop, end, &plain);
    if (of_kernel && !plain) continue;
    if (!of_kernel) *size += size_with(flow, loop, condition, NULL, &plain);
    if (*size <= most) return end;
  }
  return NULL;
}

static bool unswitch_one(struct mpl_module_ir *ir, struct mpl_flow *flow, unsigned *left) {
  for (unsigned k = 0; k < flow->loops.count; k++) { /* outer ones first */
    struct mpl_loop *loop = &flow->loops.list[k];
    unsigned size;
    if (mpl_loop_size(flow, loop) > MOST_IN_LOOP || mpl_loop_syncs(&flow->cfg, loop)) continue;
    LLVMValueRef on = find_switch(flow, loop, false, *left, &size);
    if (!on) continue;
    LLVMValueRef at = LLVMGetBasicBlockTerminator(flow->cfg.blocks[loop->latch]);
    unsigned cases = LLVMGetNumSuccessors(on) - 1;
    *left -= size;
    mpl_remark(ir, at, "a loop for each of %u cases, which are the same for all", cases + 1);
    if (mpl_ir_unswitch(flow->cfg.blocks[loop->header], on)) return true;
  }
  return false;
}

static bool unswitch_in(struct mpl_module_ir *ir, LLVMValueRef function, unsigned *left) {
  MPL_FLOW(flow, function);
  bool changed = false;
  for (; unswitch_one(ir, &flow, left); changed = true) mpl_flow_find_again(&flow);
  return changed;
}

/* --- Where no loop is around --- */

/* Where the code of one combination begins, and the first one's case. */
struct leaf {
  LLVMBasicBlockRef block;
  LLVMValueRef value;
};
struct leaves {
  struct leaf list[MOST_CASES];
  unsigned count, most;
  unsigned size;             /* of all */
  LLVMBasicBlockRef general; /* of none of the cases */
  bool same;                 /* only the same case of all */
};

/* All that is reached from a block, as if it were a loop. */
static struct mpl_loop reached_from(struct mpl_flow *flow, LLVMBasicBlockRef block) {
  unsigned count = flow->cfg.count, first = (unsigned)mpl_map_get(&flow->cfg.index, block, 0);
  struct mpl_loop all = {.header = first};
  all.in = mpl_allocate(count, sizeof *all.in);
  all.blocks = mpl_allocate(count, sizeof *all.blocks);
  all.in[first] = true;
  for (unsigned b = first; b < count; b++) { /* in topological order */
    if (!all.in[b]) continue;
    all.blocks[all.num_blocks++] = b;
    MPL_EACH_EDGE(to, &flow->cfg.succs[b]) all.in[to] = true;
  }
  return all;
}

static bool has_case(LLVMValueRef on, LLVMValueRef value) {
  for (unsigned k = 1; k < LLVMGetNumSuccessors(on); k++)
    if (LLVMGetOperand(on, 2 * k) == value) return true;
  return false;
}

/* Unswitches what begins at a leaf; in its place the cases are listed. */
static bool unswitch_leaf(struct mpl_flow *flow, struct leaves *leaves, unsigned k) {
  struct leaf leaf = leaves->list[k];
  struct mpl_loop all = reached_from(flow, leaf.block);
  unsigned own = leaf.value ? mpl_loop_size(flow, &all) : 0, size;
  LLVMValueRef on = find_switch(flow, &all, true, MOST_IN_KERNEL + own - leaves->size, &size);
  LLVMValueRef only = leaves->same ? leaf.value : NULL;
  free(all.in);
  free(all.blocks);
  if (!on || (only && !has_case(on, only))) return false;
  unsigned cases = only ? 1 : LLVMGetNumSuccessors(on) - 1;
  if (leaves->count - 1 + cases > leaves->most) return false;
  LLVMBasicBlockRef blocks[MOST_CASES];
  LLVMValueRef values[MOST_CASES];
  for (unsigned n = 0; n < cases; n++)
    values[n] = leaf.value ? leaf.value : LLVMGetOperand(on, 2 * n + 2);
  leaves->general = mpl_ir_unswitch_from(leaf.block, on, only, leaves->general, blocks);
  leaves->size += size - own;
  for (unsigned n = 0; n < cases; n++)
    leaves->list[n ? leaves->count++ : k] = (struct leaf){blocks[n], values[n]};
  return true;
}

/* How many combinations of cases there are, but for what only the rest asks. */
static unsigned combinations(struct mpl_flow *flow) {
  struct mpl_cfg *cfg = &flow->cfg;
  struct mpl_loop all = reached_from(flow, cfg->blocks[1]);
  MPL_MAP(seen);
  MPL_ARRAY(bool, reached, cfg->count);
  unsigned product = 1, size;
  reached[1] = true;
  for (unsigned b = 1; b < cfg->count; b++) { /* in topological order */
    if (!reached[b]) continue;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg->blocks[b]);
    struct mpl_loop here = {.header = b, .blocks = &b, .num_blocks = 1, .in = all.in};
    bool decides = find_switch(flow, &here, true, MOST_IN_KERNEL, &size) != NULL;
    if (decides && !mpl_map_has(&seen, LLVMGetOperand(end, 0)) && product <= MOST_CASES)
      product *= LLVMGetNumSuccessors(end) - 1;
    if (decides) mpl_map_set(&seen, LLVMGetOperand(end, 0), 1);
    for (unsigned k = decides; k < LLVMGetNumSuccessors(end); k++)
      reached[mpl_map_get(&cfg->index, LLVMGetSuccessor(end, k), 0)] = true;
  }
  free(all.in);
  free(all.blocks);
  return product;
}

/* Private arrays would be kept from the set-up block to whichever region has them. */
static bool is_one_region(LLVMValueRef function) {
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (LLVMIsAAllocaInst(i) || mpl_is_sync(mpl_marker_of(i))) return false;
  }
  return true;
}

static void divide(struct mpl_module_ir *ir, LLVMBasicBlockRef block) {
  MPL_BUILDER(b, ir->context);
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(block));
  mpl_build_marker(ir, b, MPL_MARK_BARRIER, ir->void_type, NULL, 0);
}

static bool unswitch_kernel(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel,
                            unsigned *left) {
  LLVMValueRef function = kernel->group;
  if (!is_one_region(function)) return false;
  MPL_FLOW(flow, function);
  LLVMValueRef start = LLVMGetBasicBlockTerminator(flow.cfg.blocks[0]);
  struct leaves leaves = {.list = {{LLVMGetSuccessor(start, 0), NULL}}, .count = 1};
  leaves.most = *left < MOST_CASES ? *left : MOST_CASES;
  leaves.same = *left < MANY || combinations(&flow) > MOST_CASES;
  for (unsigned k = 0; k < leaves.count;) {
    if (unswitch_leaf(&flow, &leaves, k)) {
      leaves.same |= leaves.size > MOST_COMBINED;
      mpl_flow_find_again(&flow);
    } else
      k++;
  }
  if (!leaves.general) return false;
  *left -= leaves.count;
  kernel->cases = leaves.count;
  mpl_remark(ir, start, "%u regions more, for cases of what is the same for all", leaves.count);
  divide(ir, leaves.general);
  for (unsigned k = 0; k < leaves.count; k++) divide(ir, leaves.list[k].block);
  return true;
}

/* --- On a GPU --- */

static bool loads_what_it_asks(const struct mpl_flow *flow, const struct mpl_loop *loop) {
  for (unsigned n = 0; n < loop->num_blocks; n++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->cfg.blocks[loop->blocks[n]]);
    if (!LLVMIsASwitchInst(end) || !LLVMIsALoadInst(LLVMGetOperand(end, 0))) continue;
    LLVMTypeRef pointer = LLVMTypeOf(LLVMGetOperand(LLVMGetOperand(end, 0), 0));
    if (LLVMGetPointerAddressSpace(pointer) == MPL_CONSTANT_SPACE) return true;
  }
  return false;
}

/* Nothing else takes loads out of loops there so early, as what is loaded keeps registers busy. */
static bool load_ahead(struct mpl_module_ir *ir) {
  bool loads = false;
  for (unsigned k = 0; k < ir->num_kernels && !loads; k++) {
    MPL_FLOW(flow, ir->kernels[k].group);
    for (unsigned l = 0; l < flow.loops.count; l++)
      loads |= loads_what_it_asks(&flow, &flow.loops.list[l]);
  }
  if (loads) mpl_run_llvm_passes(ir, "function(loop-simplify,lcssa,loop-mssa(licm))");
  return loads;
}

/* Loops that run a few times and are small now are unrolled, as others were (source/inline.c). */
bool mpl_unswitch_loops(struct mpl_module_ir *ir) {
  static const char unrolled[] = "function(loop(loop-unroll-full),early-cse,loop-simplify,lcssa)";
  bool changed = ir->gpu && load_ahead(ir), of_loops = false;
  unsigned left = MOST_IN_PROGRAM, in_loops = MOST_INSTRUCTIONS;
  MPL_EACH_KERNEL(kernel, ir) {
    LLVMValueRef function = kernel->group;
    if (!ir->many_images) in_loops = MOST_INSTRUCTIONS;
    if (!ir->gpu && !kernel->uses_lanes && !ir->many_images)
      changed |= unswitch_kernel(ir, kernel, &left);
    if (!unswitch_in(ir, function, &in_loops)) continue;
    changed = true;
    if (ir->gpu) continue; /* unrolled later (gpu/unroll.c) */
    mpl_ir_unroll_small(function, MOST_UNROLLED);
    of_loops = true;
  }
  if (of_loops) mpl_run_llvm_passes(ir, unrolled);
  return changed | of_loops;
}
