/* Which family an instruction belongs to, and those of none. */
#include <string.h>

#include "reader.h"

LLVMValueRef mpl_spirv_intrinsic(mpl_spirv r, const char *name, LLVMTypeRef overloaded,
                                 LLVMValueRef *args, unsigned count) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function =
      LLVMGetIntrinsicDeclaration(r->module, id, &overloaded, overloaded ? 1 : 0);
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  return LLVMBuildCall2(r->b, type, function, args, count, "");
}

/* What is expected of a vector has no use. */
static LLVMValueRef expect(mpl_spirv r, mpl_spirv_in in) {
  LLVMValueRef both[] = {mpl_spirv_operand(r, in, 3), mpl_spirv_operand(r, in, 4)};
  LLVMTypeRef type = LLVMTypeOf(both[0]);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return both[0];
  return mpl_spirv_intrinsic(r, "llvm.expect", type, both, 2);
}

static bool other(mpl_spirv r, mpl_spirv_in in) {
  LLVMValueRef condition;
  switch ((SpvOp)in->opcode) {
  case SpvOpNop:
  case SpvOpLine:
  case SpvOpNoLine:
    return true;
  case SpvOpUndef:
    mpl_spirv_result(r, in, LLVMGetUndef(mpl_spirv_type(r, mpl_spirv_word(in, 1))));
    return true;
  case SpvOpExpectKHR:
    mpl_spirv_result(r, in, expect(r, in));
    return true;
  case SpvOpAssumeTrueKHR:
    condition = mpl_spirv_operand(r, in, 1);
    mpl_spirv_intrinsic(r, "llvm.assume", NULL, &condition, 1);
    return true;
  case SpvOpSizeOf: {
    uint32_t pointee = mpl_spirv_pointee(r, mpl_spirv_word(in, 3));
    LLVMTypeRef type = mpl_spirv_type(r, pointee);
    mpl_spirv_result(r, in, LLVMConstInt(r->i32, LLVMABISizeOfType(r->layout, type), false));
    return true;
  }
  default:
    return false;
  }
}

void mpl_spirv_instruction(mpl_spirv r, mpl_spirv_in in) {
  static bool (*const families[])(mpl_spirv, mpl_spirv_in) = {
      mpl_spirv_memory,      mpl_spirv_arithmetic, mpl_spirv_composite, mpl_spirv_conversion,
      mpl_spirv_extended,    mpl_spirv_atomic,     mpl_spirv_group,     mpl_spirv_image,
      mpl_spirv_dot_product, mpl_spirv_direct,     mpl_spirv_enqueue,   other};
  for (unsigned i = 0; i < sizeof families / sizeof *families; i++)
    if (families[i](r, in)) return;
  mpl_spirv_fail("the instruction %s (%u) is not supported", mpl_spirv_op_name(in->opcode),
                 in->opcode);
}
