/* Constants, also specialised ones, and variables of module scope (SPIR-V specification, 3.49.7 and
 * 3.49.8). */
#include <stdlib.h>
#include <string.h>

#include "reader.h"

/* What the host has set for a specialisation constant; false: its default holds. */
static bool specialized(mpl_spirv r, uint32_t id, uint64_t *bits) {
  const struct mpl_spirv_decoration *number = mpl_spirv_decoration(r, id, SpvDecorationSpecId);
  for (unsigned i = 0; number && number->count && i < r->num_specializations; i++) {
    if (r->specializations[i].number != number->words[0]) continue;
    *bits = r->specializations[i].bits;
    return true;
  }
  return false;
}

static LLVMValueRef number(mpl_spirv r, mpl_spirv_in in, LLVMTypeRef type) {
  uint64_t bits = mpl_spirv_word(in, 3);
  if (in->count > 4) bits |= (uint64_t)mpl_spirv_word(in, 4) << 32;
  if (in->opcode == SpvOpSpecConstant) specialized(r, mpl_spirv_word(in, 2), &bits);
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind) return LLVMConstInt(type, bits, false);
  unsigned width = type == r->half ? 16 : type == r->f32 ? 32 : 64;
  LLVMTypeRef like = LLVMIntTypeInContext(r->context, width);
  return LLVMConstBitCast(LLVMConstInt(like, bits, false), type);
}

static LLVMValueRef truth(mpl_spirv r, mpl_spirv_in in, LLVMTypeRef type) {
  uint64_t bits = in->opcode == SpvOpConstantTrue || in->opcode == SpvOpSpecConstantTrue;
  if (in->opcode != SpvOpConstantTrue && in->opcode != SpvOpConstantFalse)
    specialized(r, mpl_spirv_word(in, 2), &bits);
  return LLVMConstInt(type, (bits & 0xff) != 0, false);
}

static LLVMValueRef composite(mpl_spirv r, mpl_spirv_in in, LLVMTypeRef type) {
  unsigned count = in->count - 3;
  LLVMValueRef *members = mpl_spirv_allocate(count + 1, sizeof *members), value;
  for (unsigned i = 0; i < count; i++) members[i] = mpl_spirv_operand(r, in, 3 + i);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    value = LLVMConstVector(members, count);
  else if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    value = LLVMConstArray2(LLVMGetElementType(type), members, count);
  else
    value = LLVMConstStructInContext(r->context, members, count, LLVMIsPackedStruct(type));
  free(members);
  return value;
}

/* The operation of constants, as an instruction of that opcode would do it: LLVM folds it. */
static LLVMValueRef operation(mpl_spirv r, mpl_spirv_in in) {
  unsigned count = in->count - 1;
  uint32_t *words = mpl_spirv_allocate(count, sizeof *words), opcode = mpl_spirv_word(in, 3);
  words[0] = count << 16 | (opcode & 0xffff);
  memcpy(words + 1, in->words + 1, 2 * sizeof *words);
  memcpy(words + 3, in->words + 4, (count - 3) * sizeof *words);
  struct mpl_spirv_instruction plain = {opcode, count, words};
  mpl_spirv_instruction(r, &plain);
  LLVMValueRef value = mpl_spirv_at(r, words[2])->value;
  if (!value || !LLVMIsConstant(value))
    mpl_spirv_fail("%s of specialisation constants has no value before the kernel runs",
                   mpl_spirv_op_name(opcode));
  mpl_spirv_at(r, words[2])->def.words = NULL; /* of memory that goes */
  free(words);
  return value;
}

static LLVMValueRef read(mpl_spirv r, mpl_spirv_in in) {
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  switch ((SpvOp)in->opcode) {
  case SpvOpConstantTrue:
  case SpvOpConstantFalse:
  case SpvOpSpecConstantTrue:
  case SpvOpSpecConstantFalse:
    return truth(r, in, type);
  case SpvOpConstant:
  case SpvOpSpecConstant:
    return number(r, in, type);
  case SpvOpConstantComposite:
  case SpvOpSpecConstantComposite:
    return composite(r, in, type);
  case SpvOpSpecConstantOp:
    return operation(r, in);
  case SpvOpConstantNull:
    return LLVMConstNull(type);
  case SpvOpConstantSampler: /* mpl_spirv_value makes the sampler where it is used */
    return LLVMConstInt(r->i32, 0, false);
  case SpvOpUndef:
    return LLVMGetUndef(type);
  default:
    return NULL;
  }
}

bool mpl_spirv_read_constant(mpl_spirv r, mpl_spirv_in in) {
  bool is_constant = (in->opcode >= SpvOpConstantTrue && in->opcode <= SpvOpSpecConstantOp) ||
                     in->opcode == SpvOpUndef;
  LLVMValueRef value = is_constant ? read(r, in) : NULL;
  if (value) mpl_spirv_result(r, in, value);
  return value != NULL;
}

static LLVMLinkage linkage_of(const struct mpl_spirv_decoration *decoration) {
  if (!decoration) return LLVMInternalLinkage;
  uint32_t kind = decoration->words[decoration->count - 1];
  return kind == SpvLinkageTypeLinkOnceODR ? LLVMLinkOnceODRLinkage : LLVMExternalLinkage;
}

void mpl_spirv_read_variable(mpl_spirv r, mpl_spirv_in in) {
  uint32_t id = mpl_spirv_word(in, 2), storage = mpl_spirv_word(in, 3);
  if (mpl_spirv_decoration(r, id, SpvDecorationBuiltIn)) {
    struct mpl_spirv_id *of = mpl_spirv_at(r, id); /* mpl_spirv_value asks for what it holds */
    of->def = *in;
    of->type_id = mpl_spirv_word(in, 1);
    return;
  }
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_pointee(r, mpl_spirv_word(in, 1)));
  const struct mpl_spirv_decoration *linkage =
      mpl_spirv_decoration(r, id, SpvDecorationLinkageAttributes);
  const char *name = linkage ? (const char *)linkage->words : mpl_spirv_at(r, id)->name;
  bool imported = linkage && linkage->words[linkage->count - 1] == SpvLinkageTypeImport;
  LLVMValueRef value = LLVMAddGlobalInAddressSpace(r->module, type, name, mpl_spirv_space(storage));
  if (!imported) {
    LLVMValueRef initial = LLVMConstNull(type);
    if (storage == SpvStorageClassWorkgroup) initial = LLVMGetUndef(type);
    LLVMSetInitializer(value, in->count > 4 ? mpl_spirv_operand(r, in, 4) : initial);
    LLVMSetLinkage(value, linkage_of(linkage));
  }
  if (linkage) LLVMSetVisibility(value, LLVMHiddenVisibility);
  LLVMSetGlobalConstant(value, storage == SpvStorageClassUniformConstant ||
                                   mpl_spirv_decoration(r, id, SpvDecorationConstant));
  const struct mpl_spirv_decoration *alignment =
      mpl_spirv_decoration(r, id, SpvDecorationAlignment);
  unsigned natural = LLVMABIAlignmentOfType(r->layout, type);
  LLVMSetAlignment(value, alignment && alignment->count ? alignment->words[0] : natural);
  mpl_spirv_result(r, in, value);
}
