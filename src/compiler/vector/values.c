/* Values of the loop as scalars (of lane 0) and as vectors (of all lanes), and what is computed. */
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "widen.h"

/* 0, stride, 2 * stride ... */
LLVMValueRef mpl_steps(struct mpl_widen *w, LLVMTypeRef type, int64_t stride) {
  LLVMValueRef each[256];
  for (unsigned k = 0; k < w->width; k++)
    each[k] = LLVMConstInt(type, (uint64_t)((int64_t)k * stride), true);
  return LLVMConstVector(each, w->width);
}

static LLVMValueRef found(struct mpl_map *map, LLVMValueRef value) {
  return (LLVMValueRef)mpl_map_get(map, value, 0);
}

static bool is_inside(struct mpl_widen *w, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value)) return false;
  unsigned own = mpl_cfg_block_of(w->cfg, value);
  return own < w->cfg->count && w->in[own];
}

static LLVMValueRef copy_scalar(struct mpl_widen *, LLVMValueRef);

LLVMValueRef mpl_scalar(struct mpl_widen *w, LLVMValueRef value) {
  if (mpl_array_kind(w, value) == MPL_ITEMS_ARRAY) return mpl_wide_array(w, value);
  if (!is_inside(w, value)) return value;
  LLVMValueRef scalar = found(&w->scalars, value);
  if (scalar) return scalar;
  return copy_scalar(w, value); /* of lane 0, though it grows by more than a stride can be */
}

/* What all lanes share, where that is known as a vector; null: it is not. */
static LLVMValueRef spread(struct mpl_widen *w, LLVMValueRef value) {
  if (!is_inside(w, value)) return mpl_load_spread(w, value);
  if (!mpl_computes_spread(w, value)) return NULL;
  LLVMValueRef a = mpl_vector(w, LLVMGetOperand(value, 0)),
               b = mpl_vector(w, LLVMGetOperand(value, 1));
  return LLVMBuildBinOp(w->b, LLVMGetInstructionOpcode(value), a, b, "");
}

LLVMValueRef mpl_vector(struct mpl_widen *w, LLVMValueRef value) {
  LLVMValueRef vector = found(&w->vectors, value);
  if (vector) return vector;
  int stride = mpl_stride_of(w, value);
  if (stride && (vector = mpl_counted(w, value))) return vector;
  if (stride != MPL_ANY_STRIDE && (vector = spread(w, value))) return vector;
  LLVMValueRef scalar = mpl_scalar(w, value);
  if (!stride) return mpl_splat(w, scalar);
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
    LLVMValueRef offsets = mpl_steps(w, w->ir->i64, stride);
    return LLVMBuildGEP2(w->b, w->ir->i8, scalar, &offsets, 1, "");
  }
  return LLVMBuildAdd(w->b, mpl_splat(w, scalar), mpl_steps(w, type, stride), "");
}

/* --- calls --- */

/* Intrinsics that work lane by lane; the operand that stays a scalar, or -1. */
static const struct {
  const char *name;
  int scalar;
} lanewise[] = {
#define MPL_LANEWISE(name, scalar) {name, scalar},
#include "tables/lanewise.def"
};

static int lanewise_of(LLVMValueRef callee) {
  unsigned id = callee ? LLVMGetIntrinsicID(callee) : 0;
  for (unsigned k = 0; id && k < sizeof lanewise / sizeof *lanewise; k++)
    if (LLVMLookupIntrinsicID(lanewise[k].name, strlen(lanewise[k].name)) == id) return (int)k;
  return -1;
}

/* Says nothing to lanes, and makes nothing. */
LLVMValueRef mpl_part_of(struct mpl_widen *w, LLVMValueRef vector, unsigned first, unsigned lanes) {
  LLVMValueRef each[256];
  if (lanes == LLVMGetVectorSize(LLVMTypeOf(vector))) return vector;
  for (unsigned k = 0; k < lanes; k++) each[k] = LLVMConstInt(w->ir->i32, first + k, false);
  return LLVMBuildShuffleVector(w->b, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                LLVMConstVector(each, lanes), "");
}

LLVMValueRef mpl_joined(struct mpl_widen *w, LLVMValueRef a, LLVMValueRef b) {
  unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(a));
  LLVMValueRef each[256];
  for (unsigned k = 0; k < 2 * lanes; k++) each[k] = LLVMConstInt(w->ir->i32, k, false);
  return LLVMBuildShuffleVector(w->b, a, b, LLVMConstVector(each, 2 * lanes), "");
}

static LLVMValueRef call_intrinsic(struct mpl_widen *w, LLVMValueRef call, int which) {
  unsigned count = LLVMGetNumArgOperands(call), id = LLVMGetIntrinsicID(LLVMGetCalledValue(call));
  LLVMTypeRef type = mpl_vector_type(w, LLVMTypeOf(LLVMGetOperand(call, 0)));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(w->ir->module, id, &type, 1), args[4];
  for (unsigned k = 0; k < count; k++) {
    LLVMValueRef operand = LLVMGetOperand(call, k);
    args[k] = (int)k == lanewise[which].scalar ? operand : mpl_vector(w, operand);
  }
  LLVMValueRef result =
      LLVMBuildCall2(w->b, LLVMGlobalGetValueType(function), function, args, count, "");
  if (LLVMCanValueUseFastMathFlags(call)) LLVMSetFastMathFlags(result, LLVMGetFastMathFlags(call));
  return result;
}

static bool has_call_form(struct mpl_widen *w, LLVMValueRef call) {
  LLVMValueRef callee = mpl_callee_of(call);
  if (mpl_is_look(call)) return true;
  if (callee && (mpl_is_hint(call) || lanewise_of(callee) >= 0)) return true;
  if (!mpl_ir_is_pure_call(call)) return false;
  return !mpl_stride_of(w, call) || mpl_is_target_math(callee);
}

/* --- arithmetic --- */

static bool is_single(LLVMTypeRef type) {
  return mpl_fits_memory(type) || LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
}

bool mpl_has_no_vector_form(struct mpl_widen *w, LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (opcode == LLVMCall) return !has_call_form(w, i);
  if (opcode == LLVMLoad || opcode == LLVMStore) {
    if (mpl_is_seen_by_others(i)) return true;
    if (mpl_is_slot(w->ir, LLVMGetOperand(i, opcode == LLVMStore))) return false;
    bool varies = mpl_stride_of(w, opcode == LLVMLoad ? i : LLVMGetOperand(i, 0)) != 0 ||
                  mpl_stride_of(w, LLVMGetOperand(i, opcode == LLVMStore)) != 0;
    return varies && !mpl_fits_memory(LLVMTypeOf(opcode == LLVMLoad ? i : LLVMGetOperand(i, 0)));
  }
  if (opcode == LLVMFence || (opcode != LLVMAlloca && !mpl_stride_of(w, i))) return false;
  if ((opcode >= LLVMAdd && opcode <= LLVMXor) || (opcode >= LLVMTrunc && opcode <= LLVMBitCast))
    return false;
  switch (opcode) {
  case LLVMFNeg:
  case LLVMAddrSpaceCast:
  case LLVMICmp:
  case LLVMFCmp:
  case LLVMSelect:
  case LLVMFreeze:
  case LLVMPHI:
    return false;
  case LLVMGetElementPtr:
    return !is_single(LLVMTypeOf(i));
  default:
    return !mpl_has_components(i);
  }
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

static LLVMValueRef gep(struct mpl_widen *w, LLVMValueRef i, unsigned block) {
  LLVMValueRef indices[16], base = LLVMGetOperand(i, 0);
  unsigned count = (unsigned)LLVMGetNumOperands(i) - 1;
  if (mpl_stride_at(w, base, block))
    base = mpl_vector(w, base);
  else
    base = mpl_scalar(w, base);
  for (unsigned k = 0; k < count; k++) {
    LLVMValueRef index = LLVMGetOperand(i, k + 1);
    indices[k] = mpl_stride_at(w, index, block) ? mpl_vector(w, index) : mpl_scalar(w, index);
  }
  LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
  LLVMValueRef place = LLVMBuildGEP2(w->b, type, base, indices, count, "");
  bool shared = LLVMGetTypeKind(LLVMTypeOf(place)) == LLVMPointerTypeKind;
  return shared ? mpl_splat(w, place) : place;
}

static bool is_short_division(LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  return (opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem) &&
         LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(LLVMTypeOf(i)) <= 32 && !LLVMIsAConstant(LLVMGetOperand(i, 1));
}

static bool asks_for(LLVMValueRef asks, LLVMValueRef value, uint64_t number) {
  if (!LLVMIsAICmpInst(asks) || LLVMGetICmpPredicate(asks) != LLVMIntEQ) return false;
  LLVMValueRef to = LLVMGetOperand(asks, 1);
  return LLVMGetOperand(asks, 0) == value && LLVMIsAConstantInt(to) &&
         LLVMConstIntGetZExtValue(to) == number;
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
static LLVMValueRef divides_by_one(struct mpl_widen *w, LLVMValueRef i) {
  LLVMValueRef divisor = LLVMGetOperand(i, 1),
               shared = LLVMGetOperand(divisor, 2), asks = LLVMGetOperand(divisor, 0);
  unsigned kind =
      LLVMGetMDKindIDInContext(w->ir->context, MPL_SAFE_DIVISOR, sizeof MPL_SAFE_DIVISOR - 1);
  if (LLVMGetMetadata(divisor, kind) && LLVMIsAInstruction(asks)) {
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
  return mpl_vector(w, asks);
}

/* Is the divisor one for all lanes, or 1 in some? */
static bool shares_divisor(struct mpl_widen *w, LLVMValueRef divisor, unsigned block) {
  if (!LLVMIsASelectInst(divisor) || !mpl_stride_at(w, divisor, block)) return false;
  LLVMValueRef one = LLVMGetOperand(divisor, 1);
  return LLVMIsAConstantInt(one) && LLVMConstIntGetZExtValue(one) == 1 &&
         !mpl_stride_at(w, LLVMGetOperand(divisor, 2), block);
}

/* Integers of up to 32 bits divide exactly through double: the quotient's rounding error is below
 * 2^-21, and a quotient that is no integer is at least 2^-32 * quotient away from the next one.  By
 * one divisor for all lanes: times its reciprocal, which is rounded up so that multiples of the
 * divisor stay above their quotient; so too if some lanes divide by 1 instead. */
static LLVMValueRef divide(struct mpl_widen *w, LLVMValueRef i, unsigned block) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  bool is_signed = opcode == LLVMSDiv || opcode == LLVMSRem;
  LLVMTypeRef number = LLVMDoubleTypeInContext(w->ir->context),
              type = mpl_vector_type(w, LLVMTypeOf(i)), wide = mpl_vector_type(w, number);
  LLVMOpcode to = is_signed ? LLVMSIToFP : LLVMUIToFP, back = is_signed ? LLVMFPToSI : LLVMFPToUI;
  LLVMValueRef a = mpl_vector(w, LLVMGetOperand(i, 0)), b, quotient;
  LLVMValueRef divisor = LLVMGetOperand(i, 1), by_one = NULL,
               x = LLVMBuildCast(w->b, to, a, wide, "");
  if (shares_divisor(w, divisor, block)) {
    by_one = divides_by_one(w, i);
    divisor = LLVMGetOperand(divisor, 2);
  }
  if (!mpl_stride_at(w, divisor, block)) {
    LLVMValueRef one = LLVMConstReal(number, 1), scalar = mpl_scalar(w, divisor);
    b = mpl_splat(w, scalar);
    LLVMValueRef reciprocal =
        LLVMBuildFDiv(w->b, one, LLVMBuildCast(w->b, to, scalar, number, ""), "");
    LLVMValueRef bits = LLVMBuildBitCast(w->b, reciprocal, w->ir->i64, "");
    bits = LLVMBuildAdd(w->b, bits, mpl_const64(w->ir, 1), ""); /* away from 0 */
    quotient = LLVMBuildFMul(w->b, x, mpl_splat(w, LLVMBuildBitCast(w->b, bits, number, "")), "");
  } else {
    b = mpl_vector(w, divisor);
    quotient = LLVMBuildFDiv(w->b, x, LLVMBuildCast(w->b, to, b, wide, ""), "");
  }
  quotient = LLVMBuildFreeze(w->b, LLVMBuildCast(w->b, back, quotient, type, ""), "");
  LLVMValueRef other = a, result = quotient;
  if (opcode == LLVMURem || opcode == LLVMSRem) {
    result = LLVMBuildSub(w->b, a, LLVMBuildMul(w->b, quotient, b, ""), "");
    other = LLVMConstNull(type);
  }
  return by_one ? LLVMBuildSelect(w->b, by_one, other, result, "") : result;
}

static bool may_trap(LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  return (opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem) &&
         !LLVMIsAConstant(LLVMGetOperand(i, 1));
}

/* What makes a divisor safe may be the condition that the mask stands for. */
static LLVMValueRef one_elsewhere(struct mpl_widen *w, LLVMValueRef where, LLVMValueRef divisor) {
  LLVMTypeRef type = LLVMTypeOf(divisor);
  bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  LLVMValueRef one = LLVMConstInt(vector ? LLVMGetElementType(type) : type, 1, false);
  return LLVMBuildSelect(w->b, where, divisor, vector ? mpl_splat(w, one) : one, "");
}

static bool is_product_of_bytes(struct mpl_widen *w, LLVMValueRef i) {
  LLVMTypeRef type = LLVMTypeOf(i);
  return LLVMGetInstructionOpcode(i) == LLVMMul && w->width > 1 &&
         LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 8 &&
         !LLVMIsAConstant(LLVMGetOperand(i, 0)) && !LLVMIsAConstant(LLVMGetOperand(i, 1));
}

/* x86 does not multiply bytes: pairs of them do, the first in the lower half of one product, the
 * other in the upper half of a second one.  One that is poison does not spoil the other. */
static LLVMValueRef multiply_bytes(struct mpl_widen *w, LLVMValueRef a, LLVMValueRef b) {
  LLVMTypeRef type = LLVMTypeOf(a), i16 = LLVMInt16TypeInContext(w->ir->context),
              pairs = LLVMVectorType(i16, w->width / 2);
  LLVMValueRef eight = mpl_splat(w, LLVMConstInt(i16, 8, false)),
               low = mpl_splat(w, LLVMConstInt(i16, 0xff, false)), first, second;
  eight = mpl_part_of(w, eight, 0, w->width / 2);
  low = mpl_part_of(w, low, 0, w->width / 2);
  a = LLVMBuildBitCast(w->b, LLVMBuildFreeze(w->b, a, ""), pairs, "");
  b = LLVMBuildBitCast(w->b, LLVMBuildFreeze(w->b, b, ""), pairs, "");
  first = LLVMBuildAnd(w->b, LLVMBuildMul(w->b, a, b, ""), low, "");
  second = LLVMBuildAnd(w->b, b, LLVMBuildNot(w->b, low, ""), "");
  second = LLVMBuildMul(w->b, LLVMBuildLShr(w->b, a, eight, ""), second, "");
  return LLVMBuildBitCast(w->b, LLVMBuildOr(w->b, first, second, ""), type, "");
}

static LLVMValueRef compute(struct mpl_widen *w, LLVMValueRef i, unsigned block) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  LLVMTypeRef type = mpl_vector_type(w, LLVMTypeOf(i));
  if (opcode == LLVMGetElementPtr) return gep(w, i, block);
  if (is_short_division(i)) return divide(w, i, block);
  LLVMValueRef operands[3], whole = mpl_widen_component(w, i);
  if (!whole) whole = mpl_high_product(w, i);
  if (whole) return whole;
  for (int k = 0; k < LLVMGetNumOperands(i) && k < 3; k++)
    operands[k] = mpl_vector(w, LLVMGetOperand(i, k));
  if (is_product_of_bytes(w, i)) return multiply_bytes(w, operands[0], operands[1]);
  if (w->mask && may_trap(i)) operands[1] = one_elsewhere(w, w->mask, operands[1]);
  if (opcode >= LLVMAdd && opcode <= LLVMXor)
    return LLVMBuildBinOp(w->b, opcode, operands[0], operands[1], "");
  switch (opcode) {
  case LLVMFNeg:
    return LLVMBuildFNeg(w->b, operands[0], "");
  case LLVMICmp:
    return LLVMBuildICmp(w->b, LLVMGetICmpPredicate(i), operands[0], operands[1], "");
  case LLVMFCmp:
    return LLVMBuildFCmp(w->b, LLVMGetFCmpPredicate(i), operands[0], operands[1], "");
  case LLVMSelect:
    return LLVMBuildSelect(w->b, operands[0], operands[1], operands[2], "");
  case LLVMFreeze:
    return LLVMBuildFreeze(w->b, operands[0], "");
  default:
    return LLVMBuildCast(w->b, opcode, operands[0], type, "");
  }
}

/* An `or` that is a sum. */
static bool is_disjoint(LLVMValueRef value) {
  return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMOr &&
         LLVMGetIsDisjoint(value);
}

/* A sum that is promised not to wrap where a lane is; but lane 0 need not be there, and the others
 * are in steps from it: so it is added up in the longer type. */
static LLVMValueRef exact_start(struct mpl_widen *w, LLVMValueRef value, LLVMOpcode extend,
                                LLVMTypeRef type) {
  LLVMOpcode opcode = LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : 0;
  bool disjoint = is_disjoint(value);
  bool sum = opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul || opcode == LLVMShl;
  if (!(disjoint || (sum && LLVMGetNSW(value))) || !mpl_stride_of(w, value) || extend != LLVMSExt)
    return LLVMBuildCast(w->b, extend, mpl_scalar(w, value), type, "");
  LLVMValueRef a = exact_start(w, LLVMGetOperand(value, 0), extend, type),
               b = exact_start(w, LLVMGetOperand(value, 1), extend, type);
  return LLVMBuildBinOp(w->b, disjoint ? LLVMAdd : opcode, a, b, "");
}

/* The same of a number that is promised not to be negative. */
static LLVMValueRef extend_start(struct mpl_widen *w, LLVMValueRef i) {
  LLVMValueRef narrow = LLVMGetOperand(i, 0);
  uintptr_t *at = mpl_map_at(&w->index, narrow, 0, false);
  bool is_signed = LLVMIsASExtInst(i) || !at || w->shapes[*at].nsw;
  return exact_start(w, narrow, is_signed ? LLVMSExt : LLVMZExt, LLVMTypeOf(i));
}

/* At the builder.  What is promised of lanes that are there need not be so of lane 0: an `or` that
 * shapes take for a sum has to be one. */
static LLVMValueRef insert_unpromised(struct mpl_widen *w, LLVMValueRef copy) {
  if (!is_disjoint(copy)) {
    mpl_ir_drop_promises(copy);
    LLVMInsertIntoBuilder(w->b, copy);
    return copy;
  }
  LLVMValueRef sum = LLVMBuildAdd(w->b, LLVMGetOperand(copy, 0), LLVMGetOperand(copy, 1), "");
  LLVMDeleteInstruction(copy);
  return sum;
}

/* Lane 0's, for all lanes or with the others in steps from it. */
static LLVMValueRef copy_scalar(struct mpl_widen *w, LLVMValueRef i) {
  bool promised = LLVMIsAZExtInst(i) ? LLVMGetNNeg(i) : LLVMIsASExtInst(i) != NULL;
  if (promised && mpl_stride_of(w, i)) return extend_start(w, i);
  unsigned count = (unsigned)LLVMGetNumOperands(i);
  LLVMValueRef copy = LLVMInstructionClone(i);
  for (unsigned k = 0; k < count; k++) LLVMSetOperand(copy, k, mpl_scalar(w, LLVMGetOperand(i, k)));
  if (w->mask && w->mask != w->all && mpl_stride_of(w, i)) return insert_unpromised(w, copy);
  LLVMInsertIntoBuilder(w->b, copy);
  return copy;
}

static void set(struct mpl_map *map, LLVMValueRef value, LLVMValueRef now) {
  mpl_map_set(map, value, (uintptr_t)now);
}

void mpl_widen_instruction(struct mpl_widen *w, LLVMValueRef i) {
  unsigned block = mpl_cfg_block_of(w->cfg, i);
  LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(i));
  if (mpl_is_prefetch(i)) mpl_widen_prefetch(w, i);
  if (LLVMIsACallInst(i) && (mpl_is_hint(i) || mpl_widen_lanes_call(w, i))) return;
  if (mpl_is_look(i)) {
    mpl_widen_filter(w, i);
    return;
  }
  if (found(&w->vectors, i)) return; /* made with what is in front of it */
  if (mpl_widen_id(w, i)) return;
  if (mpl_is_known_choice(w, i)) {
    LLVMValueRef taken = LLVMGetOperand(i, 1);
    bool vector = mpl_stride_of(w, i) == MPL_ANY_STRIDE;
    set(vector ? &w->vectors : &w->scalars, i,
        vector ? mpl_vector(w, taken) : mpl_scalar(w, taken));
    return;
  }
  if (mpl_has_no_vector_form(w, i)) {
    if (!mpl_combine_atomic(w, i)) mpl_each_lane(w, i);
  } else if (LLVMIsALoadInst(i)) {
    mpl_widen_load(w, i);
  } else if (LLVMIsAStoreInst(i)) {
    mpl_widen_store(w, i);
  } else if (mpl_stride_of(w, i) != MPL_ANY_STRIDE) {
    LLVMValueRef copy = copy_scalar(w, i);
    set(&w->scalars, i, copy);
    if (w->mask && w->mask != w->all && may_trap(i)) {
      LLVMPositionBuilderBefore(w->b, copy);
      LLVMValueRef some = mpl_any_lane(w, w->mask);
      LLVMSetOperand(copy, 1, one_elsewhere(w, some, LLVMGetOperand(copy, 1)));
      LLVMPositionBuilderAtEnd(w->b, LLVMGetInstructionParent(copy));
    }
  } else if (LLVMIsACallInst(i) && mpl_is_target_math(LLVMGetCalledValue(i))) {
    LLVMValueRef operands[MPL_TARGET_OPERANDS];
    unsigned count = LLVMGetNumArgOperands(i);
    for (unsigned k = 0; k < count && k < MPL_TARGET_OPERANDS; k++)
      operands[k] = mpl_vector(w, LLVMGetOperand(i, k));
    set(&w->vectors, i, mpl_target_math(w->ir, w->b, LLVMGetCalledValue(i), operands, count));
  } else if (LLVMIsACallInst(i)) {
    set(&w->vectors, i, call_intrinsic(w, i, lanewise_of(LLVMGetCalledValue(i))));
  } else {
    LLVMValueRef vector = compute(w, i, block);
    copy_flags(vector, i);
    set(&w->vectors, i, vector);
  }
}
