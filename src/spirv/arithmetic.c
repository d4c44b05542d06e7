/* Arithmetic, bits, relations (SPIR-V specification, 3.49.13 to 3.49.15). */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "reader.h"

#define QUOTIENT_ULP 2.5 /* OpenCL C, "Relative Error as ULPs" */
enum kind { NONE, BINARY, FLOATING, COMPARE, ORDER };

static const struct row {
  SpvOp opcode;
  enum kind kind;
  int llvm;
} rows[] = {
#define MPL_SPIRV_BINARY(opcode, llvm)   {SpvOp##opcode, BINARY, LLVM##llvm},
#define MPL_SPIRV_FLOATING(opcode, llvm) {SpvOp##opcode, FLOATING, LLVM##llvm},
#define MPL_SPIRV_COMPARE(opcode, llvm)  {SpvOp##opcode, COMPARE, LLVM##llvm},
#define MPL_SPIRV_ORDER(opcode, llvm)    {SpvOp##opcode, ORDER, LLVM##llvm},
#include "tables/spirv_ops.def"
};

static void set_fast_math(mpl_spirv r, mpl_spirv_in in, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value) || !LLVMCanValueUseFastMathFlags(value)) return;
  static const struct {
    SpvFPFastMathModeMask spirv;
    LLVMFastMathFlags llvm;
  } flags[] = {
      {SpvFPFastMathModeNotNaNMask, LLVMFastMathNoNaNs},
      {SpvFPFastMathModeNotInfMask, LLVMFastMathNoInfs},
      {SpvFPFastMathModeNSZMask, LLVMFastMathNoSignedZeros},
      {SpvFPFastMathModeAllowRecipMask, LLVMFastMathAllowReciprocal},
      {SpvFPFastMathModeFastMask, LLVMFastMathAll},
  };
  const struct mpl_spirv_decoration *mode =
      mpl_spirv_decoration(r, mpl_spirv_word(in, 2), SpvDecorationFPFastMathMode);
  LLVMFastMathFlags wanted = r->no_contraction ? LLVMFastMathNone : LLVMFastMathAllowContract;
  for (unsigned i = 0; mode && mode->count && i < sizeof flags / sizeof *flags; i++)
    if (mode->words[0] & flags[i].spirv) wanted |= flags[i].llvm;
  LLVMSetFastMathFlags(value, wanted);
}

void mpl_spirv_allow_error(mpl_spirv r, LLVMValueRef value, double ulp) {
  if (r->rounded || !LLVMIsAInstruction(value) || mpl_spirv_scalar(LLVMTypeOf(value)) != r->f32)
    return;
  LLVMMetadataRef most = LLVMValueAsMetadata(LLVMConstReal(r->f32, ulp));
  LLVMMetadataRef node = LLVMMDNodeInContext2(r->context, &most, 1);
  LLVMSetMetadata(value, LLVMGetMDKindIDInContext(r->context, "fpmath", strlen("fpmath")),
                  LLVMMetadataAsValue(r->context, node));
}

/* A shift by more than there are bits is undefined there, and in OpenCL C counted modulo the bits;
 * the number may be of another width. */
static LLVMValueRef shift_count(mpl_spirv r, LLVMValueRef count, LLVMTypeRef type) {
  count = LLVMBuildIntCast2(r->b, count, type, false, "");
  unsigned width = LLVMGetIntTypeWidth(mpl_spirv_scalar(type));
  LLVMValueRef mask = LLVMConstInt(mpl_spirv_scalar(type), width - 1, false), all[16];
  unsigned lanes = mpl_spirv_lanes(type);
  for (unsigned i = 0; i < lanes; i++) all[i] = mask;
  return LLVMBuildAnd(r->b, count, lanes > 1 ? LLVMConstVector(all, lanes) : mask, "");
}

static bool wraps(mpl_spirv r, mpl_spirv_in in, SpvDecoration never) {
  return !mpl_spirv_decoration(r, mpl_spirv_word(in, 2), never);
}

static LLVMValueRef binary(mpl_spirv r, mpl_spirv_in in, LLVMOpcode opcode, LLVMValueRef x,
                           LLVMValueRef y) {
  bool shifts = opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr;
  if (shifts) y = shift_count(r, y, LLVMTypeOf(x));
  LLVMValueRef value = LLVMBuildBinOp(r->b, opcode, x, y, "");
  bool counts = opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul || opcode == LLVMShl;
  if (!counts || !LLVMIsAInstruction(value)) return value;
  LLVMSetNSW(value, !wraps(r, in, SpvDecorationNoSignedWrap));
  LLVMSetNUW(value, !wraps(r, in, SpvDecorationNoUnsignedWrap));
  return value;
}

static LLVMValueRef by_row(mpl_spirv r, mpl_spirv_in in, const struct row *row) {
  LLVMValueRef x = mpl_spirv_operand(r, in, 3), y = mpl_spirv_operand(r, in, 4), value;
  switch (row->kind) {
  case BINARY:
    return binary(r, in, (LLVMOpcode)row->llvm, x, y);
  case FLOATING:
    value = LLVMBuildBinOp(r->b, (LLVMOpcode)row->llvm, x, y, "");
    set_fast_math(r, in, value);
    if (row->opcode == SpvOpFDiv) mpl_spirv_allow_error(r, value, QUOTIENT_ULP);
    return value;
  case COMPARE:
    return LLVMBuildICmp(r->b, (LLVMIntPredicate)row->llvm, x, y, "");
  default:
    return LLVMBuildFCmp(r->b, (LLVMRealPredicate)row->llvm, x, y, "");
  }
}

static LLVMValueRef splat(mpl_spirv r, LLVMValueRef scalar, LLVMTypeRef like) {
  unsigned lanes = mpl_spirv_lanes(like);
  LLVMValueRef vector = LLVMGetPoison(like);
  for (unsigned i = 0; i < lanes; i++)
    vector = LLVMBuildInsertElement(r->b, vector, scalar, LLVMConstInt(r->i32, i, false), "");
  return vector;
}

/* OpFMod's and OpSMod's result has the sign of the divisor. */
static LLVMValueRef remainder_of(mpl_spirv r, mpl_spirv_in in) {
  LLVMValueRef x = mpl_spirv_operand(r, in, 3), y = mpl_spirv_operand(r, in, 4), rest, other;
  LLVMTypeRef type = LLVMTypeOf(x);
  LLVMValueRef zero = LLVMConstNull(type), sum;
  if (in->opcode == SpvOpSMod) {
    rest = LLVMBuildSRem(r->b, x, y, "");
    LLVMValueRef signs = LLVMBuildXor(r->b, rest, y, "");
    other = LLVMBuildAnd(r->b, LLVMBuildICmp(r->b, LLVMIntSLT, signs, zero, ""),
                         LLVMBuildICmp(r->b, LLVMIntNE, rest, zero, ""), "");
    sum = LLVMBuildAdd(r->b, rest, y, "");
    return LLVMBuildSelect(r->b, other, sum, rest, "");
  }
  struct mpl_spirv_call call;
  mpl_spirv_call_begin(&call, "fmod");
  mpl_spirv_call_add(&call, x, true);
  mpl_spirv_call_add(&call, y, true);
  rest = mpl_spirv_call_end(r, &call, type, true, CALL_PURE);
  if (in->opcode == SpvOpFRem) return rest;
  LLVMValueRef signs = LLVMBuildXor(r->b, LLVMBuildFCmp(r->b, LLVMRealOLT, rest, zero, ""),
                                    LLVMBuildFCmp(r->b, LLVMRealOLT, y, zero, ""), "");
  other = LLVMBuildAnd(r->b, signs, LLVMBuildFCmp(r->b, LLVMRealONE, rest, zero, ""), "");
  sum = LLVMBuildFAdd(r->b, rest, y, "");
  return LLVMBuildSelect(r->b, other, sum, rest, "");
}

/* The tests of floating-point numbers look at their bits, so that no assumption on NaNs touches
 * them. */
static LLVMValueRef test_bits(mpl_spirv r, mpl_spirv_in in) {
  LLVMValueRef x = mpl_spirv_operand(r, in, 3);
  LLVMTypeRef type = LLVMTypeOf(x), scalar = mpl_spirv_scalar(type);
  unsigned width = scalar == r->half ? 16 : scalar == r->f32 ? 32 : 64;
  unsigned fraction = width == 16 ? 10 : width == 32 ? 23 : 52;
  LLVMTypeRef whole = LLVMIntTypeInContext(r->context, width);
  LLVMTypeRef bits_type = mpl_spirv_with_lanes(type, whole);
  uint64_t most = ~UINT64_C(0) >> (65 - width), infinity = most >> fraction << fraction;
#define ALL(number)  splat(r, LLVMConstInt(whole, number, false), bits_type)
#define EACH(number) (mpl_spirv_lanes(type) > 1 ? ALL(number) : LLVMConstInt(whole, number, false))
  LLVMValueRef bits = LLVMBuildBitCast(r->b, x, bits_type, "");
  LLVMValueRef size = LLVMBuildAnd(r->b, bits, EACH(most), "");
  switch ((SpvOp)in->opcode) {
  case SpvOpIsNan:
    return LLVMBuildICmp(r->b, LLVMIntUGT, size, EACH(infinity), "");
  case SpvOpIsInf:
    return LLVMBuildICmp(r->b, LLVMIntEQ, size, EACH(infinity), "");
  case SpvOpIsFinite:
    return LLVMBuildICmp(r->b, LLVMIntULT, size, EACH(infinity), "");
  case SpvOpSignBitSet:
    return LLVMBuildICmp(r->b, LLVMIntSLT, bits, EACH(0), "");
  default: { /* OpIsNormal: the exponent is neither the least nor the greatest */
    uint64_t least = UINT64_C(1) << fraction;
    LLVMValueRef above = LLVMBuildSub(r->b, size, EACH(least), "");
    return LLVMBuildICmp(r->b, LLVMIntULT, above, EACH(infinity - least), "");
  }
  }
#undef ALL
#undef EACH
}

/* OpAny and OpAll. */
static LLVMValueRef fold(mpl_spirv r, LLVMValueRef vector, LLVMOpcode opcode) {
  LLVMValueRef all = NULL;
  for (unsigned i = 0; i < mpl_spirv_lanes(LLVMTypeOf(vector)); i++) {
    LLVMValueRef one = LLVMBuildExtractElement(r->b, vector, LLVMConstInt(r->i32, i, false), "");
    all = all ? LLVMBuildBinOp(r->b, opcode, all, one, "") : one;
  }
  return all;
}

static LLVMTypeRef twice(mpl_spirv r, LLVMTypeRef type) {
  unsigned width = LLVMGetIntTypeWidth(mpl_spirv_scalar(type));
  return mpl_spirv_with_lanes(type, LLVMIntTypeInContext(r->context, 2 * width));
}

/* Both halves of a product; a sum and its carry. */
static LLVMValueRef in_two_parts(mpl_spirv r, mpl_spirv_in in) {
  bool is_signed = in->opcode == SpvOpSMulExtended;
  LLVMValueRef x = mpl_spirv_operand(r, in, 3), y = mpl_spirv_operand(r, in, 4), low, high;
  LLVMTypeRef type = LLVMTypeOf(x), wide = twice(r, type);
  if (in->opcode == SpvOpIAddCarry) {
    low = LLVMBuildAdd(r->b, x, y, "");
    high = LLVMBuildZExt(r->b, LLVMBuildICmp(r->b, LLVMIntULT, low, x, ""), type, "");
  } else if (in->opcode == SpvOpISubBorrow) {
    low = LLVMBuildSub(r->b, x, y, "");
    high = LLVMBuildZExt(r->b, LLVMBuildICmp(r->b, LLVMIntULT, x, y, ""), type, "");
  } else {
    LLVMValueRef product = LLVMBuildMul(r->b, LLVMBuildIntCast2(r->b, x, wide, is_signed, ""),
                                        LLVMBuildIntCast2(r->b, y, wide, is_signed, ""), "");
    unsigned width = LLVMGetIntTypeWidth(mpl_spirv_scalar(type));
    LLVMValueRef by = LLVMConstInt(mpl_spirv_scalar(wide), width, false);
    if (mpl_spirv_lanes(type) > 1) by = splat(r, by, wide);
    low = LLVMBuildTrunc(r->b, product, type, "");
    high = LLVMBuildTrunc(r->b, LLVMBuildLShr(r->b, product, by, ""), type, "");
  }
  LLVMValueRef both = LLVMGetPoison(mpl_spirv_type(r, mpl_spirv_word(in, 1)));
  return LLVMBuildInsertValue(r->b, LLVMBuildInsertValue(r->b, both, low, 0, ""), high, 1, "");
}

/* Offset and Count may be of other widths than the number. */
static LLVMValueRef bit_field(mpl_spirv r, mpl_spirv_in in) {
  bool inserts = in->opcode == SpvOpBitFieldInsert;
  LLVMValueRef base = mpl_spirv_operand(r, in, 3);
  LLVMTypeRef type = LLVMTypeOf(base), scalar = mpl_spirv_scalar(type);
  unsigned width = LLVMGetIntTypeWidth(scalar), next = inserts ? 5 : 4;
  LLVMValueRef offset = LLVMBuildIntCast2(r->b, mpl_spirv_operand(r, in, next), scalar, false, "");
  LLVMValueRef count =
      LLVMBuildIntCast2(r->b, mpl_spirv_operand(r, in, next + 1), scalar, false, "");
  LLVMValueRef bits = LLVMConstInt(scalar, width, false), zero = LLVMConstNull(scalar);
  LLVMValueRef none = LLVMBuildICmp(r->b, LLVMIntEQ, count, zero, "");
  /* Shifts by the width, of an empty field, are kept from happening. */
  LLVMValueRef rest = LLVMBuildSelect(r->b, none, zero, LLVMBuildSub(r->b, bits, count, ""), "");
  if (!inserts) {
    LLVMValueRef up = LLVMBuildSelect(r->b, none, zero, LLVMBuildSub(r->b, rest, offset, ""), "");
    bool lanes = mpl_spirv_lanes(type) > 1;
    LLVMValueRef down = lanes ? splat(r, rest, type) : rest;
    LLVMValueRef high = LLVMBuildShl(r->b, base, lanes ? splat(r, up, type) : up, "");
    LLVMValueRef field = in->opcode == SpvOpBitFieldSExtract ? LLVMBuildAShr(r->b, high, down, "")
                                                             : LLVMBuildLShr(r->b, high, down, "");
    return LLVMBuildSelect(r->b, none, LLVMConstNull(type), field, "");
  }
  LLVMValueRef ones = LLVMBuildLShr(r->b, LLVMConstAllOnes(scalar), rest, "");
  ones = LLVMBuildSelect(r->b, none, zero, ones, "");
  LLVMValueRef at = LLVMBuildSelect(r->b, none, zero, offset, "");
  LLVMValueRef mask = LLVMBuildShl(r->b, ones, at, "");
  if (mpl_spirv_lanes(type) > 1) {
    mask = splat(r, mask, type);
    at = splat(r, at, type);
  }
  LLVMValueRef moved = LLVMBuildShl(r->b, mpl_spirv_operand(r, in, 4), at, "");
  return LLVMBuildOr(r->b, LLVMBuildAnd(r->b, base, LLVMBuildNot(r->b, mask, ""), ""),
                     LLVMBuildAnd(r->b, moved, mask, ""), "");
}

static LLVMValueRef dot(mpl_spirv r, mpl_spirv_in in) {
  struct mpl_spirv_call call;
  mpl_spirv_call_begin(&call, "dot");
  mpl_spirv_call_add(&call, mpl_spirv_operand(r, in, 3), true);
  mpl_spirv_call_add(&call, mpl_spirv_operand(r, in, 4), true);
  return mpl_spirv_call_end(r, &call, mpl_spirv_type(r, mpl_spirv_word(in, 1)), true, CALL_PURE);
}

static LLVMValueRef one_operand(mpl_spirv r, mpl_spirv_in in) {
  LLVMValueRef x = mpl_spirv_operand(r, in, 3), value;
  LLVMTypeRef type = LLVMTypeOf(x);
  switch ((SpvOp)in->opcode) {
  case SpvOpSNegate:
    return binary(r, in, LLVMSub, LLVMConstNull(type), x);
  case SpvOpFNegate:
    value = LLVMBuildFNeg(r->b, x, "");
    set_fast_math(r, in, value);
    return value;
  case SpvOpNot:
  case SpvOpLogicalNot:
    return LLVMBuildNot(r->b, x, "");
  case SpvOpBitCount:
    value = mpl_spirv_intrinsic(r, "llvm.ctpop", type, &x, 1);
    return LLVMBuildIntCast2(r->b, value, mpl_spirv_type(r, mpl_spirv_word(in, 1)), false, "");
  case SpvOpBitReverse:
    return mpl_spirv_intrinsic(r, "llvm.bitreverse", type, &x, 1);
  case SpvOpAny:
    return fold(r, x, LLVMOr);
  default: /* OpAll */
    return fold(r, x, LLVMAnd);
  }
}

static LLVMValueRef other(mpl_spirv r, mpl_spirv_in in) {
  LLVMValueRef x, value;
  switch ((SpvOp)in->opcode) {
  case SpvOpSNegate:
  case SpvOpFNegate:
  case SpvOpNot:
  case SpvOpLogicalNot:
  case SpvOpBitCount:
  case SpvOpBitReverse:
  case SpvOpAny:
  case SpvOpAll:
    return one_operand(r, in);
  case SpvOpFRem:
  case SpvOpFMod:
  case SpvOpSMod:
    return remainder_of(r, in);
  case SpvOpIsNan:
  case SpvOpIsInf:
  case SpvOpIsFinite:
  case SpvOpIsNormal:
  case SpvOpSignBitSet:
    return test_bits(r, in);
  case SpvOpVectorTimesScalar:
    x = mpl_spirv_operand(r, in, 3);
    value = LLVMBuildFMul(r->b, x, splat(r, mpl_spirv_operand(r, in, 4), LLVMTypeOf(x)), "");
    set_fast_math(r, in, value);
    return value;
  case SpvOpDot:
    return dot(r, in);
  case SpvOpIAddCarry:
  case SpvOpISubBorrow:
  case SpvOpUMulExtended:
  case SpvOpSMulExtended:
    return in_two_parts(r, in);
  case SpvOpBitFieldInsert:
  case SpvOpBitFieldSExtract:
  case SpvOpBitFieldUExtract:
    return bit_field(r, in);
  default:
    return NULL;
  }
}

bool mpl_spirv_arithmetic(mpl_spirv r, mpl_spirv_in in) {
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].opcode != (SpvOp)in->opcode) continue;
    mpl_spirv_result(r, in, by_row(r, in, &rows[i]));
    return true;
  }
  LLVMValueRef value = other(r, in);
  if (value) mpl_spirv_result(r, in, value);
  return value != NULL;
}
