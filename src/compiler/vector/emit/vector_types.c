/* Values of several components.  A vector of n components is one vector for all lanes, component by
 * component: what is in component c of lane k is element c * W + k.  So arithmetic is one
 * instruction, and a component is a part.  A structure or array is one of what its fields become.
 */
#include <stdlib.h>

#include "values.h"

/* Fields of a structure or array; 0 for other types. */
static unsigned count_fields(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMStructTypeKind) return LLVMCountStructElementTypes(type);
  return kind == LLVMArrayTypeKind ? (unsigned)LLVMGetArrayLength2(type) : 0;
}

static LLVMTypeRef field_type(LLVMTypeRef type, unsigned field) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, field)
                                                     : LLVMGetElementType(type);
}

LLVMTypeRef mpl_vector_type(struct mpl_emit *e, LLVMTypeRef type) {
  if (mpl_is_vector_type(type))
    return LLVMVectorType(LLVMGetElementType(type), LLVMGetVectorSize(type) * e->width);
  if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    return LLVMArrayType2(mpl_vector_type(e, LLVMGetElementType(type)), LLVMGetArrayLength2(type));
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind) return LLVMVectorType(type, e->width);
  unsigned count = count_fields(type);
  LLVMTypeRef *fields = mpl_allocate(count + 1, sizeof *fields);
  for (unsigned k = 0; k < count; k++) fields[k] = mpl_vector_type(e, field_type(type, k));
  LLVMTypeRef wide = LLVMStructTypeInContext(e->ir->context, fields, count, false);
  free(fields);
  return wide;
}

LLVMValueRef mpl_of_none(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(mpl_element_of(type));
  bool floats = kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
  return floats ? LLVMConstNull(type) : LLVMGetPoison(type);
}

LLVMValueRef mpl_splat(struct mpl_emit *e, LLVMValueRef scalar) {
  LLVMTypeRef type = LLVMTypeOf(scalar), wide = mpl_vector_type(e, type);
  if (mpl_is_vector_type(type))
    return mpl_pick(e->b, scalar, NULL, &(struct mpl_pick){LLVMGetVectorSize(wide), e->width, .outer = 1});
  unsigned fields = count_fields(type);
  if (fields || LLVMGetTypeKind(type) == LLVMStructTypeKind) {
    LLVMValueRef all = LLVMGetPoison(wide);
    for (unsigned k = 0; k < fields; k++) {
      LLVMValueRef field = mpl_splat(e, LLVMBuildExtractValue(e->b, scalar, k, ""));
      all = LLVMBuildInsertValue(e->b, all, field, k, "");
    }
    return all;
  }
  LLVMTypeRef choice = mpl_vector_type(e, e->ir->i32);
  LLVMValueRef one = LLVMBuildInsertElement(e->b, LLVMGetPoison(wide), scalar,
                                            LLVMConstInt(e->ir->i32, 0, false), "");
  return LLVMBuildShuffleVector(e->b, one, LLVMGetPoison(wide), LLVMConstNull(choice), "");
}

LLVMValueRef mpl_choose(struct mpl_emit *e, LLVMValueRef mask, LLVMValueRef a, LLVMValueRef b) {
  LLVMTypeRef type = LLVMTypeOf(a);
  if (!mpl_is_vector_type(type)) {
    LLVMValueRef all = LLVMGetPoison(type);
    for (unsigned k = 0; k < count_fields(type); k++) {
      LLVMValueRef one = LLVMBuildExtractValue(e->b, a, k, ""),
                   other = LLVMBuildExtractValue(e->b, b, k, "");
      all = LLVMBuildInsertValue(e->b, all, mpl_choose(e, mask, one, other), k, "");
    }
    return all;
  }
  if (LLVMGetVectorSize(type) != LLVMGetVectorSize(LLVMTypeOf(mask)))
    mask = mpl_pick(e->b, mask, NULL, &(struct mpl_pick){LLVMGetVectorSize(type), e->width, .inner = 1});
  return LLVMBuildSelect(e->b, mask, a, b, "");
}

static LLVMValueRef element(struct mpl_emit *e, LLVMValueRef lane, unsigned component) {
  return LLVMBuildAdd(e->b, lane, mpl_const64(e->ir, component * e->width), "");
}

/* Bits whose lane is not known at compile time move as an integer: LLVM would extend all of them to
 * bytes, and fails where 64 bytes are no register (X86ISelLowering.cpp, LowerINSERT_VECTOR_ELT). */
static bool is_bit_of_any_lane(struct mpl_emit *e, LLVMTypeRef type, LLVMValueRef lane) {
  return type == e->ir->i1 && !LLVMIsConstant(lane);
}

static LLVMTypeRef bits_type(LLVMValueRef wide) {
  return LLVMIntTypeInContext(LLVMGetTypeContext(LLVMTypeOf(wide)),
                              LLVMGetVectorSize(LLVMTypeOf(wide)));
}

/* Lanes that have no value yet, or never, are poison, and one of them would make the whole number
 * poison. */
static LLVMValueRef as_bits(struct mpl_emit *e, LLVMValueRef wide) {
  return LLVMBuildBitCast(e->b, LLVMBuildFreeze(e->b, wide, ""), bits_type(wide), "");
}

static LLVMValueRef take_bit(struct mpl_emit *e, LLVMValueRef wide, LLVMValueRef lane) {
  LLVMTypeRef type = bits_type(wide);
  LLVMValueRef bits = as_bits(e, wide);
  lane = LLVMBuildIntCast2(e->b, lane, type, false, "");
  return LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, bits, lane, ""), e->ir->i1, "");
}

static LLVMValueRef put_bit(struct mpl_emit *e, LLVMValueRef wide, LLVMValueRef value,
                            LLVMValueRef lane) {
  LLVMTypeRef type = bits_type(wide);
  LLVMValueRef bits = as_bits(e, wide);
  lane = LLVMBuildIntCast2(e->b, lane, type, false, "");
  LLVMValueRef one = LLVMBuildShl(e->b, LLVMConstInt(type, 1, false), lane, "");
  LLVMValueRef set = LLVMBuildShl(e->b, LLVMBuildZExt(e->b, value, type, ""), lane, "");
  bits = LLVMBuildOr(e->b, LLVMBuildAnd(e->b, bits, LLVMBuildNot(e->b, one, ""), ""), set, "");
  return LLVMBuildBitCast(e->b, bits, LLVMTypeOf(wide), "");
}

LLVMValueRef mpl_take_lane(struct mpl_emit *e, LLVMValueRef wide, LLVMTypeRef type,
                           LLVMValueRef lane) {
  unsigned fields = count_fields(type);
  LLVMValueRef value = LLVMGetPoison(type);
  for (unsigned k = 0; k < fields; k++) {
    LLVMValueRef field = LLVMBuildExtractValue(e->b, wide, k, "");
    field = mpl_take_lane(e, field, field_type(type, k), lane);
    value = LLVMBuildInsertValue(e->b, value, field, k, "");
  }
  if (fields || LLVMGetTypeKind(type) == LLVMStructTypeKind) return value;
  if (is_bit_of_any_lane(e, type, lane)) return take_bit(e, wide, lane);
  if (!mpl_is_vector_type(type)) return LLVMBuildExtractElement(e->b, wide, lane, "");
  for (unsigned c = 0; c < LLVMGetVectorSize(type); c++) {
    LLVMValueRef one = LLVMBuildExtractElement(e->b, wide, element(e, lane, c), "");
    value = LLVMBuildInsertElement(e->b, value, one, mpl_const64(e->ir, c), "");
  }
  return value;
}

LLVMValueRef mpl_put_lane(struct mpl_emit *e, LLVMValueRef wide, LLVMValueRef value,
                          LLVMValueRef lane) {
  LLVMTypeRef type = LLVMTypeOf(value);
  for (unsigned k = 0; k < count_fields(type); k++) {
    LLVMValueRef field = LLVMBuildExtractValue(e->b, wide, k, "");
    field = mpl_put_lane(e, field, LLVMBuildExtractValue(e->b, value, k, ""), lane);
    wide = LLVMBuildInsertValue(e->b, wide, field, k, "");
  }
  if (!mpl_is_vector_type(LLVMTypeOf(wide))) return wide;
  if (is_bit_of_any_lane(e, type, lane)) return put_bit(e, wide, value, lane);
  if (!mpl_is_vector_type(type)) return LLVMBuildInsertElement(e->b, wide, value, lane, "");
  for (unsigned c = 0; c < LLVMGetVectorSize(type); c++) {
    LLVMValueRef one = LLVMBuildExtractElement(e->b, value, mpl_const64(e->ir, c), "");
    wide = LLVMBuildInsertElement(e->b, wide, one, element(e, lane, c), "");
  }
  return wide;
}

/* --- instructions --- */

/* From rows of `by` elements to rows of as many elements as there were rows. */
static LLVMValueRef transpose(struct mpl_emit *e, LLVMValueRef vector, unsigned by) {
  unsigned size = LLVMGetVectorSize(LLVMTypeOf(vector));
  if (by == 1 || by == size) return vector;
  return mpl_pick(e->b, vector, NULL, &(struct mpl_pick){size, size / by, .outer = 1, .inner = (int)by});
}

/* A lane's components are side by side for it. */
static LLVMValueRef bit_cast(struct mpl_emit *e, LLVMValueRef i) {
  LLVMTypeRef type = mpl_vector_type(e, LLVMTypeOf(i));
  LLVMValueRef vector = transpose(e, mpl_vector(e, LLVMGetOperand(i, 0)), e->width);
  vector = LLVMBuildBitCast(e->b, vector, type, "");
  return transpose(e, vector, LLVMGetVectorSize(type) / e->width);
}

static LLVMValueRef shuffle(struct mpl_emit *e, LLVMValueRef i) {
  LLVMValueRef vector = mpl_vector(e, LLVMGetOperand(i, 0)), other = mpl_vector(e, LLVMGetOperand(i, 1));
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(i)) * e->width;
  int *which = mpl_allocate(count, sizeof *which), width = (int)e->width;
  for (unsigned k = 0; k < count; k++) {
    int from = LLVMGetMaskValue(i, k / e->width);
    which[k] = from < 0 ? from : from * width + (int)k % width;
  }
  LLVMValueRef result = mpl_shuffle(e->b, vector, other, which, count);
  free(which);
  return result;
}

static LLVMValueRef insert(struct mpl_emit *e, LLVMValueRef i, unsigned component) {
  LLVMValueRef vector = mpl_vector(e, LLVMGetOperand(i, 0)),
               value = mpl_vector(e, LLVMGetOperand(i, 1));
  unsigned size = LLVMGetVectorSize(LLVMTypeOf(vector)), width = e->width;
  int *which = mpl_allocate(size, sizeof *which);
  for (unsigned k = 0; k < size; k++)
    which[k] = (int)(k / width == component ? size + k % width : k);
  value = mpl_elements(e->b, value, NULL, 0, size);
  value = mpl_shuffle(e->b, vector, value, which, size);
  free(which);
  return value;
}

LLVMValueRef mpl_widen_component(struct mpl_emit *e, LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  LLVMValueRef first = LLVMGetOperand(i, 0);
  switch (opcode) {
  case LLVMBitCast:
    return mpl_is_vector_type(LLVMTypeOf(i)) || mpl_is_vector_type(LLVMTypeOf(first))
               ? bit_cast(e, i)
               : NULL;
  case LLVMShuffleVector:
    return shuffle(e, i);
  case LLVMExtractElement: {
    unsigned component = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
    return mpl_part_of(e, mpl_vector(e, first), component * e->width, e->width);
  }
  case LLVMInsertElement:
    return insert(e, i, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2)));
  case LLVMExtractValue:
    return LLVMBuildExtractValue(e->b, mpl_vector(e, first), *LLVMGetIndices(i), "");
  case LLVMInsertValue: {
    LLVMValueRef whole = mpl_vector(e, first), part = mpl_vector(e, LLVMGetOperand(i, 1));
    return LLVMBuildInsertValue(e->b, whole, part, *LLVMGetIndices(i), "");
  }
  case LLVMSelect: {
    if (mpl_is_vector_type(LLVMTypeOf(first))) return NULL;
    LLVMValueRef mask = mpl_vector(e, first), yes = mpl_vector(e, LLVMGetOperand(i, 1));
    return mpl_choose(e, mask, yes, mpl_vector(e, LLVMGetOperand(i, 2)));
  }
  default:
    return NULL;
  }
}
