/* Stream compaction: a store under a condition, to a place that an add-scan of the same condition
 * counts, is one operation of the whole group.
 *
 *   at = scan_add(c);            at = scan_add(c); total = its last result;
 *   if (c)                       if (total)
 *     out[base + at] = x;   ->     pack(x, at, &out[base]);
 *
 * Left alone, the vectoriser makes a scatter of it, which most CPUs do one element after another.
 *
 * Between sync points work-items run in any order (OpenCL C leaves races undefined), so all may
 * first come to the end of the conditional block; the stores are its last accesses to memory, and
 * come then. What is read for the address only may be read once, for all, since some work-item
 * reads it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regions.h"

enum { MOST_STORES = 4, DEEPEST = 16 };

struct store {
  LLVMValueRef store;
  LLVMValueRef narrow; /* the 32-bit part of the address that may wrap, or null */
  bool is_signed;      /* how it is extended */
};

struct match {
  struct mpl_module_ir *ir;
  struct mpl_regions *regions;
  LLVMBasicBlockRef head, then, join;
  LLVMValueRef scan, flag, truth; /* the operand is `flag`: 0 or 1, as `truth` says */
  LLVMValueRef condition;         /* of the branch */
  bool holds;                     /* what it is where the store is reached */
  bool exclusive;
  struct store stores[MOST_STORES];
  unsigned num_stores;
};

/* --- the scan and its condition --- */

/* Does `function` make the add-scan of some integer type? */
static bool is_add_scan(LLVMValueRef function, bool *exclusive) {
  static const char *const types[] = {"int", "uint", "long", "ulong"};
  while (LLVMIsAConstantExpr(function)) function = LLVMGetOperand(function, 0);
  if (!LLVMIsAFunction(function)) return false;
  const char *name = LLVMGetValueName(function);
  for (unsigned form = 0; form < 2; form++) {
    const char *prefix = form ? "scan_exclusive_add_" : "scan_inclusive_add_";
    if (strncmp(name, prefix, strlen(prefix))) continue;
    for (unsigned t = 0; t < sizeof types / sizeof *types; t++) {
      size_t length = strlen(types[t]);
      const char *end = name + strlen(prefix);
      if (strncmp(end, types[t], length) || (end[length] && end[length] != '.')) continue;
      *exclusive = form;
      return true;
    }
  }
  return false;
}

static bool is_constant(LLVMValueRef value, uint64_t expected) {
  return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == expected;
}

/* Is `condition` the truth of `flag`, which is 0 or 1, or its opposite? */
static bool tells(LLVMValueRef condition, LLVMValueRef flag, bool *opposite) {
  LLVMValueRef truth = LLVMIsAZExtInst(flag) ? LLVMGetOperand(flag, 0) : NULL;
  *opposite = false;
  if (condition == truth) return true;
  if (!LLVMIsAICmpInst(condition) && !LLVMIsAFCmpInst(condition)) return false;
  LLVMValueRef left = LLVMGetOperand(condition, 0), right = LLVMGetOperand(condition, 1);
  if (LLVMIsAICmpInst(condition) && left == flag && is_constant(right, 0)) {
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
  if (a == b) return true;
  switch (a) {
  case LLVMIntEQ:
    return b == LLVMIntNE;
  case LLVMIntNE:
    return b == LLVMIntEQ;
  case LLVMIntUGT:
    return b == LLVMIntULE;
  case LLVMIntULE:
    return b == LLVMIntUGT;
  case LLVMIntUGE:
    return b == LLVMIntULT;
  case LLVMIntULT:
    return b == LLVMIntUGE;
  case LLVMIntSGT:
    return b == LLVMIntSLE;
  case LLVMIntSLE:
    return b == LLVMIntSGT;
  case LLVMIntSGE:
    return b == LLVMIntSLT;
  case LLVMIntSLT:
    return b == LLVMIntSGE;
  }
  return false;
}

/* Values of a scan's operand that are 0 or 1 whatever the program does. */
static bool is_flag(LLVMValueRef value) {
  if (LLVMIsAZExtInst(value)) return LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(value, 0))) == 1;
  return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMAnd &&
         is_constant(LLVMGetOperand(value, 1), 1);
}

/* Finds a scan of the branch's condition among the add-scans of the kernel. */
static bool match_scan(struct match *m, LLVMValueRef scan) {
  bool opposite;
  if (mpl_marker_of(scan) != MPL_MARK_SCAN || !is_add_scan(LLVMGetOperand(scan, 1), &m->exclusive))
    return false;
  LLVMValueRef flag = LLVMGetOperand(scan, 0);
  if (!is_flag(flag) || !tells(m->condition, flag, &opposite) || opposite == m->holds) return false;
  m->scan = scan;
  m->flag = flag;
  m->truth = LLVMIsAZExtInst(flag) ? LLVMGetOperand(flag, 0) : NULL;
  return true;
}

/* --- the address --- */

/* Is the value one that every work-item which stores knows beforehand: the condition, or its flag?
 */
static bool is_known(const struct match *m, LLVMValueRef value) {
  return value == m->condition || value == m->flag || value == m->truth;
}

/* Does the 32-bit `value` grow with the rank without ever wrapping, or else without a meaning? */
static bool never_wraps(const struct match *m, LLVMValueRef value, bool is_signed) {
  if (value == m->scan) return true;
  if (LLVMGetInstructionOpcode(value) != LLVMAdd && LLVMGetInstructionOpcode(value) != LLVMSub)
    return false;
  if (is_signed ? !LLVMGetNSW(value) : !LLVMGetNUW(value)) return false;
  LLVMValueRef first = LLVMGetOperand(value, 0), second = LLVMGetOperand(value, 1);
  if (LLVMIsAInstruction(first) && never_wraps(m, first, is_signed)) return true;
  return LLVMIsAInstruction(second) && never_wraps(m, second, is_signed);
}

/* By how much `value` grows from one rank to the next; -1 if that is not the same everywhere.
 * Wrapping of 32-bit parts is left to `narrow`. */
static int64_t growth(struct match *m, struct store *store, LLVMValueRef value, unsigned depth) {
  if (value == m->scan) return 1;
  if (is_known(m, value)) return 0;
  if (!LLVMIsAInstruction(value) || !mpl_is_varying(&m->regions->uniformity, value)) return 0;
  if (depth > DEEPEST) return -1;
  LLVMValueRef first = LLVMGetOperand(value, 0), second;
  int64_t a, b;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMAdd:
  case LLVMSub:
    second = LLVMGetOperand(value, 1);
    a = growth(m, store, first, depth + 1);
    b = growth(m, store, second, depth + 1);
    if (a < 0 || b < 0 || (a && b)) return -1;
    return LLVMGetInstructionOpcode(value) == LLVMSub && b ? -1 : a + b;
  case LLVMTrunc:
    a = growth(m, store, first, depth + 1);
    return a > 0 && (store->narrow || LLVMGetIntTypeWidth(LLVMTypeOf(value)) != 32) ? -1 : a;
  case LLVMZExt:
  case LLVMSExt:
    a = growth(m, store, first, depth + 1);
    if (a <= 0) return a;
    if (store->narrow || LLVMTypeOf(first) != m->ir->i32 || LLVMTypeOf(value) != m->ir->i64)
      return -1;
    store->is_signed = LLVMIsASExtInst(value);
    store->narrow = never_wraps(m, first, store->is_signed) ? NULL : first;
    return a;
  case LLVMAddrSpaceCast:
    return growth(m, store, first, depth + 1);
  case LLVMGetElementPtr:
    if (LLVMGetNumOperands(value) != 2 || LLVMTypeOf(LLVMGetOperand(value, 1)) != m->ir->i64)
      return -1;
    a = growth(m, store, first, depth + 1);
    b = growth(m, store, LLVMGetOperand(value, 1), depth + 1);
    if (a < 0 || b < 0 || (a && b)) return -1;
    return a + b * (int64_t)LLVMABISizeOfType(m->ir->layout, LLVMGetGEPSourceElementType(value));
  default:
    return -1;
  }
}

static bool match_store(struct match *m, LLVMValueRef i) {
  if (m->num_stores == MOST_STORES || LLVMGetVolatile(i)) return false;
  if (LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) return false;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMVectorTypeKind) kind = LLVMGetTypeKind(LLVMGetElementType(type));
  bool number = kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
  if (!number && kind != LLVMIntegerTypeKind) return false;
  uint64_t size = LLVMABISizeOfType(m->ir->layout, type);
  if (size > 8 || size & (size - 1) || LLVMSizeOfTypeInBits(m->ir->layout, type) != 8 * size)
    return false;
  if (LLVMGetAlignment(i) < size) return false;
  struct store *store = &m->stores[m->num_stores++];
  *store = (struct store){.store = i};
  return growth(m, store, LLVMGetOperand(i, 1), 0) == (int64_t)size;
}

/* The conditional block: computes, reads, then stores; nothing else. */
static bool match_block(struct match *m) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(m->then);
  m->num_stores = 0;
  MPL_EACH_INSTRUCTION(i, m->then) {
    if (i == end) break;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
      if (!match_store(m, i)) return false;
      break;
    case LLVMLoad:
      if (m->num_stores || LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
        return false;
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

/* Do all work-items come to the block together?  Not if it stands between a varying branch and
 * where its sides meet. */
static bool is_common(struct mpl_regions *r, unsigned block) {
  struct mpl_cfg *cfg = &r->cfg;
  bool *seen = mpl_allocate(cfg->count + 1, sizeof *seen), common = true;
  unsigned *stack = mpl_allocate(cfg->count + 1, sizeof *stack);
  for (unsigned b = 0; b < cfg->count && common; b++) {
    if (!r->uniformity.varying_branch[b]) continue;
    unsigned depth = 0;
    memset(seen, 0, cfg->count + 1);
    seen[cfg->ipdom[b]] = true;
    stack[depth++] = b;
    while (depth && common) {
      unsigned from = stack[--depth];
      for (unsigned s = 0; s < cfg->succs[from].count; s++) {
        unsigned to = cfg->succs[from].to[s];
        if (seen[to]) continue;
        seen[to] = true;
        common &= to != block;
        stack[depth++] = to;
      }
    }
  }
  free(seen);
  free(stack);
  return common;
}

/* Does control flow from `head` reach `join` either at once or through one block? */
static bool match_triangle(struct match *m, unsigned side) {
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
static bool match_branch(struct match *m, unsigned b) {
  struct mpl_regions *r = m->regions;
  m->head = r->cfg.blocks[b];
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(m->head);
  if (!LLVMIsABranchInst(branch) || !r->uniformity.varying_branch[b]) return false;
  m->condition = LLVMGetCondition(branch);
  for (unsigned side = 0; side < 2; side++) {
    if (!match_triangle(m, side)) continue;
    for (unsigned k = 0; k < r->count; k++) {
      if (!r->list[k].sync || !match_scan(m, r->list[k].sync)) continue;
      if (match_block(m)) return is_common(r, b);
    }
  }
  return false;
}

/* --- the change --- */

/* The address, computed again for one work-item, outside the block. */
struct copy {
  const struct match *m;
  LLVMBuilderRef b;
  LLVMValueRef scan;    /* its result for that work-item */
  struct mpl_map known; /* value -> its copy */
};

static LLVMValueRef copy(struct copy *, LLVMValueRef value);

/* Without the promises of the original: the work-item of that rank need not exist. */
static LLVMValueRef copy_varying(struct copy *c, LLVMValueRef value) {
  LLVMValueRef first = copy(c, LLVMGetOperand(value, 0));
  LLVMValueRef second = LLVMGetNumOperands(value) > 1 ? copy(c, LLVMGetOperand(value, 1)) : NULL;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  switch (opcode) {
  case LLVMAdd:
    return LLVMBuildAdd(c->b, first, second, "");
  case LLVMSub:
    return LLVMBuildSub(c->b, first, second, "");
  case LLVMGetElementPtr:
    return LLVMBuildGEP2(c->b, LLVMGetGEPSourceElementType(value), first, &second, 1, "");
  default:
    return LLVMBuildCast(c->b, opcode, first, LLVMTypeOf(value), "");
  }
}

static LLVMValueRef copy_uniform(struct copy *c, LLVMValueRef value) {
  LLVMValueRef made = LLVMInstructionClone(value);
  for (int k = 0; k < LLVMGetNumOperands(value); k++)
    LLVMSetOperand(made, k, copy(c, LLVMGetOperand(value, k)));
  LLVMInsertIntoBuilder(c->b, made);
  return made;
}

static LLVMValueRef copy(struct copy *c, LLVMValueRef value) {
  const struct match *m = c->m;
  if (value == m->scan) return c->scan;
  if (value == m->condition) return LLVMConstInt(LLVMTypeOf(value), m->holds, false);
  if (is_known(m, value)) return LLVMConstInt(LLVMTypeOf(value), 1, false);
  if (!LLVMIsAInstruction(value)) return value;
  bool varying = mpl_is_varying(&m->regions->uniformity, value);
  if (!varying && LLVMGetInstructionParent(value) != m->then) return value;
  LLVMValueRef found = (LLVMValueRef)mpl_map_get(&c->known, value, 0);
  if (found) return found;
  LLVMValueRef made = varying ? copy_varying(c, value) : copy_uniform(c, value);
  mpl_map_set(&c->known, value, (uintptr_t)made);
  return made;
}

/* `value` for the work-item that stores as number `rank`. */
static LLVMValueRef value_of_rank(const struct match *m, LLVMBuilderRef b, LLVMValueRef value,
                                  LLVMValueRef rank) {
  LLVMTypeRef type = LLVMTypeOf(m->scan);
  struct copy c = {.m = m, .b = b};
  c.scan = LLVMBuildZExtOrBitCast(b, rank, type, "");
  if (!m->exclusive) c.scan = LLVMBuildAdd(b, c.scan, LLVMConstInt(type, 1, false), "");
  LLVMValueRef made = copy(&c, value);
  mpl_map_free(&c.known);
  return made;
}

/* Where the stores of a group go: from `first` on those of rank 0, 1, ..., and, if `wrap` is not 0,
 * from `second` on those of rank `wrap` and up. */
struct target {
  LLVMValueRef first, second, wrap;
};

static struct target make_target(const struct match *m, LLVMBuilderRef b,
                                 const struct store *store) {
  struct mpl_module_ir *ir = m->ir;
  LLVMValueRef zero = LLVMConstInt(ir->i32, 0, false), pointer = LLVMGetOperand(store->store, 1);
  struct target t = {.wrap = mpl_const64(ir, 0)};
  t.first = t.second = value_of_rank(m, b, pointer, zero);
  if (store->narrow) {
    LLVMValueRef limit = LLVMConstInt(ir->i32, store->is_signed ? 0x80000000u : 0, false);
    LLVMValueRef left = LLVMBuildSub(b, limit, value_of_rank(m, b, store->narrow, zero), "");
    t.wrap = LLVMBuildZExt(b, left, ir->i64, "wrap");
    t.second = LLVMBuildAddrSpaceCast(b, value_of_rank(m, b, pointer, left), ir->ptr, "");
  }
  t.first = LLVMBuildAddrSpaceCast(b, t.first, ir->ptr, "");
  if (!store->narrow) t.second = t.first;
  return t;
}

static LLVMValueRef declare(struct mpl_module_ir *ir, const char *name, LLVMTypeRef type) {
  LLVMValueRef function = LLVMGetNamedFunction(ir->module, name);
  return function ? function : LLVMAddFunction(ir->module, name, type);
}

/* The integer type that a scan's function is named after: its sign is of no concern. */
static const char *scan_type(const struct match *m) {
  return LLVMTypeOf(m->scan) == m->ir->i32 ? "uint" : "ulong";
}

static LLVMValueRef library_function(const struct match *m, const char *family, LLVMTypeRef type) {
  char name[64];
  snprintf(name, sizeof name, "__mpl_%s_%s", family, scan_type(m));
  return declare(m->ir, name, type);
}

/* How many work-items store: the last result of the (inclusive) scan. */
static LLVMValueRef build_total(const struct match *m, LLVMBuilderRef b) {
  struct mpl_module_ir *ir = m->ir;
  char name[64];
  snprintf(name, sizeof name, "__mpl_sync_reduce_last_%s", scan_type(m));
  LLVMTypeRef type = LLVMTypeOf(m->scan), params[] = {type, ir->ptr},
              last_params[] = {ir->ptr, ir->i64};
  LLVMValueRef last = library_function(m, "last", LLVMFunctionType(type, last_params, 2, false));
  LLVMTypeRef marker = LLVMFunctionType(type, params, 2, false);
  LLVMValueRef args[] = {m->scan, last};
  return LLVMBuildCall2(b, marker, declare(ir, name, marker), args, 2, "total");
}

static void build_pack(const struct match *m, LLVMBuilderRef b, LLVMValueRef value,
                       const struct target *t) {
  struct mpl_module_ir *ir = m->ir;
  LLVMTypeRef type = LLVMTypeOf(value), rank = LLVMTypeOf(m->scan);
  char name[128], family[32], *text = LLVMPrintTypeToString(type);
  snprintf(family, sizeof family, "pack_%u", (unsigned)LLVMABISizeOfType(ir->layout, type));
  snprintf(name, sizeof name, "__mpl_sync_pack_%s_%s", text, scan_type(m));
  LLVMDisposeMessage(text);
  LLVMTypeRef library[] = {ir->ptr, ir->ptr, ir->i64, ir->ptr, ir->ptr, ir->i64};
  LLVMTypeRef params[] = {type, rank, ir->ptr, ir->ptr, ir->i64, ir->ptr};
  LLVMValueRef combine =
      library_function(m, family, LLVMFunctionType(ir->void_type, library, 6, false));
  LLVMValueRef args[] = {value, m->scan, t->first, t->second, t->wrap, combine};
  LLVMTypeRef marker = LLVMFunctionType(ir->void_type, params, 6, false);
  LLVMBuildCall2(b, marker, declare(ir, name, marker), args, 6, "");
}

/* An exclusive scan is the inclusive one, less the flag; returns what stands for its result now. */
static LLVMValueRef make_inclusive(const struct match *m, LLVMBuilderRef b) {
  if (!m->exclusive) return m->scan;
  LLVMTypeRef params[] = {m->ir->ptr, m->ir->i64};
  LLVMTypeRef type = LLVMFunctionType(m->ir->void_type, params, 2, false);
  LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(m->scan));
  LLVMValueRef exclusive = LLVMBuildSub(b, m->scan, m->flag, "");
  LLVMReplaceAllUsesWith(m->scan, exclusive);
  LLVMSetOperand(exclusive, 0, m->scan);
  LLVMValueRef scan = library_function(m, "scan_inclusive_add", type);
  LLVMSetOperand(m->scan, 1, LLVMConstAddrSpaceCast(scan, LLVMTypeOf(LLVMGetOperand(m->scan, 1))));
  return exclusive;
}

static bool is_harmless(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMICmp:
  case LLVMFCmp:
  case LLVMSelect:
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFNeg:
  case LLVMUIToFP:
  case LLVMSIToFP:
  case LLVMFPExt:
  case LLVMFPTrunc:
  case LLVMBitCast:
  case LLVMGetElementPtr:
    return true;
  default:
    return false;
  }
}

/* What can be computed by all work-items is, so that less or nothing is left of the block. */
static void empty_block(const struct match *m, LLVMBuilderRef b) {
  LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(m->head));
  MPL_EACH_INSTRUCTION(i, m->then) {
    bool movable = is_harmless(i);
    for (int k = 0; k < LLVMGetNumOperands(i) && movable; k++) {
      LLVMValueRef operand = LLVMGetOperand(i, k);
      movable = !LLVMIsAInstruction(operand) || LLVMGetInstructionParent(operand) != m->then;
    }
    if (!movable) continue;
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilder(b, i);
  }
}

/* Drops what nothing uses any more. */
static void drop_unused(const struct match *m, const LLVMValueRef *values) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(m->then);
  for (LLVMValueRef i = LLVMGetPreviousInstruction(end), before; i; i = before) {
    before = LLVMGetPreviousInstruction(i);
    bool used = LLVMGetFirstUse(i) != NULL;
    for (unsigned k = 0; k < m->num_stores; k++) used |= values[k] == i;
    if (!used) LLVMInstructionEraseFromParent(i);
  }
}

/* The value to store, where paths have met: work-items that do not store have none. */
static LLVMValueRef met_value(const struct match *m, LLVMBuilderRef b, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value) || LLVMGetInstructionParent(value) != m->then) return value;
  LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(value), "kept");
  LLVMValueRef values[] = {value, LLVMConstNull(LLVMTypeOf(value))};
  LLVMBasicBlockRef from[] = {m->then, m->head};
  LLVMAddIncoming(phi, values, from, 2);
  return phi;
}

/* The block itself, if nothing is left of it. */
static void drop_block(const struct match *m, LLVMBasicBlockRef meet) {
  bool empty = LLVMGetFirstInstruction(m->then) == LLVMGetBasicBlockTerminator(m->then);
  if (!empty || LLVMIsAPHINode(LLVMGetFirstInstruction(meet))) return;
  LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(m->head));
  LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ir->context);
  LLVMPositionBuilderAtEnd(b, m->head);
  LLVMBuildBr(b, meet);
  LLVMDisposeBuilder(b);
  LLVMDeleteBasicBlock(m->then);
}

/* In place of the stores, in the new block `pack`, which is entered if any work-item stores. */
static void replace_stores(const struct match *m, LLVMBuilderRef b, LLVMBasicBlockRef meet,
                           LLVMValueRef end) {
  struct target targets[MOST_STORES];
  LLVMValueRef values[MOST_STORES];
  LLVMPositionBuilderBefore(b, end);
  for (unsigned k = 0; k < m->num_stores; k++) targets[k] = make_target(m, b, &m->stores[k]);
  LLVMValueRef result = make_inclusive(m, b);
  for (unsigned k = 0; k < m->num_stores; k++) {
    values[k] = LLVMGetOperand(m->stores[k].store, 0);
    LLVMInstructionEraseFromParent(m->stores[k].store);
  }
  drop_unused(m, values);
  empty_block(m, b);
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(meet));
  for (unsigned k = 0; k < m->num_stores; k++) values[k] = met_value(m, b, values[k]);
  LLVMPositionBuilderBefore(b, end);
  for (unsigned k = 0; k < m->num_stores; k++) build_pack(m, b, values[k], &targets[k]);
  if (!LLVMGetFirstUse(result)) LLVMInstructionEraseFromParent(result);
}

static void change(const struct match *m) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ir->context);
  LLVMBasicBlockRef meet = mpl_ir_meet(m->join, m->head, m->then, ".meet");
  LLVMBasicBlockRef after = mpl_ir_split(LLVMGetBasicBlockTerminator(meet), "packed");
  LLVMBasicBlockRef pack = LLVMInsertBasicBlockInContext(m->ir->context, after, "pack");
  LLVMPositionBuilderAtEnd(b, pack);
  LLVMValueRef end = LLVMBuildBr(b, after), jump = LLVMGetBasicBlockTerminator(meet);
  replace_stores(m, b, meet, end);
  LLVMPositionBuilderBefore(b, jump);
  LLVMValueRef total = build_total(m, b);
  LLVMValueRef any = LLVMBuildICmp(b, LLVMIntNE, total, LLVMConstNull(LLVMTypeOf(total)), "");
  LLVMBuildCondBr(b, any, pack, after);
  LLVMInstructionEraseFromParent(jump);
  drop_block(m, meet);
  LLVMDisposeBuilder(b);
}

static bool has_add_scan(LLVMValueRef function) {
  bool exclusive;
  MPL_EACH_BLOCK(block, function) {
    MPL_EACH_INSTRUCTION(i, block)
    if (mpl_marker_of(i) == MPL_MARK_SCAN && is_add_scan(LLVMGetOperand(i, 1), &exclusive))
      return true;
  }
  return false;
}

/* Changes one block; false if there is none.  Work-items that are scheduled apart are left alone.
 */
static bool pack_one(struct mpl_module_ir *ir, LLVMValueRef function) {
  struct mpl_regions regions;
  mpl_regions_find(&regions, function);
  struct match m = {.ir = ir, .regions = &regions};
  bool found = false;
  for (unsigned b = 1; b < regions.cfg.count && !found && !regions.masked; b++)
    found = match_branch(&m, b);
  if (found) change(&m);
  mpl_regions_free(&regions);
  return found;
}

void mpl_pack_stores(struct mpl_module_ir *ir) {
  bool changed = false;
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    LLVMValueRef function = ir->kernels[k].group;
    while (!ir->kernels[k].uses_lanes && has_add_scan(function) && pack_one(ir, function)) changed = true;
  }
  if (changed) mpl_link_library(ir); /* the functions that do it */
}
