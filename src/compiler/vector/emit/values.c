/* Values of the loop as scalars (of lane 0) and as vectors (of all lanes), and what is computed. */
#include <llvm-c/DebugInfo.h>

#include "memory.h"

/* 0, stride, 2 * stride ... */
LLVMValueRef mpl_steps(struct mpl_emit *e, LLVMTypeRef type, int64_t stride) {
  LLVMValueRef each[256];
  for (unsigned k = 0; k < e->width; k++)
    each[k] = LLVMConstInt(type, (uint64_t)((int64_t)k * stride), true);
  return LLVMConstVector(each, e->width);
}

static LLVMValueRef copy_scalar(struct mpl_emit *, LLVMValueRef);

LLVMValueRef mpl_scalar(struct mpl_emit *e, LLVMValueRef value) {
  if (mpl_array_kind(e->lanes, value) == MPL_ITEMS_ARRAY) return mpl_wide_array(e, value);
  if (!mpl_is_made_inside(e->items, value)) return value;
  LLVMValueRef scalar = mpl_made(e, value, false);
  if (scalar) return scalar;
  return copy_scalar(e, value); /* of lane 0, though it grows by more than a stride can be */
}

/* What all lanes share, where that is known as a vector; null: it is not. */
static LLVMValueRef spread(struct mpl_emit *e, LLVMValueRef value) {
  if (!mpl_is_made_inside(e->items, value)) return mpl_load_spread(e, value);
  if (!mpl_computes_spread(e, value)) return NULL;
  LLVMValueRef a = mpl_vector(e, LLVMGetOperand(value, 0)),
               b = mpl_vector(e, LLVMGetOperand(value, 1));
  return LLVMBuildBinOp(e->b, LLVMGetInstructionOpcode(value), a, b, "");
}

LLVMValueRef mpl_moved(struct mpl_emit *e, LLVMValueRef scalar, LLVMValueRef by) {
  LLVMTypeRef type = LLVMTypeOf(scalar);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return LLVMBuildGEP2(e->b, e->ir->i8, scalar, &by, 1, "");
  return LLVMBuildAdd(e->b, scalar, LLVMBuildIntCast2(e->b, by, type, true, ""), "");
}

LLVMValueRef mpl_hidden(struct mpl_emit *e, LLVMValueRef scalar) {
  static const char same[] = "=r,0";
  static const char *const only[] = {"memory", "nounwind", "willreturn"}; /* memory: none */
  LLVMTypeRef of = LLVMTypeOf(scalar), type = LLVMFunctionType(of, &of, 1, false);
  LLVMValueRef nothing = LLVMGetInlineAsm(type, "", 0, same, sizeof same - 1, true, false,
                                          LLVMInlineAsmDialectATT, false);
  LLVMValueRef call = LLVMBuildCall2(e->b, type, nothing, &scalar, 1, "");
  for (unsigned k = 0; k < sizeof only / sizeof *only; k++) {
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(e->ir->context, mpl_enum_attribute(only[k]), 0);
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
  }
  return call;
}

LLVMValueRef mpl_last_lane(struct mpl_emit *e, LLVMValueRef first, int64_t stride) {
  return mpl_moved(e, first, mpl_const64(e->ir, (uint64_t)stride * (e->width - 1)));
}

LLVMValueRef mpl_vector(struct mpl_emit *e, LLVMValueRef value) {
  LLVMValueRef vector = mpl_made(e, value, true);
  if (vector) return vector;
  int stride = mpl_stride_of(e->lanes, value);
  if (stride && (vector = mpl_counted(e, value))) return vector;
  if (stride != MPL_ANY_STRIDE && (vector = spread(e, value))) return vector;
  LLVMValueRef scalar = mpl_scalar(e, value);
  if (!stride) return mpl_splat(e, scalar);
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
    LLVMValueRef offsets = mpl_steps(e, e->ir->i64, stride);
    return LLVMBuildGEP2(e->b, e->ir->i8, scalar, &offsets, 1, "");
  }
  return LLVMBuildAdd(e->b, mpl_splat(e, scalar), mpl_steps(e, type, stride), "");
}
/* --- calls --- */

LLVMValueRef mpl_part_of(struct mpl_emit *e, LLVMValueRef vector, unsigned first, unsigned lanes) {
  if (lanes == LLVMGetVectorSize(LLVMTypeOf(vector))) return vector;
  return mpl_elements(e->b, vector, NULL, first, lanes);
}

static LLVMValueRef joined(struct mpl_emit *e, LLVMValueRef a, LLVMValueRef b) {
  return mpl_elements(e->b, a, b, 0, 2 * LLVMGetVectorSize(LLVMTypeOf(a)));
}

LLVMValueRef mpl_all_joined(struct mpl_emit *e, LLVMValueRef *parts, unsigned count) {
  for (; count > 1; count /= 2)
    for (unsigned p = 0; p < count; p += 2) parts[p / 2] = joined(e, parts[p], parts[p + 1]);
  return parts[0];
}

static LLVMValueRef call_intrinsic(struct mpl_emit *e, LLVMValueRef call) {
  const struct mpl_lanewise *row = mpl_lanewise_of(LLVMGetCalledValue(call));
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMTypeRef types[] = {mpl_vector_type(e, LLVMTypeOf(call)),
                         mpl_vector_type(e, LLVMTypeOf(LLVMGetOperand(call, 0)))};
  LLVMTypeRef *said = types + !row->says_result;
  LLVMValueRef args[4];
  for (unsigned k = 0; k < count; k++) {
    LLVMValueRef operand = LLVMGetOperand(call, k);
    args[k] = (int)k == row->scalar ? operand : mpl_vector(e, operand);
  }
  LLVMValueRef result =
      mpl_call_overloaded(e->b, row->name, said, 1u + row->says_result, args, count);
  if (LLVMCanValueUseFastMathFlags(call)) LLVMSetFastMathFlags(result, LLVMGetFastMathFlags(call));
  return result;
}

static void copy_flags(LLVMValueRef to, LLVMValueRef from) {
  if (!LLVMIsAInstruction(to)) return; /* folded */
  switch (LLVMGetInstructionOpcode(from)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
    LLVMSetNUW(to, LLVMGetNUW(from));
    LLVMSetNSW(to, LLVMGetNSW(from));
    return;
  case LLVMLShr:
  case LLVMAShr:
    LLVMSetExact(to, LLVMGetExact(from));
    return;
  default:
    if (LLVMCanValueUseFastMathFlags(from)) LLVMSetFastMathFlags(to, LLVMGetFastMathFlags(from));
  }
}

static LLVMValueRef gep(struct mpl_emit *e, LLVMValueRef i, unsigned block) {
  LLVMValueRef indices[16], base = LLVMGetOperand(i, 0);
  unsigned count = (unsigned)LLVMGetNumOperands(i) - 1;
  base = mpl_value(e, base, mpl_stride_at(e->lanes, base, block) != 0);
  for (unsigned k = 0; k < count; k++) {
    LLVMValueRef index = LLVMGetOperand(i, k + 1);
    indices[k] = mpl_value(e, index, mpl_stride_at(e->lanes, index, block) != 0);
  }
  LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
  LLVMValueRef place = LLVMBuildGEP2(e->b, type, base, indices, count, "");
  bool shared = LLVMGetTypeKind(LLVMTypeOf(place)) == LLVMPointerTypeKind;
  return shared ? mpl_splat(e, place) : place;
}

static bool may_trap(LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  return (opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem) &&
         !LLVMIsAConstant(LLVMGetOperand(i, 1));
}

static bool is_short_division(LLVMValueRef i) {
  unsigned bits = mpl_integer_bits(LLVMTypeOf(i));
  return bits && bits <= 32 && may_trap(i);
}

static bool asks_for(LLVMValueRef asks, LLVMValueRef value, uint64_t number) {
  if (!LLVMIsAICmpInst(asks) || LLVMGetICmpPredicate(asks) != LLVMIntEQ) return false;
  return LLVMGetOperand(asks, 0) == value && mpl_is_constant(LLVMGetOperand(asks, 1), number);
}

/* The smallest number by -1? */
static bool is_overflow(LLVMValueRef asks, LLVMValueRef dividend, LLVMValueRef divisor) {
  if (!LLVMIsAInstruction(asks)) return false;
  bool select = LLVMIsASelectInst(asks) && LLVMIsNull(LLVMGetOperand(asks, 2));
  if (!select && LLVMGetInstructionOpcode(asks) != LLVMAnd) return false;
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(dividend));
  uint64_t least = (uint64_t)1 << (bits - 1), minus_one = 2 * least - 1;
  LLVMValueRef a = LLVMGetOperand(asks, 0), b = LLVMGetOperand(asks, 1);
  return (asks_for(a, divisor, minus_one) && asks_for(b, dividend, least)) ||
         (asks_for(b, divisor, minus_one) && asks_for(a, dividend, least));
}

/* The lanes that divide by 1 where all others share one divisor, or null: it is not so, or only for
 * the smallest number by -1, of which the guard of divisions says that any result will do. */
static LLVMValueRef divides_by_one(struct mpl_emit *e, LLVMValueRef i) {
  LLVMValueRef divisor = LLVMGetOperand(i, 1),
               shared = LLVMGetOperand(divisor, 2), asks = LLVMGetOperand(divisor, 0);
  if (mpl_metadata_of(e->ir, divisor, MPL_SAFE_DIVISOR) && LLVMIsAInstruction(asks)) {
    LLVMValueRef dividend = LLVMGetOperand(i, 0);
    bool select = LLVMIsASelectInst(asks) && LLVMIsAConstantInt(LLVMGetOperand(asks, 1)) &&
                  !LLVMIsNull(LLVMGetOperand(asks, 1));
    LLVMValueRef a = LLVMGetOperand(asks, 0);
    if (is_overflow(asks, dividend, shared)) return NULL;
    if (select || LLVMGetInstructionOpcode(asks) == LLVMOr) {
      LLVMValueRef b = LLVMGetOperand(asks, select ? 2 : 1);
      if (is_overflow(b, dividend, shared))
        asks = a;
      else if (is_overflow(a, dividend, shared))
        asks = b;
    }
  }
  return mpl_vector(e, asks);
}

/* Is the divisor one for all lanes, or 1 in some? */
static bool shares_divisor(const struct mpl_lanes *lanes, LLVMValueRef divisor, unsigned block) {
  if (!LLVMIsASelectInst(divisor) || !mpl_stride_at(lanes, divisor, block)) return false;
  return mpl_is_constant(LLVMGetOperand(divisor, 1), 1) &&
         !mpl_stride_at(lanes, LLVMGetOperand(divisor, 2), block);
}

/* Integers of up to 32 bits divide exactly through double: the quotient's rounding error is below
 * 2^-21, and a quotient that is no integer is at least 2^-32 * quotient away from the next one.  By
 * one divisor for all lanes: times its reciprocal, which is rounded up so that multiples of the
 * divisor stay above their quotient; so too if some lanes divide by 1 instead. */
static LLVMValueRef divide(struct mpl_emit *e, LLVMValueRef i, unsigned block) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  bool is_signed = opcode == LLVMSDiv || opcode == LLVMSRem;
  LLVMTypeRef number = LLVMDoubleTypeInContext(e->ir->context),
              type = mpl_vector_type(e, LLVMTypeOf(i)), wide = mpl_vector_type(e, number);
  LLVMOpcode to = is_signed ? LLVMSIToFP : LLVMUIToFP, back = is_signed ? LLVMFPToSI : LLVMFPToUI;
  LLVMValueRef a = mpl_vector(e, LLVMGetOperand(i, 0)), b, quotient;
  LLVMValueRef divisor = LLVMGetOperand(i, 1), by_one = NULL,
               x = LLVMBuildCast(e->b, to, a, wide, "");
  if (shares_divisor(e->lanes, divisor, block)) {
    by_one = divides_by_one(e, i);
    divisor = LLVMGetOperand(divisor, 2);
  }
  if (!mpl_stride_at(e->lanes, divisor, block)) {
    LLVMValueRef one = LLVMConstReal(number, 1), scalar = mpl_scalar(e, divisor);
    b = mpl_splat(e, scalar);
    LLVMValueRef reciprocal =
        LLVMBuildFDiv(e->b, one, LLVMBuildCast(e->b, to, scalar, number, ""), "");
    LLVMValueRef bits = LLVMBuildBitCast(e->b, reciprocal, e->ir->i64, "");
    bits = LLVMBuildAdd(e->b, bits, mpl_const64(e->ir, 1), ""); /* away from 0 */
    quotient = LLVMBuildFMul(e->b, x, mpl_splat(e, LLVMBuildBitCast(e->b, bits, number, "")), "");
  } else {
    b = mpl_vector(e, divisor);
    quotient = LLVMBuildFDiv(e->b, x, LLVMBuildCast(e->b, to, b, wide, ""), "");
  }
  quotient = LLVMBuildFreeze(e->b, LLVMBuildCast(e->b, back, quotient, type, ""), "");
  LLVMValueRef other = a, result = quotient;
  if (opcode == LLVMURem || opcode == LLVMSRem) {
    result = LLVMBuildSub(e->b, a, LLVMBuildMul(e->b, quotient, b, ""), "");
    other = LLVMConstNull(type);
  }
  return by_one ? LLVMBuildSelect(e->b, by_one, other, result, "") : result;
}

/* What makes a divisor safe may be the condition that the mask stands for. */
static LLVMValueRef one_elsewhere(struct mpl_emit *e, LLVMValueRef where, LLVMValueRef divisor) {
  LLVMTypeRef type = LLVMTypeOf(divisor);
  LLVMValueRef one = LLVMConstInt(mpl_element_of(type), 1, false);
  return LLVMBuildSelect(e->b, where, divisor, mpl_is_vector_type(type) ? mpl_splat(e, one) : one,
                         "");
}

static LLVMValueRef compute(struct mpl_emit *e, LLVMValueRef i, unsigned block) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  LLVMTypeRef type = mpl_vector_type(e, LLVMTypeOf(i));
  if (opcode == LLVMGetElementPtr) return gep(e, i, block);
  if (is_short_division(i)) return divide(e, i, block);
  LLVMValueRef operands[3], whole = mpl_widen_component(e, i);
  if (!whole) whole = mpl_product(e, i);
  if (whole) return whole;
  for (int k = 0; k < LLVMGetNumOperands(i) && k < 3; k++)
    operands[k] = mpl_vector(e, LLVMGetOperand(i, k));
  if (e->mask && may_trap(i)) operands[1] = one_elsewhere(e, e->mask, operands[1]);
  if (opcode >= LLVMAdd && opcode <= LLVMXor)
    return LLVMBuildBinOp(e->b, opcode, operands[0], operands[1], "");
  switch (opcode) {
  case LLVMFNeg:
    return LLVMBuildFNeg(e->b, operands[0], "");
  case LLVMICmp:
    return LLVMBuildICmp(e->b, LLVMGetICmpPredicate(i), operands[0], operands[1], "");
  case LLVMFCmp:
    return LLVMBuildFCmp(e->b, LLVMGetFCmpPredicate(i), operands[0], operands[1], "");
  case LLVMSelect:
    return LLVMBuildSelect(e->b, operands[0], operands[1], operands[2], "");
  case LLVMFreeze:
    return LLVMBuildFreeze(e->b, operands[0], "");
  default:
    /* Of a number that is not negative either is right, and of a gather's index (memory.c) LLVM
     * knows a sign's copies only to be of half as many bits. */
    if (opcode == LLVMZExt && LLVMGetNNeg(i)) opcode = LLVMSExt;
    return LLVMBuildCast(e->b, opcode, operands[0], type, "");
  }
}

/* An `or` that is a sum. */
static bool is_disjoint(LLVMValueRef value) {
  return mpl_is_op(value, LLVMOr) && LLVMGetIsDisjoint(value);
}

/* A sum that is promised not to wrap where a lane is; but lane 0 need not be there, and the others
 * are in steps from it: so it is added up in the longer type. */
static LLVMValueRef exact_start(struct mpl_emit *e, LLVMValueRef value, LLVMOpcode extend,
                                LLVMTypeRef type) {
  LLVMOpcode opcode = LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : 0;
  bool disjoint = is_disjoint(value);
  bool sum = opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul || opcode == LLVMShl;
  if (!(disjoint || (sum && LLVMGetNSW(value))) || !mpl_stride_of(e->lanes, value) ||
      extend != LLVMSExt)
    return LLVMBuildCast(e->b, extend, mpl_scalar(e, value), type, "");
  LLVMValueRef a = exact_start(e, LLVMGetOperand(value, 0), extend, type),
               b = exact_start(e, LLVMGetOperand(value, 1), extend, type);
  return LLVMBuildBinOp(e->b, disjoint ? LLVMAdd : opcode, a, b, "");
}

/* The same of a number that is promised not to be negative. */
static LLVMValueRef extend_start(struct mpl_emit *e, LLVMValueRef i) {
  LLVMValueRef narrow = LLVMGetOperand(i, 0);
  const uintptr_t *at = mpl_map_find(&e->lanes->index, narrow, 0);
  bool is_signed = LLVMIsASExtInst(i) || !at || e->lanes->shapes[*at].nsw;
  return exact_start(e, narrow, is_signed ? LLVMSExt : LLVMZExt, LLVMTypeOf(i));
}

/* An `or` that shapes take for a sum has to be one. */
LLVMValueRef mpl_insert_unpromised(struct mpl_emit *e, LLVMValueRef copy) {
  if (!is_disjoint(copy)) {
    mpl_ir_drop_promises(copy);
    LLVMInsertIntoBuilder(e->b, copy);
    return copy;
  }
  LLVMValueRef sum = LLVMBuildAdd(e->b, LLVMGetOperand(copy, 0), LLVMGetOperand(copy, 1), "");
  LLVMDeleteInstruction(copy);
  return sum;
}

/* Lane 0's, for all lanes or with the others in steps from it. */
static LLVMValueRef copy_scalar(struct mpl_emit *e, LLVMValueRef i) {
  bool promised = LLVMIsAZExtInst(i) ? LLVMGetNNeg(i) : LLVMIsASExtInst(i) != NULL;
  if (promised && mpl_stride_of(e->lanes, i)) return extend_start(e, i);
  unsigned count = (unsigned)LLVMGetNumOperands(i);
  LLVMValueRef copy = LLVMInstructionClone(i);
  for (unsigned k = 0; k < count; k++) LLVMSetOperand(copy, k, mpl_scalar(e, LLVMGetOperand(i, k)));
  if (e->mask && e->mask != e->all && mpl_stride_of(e->lanes, i)) return mpl_insert_unpromised(e, copy);
  LLVMInsertIntoBuilder(e->b, copy);
  return copy;
}

static LLVMValueRef call_target_math(struct mpl_emit *e, LLVMValueRef call) {
  LLVMValueRef operands[MPL_TARGET_OPERANDS];
  unsigned count = LLVMGetNumArgOperands(call);
  for (unsigned k = 0; k < count && k < MPL_TARGET_OPERANDS; k++)
    operands[k] = mpl_vector(e, LLVMGetOperand(call, k));
  return mpl_target_math(e->ir, e->b, LLVMGetCalledValue(call), operands, count);
}

LLVMValueRef mpl_computed_vector(struct mpl_emit *e, LLVMValueRef i) {
  if (LLVMIsACallInst(i))
    return mpl_target_math_of(LLVMGetCalledValue(i)) ? call_target_math(e, i)
                                                     : call_intrinsic(e, i);
  LLVMValueRef vector = compute(e, i, mpl_cfg_block_of(e->items->cfg, i));
  copy_flags(vector, i);
  return vector;
}

void mpl_widen_instruction(struct mpl_emit *e, LLVMValueRef i) {
  LLVMSetCurrentDebugLocation2(e->b, LLVMInstructionGetDebugLoc(i));
  if (mpl_is_prefetch(i)) mpl_widen_prefetch(e, i);
  if (LLVMIsACallInst(i) && (mpl_is_hint(i) || mpl_widen_lanes_call(e, i))) return;
  if (mpl_is_look(i)) {
    mpl_widen_filter(e, i);
    return;
  }
  if (mpl_made(e, i, true)) return; /* made with what is in front of it */
  if (mpl_widen_id(e, i)) return;
  if (mpl_is_known_choice(e->items, i)) {
    bool vector = mpl_varies(e->lanes, i);
    mpl_set_value(e, i, mpl_value(e, LLVMGetOperand(i, 1), vector), vector);
    return;
  }
  if (mpl_has_no_vector_form(e->lanes, i)) {
    if (!mpl_combine_atomic(e, i) && !mpl_widen_pixel_call(e, i)) mpl_each_lane(e, i);
  } else if (mpl_accessed_place(i)) {
    mpl_widen_access(e, i);
  } else if (!mpl_varies(e->lanes, i)) {
    LLVMValueRef copy = copy_scalar(e, i);
    mpl_set_value(e, i, copy, false);
    if (e->mask && e->mask != e->all && may_trap(i)) {
      LLVMPositionBuilderBefore(e->b, copy);
      LLVMValueRef some = mpl_any_lane(e, e->mask);
      LLVMSetOperand(copy, 1, one_elsewhere(e, some, LLVMGetOperand(copy, 1)));
      LLVMPositionBuilderAtEnd(e->b, LLVMGetInstructionParent(copy));
    }
  } else {
    mpl_set_vector(e, i, mpl_computed_vector(e, i));
  }
}
