/* For the checking engine: the branches on which it depends whether a work-item comes to a
 * collective.  What each work-item did there is the reason when they miss one another. */
#include <stdlib.h>

#include "compiler/analysis/loops.h"
#include "compiler/analysis/markers.h"
#include "items.h"

/* The way of a branch whose sides meet again at `meet`. */
struct ways {
  bool syncs; /* a collective is on one of them */
  bool again; /* one leads back to it: it ends a loop */
};

bool mpl_is_at_copy(LLVMValueRef i) {
  return mpl_marker_of(i) == MPL_MARK_AT &&
         mpl_described_kind(LLVMGetOperand(i, 0)) == MPL_FUNCTION_COPY;
}

static bool has_sync(LLVMBasicBlockRef block, bool of_group) {
  MPL_EACH_INSTRUCTION(i, block) {
    enum mpl_marker marker = mpl_marker_of(i);
    bool is = of_group ? mpl_is_group_sync(marker) || mpl_is_at_copy(i) : mpl_is_sync(marker);
    if (is && marker != MPL_MARK_YIELD) return true;
  }
  return false;
}

/* What is reached from `start` without passing the place where the sides of `branch` meet; of
 * collectives all, or those of work-groups. */
static struct ways follow(const struct mpl_cfg *cfg, unsigned start, unsigned branch, bool of_group) {
  struct ways ways = {0};
  MPL_ARRAY(bool, in, cfg->count + 1);
  unsigned meet = cfg->ipdom[branch];
  in[meet] = in[start] = true;
  if (start != meet) mpl_cfg_reach(cfg, start, in);
  for (unsigned b = 0; b < cfg->count; b++) {
    if (!in[b] || b == meet) continue;
    ways.again |= b == branch;
    ways.syncs |= has_sync(cfg->blocks[b], of_group);
  }
  return ways;
}

static void mark(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef end, unsigned index,
                 uint64_t stay, bool is_loop, bool is_at_head) {
  LLVMPositionBuilderBefore(b, end);
  LLVMValueRef condition = LLVMBuildIntCast2(b, LLVMGetOperand(end, 0), ir->i64, false, "");
  LLVMValueRef args[] = {mpl_const32(ir, index), condition, mpl_const64(ir, stay),
                         mpl_const32(ir, is_loop), mpl_const32(ir, is_at_head)};
  mpl_build_marker(ir, b, MPL_MARK_BRANCH, ir->void_type, args, 5);
}

bool mpl_parts_before_sync(LLVMValueRef kernel) {
  MPL_FLOW(flow, kernel);
  const struct mpl_cfg *cfg = &flow.cfg;
  for (unsigned k = 0; k < cfg->count; k++)
    for (unsigned s = 0; flow.shapes.varying_branch[k] && s < cfg->succs[k].count; s++)
      if (follow(cfg, cfg->succs[k].to[s], k, true).syncs) return true;
  return false;
}

unsigned mpl_mark_branches(struct mpl_module_ir *ir, LLVMValueRef kernel) {
  unsigned count = 0;
  MPL_FLOW(flow, kernel);
  MPL_BUILDER(b, ir->context);
  const struct mpl_cfg *cfg = &flow.cfg;
  for (unsigned k = 0; k < cfg->count; k++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg->blocks[k]);
    if (!flow.shapes.varying_branch[k] || LLVMGetInstructionOpcode(end) != LLVMBr) continue;
    unsigned yes = mpl_map_get(&cfg->index, LLVMGetSuccessor(end, 0), 0);
    unsigned no = mpl_map_get(&cfg->index, LLVMGetSuccessor(end, 1), 0);
    struct ways if_yes = follow(cfg, yes, k, false), if_no = follow(cfg, no, k, false);
    if (!if_yes.syncs && !if_no.syncs) continue;
    bool is_loop = if_yes.again != if_no.again;
    bool at_head = is_loop && mpl_cfg_is_header(cfg, k) && (if_yes.again ? yes : no) != k;
    mark(ir, b, end, count++, if_yes.again, is_loop, at_head);
  }
  return count;
}
