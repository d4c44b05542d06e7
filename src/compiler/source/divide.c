/* Integer division never traps (OpenCL C 3.0, section 6.4 a): by zero, and the smallest value by
 * -1, the result is unspecified.  The divisor is 1 then.  Done before anything is optimised: to
 * LLVM both are undefined behaviour. */
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"

/* The same constant in every element, if `type` is a vector. */
static LLVMValueRef splat(LLVMTypeRef type, uint64_t value) {
  if (!mpl_is_vector_type(type)) return LLVMConstInt(type, value, false);
  LLVMValueRef elements[64];
  unsigned count = LLVMGetVectorSize(type);
  LLVMValueRef element = LLVMConstInt(LLVMGetElementType(type), value, false);
  for (unsigned i = 0; i < count && i < 64; i++) elements[i] = element;
  return LLVMConstVector(elements, count);
}

static unsigned bits_of(LLVMTypeRef type) {
  return LLVMGetIntTypeWidth(mpl_element_of(type));
}

static bool is_safe(LLVMValueRef divisor) {
  if (!LLVMIsAConstantInt(divisor) || LLVMGetIntTypeWidth(LLVMTypeOf(divisor)) > 64) return false;
  return !LLVMIsNull(divisor) && LLVMConstIntGetSExtValue(divisor) != -1;
}

/* In C and C++ the engine divides as the processor does, which traps.  So a filter stops there. */
static void stop_if(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef bad) {
  LLVMValueRef any = bad;
  if (mpl_is_vector_type(LLVMTypeOf(bad))) {
    for (unsigned k = 0; k < LLVMGetVectorSize(LLVMTypeOf(bad)); k++) {
      LLVMValueRef one = LLVMBuildExtractElement(b, bad, mpl_const64(ir, k), "");
      any = k ? LLVMBuildOr(b, any, one, "") : one;
    }
  }
  mpl_build_stop(ir, b, any, mpl_build_marker(ir, b, MPL_MARK_GROUP, ir->ptr, NULL, 0));
}

static bool guard(struct mpl_module_ir *ir, LLVMBuilderRef builder, LLVMValueRef division,
                  bool is_signed) {
  LLVMValueRef dividend = LLVMGetOperand(division, 0), divisor = LLVMGetOperand(division, 1);
  LLVMTypeRef type = LLVMTypeOf(divisor);
  if (is_safe(divisor) || bits_of(type) > 64 ||
      (mpl_is_vector_type(type) && LLVMGetVectorSize(type) > 64))
    return false;
  mpl_remark(ir, division, "division by zero made safe");
  /* What the guard has seen is what is divided, even where a branch not taken left it undefined. */
  dividend = LLVMBuildFreeze(builder, dividend, "");
  divisor = LLVMBuildFreeze(builder, divisor, "");
  LLVMSetOperand(division, 0, dividend);
  LLVMValueRef bad = LLVMBuildICmp(builder, LLVMIntEQ, divisor, LLVMConstNull(type), "");
  if (is_signed) {
    LLVMValueRef least = splat(type, (uint64_t)1 << (bits_of(type) - 1));
    LLVMValueRef one = LLVMBuildICmp(builder, LLVMIntEQ, divisor, LLVMConstAllOnes(type), "");
    LLVMValueRef two = LLVMBuildICmp(builder, LLVMIntEQ, dividend, least, "");
    bad = LLVMBuildOr(builder, bad, LLVMBuildAnd(builder, one, two, ""), "");
  }
  if (ir->filters && ir->records) stop_if(ir, builder, bad);
  LLVMValueRef safe = LLVMBuildSelect(builder, bad, splat(type, 1), divisor, "");
  if (LLVMIsASelectInst(safe))
    mpl_mark(ir, safe, MPL_SAFE_DIVISOR);
  LLVMSetOperand(division, 1, safe);
  return true;
}

bool mpl_guard_divisions(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (opcode == LLVMSDiv || opcode == LLVMSRem) return guard(ir, b, i, true);
  return (opcode == LLVMUDiv || opcode == LLVMURem) && guard(ir, b, i, false);
}
