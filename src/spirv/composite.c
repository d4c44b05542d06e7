/* Vectors, structures and arrays as values (SPIR-V specification, 3.49.12). */
#include <stdlib.h>

#include "reader.h"

static LLVMValueRef at(mpl_spirv r, unsigned index) {
  return LLVMConstInt(r->i32, index, false);
}

static LLVMValueRef extract_one(mpl_spirv r, LLVMValueRef value, unsigned index) {
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind)
    return LLVMBuildExtractElement(r->b, value, at(r, index), "");
  return LLVMBuildExtractValue(r->b, value, index, "");
}

static LLVMValueRef insert_one(mpl_spirv r, LLVMValueRef into, LLVMValueRef part, unsigned index) {
  if (LLVMGetTypeKind(LLVMTypeOf(into)) == LLVMVectorTypeKind)
    return LLVMBuildInsertElement(r->b, into, part, at(r, index), "");
  return LLVMBuildInsertValue(r->b, into, part, index, "");
}

static unsigned parts_of(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMVectorTypeKind:
    return LLVMGetVectorSize(type);
  case LLVMArrayTypeKind:
    return (unsigned)LLVMGetArrayLength2(type);
  case LLVMStructTypeKind:
    return LLVMCountStructElementTypes(type);
  default:
    return 0;
  }
}

/* The index in that word, which the type must have. */
static unsigned index_in(mpl_spirv_in in, unsigned word, LLVMTypeRef type) {
  if (mpl_spirv_word(in, word) >= parts_of(type))
    mpl_spirv_fail("%s: there is no part %u", mpl_spirv_op_name(in->opcode), in->words[word]);
  return in->words[word];
}

static LLVMValueRef extract(mpl_spirv r, mpl_spirv_in in) {
  LLVMValueRef value = mpl_spirv_operand(r, in, 3);
  for (unsigned word = 4; word < in->count; word++)
    value = extract_one(r, value, index_in(in, word, LLVMTypeOf(value)));
  return value;
}

static LLVMValueRef extract_dynamic(mpl_spirv r, mpl_spirv_in in) {
  LLVMValueRef index = mpl_spirv_operand(r, in, 4);
  LLVMValueRef element = mpl_spirv_builtin_element(r, mpl_spirv_word(in, 3), index);
  return element ? element : LLVMBuildExtractElement(r->b, mpl_spirv_operand(r, in, 3), index, "");
}

static LLVMValueRef insert(mpl_spirv r, mpl_spirv_in in, LLVMValueRef into, LLVMValueRef part,
                           unsigned word) {
  if (word >= in->count) return part;
  unsigned index = index_in(in, word, LLVMTypeOf(into));
  if (word + 1 < in->count) part = insert(r, in, extract_one(r, into, index), part, word + 1);
  return insert_one(r, into, part, index);
}

/* A vector may be made of vectors. */
static LLVMValueRef construct(mpl_spirv r, mpl_spirv_in in) {
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  LLVMValueRef whole = LLVMGetPoison(type);
  bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  unsigned next = 0, room = parts_of(type);
  for (unsigned word = 3; word < in->count; word++) {
    LLVMValueRef part = mpl_spirv_operand(r, in, word);
    unsigned count = is_vector ? mpl_spirv_lanes(LLVMTypeOf(part)) : 1;
    bool whole_part = !is_vector || LLVMGetTypeKind(LLVMTypeOf(part)) != LLVMVectorTypeKind;
    if (count > room - next) mpl_spirv_fail("OpCompositeConstruct has too many parts");
    for (unsigned i = 0; i < count; i++)
      whole = insert_one(r, whole, whole_part ? part : extract_one(r, part, i), next++);
  }
  return whole;
}

static LLVMValueRef shuffle(mpl_spirv r, mpl_spirv_in in) {
  LLVMValueRef x = mpl_spirv_operand(r, in, 3), y = mpl_spirv_operand(r, in, 4);
  unsigned of_x = mpl_spirv_lanes(LLVMTypeOf(x)), of_y = mpl_spirv_lanes(LLVMTypeOf(y));
  unsigned count = in->count - 5;
  LLVMValueRef *mask = mpl_spirv_allocate(count + 1, sizeof *mask), result;
  for (unsigned i = 0; i < count; i++) {
    uint32_t lane = in->words[5 + i];
    if (lane != UINT32_MAX && lane >= of_x + of_y)
      mpl_spirv_fail("OpVectorShuffle: there is no component %u", lane);
    mask[i] = lane == UINT32_MAX ? LLVMGetPoison(r->i32) : at(r, lane);
  }
  if (of_x == of_y)
    result = LLVMBuildShuffleVector(r->b, x, y, LLVMConstVector(mask, count), "");
  else { /* LLVM's are of one type */
    result = LLVMGetPoison(mpl_spirv_type(r, mpl_spirv_word(in, 1)));
    for (unsigned i = 0; i < count; i++) {
      uint32_t lane = in->words[5 + i];
      if (lane == UINT32_MAX) continue;
      LLVMValueRef part = lane < of_x ? extract_one(r, x, lane) : extract_one(r, y, lane - of_x);
      result = insert_one(r, result, part, i);
    }
  }
  free(mask);
  return result;
}

/* The same parts in a type that is laid out in another way. */
static LLVMValueRef copy_logical(mpl_spirv r, LLVMValueRef value, LLVMTypeRef type) {
  LLVMTypeRef from = LLVMTypeOf(value);
  if (from == type) return value;
  LLVMValueRef whole = LLVMGetPoison(type);
  bool is_array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
  if (parts_of(type) != parts_of(from)) mpl_spirv_fail("OpCopyLogical between different types");
  for (unsigned i = 0; i < parts_of(type); i++) {
    LLVMTypeRef part = is_array ? LLVMGetElementType(type) : LLVMStructGetTypeAtIndex(type, i);
    whole = insert_one(r, whole, copy_logical(r, extract_one(r, value, i), part), i);
  }
  return whole;
}

/* What makes the number is not joined with what uses it: a fence of arithmetic is read as a copy. */
static LLVMValueRef fence(LLVMValueRef value) {
  if (LLVMIsAInstruction(value) && LLVMCanValueUseFastMathFlags(value))
    LLVMSetFastMathFlags(value, LLVMFastMathNone);
  return value;
}

static LLVMValueRef read(mpl_spirv r, mpl_spirv_in in) {
  switch ((SpvOp)in->opcode) {
  case SpvOpCompositeExtract:
    return extract(r, in);
  case SpvOpCompositeInsert:
    return insert(r, in, mpl_spirv_operand(r, in, 4), mpl_spirv_operand(r, in, 3), 5);
  case SpvOpCompositeConstruct:
    return construct(r, in);
  case SpvOpVectorShuffle:
    return shuffle(r, in);
  case SpvOpVectorExtractDynamic:
    return extract_dynamic(r, in);
  case SpvOpVectorInsertDynamic:
    return LLVMBuildInsertElement(r->b, mpl_spirv_operand(r, in, 3), mpl_spirv_operand(r, in, 4),
                                  mpl_spirv_operand(r, in, 5), "");
  case SpvOpCopyObject:
    return fence(mpl_spirv_operand(r, in, 3));
  case SpvOpCopyLogical:
    return copy_logical(r, mpl_spirv_operand(r, in, 3), mpl_spirv_type(r, mpl_spirv_word(in, 1)));
  case SpvOpSelect:
    return LLVMBuildSelect(r->b, mpl_spirv_operand(r, in, 3), mpl_spirv_operand(r, in, 4),
                           mpl_spirv_operand(r, in, 5), "");
  default:
    return NULL;
  }
}

bool mpl_spirv_composite(mpl_spirv r, mpl_spirv_in in) {
  LLVMValueRef value = read(r, in);
  if (value) mpl_spirv_result(r, in, value);
  return value != NULL;
}
