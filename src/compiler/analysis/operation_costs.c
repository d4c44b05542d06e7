/* Which row of tables/costs.def has what an instruction computes. */
#include <string.h>

#include "cost_table.h"
#include "markers.h"

static LLVMTypeRef element_type(LLVMValueRef value) {
  return mpl_element_of(LLVMTypeOf(value));
}

/* Before AVX-512 only halves have a product of 64 bits. */
static bool is_long_product(LLVMValueRef i) {
  if (mpl_integer_bits(element_type(i)) != 64) return false;
  LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
  bool is_signed = LLVMIsASExtInst(a) && LLVMIsASExtInst(b);
  return !is_signed && !(LLVMIsAZExtInst(a) && (LLVMIsAZExtInst(b) || LLVMIsAConstantInt(b)));
}

static enum mpl_cost row_of_product(LLVMValueRef i) {
  if (is_long_product(i)) return MPL_COST_LONG_PRODUCT;
  return LLVMGetIntTypeWidth(element_type(i)) <= 8 ? MPL_COST_PRODUCT_SMALL : MPL_COST_PRODUCT;
}

static bool is_floating(LLVMValueRef value) {
  LLVMTypeKind kind = LLVMGetTypeKind(element_type(value));
  return kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static enum mpl_cost row_of_call(LLVMValueRef i) {
  LLVMValueRef callee = mpl_callee_of(i);
  const struct mpl_lanewise *lanewise = mpl_lanewise_of(callee);
  if (mpl_is_hint(i) || mpl_is_look(i)) return MPL_NUM_COSTS; /* as it goes without */
  if (lanewise && !strncmp(lanewise->name, "llvm.sqrt", 9)) return MPL_COST_DIVISION;
  if (lanewise && lanewise->says_result) return MPL_COST_CONVERSION;
  if (lanewise) return is_floating(i) ? MPL_COST_FLOATING : MPL_COST_INTEGER;
  return MPL_COST_MATH;
}

enum mpl_cost mpl_operation_row(LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  switch (opcode) {
  case LLVMFDiv:
  case LLVMFRem:
    return MPL_COST_DIVISION;
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem:
    return LLVMIsAConstantInt(LLVMGetOperand(i, 1)) ? MPL_COST_PRODUCT : MPL_COST_QUOTIENT;
  case LLVMMul:
    return row_of_product(i);
  case LLVMFPToUI:
  case LLVMFPToSI:
  case LLVMUIToFP:
  case LLVMSIToFP:
  case LLVMFPTrunc:
  case LLVMFPExt:
    return MPL_COST_CONVERSION;
  case LLVMCall:
    return row_of_call(i);
  case LLVMFCmp:
    return MPL_COST_FLOATING;
  case LLVMSelect:
    return MPL_COST_INTEGER;
  default:
    return is_floating(i) ? MPL_COST_FLOATING : MPL_COST_INTEGER;
  }
}
