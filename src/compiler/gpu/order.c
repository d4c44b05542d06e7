/* The order of atomics on a GPU.  LLVM 19 cannot select atomic loads, stores and fences with an
 * order for NVPTX, and makes relaxed ones of the others without a word: each becomes a relaxed one
 * between fences here.  A fence of the device is enough for every scope: what host and kernel do at
 * the same time has no order without SVM's atomics, which are not offered. */
#include <string.h>

#include "compiler/passes.h"

static bool is_stronger(LLVMAtomicOrdering order) {
  return order != LLVMAtomicOrderingNotAtomic && order != LLVMAtomicOrderingUnordered &&
         order != LLVMAtomicOrderingMonotonic;
}

static bool acquires(LLVMAtomicOrdering order) {
  return is_stronger(order) && order != LLVMAtomicOrderingRelease;
}

static void build_fence(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMAtomicOrdering order) {
  const char *text =
      order == LLVMAtomicOrderingSequentiallyConsistent ? "fence.sc.gpu;" : "fence.acq_rel.gpu;";
  LLVMValueRef call = mpl_call_assembly(b, text, "~{memory}", true, ir->void_type, NULL, 0);
  mpl_add_attribute_to_call(call, "nounwind");
}

/* Makes the access relaxed; the order that it had, of a failed exchange too. */
static LLVMAtomicOrdering take_order(LLVMValueRef i) {
  LLVMAtomicOrdering order, other = LLVMAtomicOrderingMonotonic;
  if (LLVMIsAAtomicCmpXchgInst(i)) {
    order = LLVMGetCmpXchgSuccessOrdering(i);
    other = LLVMGetCmpXchgFailureOrdering(i);
    LLVMSetCmpXchgSuccessOrdering(i, LLVMAtomicOrderingMonotonic);
    LLVMSetCmpXchgFailureOrdering(i, LLVMAtomicOrderingMonotonic);
  } else {
    order = LLVMGetOrdering(i);
    if (is_stronger(order) && !LLVMIsAFenceInst(i)) LLVMSetOrdering(i, LLVMAtomicOrderingMonotonic);
  }
  if (!is_stronger(order)) return other;
  return acquires(other) && !acquires(order) ? LLVMAtomicOrderingAcquireRelease : order;
}

static bool is_atomic(LLVMValueRef i) {
  return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) ||
         LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i);
}

/* A sequentially consistent access has its fence in front of it. */
bool mpl_order_atomics(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef i) {
  if (!is_atomic(i)) return false;
  LLVMAtomicOrdering order = take_order(i);
  if (!is_stronger(order)) return false;
  bool is_fence = LLVMIsAFenceInst(i);
  if (is_fence || order != LLVMAtomicOrderingAcquire) build_fence(ir, b, order);
  LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(i));
  if (!is_fence && !LLVMIsAStoreInst(i) && acquires(order))
    build_fence(ir, b, LLVMAtomicOrderingAcquireRelease);
  if (is_fence) LLVMInstructionEraseFromParent(i);
  return true;
}
