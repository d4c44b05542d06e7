/* Loops that carry what is uniform after the first iteration:
 *
 *   x = in[id];  for (i...) x = work_group_reduce_add(f(x, id, i));
 *
 * Only the x that the loop begins with varies.  With the first iteration in front of the loop, the
 * x in it is uniform and has one slot: it is not stored for each work-item at the end of an
 * iteration, to be read again in the next. */
#include <stdlib.h>

#include "compiler/analysis/loops.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"

/* Copied code is compiled twice: it has to stay small beside the rest. */
enum { MOST_INSTRUCTIONS = 64, MOST_SYNCS = 2, MOST_IN_KERNEL = 32 };

/* Does a value vary only because of the loop's first iteration? */
static bool gains(struct mpl_flow *flow, struct mpl_loop *loop) {
  MPL_EACH_PHI(i, flow->cfg.blocks[loop->header]) {
    LLVMValueRef carried = mpl_incoming_from(i, flow->cfg.blocks[loop->latch]);
    if (!mpl_is_uniform(&flow->shapes, i) && mpl_is_uniform(&flow->shapes, carried)) return true;
  }
  return false;
}

/* All work-items have to run the same iterations: those that come late meet the others at the sync
 * point of the loop, not at that of its copy. */
static bool is_wanted(struct mpl_flow *flow, struct mpl_loop *loop) {
  unsigned syncs = mpl_loop_syncs(&flow->cfg, loop);
  return loop->innermost && syncs && syncs <= MOST_SYNCS && mpl_loop_is_uniform(flow, loop) &&
         gains(flow, loop) && mpl_loop_size(flow, loop) <= MOST_INSTRUCTIONS;
}

/* One, each once; what is known of the others is out of date then. */
static bool peel_one(struct mpl_module_ir *ir, struct mpl_flow *flow, struct mpl_map *seen) {
  for (unsigned k = 0; k < flow->loops.count; k++) {
    struct mpl_loop *loop = &flow->loops.list[k];
    LLVMBasicBlockRef header = flow->cfg.blocks[loop->header];
    if (!is_wanted(flow, loop) || !mpl_map_add(seen, header)) continue;
    if (!mpl_ir_peel(header)) continue;
    mpl_remark(ir, LLVMGetBasicBlockTerminator(flow->cfg.blocks[loop->latch]),
               "first iteration peeled: what the loop carries is uniform behind it");
    return true;
  }
  return false;
}

/* Where such a loop is left is a cut: what varies behind it is no matter of the loop then, whose
 * last region may have nothing to do for each work-item. */
static void cut_exits(struct mpl_module_ir *ir, struct mpl_flow *flow, struct mpl_loop *loop) {
  MPL_BUILDER(b, ir->context);
  for (unsigned n = 0; n < loop->num_blocks; n++) {
    const struct mpl_edges *succs = &flow->cfg.succs[loop->blocks[n]];
    MPL_EACH_EDGE(to, succs) {
      if (loop->in[to]) continue;
      LLVMValueRef at = mpl_behind_phis(flow->cfg.blocks[to]);
      if (mpl_is_sync(mpl_marker_of(at))) continue;
      LLVMPositionBuilderBefore(b, at);
      mpl_build_marker(ir, b, MPL_MARK_BARRIER, ir->void_type, NULL, 0);
    }
  }
}

/* Not for kernels with sub-groups, whose values are in vector registers anyway. */
bool mpl_peel_loops(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  unsigned syncs = 0;
  MPL_EACH_INSTRUCTION_OF(i, kernel->group) syncs += mpl_is_sync(mpl_marker_of(i));
  if (kernel->uses_lanes || !syncs || syncs > MOST_IN_KERNEL) return false;
  MPL_FLOW(flow, kernel->group);
  MPL_MAP(seen);
  bool changed = false;
  for (; peel_one(ir, &flow, &seen); changed = true) mpl_flow_find_again(&flow);
  for (unsigned k = 0; k < flow.loops.count && changed; k++) {
    struct mpl_loop *loop = &flow.loops.list[k];
    if (mpl_loop_syncs(&flow.cfg, loop) && mpl_loop_is_uniform(&flow, loop)) cut_exits(ir, &flow, loop);
  }
  return changed;
}
