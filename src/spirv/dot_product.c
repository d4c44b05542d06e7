/* Dot products of integers (SPIR-V specification, OpSDot and its like): of vectors, or of four
 * bytes that stand in a number. */
#include "reader.h"

static LLVMValueRef unpack(mpl_spirv r, mpl_spirv_in in, unsigned word, unsigned packed_at) {
  LLVMValueRef x = mpl_spirv_operand(r, in, word);
  bool packed = mpl_spirv_lanes(LLVMTypeOf(x)) == 1;
  if (packed && in->count <= packed_at)
    mpl_spirv_fail("%s of numbers does not say how they are packed", mpl_spirv_op_name(in->opcode));
  return packed ? LLVMBuildBitCast(r->b, x, LLVMVectorType(r->i8, 4), "") : x;
}

static LLVMValueRef widen(mpl_spirv r, LLVMValueRef x, unsigned lane, LLVMTypeRef to,
                          bool is_signed) {
  x = LLVMBuildExtractElement(r->b, x, LLVMConstInt(r->i32, lane, false), "");
  return LLVMBuildIntCast2(r->b, x, to, is_signed, "");
}

static bool describe(SpvOp opcode, bool *first_signed, bool *second_signed, bool *adds) {
  switch (opcode) {
  case SpvOpSDot:
  case SpvOpSDotAccSat:
    *first_signed = *second_signed = true;
    break;
  case SpvOpUDot:
  case SpvOpUDotAccSat:
    *first_signed = *second_signed = false;
    break;
  case SpvOpSUDot:
  case SpvOpSUDotAccSat:
    *first_signed = true;
    *second_signed = false;
    break;
  default:
    return false;
  }
  *adds = opcode == SpvOpSDotAccSat || opcode == SpvOpUDotAccSat || opcode == SpvOpSUDotAccSat;
  return true;
}

/* The sum is exact in 128 bits, whatever the operands; LLVM sees how few of them matter. */
bool mpl_spirv_dot_product(mpl_spirv r, mpl_spirv_in in) {
  bool first_signed, second_signed, adds;
  if (!describe((SpvOp)in->opcode, &first_signed, &second_signed, &adds)) return false;
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  unsigned packed_at = adds ? 6 : 5, width = LLVMGetIntTypeWidth(type);
  LLVMValueRef x = unpack(r, in, 3, packed_at), y = unpack(r, in, 4, packed_at);
  unsigned part = LLVMGetIntTypeWidth(mpl_spirv_scalar(LLVMTypeOf(x)));
  LLVMTypeRef wide = !adds ? type : part <= 16 ? r->i64 : LLVMInt128TypeInContext(r->context);
  LLVMValueRef sum = LLVMConstNull(wide);
  for (unsigned i = 0; i < mpl_spirv_lanes(LLVMTypeOf(x)); i++)
    sum = LLVMBuildAdd(r->b, sum,
                       LLVMBuildMul(r->b, widen(r, x, i, wide, first_signed),
                                    widen(r, y, i, wide, second_signed), ""),
                       "");
  if (adds) { /* the product modulo the result's width, then a sum that stays in its bounds */
    LLVMValueRef product = LLVMBuildTrunc(r->b, sum, type, "");
    if (width == 64 && wide == r->i64) product = sum;
    LLVMValueRef operands[] = {product, mpl_spirv_operand(r, in, 5)};
    sum =
        mpl_spirv_intrinsic(r, first_signed ? "llvm.sadd.sat" : "llvm.uadd.sat", type, operands, 2);
  }
  mpl_spirv_result(r, in, sum);
  return true;
}
