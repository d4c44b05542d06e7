/* Atomics on local memory.  A work-group runs on one thread, so nobody else touches its local
 * memory while an atomic runs: load, operation, store do the same without the bus lock.  They are
 * volatile, so that they stay in order and no pass takes two of them for one. */
#include "passes.h"

enum { LOCAL_SPACE = 3 };

static bool is_local(LLVMValueRef pointer) {
  for (;;) {
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == LOCAL_SPACE) return true;
    if (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer) ||
        LLVMIsAConstantExpr(pointer))
      pointer = LLVMGetOperand(pointer, 0);
    else
      return false;
    if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind) return false;
  }
}

static LLVMValueRef choose(LLVMBuilderRef b, LLVMIntPredicate predicate, LLVMValueRef x,
                           LLVMValueRef y) {
  return LLVMBuildSelect(b, LLVMBuildICmp(b, predicate, x, y, ""), x, y, "");
}

static LLVMValueRef choose_float(LLVMBuilderRef b, LLVMRealPredicate predicate, LLVMValueRef x,
                                 LLVMValueRef y) {
  return LLVMBuildSelect(b, LLVMBuildFCmp(b, predicate, x, y, ""), x, y, "");
}

/* What an atomic leaves behind, or null for an operation that OpenCL C does not have. */
static LLVMValueRef combine(LLVMBuilderRef b, LLVMAtomicRMWBinOp operation, LLVMValueRef old,
                            LLVMValueRef value) {
  switch (operation) {
  case LLVMAtomicRMWBinOpXchg:
    return value;
  case LLVMAtomicRMWBinOpAdd:
    return LLVMBuildAdd(b, old, value, "");
  case LLVMAtomicRMWBinOpSub:
    return LLVMBuildSub(b, old, value, "");
  case LLVMAtomicRMWBinOpAnd:
    return LLVMBuildAnd(b, old, value, "");
  case LLVMAtomicRMWBinOpOr:
    return LLVMBuildOr(b, old, value, "");
  case LLVMAtomicRMWBinOpXor:
    return LLVMBuildXor(b, old, value, "");
  case LLVMAtomicRMWBinOpMax:
    return choose(b, LLVMIntSGT, old, value);
  case LLVMAtomicRMWBinOpMin:
    return choose(b, LLVMIntSLT, old, value);
  case LLVMAtomicRMWBinOpUMax:
    return choose(b, LLVMIntUGT, old, value);
  case LLVMAtomicRMWBinOpUMin:
    return choose(b, LLVMIntULT, old, value);
  case LLVMAtomicRMWBinOpFAdd:
    return LLVMBuildFAdd(b, old, value, "");
  case LLVMAtomicRMWBinOpFSub:
    return LLVMBuildFSub(b, old, value, "");
  case LLVMAtomicRMWBinOpFMax:
    return choose_float(b, LLVMRealOGT, old, value);
  case LLVMAtomicRMWBinOpFMin:
    return choose_float(b, LLVMRealOLT, old, value);
  default:
    return NULL;
  }
}

static LLVMValueRef load_old(LLVMBuilderRef b, LLVMValueRef atomic, LLVMTypeRef type) {
  LLVMValueRef old = LLVMBuildLoad2(b, type, LLVMGetOperand(atomic, 0), "");
  LLVMSetVolatile(old, true);
  return old;
}

static void store_new(LLVMBuilderRef b, LLVMValueRef atomic, LLVMValueRef value) {
  LLVMSetVolatile(LLVMBuildStore(b, value, LLVMGetOperand(atomic, 0)), true);
}

static void lower_rmw(LLVMBuilderRef b, LLVMValueRef atomic) {
  LLVMValueRef value = LLVMGetOperand(atomic, 1);
  LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(atomic);
  if (operation == LLVMAtomicRMWBinOpNand || operation > LLVMAtomicRMWBinOpFMin) return;
  LLVMValueRef old = load_old(b, atomic, LLVMTypeOf(value));
  store_new(b, atomic, combine(b, operation, old, value));
  LLVMReplaceAllUsesWith(atomic, old);
  LLVMInstructionEraseFromParent(atomic);
}

static void lower_exchange(LLVMBuilderRef b, LLVMValueRef atomic) {
  LLVMValueRef expected = LLVMGetOperand(atomic, 1), desired = LLVMGetOperand(atomic, 2);
  LLVMTypeRef type = LLVMTypeOf(expected);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return;
  LLVMValueRef old = load_old(b, atomic, type);
  LLVMValueRef equal = LLVMBuildICmp(b, LLVMIntEQ, old, expected, "");
  store_new(b, atomic, LLVMBuildSelect(b, equal, desired, old, ""));
  LLVMValueRef pair = LLVMBuildInsertValue(b, LLVMGetPoison(LLVMTypeOf(atomic)), old, 0, "");
  LLVMReplaceAllUsesWith(atomic, LLVMBuildInsertValue(b, pair, equal, 1, ""));
  LLVMInstructionEraseFromParent(atomic);
}

void mpl_lower_local_atomics(struct mpl_module_ir *ir) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ir->context);
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    MPL_EACH_BLOCK(block, ir->kernels[k].group) {
      MPL_EACH_INSTRUCTION(i, block) {
        if (!LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i)) continue;
        if (!is_local(LLVMGetOperand(i, 0))) continue;
        LLVMPositionBuilderBefore(b, i);
        if (LLVMIsAAtomicRMWInst(i))
          lower_rmw(b, i);
        else
          lower_exchange(b, i);
      }
    }
  }
  LLVMDisposeBuilder(b);
}
