/* `if (get_local_id(0) == u && c) ...` with the same u for all: one work-item (of each row) does
 * what the others leave alone, as the first or last of a group does with the group's result.  In a
 * vectorised work-item loop that would be masked stores for all; here it becomes a region of its
 * own whose loop visits just that work-item (__mpl_sync_one).  A global id is a local one behind
 * what is the same for all.
 *
 * Done where nothing but a sync point or the end follows, so that no value has to be kept for it.
 */
#include <stdlib.h>

#include "compiler/analysis/markers.h"
#include "compiler/analysis/regions.h"
#include "compiler/analysis/shim.h"
#include "compiler/passes.h"

enum { MOST_KEPT = 2, DEEPEST = 4 /* conjunctions in one another */ };

struct one_item {
  LLVMValueRef branch;        /* the conditional branch */
  LLVMValueRef before, equal; /* the local id behind `before`, or null, is `equal` ... */
  LLVMValueRef mask;          /* ... in these lowest bits, or in all if null */
  bool more;                  /* the condition says more than that */
  LLVMBasicBlockRef then, join;
};

static bool is_local_id(LLVMValueRef value) {
  return mpl_marker_of(mpl_through_casts(value)) == MPL_MARK_LOCAL_ID_0;
}

static bool is_mask(LLVMValueRef value) {
  uint64_t mask = LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : 0;
  return mask >> MPL_ID_BITS && !(mask & (mask + 1));
}

/* A mask of what is compared stands for a conversion; LLVM writes so what is compared with a number. */
static LLVMValueRef skip_mask(struct one_item *one, LLVMValueRef value) {
  bool masked = mpl_is_op(value, LLVMAnd) && is_mask(LLVMGetOperand(value, 1)) &&
                LLVMIsAConstantInt(one->equal);
  one->mask = masked ? LLVMGetOperand(value, 1) : NULL;
  if (!masked || LLVMConstIntGetZExtValue(one->equal) > LLVMConstIntGetZExtValue(one->mask))
    return value;
  return LLVMGetOperand(value, 0);
}

/* Is the value the local id, or modulo its width the sum of that and what is uniform? */
static bool is_id(struct mpl_shapes *s, LLVMValueRef value, struct one_item *one) {
  one->before = one->mask = NULL;
  if (is_local_id(value)) return true;
  if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= MPL_ID_BITS) return false;
  value = skip_mask(one, value);
  while (LLVMIsATruncInst(value)) value = LLVMGetOperand(value, 0);
  if (!mpl_is_op(value, LLVMAdd)) return false;
  for (unsigned k = 0; k < 2 && !one->before; k++)
    if (is_local_id(LLVMGetOperand(value, k)) && mpl_is_uniform(s, LLVMGetOperand(value, !k)))
      one->before = LLVMGetOperand(value, !k);
  return one->before;
}

/* Does `condition`, or its negation, say that the work-item is that one? */
static bool is_of_one(struct mpl_shapes *s, LLVMValueRef condition, bool negated,
                      struct one_item *one) {
  if (!LLVMIsAICmpInst(condition) ||
      LLVMGetICmpPredicate(condition) != (negated ? LLVMIntNE : LLVMIntEQ) ||
      LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(condition, 0))) != LLVMIntegerTypeKind)
    return false;
  for (unsigned k = 0; k < 2; k++) {
    one->equal = LLVMGetOperand(condition, !k);
    if (is_id(s, LLVMGetOperand(condition, k), one) && mpl_is_uniform(s, one->equal))
      return true;
  }
  return false;
}

/* The two operands of a conjunction, or of a disjunction; LLVM writes either as a select too. */
static bool find_both(LLVMValueRef condition, bool disjunction, LLVMValueRef both[2]) {
  if (!LLVMIsAInstruction(condition)) return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(condition);
  bool select = opcode == LLVMSelect;
  if (!select && opcode != (disjunction ? LLVMOr : LLVMAnd)) return false;
  unsigned second = select && disjunction ? 2 : 1;
  both[0] = LLVMGetOperand(condition, 0);
  both[1] = LLVMGetOperand(condition, second);
  if (!select) return true;
  LLVMValueRef other = LLVMIsAConstantInt(LLVMGetOperand(condition, 3 - second));
  return other && LLVMConstIntGetZExtValue(other) == disjunction;
}

/* Is `condition`, or its negation, so for that work-item only? */
static bool is_condition(struct mpl_shapes *s, LLVMValueRef condition, bool negated,
                         struct one_item *one, unsigned depth) {
  LLVMValueRef both[2];
  if (is_of_one(s, condition, negated, one)) return true;
  one->more = true;
  if (depth == DEEPEST || !find_both(condition, negated, both)) return false;
  return is_condition(s, both[0], negated, one, depth + 1) ||
         is_condition(s, both[1], negated, one, depth + 1);
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

/* Marks the blocks between the branch and `join`; none may be entered or left otherwise. */
static bool find_blocks(struct mpl_cfg *cfg, unsigned branch, const struct one_item *one,
                        bool *inside) {
  unsigned then = mpl_map_get(&cfg->index, one->then, 0),
           join = mpl_map_get(&cfg->index, one->join, 0);
  inside[join] = true;
  mpl_cfg_reach(cfg, then, inside);
  inside[then] = true;
  inside[join] = false;
  for (unsigned n = 0; n < cfg->count; n++) {
    if (inside[n] && (n == branch || !cfg->succs[n].count)) return false;
    for (unsigned k = 0; inside[n] && k < cfg->preds[n].count; k++)
      if (!inside[cfg->preds[n].to[k]] && (n != then || cfg->preds[n].to[k] != branch)) return false;
  }
  return true;
}

static unsigned count_kept(struct mpl_shapes *s, const bool *inside, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value) || mpl_is_uniform(s, value) || is_free(value)) return 0;
  unsigned block = mpl_cfg_block_of(s->cfg, value);
  return block >= s->cfg->count || !inside[block];
}

/* The blocks have an effect, no sync point, and ask for few values that would have to be kept. */
static bool is_fit(struct mpl_shapes *s, const struct one_item *one, const bool *inside) {
  unsigned kept = one->more ? count_kept(s, inside, LLVMGetCondition(one->branch)) : 0;
  bool effect = false;
  for (unsigned n = 0; n < s->cfg->count; n++) {
    if (!inside[n]) continue;
    MPL_EACH_INSTRUCTION(i, s->cfg->blocks[n]) {
      if (mpl_is_sync(mpl_marker_of(i)) || LLVMIsAAllocaInst(i)) return false;
      effect |= LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i);
      for (int k = 0; k < LLVMGetNumOperands(i); k++)
        kept += count_kept(s, inside, LLVMGetOperand(i, k));
    }
  }
  return effect && kept <= MOST_KEPT;
}

static bool find(struct mpl_shapes *s, unsigned b, struct one_item *one) {
  struct mpl_cfg *cfg = s->cfg;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg->blocks[b]);
  if (!s->varying_branch[b] || s->diverged[b] || !LLVMIsABranchInst(end)) return false;
  bool found = false, negated = false;
  for (unsigned side = 0; side < 2 && !found; side++) {
    *one = (struct one_item){.branch = end};
    negated = side;
    found = is_condition(s, LLVMGetCondition(end), negated, one, 0);
  }
  if (!found) return false;
  one->then = LLVMGetSuccessor(end, negated);
  one->join = LLVMGetSuccessor(end, !negated);
  if (one->then == one->join || LLVMIsAPHINode(LLVMGetFirstInstruction(one->join)) ||
      !leads_to_sync(one->join))
    return false;
  MPL_ARRAY(bool, inside, cfg->count);
  return find_blocks(cfg, b, one, inside) && is_fit(s, one, inside);
}

/* The work-item's number, in front of the branch: no other one fits, whatever is in front of it. */
static LLVMValueRef build_id(struct mpl_module_ir *ir, LLVMBuilderRef b, struct one_item *one) {
  LLVMValueRef id = one->equal;
  if (one->before)
    id = LLVMBuildSub(b, id, LLVMBuildTruncOrBitCast(b, one->before, LLVMTypeOf(id), ""), "");
  if (one->mask) id = LLVMBuildAnd(b, id, one->mask, "");
  return LLVMBuildZExtOrBitCast(b, id, ir->i64, "one");
}

static void set_apart(struct mpl_module_ir *ir, LLVMBuilderRef b, struct one_item *one) {
  LLVMBasicBlockRef region = LLVMInsertBasicBlockInContext(ir->context, one->then, "one");
  LLVMPositionBuilderBefore(b, one->branch);
  LLVMValueRef id = build_id(ir, b, one);
  mpl_ir_replace_incoming(one->then, LLVMGetInstructionParent(one->branch), region);
  LLVMBuildBr(b, region);
  LLVMInstructionRemoveFromParent(one->branch);
  LLVMPositionBuilderAtEnd(b, region);
  mpl_build_marker(ir, b, MPL_MARK_ONE, ir->void_type, &id, 1);
  if (one->more) {
    LLVMInsertIntoBuilder(b, one->branch);
  } else {
    LLVMBuildBr(b, one->then);
    LLVMDeleteInstruction(one->branch);
  }
  LLVMValueRef first = LLVMGetFirstInstruction(one->join);
  /* A sync with an operand needs its own region in front, whose loop visits all. */
  if (mpl_marker_of(first) == MPL_MARK_BARRIER) return;
  LLVMPositionBuilderBefore(b, first);
  mpl_build_marker(ir, b, MPL_MARK_BARRIER, ir->void_type, NULL, 0);
}

bool mpl_set_one_item_apart(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  if (kernel->uses_lanes) return false;
  MPL_FREED(mpl_regions_free) struct mpl_regions regions;
  mpl_regions_find(&regions, kernel->group);
  /* In a masked kernel, a work-item that the loop never visits would never go on. */
  MPL_BUILDER(b, ir->context);
  bool changed = regions.cut;
  for (unsigned n = 1; n < regions.cfg.count && !regions.masked; n++) {
    struct one_item one;
    if (!find(&regions.shapes, n, &one)) continue;
    mpl_remark(ir, one.branch, "done by one work-item: outside the work-item loop");
    set_apart(ir, b, &one);
    changed = true;
  }
  return changed;
}
