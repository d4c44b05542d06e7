/* Indices that count down from a constant, as in a[row * N + (N - 2 - k)], are computed in the
 * width of an address.  The front end says that none of the int operations overflows.  LLVM's
 * instcombine puts constants last, (row * N - k) + (N - 2), and has to drop that, since the
 * difference alone might overflow.  Nobody knows then that a[... - 3] lies right before a[... - 2]:
 * a loop over k stays scalar.  Only where the constant is added to something: alone, it keeps its
 * promise. */

#include "compiler/analysis/ir.h"
#include "source.h"

/* An addition or subtraction that does not overflow. */
static bool is_exact_sum(LLVMValueRef v) {
  if (!LLVMIsAInstruction(v)) return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
  return (opcode == LLVMAdd || opcode == LLVMSub) && LLVMGetNSW(v);
}

static bool counts_down(LLVMValueRef v, unsigned depth) {
  if (depth > MPL_DEEPEST || !is_exact_sum(v)) return false;
  LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
  if (LLVMGetInstructionOpcode(v) == LLVMSub && LLVMIsAConstantInt(a)) return true;
  return counts_down(a, depth + 1) || counts_down(b, depth + 1);
}

/* Does something that counts down meet a summand that is no constant? */
static bool is_mirrored(LLVMValueRef v, unsigned depth) {
  if (depth > MPL_DEEPEST || !is_exact_sum(v)) return false;
  LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
  if (LLVMIsAConstantInt(a)) return is_mirrored(b, depth + 1);
  if (LLVMIsAConstantInt(b)) return is_mirrored(a, depth + 1);
  return counts_down(a, 0) || counts_down(b, 0);
}

static bool only_addresses(LLVMValueRef index) {
  MPL_EACH_USER(user, index)
  if (!LLVMIsAGetElementPtrInst(user)) return false;
  return LLVMGetFirstUse(index) != NULL;
}

static LLVMValueRef widened(LLVMBuilderRef builder, LLVMValueRef v, LLVMTypeRef type,
                            unsigned depth) {
  if (depth > MPL_DEEPEST || !is_exact_sum(v)) return LLVMBuildSExt(builder, v, type, "");
  LLVMValueRef a = widened(builder, LLVMGetOperand(v, 0), type, depth + 1);
  LLVMValueRef b = widened(builder, LLVMGetOperand(v, 1), type, depth + 1);
  return LLVMGetInstructionOpcode(v) == LLVMSub ? LLVMBuildNSWSub(builder, a, b, "")
                                                : LLVMBuildNSWAdd(builder, a, b, "");
}

void mpl_widen_mirrored_indices(struct mpl_module_ir *ir) {
  MPL_BUILDER(builder, ir->context);
  MPL_EACH_FUNCTION(f, ir->module) MPL_EACH_INSTRUCTION_OF(i, f) {
    if (!LLVMIsASExtInst(i) || LLVMTypeOf(i) != ir->i64 || !only_addresses(i)) continue;
    LLVMValueRef index = LLVMGetOperand(i, 0);
    if (LLVMTypeOf(index) != ir->i32 || !is_mirrored(index, 0)) continue;
    LLVMPositionBuilderBefore(builder, i);
    mpl_replace(i, widened(builder, index, ir->i64, 0));
  }
}
