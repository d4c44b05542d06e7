/* Matching, from the branch on: the scan of its condition, the conditional block, the addresses. */
#include "compaction_match.h"

#include "compiler/analysis/algebra.h"
#include "compiler/analysis/markers.h"

/* --- the scan and its condition --- */

bool mpl_is_add_scan(LLVMValueRef i, bool *exclusive) {
  struct mpl_collective c;
  if (!mpl_collective_of(i, &c) || c.operation != MPL_OP_add || c.is_floating) return false;
  *exclusive = c.form == MPL_FORM_scan_exclusive;
  return c.form != MPL_FORM_reduce;
}

static bool are_opposites(LLVMIntPredicate a, LLVMIntPredicate b) {
  static const LLVMIntPredicate pairs[][2] = {{LLVMIntEQ, LLVMIntNE},
                                              {LLVMIntUGT, LLVMIntULE},
                                              {LLVMIntULT, LLVMIntUGE},
                                              {LLVMIntSGT, LLVMIntSLE},
                                              {LLVMIntSLT, LLVMIntSGE}};
  for (unsigned k = 0; k < sizeof pairs / sizeof *pairs; k++)
    if (pairs[k][0] == a && pairs[k][1] == b) return true;
  return false;
}

/* Is `condition` the truth of `flag`, which is 0 or 1, or its opposite? */
static bool tells(LLVMValueRef condition, LLVMValueRef flag, bool *opposite) {
  LLVMValueRef truth = LLVMIsAZExtInst(flag) ? LLVMGetOperand(flag, 0) : NULL;
  *opposite = false;
  if (condition == truth) return true;
  if (!LLVMIsAICmpInst(condition) && !LLVMIsAFCmpInst(condition)) return false;
  LLVMValueRef left = LLVMGetOperand(condition, 0), right = LLVMGetOperand(condition, 1);
  if (LLVMIsAICmpInst(condition) && left == flag && mpl_is_constant(right, 0)) {
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(condition);
    *opposite = predicate == LLVMIntEQ;
    return predicate == LLVMIntEQ || predicate == LLVMIntNE;
  }
  if (!truth || LLVMGetInstructionOpcode(truth) != LLVMGetInstructionOpcode(condition))
    return false;
  if (LLVMGetOperand(truth, 0) != left || LLVMGetOperand(truth, 1) != right) return false;
  if (LLVMIsAFCmpInst(condition)) {
    LLVMRealPredicate a = LLVMGetFCmpPredicate(condition), b = LLVMGetFCmpPredicate(truth);
    *opposite = a != b;
    return a == b || a == (LLVMRealPredicate)(LLVMRealPredicateTrue - b);
  }
  LLVMIntPredicate a = LLVMGetICmpPredicate(condition), b = LLVMGetICmpPredicate(truth);
  *opposite = a != b;
  return a == b || are_opposites(a, b) || are_opposites(b, a);
}

/* Values of a scan's operand that are 0 or 1 whatever the program does. */
static bool is_flag(LLVMValueRef value) {
  if (LLVMIsAZExtInst(value)) return LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(value, 0))) == 1;
  return mpl_is_op(value, LLVMAnd) && mpl_is_constant(LLVMGetOperand(value, 1), 1);
}

/* Finds a scan of the branch's condition among the add-scans of the kernel. */
static bool match_scan(struct mpl_compaction *m, LLVMValueRef scan) {
  bool opposite;
  if (!mpl_is_add_scan(scan, &m->exclusive)) return false;
  LLVMValueRef flag = LLVMGetOperand(scan, 0);
  if (!is_flag(flag) || !tells(m->condition, flag, &opposite) || opposite == m->holds) return false;
  m->scan = scan;
  m->flag = flag;
  m->truth = LLVMIsAZExtInst(flag) ? LLVMGetOperand(flag, 0) : NULL;
  return true;
}

/* --- the address --- */

/* From one rank to the next; ids tell nothing of ranks. */
static bool is_ranked(const void *data, LLVMValueRef value, struct mpl_shape *shape) {
  const struct mpl_compaction *m = data;
  if (value == m->scan)
    *shape = mpl_by_ones;
  else if (mpl_compaction_knows(m, value))
    *shape = mpl_uniform;
  else
    return false;
  return true;
}

/* Do work-items that store do it side by side?  But for a wrap of one 32-bit part of the address,
 * which is found when the program runs. */
static bool match_address(struct mpl_compaction *m, struct mpl_compacted_store *store,
                          int64_t size) {
  struct mpl_shapes *s = &m->regions->shapes;
  struct mpl_shape shape = mpl_shape_by(s, LLVMGetOperand(store->store, 1), is_ranked, m);
  if (shape.kind != MPL_STRIDED || shape.stride != size) return false;
  if (shape.wraps == MPL_EXACT) return true;
  store->narrow = shape.narrow;
  store->is_signed = shape.is_signed;
  return shape.wraps == MPL_WRAPS_ONE && LLVMTypeOf(shape.narrow) == m->ir->i32 &&
         mpl_shape_by(s, shape.narrow, is_ranked, m).stride == 1;
}

static bool match_store(struct mpl_compaction *m, LLVMValueRef i) {
  if (m->num_stores == MPL_MOST_COMPACTED || mpl_is_seen_by_others(i)) return false;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
  LLVMTypeKind kind = LLVMGetTypeKind(mpl_element_of(type));
  bool number = kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
  if (!number && kind != LLVMIntegerTypeKind) return false;
  uint64_t size = LLVMABISizeOfType(m->ir->layout, type);
  if (size > 8 || size & (size - 1) || LLVMSizeOfTypeInBits(m->ir->layout, type) != 8 * size)
    return false;
  if (LLVMGetAlignment(i) < size) return false;
  struct mpl_compacted_store *store = &m->stores[m->num_stores++];
  *store = (struct mpl_compacted_store){.store = i};
  return match_address(m, store, size);
}

/* The conditional block: computes, reads, then stores; nothing else. */
static bool match_block(struct mpl_compaction *m) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(m->then);
  m->num_stores = 0;
  MPL_EACH_INSTRUCTION(i, m->then) {
    if (i == end) break;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
      if (!match_store(m, i)) return false;
      break;
    case LLVMLoad:
      if (m->num_stores || mpl_is_seen_by_others(i)) return false;
      break;
    case LLVMCall:
      if (mpl_marker_of(i) || !mpl_ir_is_pure_call(i)) return false;
      break;
    case LLVMPHI:
    case LLVMAlloca:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
    case LLVMVAArg:
    case LLVMInvoke:
      return false;
    default:
      break;
    }
  }
  return m->num_stores > 0;
}

/* --- the place in the kernel --- */

/* Does control flow from `head` reach `join` either at once or through one block? */
static bool match_triangle(struct mpl_compaction *m, unsigned side) {
  struct mpl_cfg *cfg = &m->regions->cfg;
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(m->head);
  m->holds = side == 0;
  m->then = LLVMGetSuccessor(branch, side);
  m->join = LLVMGetSuccessor(branch, !side);
  unsigned then = mpl_map_get(&cfg->index, m->then, 0);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(m->then);
  return m->then != m->join && cfg->preds[then].count == 1 && LLVMIsABranchInst(end) &&
         LLVMGetNumSuccessors(end) == 1 && LLVMGetSuccessor(end, 0) == m->join;
}

/* A scan that is done whenever the block is entered: the store would not use its result otherwise.
 */
bool mpl_match_compaction(struct mpl_compaction *m, unsigned b) {
  struct mpl_regions *r = m->regions;
  m->head = r->cfg.blocks[b];
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(m->head);
  if (!LLVMIsABranchInst(branch) || !r->shapes.varying_branch[b]) return false;
  m->condition = LLVMGetCondition(branch);
  for (unsigned side = 0; side < 2; side++) {
    if (!match_triangle(m, side)) continue;
    for (unsigned k = 0; k < r->count; k++) {
      if (!r->list[k].sync || !match_scan(m, r->list[k].sync)) continue;
      if (match_block(m)) return !r->shapes.diverged[b]; /* all come here together */
    }
  }
  return false;
}
