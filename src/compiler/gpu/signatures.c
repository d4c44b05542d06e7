/* What LLVM's back ends for NVPTX cannot pass to a function or return.
 *
 * Of vectors of two bytes with another part right behind them, in a struct or array, that of version 19 makes
 * one register of the wrong width and gives up.  Of vectors of four floats and more, that of version 21 passes
 * pairs, which processors before sm_100 do not have, unless it sees each element by itself. */
#include "compiler/analysis/ir.h"
#include "compiler/passes.h"
#include "gpu.h"

/* Counts the type's parts up to two, and finds such a vector among them. */
struct parts {
  unsigned count;
  bool short_pair;
};

static bool is_pair_of_bytes(LLVMTypeRef type) {
  LLVMTypeRef element = LLVMGetElementType(type);
  return LLVMGetVectorSize(type) == 2 && mpl_integer_bits(element) == 8;
}

static struct parts parts_of(LLVMTypeRef type) {
  struct parts all = {0};
  switch (LLVMGetTypeKind(type)) {
  case LLVMVectorTypeKind:
    return (struct parts){1, is_pair_of_bytes(type)};
  case LLVMArrayTypeKind:
    all = parts_of(LLVMGetElementType(type));
    if (LLVMGetArrayLength2(type) > 1 && all.count) all.count = 2;
    return all;
  case LLVMStructTypeKind:
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
      struct parts one = parts_of(LLVMStructGetTypeAtIndex(type, i));
      all.count = all.count + one.count > 1 ? 2 : all.count + one.count;
      all.short_pair |= one.short_pair;
    }
    return all;
  default:
    return (struct parts){1, false};
  }
}

static bool is_lost(LLVMTypeRef type) {
  struct parts parts = parts_of(type);
  return parts.count > 1 && parts.short_pair;
}

bool mpl_gpu_must_inline(LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  unsigned count = LLVMCountParams(function);
  if (is_lost(LLVMGetReturnType(type))) return true;
  for (unsigned i = 0; i < count; i++) {
    LLVMAttributeRef by_value =
        LLVMGetEnumAttributeAtIndex(function, i + 1, mpl_enum_attribute("byval"));
    LLVMTypeRef passed =
        by_value ? LLVMGetTypeAttributeValue(by_value) : LLVMTypeOf(LLVMGetParam(function, i));
    if (is_lost(passed)) return true;
  }
  return false;
}

/* Element by element, each behind an instruction that the back end cannot look through. */
static LLVMValueRef apart(LLVMBuilderRef b, LLVMValueRef vector) {
  LLVMTypeRef type = LLVMTypeOf(vector), i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  LLVMValueRef result = LLVMGetPoison(type);
  for (unsigned k = 0; k < LLVMGetVectorSize(type); k++) {
    LLVMValueRef index = LLVMConstInt(i32, k, false), element = LLVMBuildExtractElement(b, vector, index, "");
    element = mpl_call_assembly(b, "mov.b32 $0, $1;", "=f,f", false, LLVMGetElementType(type), &element, 1);
    result = LLVMBuildInsertElement(b, result, element, index, "");
  }
  return result;
}

static bool is_vector_of_floats(LLVMTypeRef type) {
  return mpl_is_vector_type(type) && LLVMGetTypeKind(mpl_element_of(type)) == LLVMFloatTypeKind &&
         LLVMGetVectorSize(type) >= 4;
}

void mpl_gpu_pass_floats(LLVMValueRef function) {
  if (mpl_ir_version() < 21) return;
  MPL_BUILDER(b, LLVMGetModuleContext(LLVMGetGlobalParent(function)));
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (!LLVMIsACallInst(i) || LLVMGetIntrinsicID(LLVMGetCalledValue(i))) continue;
    LLVMPositionBuilderBefore(b, i);
    for (unsigned k = 0; k < LLVMGetNumArgOperands(i); k++) {
      LLVMValueRef argument = LLVMGetOperand(i, k);
      if (is_vector_of_floats(LLVMTypeOf(argument))) LLVMSetOperand(i, k, apart(b, argument));
    }
  }
}
