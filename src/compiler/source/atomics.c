/* Atomics on local memory.  A work-group runs on one thread, so nobody else touches its local
 * memory while an atomic runs: load, operation, store do the same without the bus lock.  They are
 * volatile, so that they stay in order and no pass takes two of them for one.
 *
 * And a relaxed minimum or maximum of what all share that changes nothing is no more than a load,
 * which takes no bus lock: mostly so where many look for the least. */
#include <string.h>

#include "compiler/analysis/algebra.h"
#include "compiler/passes.h"
#include "source.h"

enum { MOST_STEPS = 64 };

struct search {
  unsigned left;  /* values to look at */
  bool any_space; /* the language has no address spaces */
};

static bool is_local(LLVMValueRef pointer, struct search *);

static bool is_null(LLVMValueRef pointer) {
  return LLVMIsAConstant(pointer) && LLVMIsNull(pointer);
}

/* Each of the alternatives is local memory, or null, which nobody touches. */
static bool are_local(LLVMValueRef *list, unsigned count, struct search *search) {
  unsigned local = 0;
  for (unsigned i = 0; i < count; i++) {
    if (is_null(list[i])) continue;
    if (!is_local(list[i], search)) return false;
    local++;
  }
  return local > 0;
}

/* C and C++ have no address spaces.  There local memory is what a pointer in the group's structure
 * leads to (SYCL), or a variable of the thread that only this file can name (mpl_local in C). */
static bool is_of_group(LLVMValueRef load) {
  LLVMValueRef from = LLVMGetOperand(load, 0);
  while (LLVMIsAGetElementPtrInst(from)) from = LLVMGetOperand(from, 0);
  return LLVMIsAArgument(from) && from == LLVMGetParam(mpl_function_of(load), 1);
}

static bool is_thread_local(LLVMValueRef call) {
  if (!mpl_calls(call, "llvm.threadlocal.address")) return false;
  LLVMValueRef variable = LLVMGetOperand(call, 0);
  return LLVMIsAGlobalVariable(variable) &&
         !strncmp(LLVMGetValueName(variable), MPL_EXTRACT_SHARED, sizeof MPL_EXTRACT_SHARED - 1);
}

static bool is_local_phi(LLVMValueRef phi, struct search *search) {
  unsigned count = LLVMCountIncoming(phi);
  LLVMValueRef list[8];
  if (count > 8) return false;
  for (unsigned i = 0; i < count; i++) list[i] = LLVMGetIncomingValue(phi, i);
  return are_local(list, count, search);
}

static bool is_local(LLVMValueRef pointer, struct search *search) {
  if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind || !search->left) return false;
  search->left--;
  if (mpl_space_of(pointer) == MPL_LOCAL_SPACE) return true;
  if (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer) ||
      LLVMIsAConstantExpr(pointer))
    return is_local(LLVMGetOperand(pointer, 0), search);
  if (LLVMIsASelectInst(pointer))
    return are_local((LLVMValueRef[]){LLVMGetOperand(pointer, 1), LLVMGetOperand(pointer, 2)}, 2,
                     search);
  if (LLVMIsAPHINode(pointer)) return is_local_phi(pointer, search);
  if (!search->any_space) return false;
  if (LLVMIsALoadInst(pointer)) return is_of_group(pointer);
  return LLVMIsACallInst(pointer) && is_thread_local(pointer);
}

static LLVMValueRef load_old(LLVMBuilderRef b, LLVMValueRef atomic, LLVMTypeRef type) {
  LLVMValueRef old = LLVMBuildLoad2(b, type, LLVMGetOperand(atomic, 0), "");
  LLVMSetVolatile(old, true);
  return old;
}

static void store_new(LLVMBuilderRef b, LLVMValueRef atomic, LLVMValueRef value) {
  LLVMSetVolatile(LLVMBuildStore(b, value, LLVMGetOperand(atomic, 0)), true);
}

static bool lower_rmw(LLVMBuilderRef b, LLVMValueRef atomic) {
  LLVMValueRef value = LLVMGetOperand(atomic, 1);
  LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(atomic);
  if (operation == LLVMAtomicRMWBinOpNand || operation > LLVMAtomicRMWBinOpFMin) return false;
  LLVMValueRef old = load_old(b, atomic, LLVMTypeOf(value));
  store_new(b, atomic, mpl_apply_atomic(b, operation, old, value));
  LLVMReplaceAllUsesWith(atomic, old);
  return true;
}

static bool lower_exchange(LLVMBuilderRef b, LLVMValueRef atomic) {
  LLVMValueRef expected = LLVMGetOperand(atomic, 1), desired = LLVMGetOperand(atomic, 2);
  LLVMTypeRef type = LLVMTypeOf(expected);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return false;
  LLVMValueRef old = load_old(b, atomic, type);
  LLVMValueRef equal = LLVMBuildICmp(b, LLVMIntEQ, old, expected, "");
  store_new(b, atomic, LLVMBuildSelect(b, equal, desired, old, ""));
  LLVMValueRef pair = LLVMBuildInsertValue(b, LLVMGetPoison(LLVMTypeOf(atomic)), old, 0, "");
  LLVMReplaceAllUsesWith(atomic, LLVMBuildInsertValue(b, pair, equal, 1, ""));
  return true;
}

static const char mark[] = "maniple.local";

/* Before they are widened: where memory is may not be seen behind that. */
bool mpl_find_local_atomics(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef i) {
  if (!LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i)) return false;
  struct search search = {MOST_STEPS, ir->records != NULL};
  if (is_local(LLVMGetOperand(i, 0), &search)) mpl_mark(ir, i, mark);
  return false; /* but for the mark */
}

/* old = load; if (value < old) old = atomic minimum. */
static void look_first(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef atomic) {
  LLVMIntPredicate is = mpl_atomic_chooses(LLVMGetAtomicRMWBinOp(atomic));
  LLVMValueRef value = LLVMGetOperand(atomic, 1), from[2];
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMBasicBlockRef block = LLVMGetInstructionParent(atomic), at[2] = {block},
                    behind = mpl_ir_split(LLVMGetNextInstruction(atomic), "looked");
  at[1] = mpl_ir_split(atomic, "changes");
  LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(block));
  from[0] = LLVMBuildLoad2(b, type, LLVMGetOperand(atomic, 0), "");
  LLVMSetOrdering(from[0], LLVMAtomicOrderingMonotonic);
  LLVMSetAlignment(from[0], LLVMABIAlignmentOfType(ir->layout, type));
  LLVMBuildCondBr(b, LLVMBuildICmp(b, is, value, from[0], ""), at[1], behind);
  LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(block));
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(behind));
  LLVMValueRef old = LLVMBuildPhi(b, type, "");
  LLVMReplaceAllUsesWith(atomic, old);
  from[1] = atomic;
  LLVMAddIncoming(old, from, at, 2);
}

static bool look_first_in(struct mpl_module_ir *ir, LLVMValueRef function) {
  MPL_MAP(found);
  MPL_BUILDER(b, ir->context);
  bool any = false;
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (!LLVMIsAAtomicRMWInst(i) || !mpl_atomic_chooses(LLVMGetAtomicRMWBinOp(i))) continue;
    if (LLVMGetOrdering(i) != LLVMAtomicOrderingMonotonic) continue;
    if (!mpl_map_add(&found, i)) continue; /* it is in a block of its own, and met again */
    look_first(ir, b, i);
    any = true;
  }
  return any;
}

bool mpl_lower_local_atomics(struct mpl_module_ir *ir) {
  bool changed = false;
  MPL_BUILDER(b, ir->context);
  MPL_EACH_FUNCTION(f, ir->module) MPL_EACH_INSTRUCTION_OF(i, f) {
    if (!mpl_metadata_of(ir, i, mark)) continue;
    LLVMPositionBuilderBefore(b, i);
    if (!(LLVMIsAAtomicRMWInst(i) ? lower_rmw : lower_exchange)(b, i)) continue;
    mpl_remark(ir, i, "atomic on local memory: a plain load and store");
    LLVMInstructionEraseFromParent(i);
    changed = true;
  }
  MPL_EACH_FUNCTION(f, ir->module)
  if (!ir->records || mpl_is_group_function(f)) changed |= look_first_in(ir, f);
  return changed;
}
