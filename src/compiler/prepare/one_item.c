/* `if (get_local_id(0) == u) ...` with the same u for all: one work-item (of each row) does what
 * the others leave alone, as the first or last of a group does with the group's result.  In a
 * vectorised work-item loop that would be masked stores for all; here it becomes a region of its
 * own whose loop visits just that work-item (__mpl_sync_one).
 *
 * Done where nothing but a sync point or the end follows, so that no value has to be kept for it.
 */
#include "compiler/analysis/markers.h"
#include "compiler/analysis/regions.h"
#include "compiler/passes.h"

enum { MOST_KEPT = 2 };

struct one_item {
  LLVMValueRef branch, id; /* the conditional branch; what the work-item's id is compared with */
  LLVMBasicBlockRef then, join;
};

static bool is_local_id(LLVMValueRef value) {
  return mpl_marker_of(mpl_through_casts(value, MPL_ID_BITS)) == MPL_MARK_LOCAL_ID_0;
}

/* Follows empty blocks; true if a sync point or the end of the kernel comes next. */
static bool leads_to_sync(LLVMBasicBlockRef block) {
  for (unsigned steps = 0; steps < 4; steps++) {
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    if (LLVMIsAReturnInst(first) || mpl_is_sync(mpl_marker_of(first))) return true;
    if (!LLVMIsABranchInst(first) || LLVMIsConditional(first)) return false;
    block = LLVMGetSuccessor(first, 0);
  }
  return false;
}

/* Computed again rather than kept; markers are ids, or what has a place anyway. */
static bool is_free(LLVMValueRef i) {
  return mpl_only_computes(i, MPL_INTEGER | MPL_ADDRESS) || mpl_marker_of(i) != MPL_NO_MARKER;
}

/* The block has an effect, no sync point, and asks for few values that would have to be kept. */
static bool is_fit(struct mpl_shapes *s, LLVMBasicBlockRef block) {
  unsigned kept = 0;
  bool effect = false;
  MPL_EACH_INSTRUCTION(i, block) {
    if (mpl_is_sync(mpl_marker_of(i)) || LLVMIsAAllocaInst(i)) return false;
    effect |= LLVMIsAStoreInst(i) != NULL;
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
      LLVMValueRef operand = LLVMGetOperand(i, k);
      if (!LLVMIsAInstruction(operand) || LLVMGetInstructionParent(operand) == block) continue;
      kept += !mpl_is_uniform(s, operand) && !is_free(operand);
    }
  }
  return effect && kept <= MOST_KEPT;
}

static bool find(struct mpl_shapes *s, unsigned b, struct one_item *one) {
  struct mpl_cfg *cfg = s->cfg;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg->blocks[b]);
  if (!s->varying_branch[b] || s->influenced[b] || !LLVMIsABranchInst(end)) return false;
  LLVMValueRef condition = LLVMIsAICmpInst(LLVMGetCondition(end));
  if (!condition) return false;
  LLVMIntPredicate predicate = LLVMGetICmpPredicate(condition);
  if (predicate != LLVMIntEQ && predicate != LLVMIntNE) return false;
  LLVMValueRef x = LLVMGetOperand(condition, 0), y = LLVMGetOperand(condition, 1);
  if (!is_local_id(x)) {
    LLVMValueRef t = x;
    x = y;
    y = t;
  }
  if (!is_local_id(x) || !mpl_is_uniform(s, y)) return false;
  one->branch = end;
  one->id = y;
  one->then = LLVMGetSuccessor(end, predicate == LLVMIntNE);
  one->join = LLVMGetSuccessor(end, predicate == LLVMIntEQ);
  unsigned then = mpl_map_get(&cfg->index, one->then, 0);
  LLVMValueRef leave = LLVMGetBasicBlockTerminator(one->then);
  if (cfg->preds[then].count != 1 || LLVMGetNumSuccessors(leave) != 1 ||
      LLVMGetSuccessor(leave, 0) != one->join || one->then == one->join ||
      LLVMIsAPHINode(LLVMGetFirstInstruction(one->join)))
    return false;
  return leads_to_sync(one->join) && is_fit(s, one->then);
}

static void set_apart(struct mpl_module_ir *ir, LLVMBuilderRef b, struct one_item *one) {
  LLVMPositionBuilderBefore(b, one->branch);
  LLVMValueRef id = LLVMBuildZExtOrBitCast(b, one->id, ir->i64, "one");
  LLVMBuildBr(b, one->then);
  LLVMInstructionEraseFromParent(one->branch);
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(one->then));
  mpl_build_marker(ir, b, MPL_MARK_ONE, ir->void_type, &id, 1);
  LLVMValueRef first = LLVMGetFirstInstruction(one->join);
  /* A sync with an operand needs its own region in front, whose loop visits all. */
  if (mpl_marker_of(first) == MPL_MARK_BARRIER) return;
  LLVMPositionBuilderBefore(b, first);
  mpl_build_marker(ir, b, MPL_MARK_BARRIER, ir->void_type, NULL, 0);
}

static bool find_all(struct mpl_module_ir *ir, LLVMValueRef function) {
  struct mpl_regions regions;
  mpl_regions_find(&regions, function);
  /* In a masked kernel, a work-item that the loop never visits would never go on. */
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ir->context);
  bool changed = regions.cut;
  for (unsigned n = 1; n < regions.cfg.count && !regions.masked; n++) {
    struct one_item one;
    if (!find(&regions.shapes, n, &one)) continue;
    mpl_remark(ir, one.branch, "done by one work-item: outside the work-item loop");
    set_apart(ir, b, &one);
    changed = true;
  }
  LLVMDisposeBuilder(b);
  mpl_regions_free(&regions);
  return changed;
}

bool mpl_set_one_item_apart(struct mpl_module_ir *ir) {
  bool changed = false;
  for (unsigned k = 0; k < ir->num_kernels; k++)
    if (!ir->kernels[k].uses_lanes) changed |= find_all(ir, ir->kernels[k].group);
  return changed;
}
