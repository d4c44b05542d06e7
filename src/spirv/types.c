/* Types (SPIR-V specification, 3.49.6).  Equal SPIR-V types are equal LLVM types: structures have
 * no names. */
#include <stdlib.h>

#include "reader.h"

unsigned mpl_spirv_space(uint32_t storage_class) {
  switch ((SpvStorageClass)storage_class) {
  case SpvStorageClassUniformConstant:
    return SPACE_CONSTANT;
  case SpvStorageClassInput:
  case SpvStorageClassFunction:
    return SPACE_PRIVATE;
  case SpvStorageClassCrossWorkgroup:
    return SPACE_GLOBAL;
  case SpvStorageClassWorkgroup:
    return SPACE_LOCAL;
  case SpvStorageClassGeneric:
    return SPACE_GENERIC;
  default:
    mpl_spirv_fail("storage class %u is not one of OpenCL's", storage_class);
  }
}

LLVMTypeRef mpl_spirv_pointer(mpl_spirv r, unsigned space) {
  return LLVMPointerTypeInContext(r->context, space);
}

unsigned mpl_spirv_lanes(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

LLVMTypeRef mpl_spirv_scalar(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

LLVMTypeRef mpl_spirv_with_lanes(LLVMTypeRef like, LLVMTypeRef scalar) {
  unsigned lanes = mpl_spirv_lanes(like);
  return lanes == 1 ? scalar : LLVMVectorType(scalar, lanes);
}

mpl_spirv_in mpl_spirv_type_def(mpl_spirv r, uint32_t type_id, SpvOp opcode) {
  mpl_spirv_in def = &mpl_spirv_at(r, type_id)->def;
  return def->words && def->opcode == opcode ? def : NULL;
}

uint32_t mpl_spirv_scalar_of(mpl_spirv r, uint32_t type_id, unsigned *lanes) {
  mpl_spirv_in vector = mpl_spirv_type_def(r, type_id, SpvOpTypeVector);
  *lanes = vector ? mpl_spirv_word(vector, 3) : 1;
  return vector ? mpl_spirv_word(vector, 2) : type_id;
}

uint32_t mpl_spirv_pointee(mpl_spirv r, uint32_t type_id) {
  mpl_spirv_in pointer = mpl_spirv_type_def(r, type_id, SpvOpTypePointer);
  if (!pointer) mpl_spirv_fail("id %u is not a pointer's type", type_id);
  return mpl_spirv_word(pointer, 3);
}

static LLVMTypeRef integer(mpl_spirv r, unsigned width) {
  if (width != 8 && width != 16 && width != 32 && width != 64)
    mpl_spirv_fail("integers of %u bits are not supported", width);
  return LLVMIntTypeInContext(r->context, width);
}

static LLVMTypeRef floating(mpl_spirv r, unsigned width) {
  if (width == 16) return r->half;
  if (width == 32) return r->f32;
  if (width != 64) mpl_spirv_fail("floating-point numbers of %u bits are not supported", width);
  return r->f64;
}

static LLVMTypeRef structure(mpl_spirv r, mpl_spirv_in in) {
  unsigned count = in->count - 2;
  LLVMTypeRef *members = mpl_spirv_allocate(count + 1, sizeof *members);
  for (unsigned i = 0; i < count; i++) members[i] = mpl_spirv_type(r, mpl_spirv_word(in, 2 + i));
  bool packed = mpl_spirv_decoration(r, mpl_spirv_word(in, 1), SpvDecorationCPacked) != NULL;
  LLVMTypeRef type = LLVMStructTypeInContext(r->context, members, count, packed);
  free(members);
  return type;
}

static LLVMTypeRef function(mpl_spirv r, mpl_spirv_in in) {
  unsigned count = in->count - 3;
  LLVMTypeRef *parameters = mpl_spirv_allocate(count + 1, sizeof *parameters);
  for (unsigned i = 0; i < count; i++) parameters[i] = mpl_spirv_type(r, mpl_spirv_word(in, 3 + i));
  LLVMTypeRef type =
      LLVMFunctionType(mpl_spirv_type(r, mpl_spirv_word(in, 2)), parameters, count, false);
  free(parameters);
  return type;
}

/* Objects of OpenCL are pointers that nothing looks behind, in the address spaces that clang gives
 * them; a sampled image is an image with its sampler, a named barrier a place in local memory. */
static LLVMTypeRef object(mpl_spirv r, mpl_spirv_in in) {
  LLVMTypeRef global = mpl_spirv_pointer(r, SPACE_GLOBAL);
  LLVMTypeRef constant = mpl_spirv_pointer(r, SPACE_CONSTANT);
  switch ((SpvOp)in->opcode) {
  case SpvOpTypeImage:
  case SpvOpTypePipe:
    return global;
  case SpvOpTypeSampler:
    return constant;
  case SpvOpTypeNamedBarrier:
    return mpl_spirv_pointer(r, SPACE_LOCAL);
  case SpvOpTypeSampledImage:
    return LLVMStructTypeInContext(r->context, (LLVMTypeRef[]){global, constant}, 2, false);
  default:
    return mpl_spirv_pointer(r, SPACE_PRIVATE);
  }
}

static LLVMTypeRef read(mpl_spirv r, mpl_spirv_in in) {
  switch ((SpvOp)in->opcode) {
  case SpvOpTypeVoid:
    return r->void_type;
  case SpvOpTypeBool:
    return r->i1;
  case SpvOpTypeInt:
    return integer(r, mpl_spirv_word(in, 2));
  case SpvOpTypeFloat:
    return floating(r, mpl_spirv_word(in, 2));
  case SpvOpTypeVector:
    return LLVMVectorType(mpl_spirv_type(r, mpl_spirv_word(in, 2)), mpl_spirv_word(in, 3));
  case SpvOpTypeArray:
    return LLVMArrayType2(mpl_spirv_type(r, mpl_spirv_word(in, 2)),
                          mpl_spirv_constant(r, mpl_spirv_word(in, 3)));
  case SpvOpTypeRuntimeArray:
    return LLVMArrayType2(mpl_spirv_type(r, mpl_spirv_word(in, 2)), 0);
  case SpvOpTypeStruct:
    return structure(r, in);
  case SpvOpTypePointer:
    return mpl_spirv_pointer(r, mpl_spirv_space(mpl_spirv_word(in, 2)));
  case SpvOpTypeFunction:
    return function(r, in);
  case SpvOpTypeImage:
  case SpvOpTypeSampler:
  case SpvOpTypeSampledImage:
  case SpvOpTypeOpaque:
  case SpvOpTypeEvent:
  case SpvOpTypeDeviceEvent:
  case SpvOpTypeReserveId:
  case SpvOpTypeQueue:
  case SpvOpTypePipe:
  case SpvOpTypePipeStorage:
  case SpvOpTypeNamedBarrier:
    return object(r, in);
  default:
    return NULL;
  }
}

bool mpl_spirv_read_type(mpl_spirv r, mpl_spirv_in in) {
  if (in->opcode == SpvOpTypeForwardPointer) { /* a structure may have members of the type */
    struct mpl_spirv_id *id = mpl_spirv_at(r, mpl_spirv_word(in, 1));
    id->type = mpl_spirv_pointer(r, mpl_spirv_space(mpl_spirv_word(in, 2)));
    return true;
  }
  LLVMTypeRef type = read(r, in);
  if (!type) return false;
  struct mpl_spirv_id *id = mpl_spirv_at(r, mpl_spirv_word(in, 1));
  id->type = type;
  id->def = *in;
  return true;
}
