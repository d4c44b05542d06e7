/* Conversions (SPIR-V specification, 3.49.11).  Without decorations they are LLVM's; with a
 * rounding mode or saturated they are OpenCL C's convert functions. */
#include <stdio.h>

#include "call.h"
#include "reader.h"

static const char *type_name(mpl_spirv r, LLVMTypeRef type, bool is_signed, char name[16]) {
  LLVMTypeRef scalar = mpl_spirv_scalar(type);
  const char *text = "int";
  switch (LLVMGetTypeKind(scalar)) {
  case LLVMHalfTypeKind:
    text = "half";
    break;
  case LLVMFloatTypeKind:
    text = "float";
    break;
  case LLVMDoubleTypeKind:
    text = "double";
    break;
  default: {
    unsigned width = LLVMGetIntTypeWidth(scalar);
    text = width == 8 ? "uchar" : width == 16 ? "ushort" : width == 32 ? "uint" : "ulong";
    text += is_signed;
  }
  }
  unsigned lanes = mpl_spirv_lanes(type);
  if (lanes > 1)
    snprintf(name, 16, "%s%u", text, lanes);
  else
    snprintf(name, 16, "%s", text);
  return name;
}

static const char *rounding_of(mpl_spirv r, uint32_t id) {
  static const char *const suffixes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
  const struct mpl_spirv_decoration *mode =
      mpl_spirv_decoration(r, id, SpvDecorationFPRoundingMode);
  return mode && mode->count && mode->words[0] < 4 ? suffixes[mode->words[0]] : "";
}

static LLVMValueRef convert(mpl_spirv r, mpl_spirv_in in, bool from_signed, bool to_signed,
                            bool saturates) {
  char name[16];
  struct mpl_spirv_call call;
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  mpl_spirv_call_begin(&call, "convert_%s%s%s", type_name(r, type, to_signed, name),
                       saturates ? "_sat" : "", rounding_of(r, mpl_spirv_word(in, 2)));
  mpl_spirv_call_add(&call, mpl_spirv_operand(r, in, 3), from_signed);
  return mpl_spirv_call_end(r, &call, type, to_signed, CALL_PURE);
}

static bool is_integer(LLVMTypeRef type) {
  return LLVMGetTypeKind(mpl_spirv_scalar(type)) == LLVMIntegerTypeKind;
}

static LLVMValueRef number(mpl_spirv r, mpl_spirv_in in, bool from_signed, bool to_signed) {
  uint32_t id = mpl_spirv_word(in, 2);
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  LLVMValueRef x = mpl_spirv_operand(r, in, 3);
  bool saturates = mpl_spirv_decoration(r, id, SpvDecorationSaturatedConversion) != NULL;
  bool from_integer = is_integer(LLVMTypeOf(x)), to_integer = is_integer(type);
  if ((saturates && to_integer) || (rounding_of(r, id)[0] && !(from_integer && to_integer)))
    return convert(r, in, from_signed, to_signed, saturates && to_integer);
  if (from_integer && to_integer) return LLVMBuildIntCast2(r->b, x, type, from_signed, "");
  if (!from_integer && !to_integer) return LLVMBuildFPCast(r->b, x, type, "");
  if (from_integer)
    return from_signed ? LLVMBuildSIToFP(r->b, x, type, "") : LLVMBuildUIToFP(r->b, x, type, "");
  return to_signed ? LLVMBuildFPToSI(r->b, x, type, "") : LLVMBuildFPToUI(r->b, x, type, "");
}

/* To half and back, as stored. */
static LLVMValueRef quantize(mpl_spirv r, mpl_spirv_in in) {
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  LLVMValueRef x =
      LLVMBuildFPTrunc(r->b, mpl_spirv_operand(r, in, 3), mpl_spirv_with_lanes(type, r->half), "");
  return LLVMBuildFPExt(r->b, x, type, "");
}

static LLVMValueRef bitcast(mpl_spirv r, LLVMValueRef x, LLVMTypeRef type) {
  LLVMTypeRef from = LLVMTypeOf(x);
  bool from_pointer = LLVMGetTypeKind(from) == LLVMPointerTypeKind;
  bool to_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  if (from == type) return x;
  if (from_pointer && to_pointer) return LLVMBuildAddrSpaceCast(r->b, x, type, "");
  if (from_pointer) { /* to a number, or to a vector of as many bits */
    x = LLVMBuildPtrToInt(r->b, x, r->i64, "");
    return LLVMBuildBitCast(r->b, x, type, "");
  }
  if (to_pointer) return LLVMBuildIntToPtr(r->b, LLVMBuildBitCast(r->b, x, r->i64, ""), type, "");
  return LLVMBuildBitCast(r->b, x, type, "");
}

/* to_global and its like ask at run time. */
static LLVMValueRef explicit_cast(mpl_spirv r, mpl_spirv_in in) {
  static const char *const names[] = {"__to_private", "__to_global", NULL, "__to_local", NULL};
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  const char *name = names[LLVMGetPointerAddressSpace(type)];
  LLVMValueRef x = mpl_spirv_operand(r, in, 3);
  LLVMTypeRef from = LLVMTypeOf(x);
  if (!name) mpl_spirv_fail("OpGenericCastToPtrExplicit to a constant or generic pointer");
  return mpl_spirv_c_call(r, mpl_spirv_c_function(r, name, type, &from, 1), type, &x, 1);
}

static LLVMValueRef splat(LLVMTypeRef type, uint64_t value) {
  bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  LLVMTypeRef element = is_vector ? LLVMGetElementType(type) : type;
  LLVMValueRef all[16], one = LLVMConstInt(element, value, false);
  unsigned count = is_vector ? LLVMGetVectorSize(type) : 0;
  for (unsigned k = 0; k < count; k++) all[k] = one;
  return is_vector ? LLVMConstVector(all, count) : one;
}

/* As wide as the value, of integers or floats. */
static LLVMTypeRef words_like(LLVMValueRef value, LLVMTypeRef element) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind
             ? LLVMVectorType(element, LLVMGetVectorSize(type))
             : element;
}

/* To the nearest, of two the even one; NaN stays one, and quiet (SPV_INTEL_bfloat16_conversion). */
static LLVMValueRef to_bfloat(mpl_spirv r, LLVMValueRef x, LLVMTypeRef type) {
  LLVMTypeRef words = words_like(x, r->i32);
  LLVMValueRef bits = LLVMBuildBitCast(r->b, x, words, ""), sixteen = splat(words, 16);
  LLVMValueRef high = LLVMBuildLShr(r->b, bits, sixteen, "");
  LLVMValueRef odd = LLVMBuildAnd(r->b, high, splat(words, 1), "");
  LLVMValueRef more = LLVMBuildAdd(r->b, odd, splat(words, 0x7fff), "");
  LLVMValueRef near = LLVMBuildLShr(r->b, LLVMBuildAdd(r->b, bits, more, ""), sixteen, "");
  LLVMValueRef quiet = LLVMBuildOr(r->b, high, splat(words, 0x40), "");
  LLVMValueRef is_nan = LLVMBuildFCmp(r->b, LLVMRealUNO, x, x, "");
  return LLVMBuildTrunc(r->b, LLVMBuildSelect(r->b, is_nan, quiet, near, ""), type, "");
}

static LLVMValueRef of_bfloat(mpl_spirv r, LLVMValueRef x, LLVMTypeRef type) {
  LLVMTypeRef words = words_like(x, r->i32);
  LLVMValueRef bits = LLVMBuildZExt(r->b, x, words, "");
  return LLVMBuildBitCast(r->b, LLVMBuildShl(r->b, bits, splat(words, 16), ""), type, "");
}

/* The validator has seen conversions of any floats and integers. */
static bool are_of_bfloat(LLVMTypeRef floats, LLVMTypeRef integers) {
  bool is_vector = LLVMGetTypeKind(floats) == LLVMVectorTypeKind;
  LLVMTypeRef of = is_vector ? LLVMGetElementType(floats) : floats;
  LLVMTypeRef to = is_vector ? LLVMGetElementType(integers) : integers;
  return LLVMGetTypeKind(of) == LLVMFloatTypeKind && LLVMGetIntTypeWidth(to) == 16;
}

static LLVMValueRef bfloat(mpl_spirv r, mpl_spirv_in in, bool to) {
  LLVMValueRef x = mpl_spirv_operand(r, in, 3);
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  if (!(to ? are_of_bfloat(LLVMTypeOf(x), type) : are_of_bfloat(type, LLVMTypeOf(x))))
    mpl_spirv_fail("a conversion of bfloat16 that is not between floats of 32 bits and integers "
                   "of 16");
  return to ? to_bfloat(r, x, type) : of_bfloat(r, x, type);
}

static LLVMValueRef read(mpl_spirv r, mpl_spirv_in in) {
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  switch ((SpvOp)in->opcode) {
  case SpvOpConvertFToU:
    return number(r, in, true, false);
  case SpvOpConvertFToS:
    return number(r, in, true, true);
  case SpvOpConvertSToF:
    return number(r, in, true, true);
  case SpvOpConvertUToF:
    return number(r, in, false, true);
  case SpvOpUConvert:
    return number(r, in, false, false);
  case SpvOpSConvert:
    return number(r, in, true, true);
  case SpvOpFConvert:
    return number(r, in, true, true);
  case SpvOpSatConvertSToU:
    return convert(r, in, true, false, true);
  case SpvOpSatConvertUToS:
    return convert(r, in, false, true, true);
  case SpvOpQuantizeToF16:
    return quantize(r, in);
  case SpvOpConvertPtrToU:
    return LLVMBuildPtrToInt(r->b, mpl_spirv_operand(r, in, 3), type, "");
  case SpvOpConvertUToPtr:
    return LLVMBuildIntToPtr(r->b, mpl_spirv_operand(r, in, 3), type, "");
  case SpvOpPtrCastToGeneric:
  case SpvOpGenericCastToPtr:
  case SpvOpBitcast:
    return bitcast(r, mpl_spirv_operand(r, in, 3), type);
  case SpvOpGenericCastToPtrExplicit:
    return explicit_cast(r, in);
  default:
    return NULL;
  }
}

bool mpl_spirv_conversion(mpl_spirv r, mpl_spirv_in in) {
  bool is_one = (in->opcode >= SpvOpConvertFToU && in->opcode <= SpvOpBitcast),
       to_bfloat = in->opcode == MPL_OP_ConvertFToBF16INTEL,
       is_bfloat = to_bfloat || in->opcode == MPL_OP_ConvertBF16ToFINTEL;
  LLVMValueRef value = is_bfloat ? bfloat(r, in, to_bfloat) : is_one ? read(r, in) : NULL;
  if (value) mpl_spirv_result(r, in, value);
  return value != NULL;
}
