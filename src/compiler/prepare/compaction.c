/* Stream compaction: a store under a condition, to a place that an add-scan of the same condition
 * counts, is one operation of the whole group.
 *
 *   at = scan_add(c);            total = reduce_add(c); at = scan_add(c);   if still used
 *   if (c)                       if (total)
 *     out[base + at] = x;   ->     compact(x, c, total, &out[base]);
 *
 * Left alone, the vectoriser makes a scatter of it, which most CPUs do one element after another;
 * and most programs need no scan any more.
 *
 * Between sync points work-items run in any order (OpenCL C leaves races undefined).  So all may
 * run up to the stores before any of them stores: these are the last accesses to memory of the
 * conditional block.  What only the address needs may be read once for all, since some work-item
 * reads it. */
#include <stdio.h>
#include <stdlib.h>

#include "compaction_match.h"
#include "compiler/passes.h"

/* The address, computed again for one work-item, outside the block. */
struct copy {
  const struct mpl_compaction *m;
  LLVMBuilderRef b;
  LLVMValueRef scan;    /* its result for that work-item */
  struct mpl_map known; /* value -> its copy */
};

static LLVMValueRef copy(struct copy *c, LLVMValueRef value) {
  const struct mpl_compaction *m = c->m;
  if (value == m->scan) return c->scan;
  if (value == m->condition) return LLVMConstInt(LLVMTypeOf(value), m->holds, false);
  if (mpl_compaction_knows(m, value)) return LLVMConstInt(LLVMTypeOf(value), 1, false);
  if (!LLVMIsAInstruction(value)) return value;
  bool varying = !mpl_is_uniform(&m->regions->shapes, value);
  if (!varying && LLVMGetInstructionParent(value) != m->then) return value;
  LLVMValueRef found = (LLVMValueRef)mpl_map_get(&c->known, value, 0);
  if (found) return found;
  LLVMValueRef made = LLVMInstructionClone(value);
  for (int k = 0; k < LLVMGetNumOperands(value); k++)
    LLVMSetOperand(made, k, copy(c, LLVMGetOperand(value, k)));
  /* The work-item of that rank need not exist: what the original promises may not be so. */
  if (varying) mpl_ir_drop_promises(made);
  LLVMInsertIntoBuilder(c->b, made);
  mpl_map_set(&c->known, value, (uintptr_t)made);
  return made;
}

/* `value` for the work-item that stores as number `rank`. */
static LLVMValueRef value_of_rank(const struct mpl_compaction *m, LLVMBuilderRef b,
                                  LLVMValueRef value, LLVMValueRef rank) {
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

static struct target make_target(const struct mpl_compaction *m, LLVMBuilderRef b,
                                 const struct mpl_compacted_store *store) {
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

/* In front of the scan: how many work-items store, and for each whether it does. */
static void build_flags(const struct mpl_compaction *m, LLVMBuilderRef b, LLVMValueRef *total,
                        LLVMValueRef *keeps) {
  struct mpl_module_ir *ir = m->ir;
  LLVMTypeRef library[] = {ir->ptr, ir->i64};
  LLVMPositionBuilderBefore(b, m->scan);
  LLVMValueRef combine =
      mpl_declare(ir->module, "__mpl_reduce_add_uint", LLVMFunctionType(ir->i32, library, 2, false));
  LLVMValueRef truth = m->truth ? m->truth : LLVMBuildTrunc(b, m->flag, ir->i1, "");
  LLVMValueRef args[] = {LLVMBuildZExt(b, truth, ir->i32, ""), combine};
  *keeps = LLVMBuildZExt(b, truth, ir->i8, "keeps");
  *total = mpl_call_named(ir->module, b, "__mpl_sync_reduce_total", ir->i32, args, 2);
}

static void build_compaction(const struct mpl_compaction *m, LLVMBuilderRef b, LLVMValueRef value,
                             LLVMValueRef keeps, LLVMValueRef total, const struct target *t) {
  struct mpl_module_ir *ir = m->ir;
  LLVMTypeRef type = LLVMTypeOf(value);
  char name[128], *text = LLVMPrintTypeToString(type);
  snprintf(name, sizeof name, "__mpl_compact_%u", (unsigned)LLVMABISizeOfType(ir->layout, type));
  LLVMTypeRef library[] = {ir->ptr, ir->ptr, ir->i64, ir->i32, ir->ptr, ir->ptr, ir->i64};
  LLVMValueRef combine = mpl_declare(ir->module, name, LLVMFunctionType(ir->void_type, library, 7, false));
  snprintf(name, sizeof name, "__mpl_sync_compact_%s", text);
  LLVMDisposeMessage(text);
  LLVMValueRef args[] = {value, keeps, total, t->first, t->second, t->wrap, combine};
  mpl_call_named(ir->module, b, name, ir->void_type, args, 7);
}

static bool is_harmless(LLVMValueRef i) {
  return mpl_only_computes(i, MPL_INTEGER | MPL_SELECT | MPL_ADDRESS | MPL_FROM_INTEGER |
                                  MPL_FLOATING);
}

/* All work-items compute what they can, so that less or nothing is left of the block. */
static void empty_block(const struct mpl_compaction *m, LLVMBuilderRef b) {
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

/* Drops unused instructions. */
static void drop_unused(const struct mpl_compaction *m, const LLVMValueRef *values) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(m->then);
  for (LLVMValueRef i = LLVMGetPreviousInstruction(end), before; i; i = before) {
    before = LLVMGetPreviousInstruction(i);
    bool used = LLVMGetFirstUse(i) != NULL;
    for (unsigned k = 0; k < m->num_stores; k++) used |= values[k] == i;
    if (!used) LLVMInstructionEraseFromParent(i);
  }
}

/* The value to store, where paths have met: work-items that do not store have none. */
static LLVMValueRef met_value(const struct mpl_compaction *m, LLVMBuilderRef b,
                              LLVMValueRef value) {
  if (!LLVMIsAInstruction(value) || LLVMGetInstructionParent(value) != m->then) return value;
  LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(value), "kept");
  LLVMValueRef values[] = {value, LLVMConstNull(LLVMTypeOf(value))};
  LLVMBasicBlockRef from[] = {m->then, m->head};
  LLVMAddIncoming(phi, values, from, 2);
  return phi;
}

/* The block itself, if nothing is left of it. */
static void drop_block(const struct mpl_compaction *m, LLVMBasicBlockRef meet) {
  bool empty = LLVMGetFirstInstruction(m->then) == LLVMGetBasicBlockTerminator(m->then);
  if (!empty || LLVMIsAPHINode(LLVMGetFirstInstruction(meet))) return;
  LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(m->head));
  MPL_BUILDER(b, m->ir->context);
  LLVMPositionBuilderAtEnd(b, m->head);
  LLVMBuildBr(b, meet);
  LLVMDeleteBasicBlock(m->then);
}

/* In place of the stores, in the new block `compact`, which is entered if any work-item stores. */
static void replace_stores(const struct mpl_compaction *m, LLVMBuilderRef b, LLVMBasicBlockRef meet,
                           LLVMValueRef end, LLVMValueRef keeps, LLVMValueRef total) {
  struct target targets[MPL_MOST_COMPACTED];
  LLVMValueRef values[MPL_MOST_COMPACTED];
  LLVMPositionBuilderBefore(b, end);
  for (unsigned k = 0; k < m->num_stores; k++) targets[k] = make_target(m, b, &m->stores[k]);
  for (unsigned k = 0; k < m->num_stores; k++) {
    values[k] = LLVMGetOperand(m->stores[k].store, 0);
    LLVMInstructionEraseFromParent(m->stores[k].store);
  }
  drop_unused(m, values);
  empty_block(m, b);
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(meet));
  for (unsigned k = 0; k < m->num_stores; k++) values[k] = met_value(m, b, values[k]);
  LLVMPositionBuilderBefore(b, end);
  for (unsigned k = 0; k < m->num_stores; k++)
    build_compaction(m, b, values[k], keeps, total, &targets[k]);
}

static void change(const struct mpl_compaction *m) {
  MPL_BUILDER(b, m->ir->context);
  LLVMBasicBlockRef meet = mpl_ir_meet(m->join, m->head, m->then, ".meet");
  LLVMBasicBlockRef after = mpl_ir_split(LLVMGetBasicBlockTerminator(meet), "compacted");
  LLVMBasicBlockRef compact = LLVMInsertBasicBlockInContext(m->ir->context, after, "compact");
  LLVMPositionBuilderAtEnd(b, compact);
  LLVMValueRef end = LLVMBuildBr(b, after), jump = LLVMGetBasicBlockTerminator(meet);
  LLVMValueRef total, keeps;
  build_flags(m, b, &total, &keeps);
  replace_stores(m, b, meet, end, keeps, total);
  LLVMPositionBuilderBefore(b, jump);
  LLVMValueRef any = LLVMBuildICmp(b, LLVMIntNE, total, LLVMConstNull(LLVMTypeOf(total)), "");
  LLVMBuildCondBr(b, any, compact, after);
  LLVMInstructionEraseFromParent(jump);
  drop_block(m, meet);
  if (!LLVMGetFirstUse(m->scan)) LLVMInstructionEraseFromParent(m->scan);
}

static bool has_add_scan(LLVMValueRef function) {
  bool exclusive;
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (mpl_is_add_scan(i, &exclusive)) return true;
  }
  return false;
}

/* Changes one block; false if there is none.  Work-items that are scheduled apart are left alone.
 */
static bool compact_one(struct mpl_module_ir *ir, LLVMValueRef function, bool *changed) {
  MPL_FREED(mpl_regions_free) struct mpl_regions regions;
  mpl_regions_find(&regions, function);
  struct mpl_compaction m = {.ir = ir, .regions = &regions};
  bool found = false;
  for (unsigned b = 1; b < regions.cfg.count && !found && !regions.masked; b++)
    found = mpl_match_compaction(&m, b);
  if (found) {
    mpl_remark(ir, m.stores[0].store, "stores to consecutive places: a compaction");
    change(&m);
  }
  *changed |= found || regions.cut;
  return found;
}

bool mpl_compact_stores(struct mpl_module_ir *ir) {
  bool changed = false, found = false;
  MPL_EACH_KERNEL(kernel, ir) {
    LLVMValueRef function = kernel->group;
    while (!kernel->uses_lanes && has_add_scan(function) && compact_one(ir, function, &changed))
      found = true;
  }
  if (found) mpl_link_library(ir); /* the functions that do it */
  return changed;
}
