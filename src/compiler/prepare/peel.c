/* Loops that carry what is uniform after the first iteration:
 *
 *   x = in[id];  for (i...) x = work_group_reduce_add(f(x, id, i));
 *
 * Only the x that the loop begins with varies.  With the first iteration in front of the loop, the
 * x in it is uniform and has one slot: it is not stored for each work-item at the end of an
 * iteration, to be read again in the next. */
#include <stdlib.h>

#include "compiler/analysis/markers.h"
#include "compiler/analysis/shape.h"
#include "compiler/passes.h"

/* What is copied is compiled twice: that has to stay small beside the rest. */
enum { MOST_INSTRUCTIONS = 64, MOST_SYNCS = 2, MOST_IN_KERNEL = 32 };

struct loop {
  struct mpl_cfg *cfg;
  struct mpl_shapes *shapes;
  unsigned header, latch;
  bool *in; /* per block */
};

static LLVMValueRef carried(struct loop *l, LLVMValueRef phi) {
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
    if (LLVMGetIncomingBlock(phi, k) == l->cfg->blocks[l->latch])
      return LLVMGetIncomingValue(phi, k);
  abort();
}

/* Does a value vary only because of the loop's first iteration? */
static bool gains(struct loop *l) {
  MPL_EACH_INSTRUCTION(i, l->cfg->blocks[l->header]) {
    if (!LLVMIsAPHINode(i)) break;
    if (!mpl_is_uniform(l->shapes, i) && mpl_is_uniform(l->shapes, carried(l, i)))
      return true;
  }
  return false;
}

static bool is_small(struct loop *l) {
  unsigned size = 0, syncs = 0;
  for (unsigned b = 0; b < l->cfg->count; b++) {
    if (!l->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, l->cfg->blocks[b]) {
      size++;
      syncs += mpl_is_sync(mpl_marker_of(i));
    }
  }
  return syncs && syncs <= MOST_SYNCS && size <= MOST_INSTRUCTIONS;
}

/* All work-items have to run the same iterations: those that come late meet the others at the sync
 * point of the loop, not at that of its copy. */
static bool is_uniform(struct loop *l) {
  struct mpl_cfg *cfg = l->cfg;
  for (unsigned b = 0; b < cfg->count; b++) {
    if (!l->in[b] || !l->shapes->varying_branch[b]) continue;
    for (unsigned s = 0; s < cfg->succs[b].count; s++)
      if (!l->in[cfg->succs[b].to[s]] || cfg->succs[b].to[s] == l->header) return false;
  }
  return !l->shapes->influenced[l->header];
}

/* Peels one loop; false if there is none left. */
static bool peel_one(struct mpl_module_ir *ir, LLVMValueRef function, struct mpl_map *seen) {
  struct mpl_cfg cfg;
  struct mpl_shapes shapes;
  bool found = false;
  mpl_cfg_build(&cfg, function);
  mpl_shapes_find(&shapes, &cfg, function);
  for (unsigned header = 1; header < cfg.count && !found; header++) {
    struct loop l = {&cfg, &shapes, header, 0, mpl_allocate(cfg.count, sizeof *l.in)};
    l.latch = mpl_cfg_find_loop(&cfg, header, l.in);
    if (l.latch < cfg.count && !mpl_map_has(seen, cfg.blocks[header]) && is_uniform(&l) &&
        gains(&l) && is_small(&l)) {
      mpl_map_set(seen, cfg.blocks[header], 1);
      found = mpl_ir_peel(cfg.blocks[header]);
      if (found)
        mpl_remark(ir, LLVMGetBasicBlockTerminator(cfg.blocks[l.latch]),
                   "first iteration peeled: what the loop carries is uniform behind it");
    }
    free(l.in);
  }
  mpl_shapes_free(&shapes);
  mpl_cfg_free(&cfg);
  return found;
}

static unsigned count_syncs(LLVMValueRef function) {
  unsigned count = 0;
  MPL_EACH_BLOCK(block, function) {
    MPL_EACH_INSTRUCTION(i, block) count += mpl_is_sync(mpl_marker_of(i));
  }
  return count;
}

/* Not for kernels with sub-groups, whose values are in vector registers anyway. */
bool mpl_peel_loops(struct mpl_module_ir *ir) {
  bool changed = false;
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    struct mpl_map seen = {0};
    if (!ir->kernels[k].uses_lanes && count_syncs(ir->kernels[k].group) <= MOST_IN_KERNEL)
      while (peel_one(ir, ir->kernels[k].group, &seen)) changed = true;
    mpl_map_free(&seen);
  }
  return changed;
}
