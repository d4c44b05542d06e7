/* The metadata that clang gives a kernel (OpenCL 3.0, clGetKernelArgInfo,
 * clGetKernelWorkGroupInfo), from execution modes, decorations, and the strings that translators
 * leave. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

static void set(mpl_spirv r, LLVMValueRef kernel, const char *name, LLVMMetadataRef *parts,
                unsigned count) {
  LLVMGlobalSetMetadata(kernel, LLVMGetMDKindIDInContext(r->context, name, strlen(name)),
                        LLVMMDNodeInContext2(r->context, parts, count));
}

static LLVMMetadataRef text(mpl_spirv r, const char *words) {
  return LLVMMDStringInContext2(r->context, words, strlen(words));
}

static LLVMMetadataRef number(mpl_spirv r, uint64_t value) {
  return LLVMValueAsMetadata(LLVMConstInt(r->i32, value, false));
}

/* The size in a mode, as literals or as ids; false if there is none. */
static bool set_size(mpl_spirv r, uint32_t function, LLVMValueRef kernel, const char *name,
                     SpvExecutionMode literal, SpvExecutionMode ids) {
  mpl_spirv_in mode = mpl_spirv_mode(r, function, literal);
  mpl_spirv_in by_id = mode ? NULL : mpl_spirv_mode(r, function, ids);
  LLVMMetadataRef three[3];
  if (!mode && !by_id) return false;
  for (unsigned i = 0; i < 3; i++)
    three[i] = number(r, mode ? mpl_spirv_word(mode, 3 + i)
                              : mpl_spirv_constant(r, mpl_spirv_word(by_id, 3 + i)));
  set(r, kernel, name, three, 3);
  return true;
}

/* The constant that holds the size of all kernels' work-groups. */
static void set_common_size(mpl_spirv r, LLVMValueRef kernel) {
  for (uint32_t i = 0; i < r->num_decorations; i++) {
    const struct mpl_spirv_decoration *decoration = &r->decorations[i];
    LLVMValueRef value = mpl_spirv_at(r, decoration->target)->value;
    if (decoration->kind != SpvDecorationBuiltIn || !decoration->count ||
        decoration->words[0] != SpvBuiltInWorkgroupSize || !value || !LLVMIsConstant(value) ||
        LLVMIsAGlobalVariable(value) || mpl_spirv_lanes(LLVMTypeOf(value)) != 3)
      continue;
    LLVMMetadataRef three[3];
    for (unsigned k = 0; k < 3; k++) {
      LLVMValueRef size = LLVMGetAggregateElement(value, k);
      three[k] = number(r, size && LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 1);
    }
    set(r, kernel, "reqd_work_group_size", three, 3);
  }
}

/* VecTypeHint: the number of components above the number of a type. */
static void set_vector_hint(mpl_spirv r, uint32_t function, LLVMValueRef kernel) {
  mpl_spirv_in mode = mpl_spirv_mode(r, function, SpvExecutionModeVecTypeHint);
  if (!mode) return;
  LLVMTypeRef types[] = {r->i8, r->i16, r->i32, r->i64, r->half, r->f32, r->f64};
  uint32_t hint = mpl_spirv_word(mode, 3), which = hint & 0xffff, lanes = hint >> 16;
  if (which >= sizeof types / sizeof *types || lanes > 16) return;
  LLVMTypeRef type = lanes > 1 ? LLVMVectorType(types[which], lanes) : types[which];
  LLVMMetadataRef parts[] = {LLVMValueAsMetadata(LLVMGetUndef(type)), number(r, 1)};
  set(r, kernel, "vec_type_hint", parts, 2);
}

static const char *scalar_name(mpl_spirv r, uint32_t type_id) {
  LLVMTypeRef type = mpl_spirv_type(r, type_id);
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    switch (LLVMGetIntTypeWidth(type)) {
    case 1:
      return "bool";
    case 8:
      return "char";
    case 16:
      return "short";
    case 64:
      return "long";
    default:
      return "int";
    }
  case LLVMHalfTypeKind:
    return "half";
  case LLVMFloatTypeKind:
    return "float";
  case LLVMDoubleTypeKind:
    return "double";
  case LLVMVoidTypeKind:
    return "void";
  default:
    return "struct";
  }
}

static const char *image_name(mpl_spirv_in image) {
  bool array = mpl_spirv_word(image, 5), depth = mpl_spirv_word(image, 4) == 1;
  switch ((SpvDim)mpl_spirv_word(image, 3)) {
  case SpvDim1D:
    return array ? "image1d_array_t" : "image1d_t";
  case SpvDim3D:
    return "image3d_t";
  case SpvDimBuffer:
    return "image1d_buffer_t";
  default:
    if (depth) return array ? "image2d_array_depth_t" : "image2d_depth_t";
    return array ? "image2d_array_t" : "image2d_t";
  }
}

/* What its OpenCL C would say; the sign of integers is not known. */
static void name_type(mpl_spirv r, uint32_t type_id, char *name, size_t room) {
  unsigned lanes;
  mpl_spirv_in def = &mpl_spirv_at(r, type_id)->def;
  switch (def->words ? (SpvOp)def->opcode : SpvOpNop) {
  case SpvOpTypePointer:
    name_type(r, mpl_spirv_word(def, 3), name, room - 1);
    strcat(name, "*");
    break;
  case SpvOpTypeImage:
    snprintf(name, room, "%s", image_name(def));
    break;
  case SpvOpTypeSampler:
    snprintf(name, room, "sampler_t");
    break;
  case SpvOpTypeQueue:
    snprintf(name, room, "queue_t");
    break;
  case SpvOpTypePipe: /* of what is known where it is used */
    snprintf(name, room, "pipe");
    break;
  case SpvOpTypeVector: {
    const char *scalar = scalar_name(r, mpl_spirv_scalar_of(r, type_id, &lanes));
    snprintf(name, room, "%s%u", scalar, lanes);
    break;
  }
  default:
    snprintf(name, room, "%s", scalar_name(r, type_id));
  }
}

/* The part for an argument of an OpString "KIND.KERNEL.a,b,c,"; false if there is no such string.
 */
static bool from_string(mpl_spirv r, const char *kind, const char *kernel, unsigned index,
                        char *part, size_t room) {
  char start[300];
  struct mpl_spirv_instruction in;
  size_t place = MPL_SPIRV_HEADER;
  int length = snprintf(start, sizeof start, "%s.%s.", kind, kernel);
  while (mpl_spirv_next(&r->binary, &place, &in)) {
    if (in.opcode != SpvOpString || length >= (int)sizeof start) continue;
    const char *at = mpl_spirv_text(&in, 2);
    if (strncmp(at, start, (size_t)length)) continue;
    at += length;
    for (; index && *at; at++) index -= *at == ',';
    snprintf(part, room, "%.*s", (int)strcspn(at, ","), at);
    return *at != 0;
  }
  return false;
}

static const char *access_name(mpl_spirv r, uint32_t type_id) {
  mpl_spirv_in image = mpl_spirv_type_def(r, type_id, SpvOpTypeImage);
  mpl_spirv_in pipe = mpl_spirv_type_def(r, type_id, SpvOpTypePipe);
  if (pipe)
    return mpl_spirv_word(pipe, 2) == SpvAccessQualifierReadOnly ? "read_only" : "write_only";
  if (!image) return "none";
  uint32_t access = image->count > 9 ? image->words[9] : SpvAccessQualifierReadOnly;
  return access == SpvAccessQualifierReadOnly    ? "read_only"
         : access == SpvAccessQualifierWriteOnly ? "write_only"
                                                 : "read_write";
}

static bool never_written(mpl_spirv r, uint32_t id) {
  const struct mpl_spirv_id *parameter = mpl_spirv_at(r, id);
  for (uint32_t i = 0; i < parameter->num_decorations; i++) {
    const struct mpl_spirv_decoration *d = &r->decorations[parameter->first_decoration + i];
    if (d->kind == SpvDecorationFuncParamAttr && d->count &&
        d->words[0] == SpvFunctionParameterAttributeNoWrite)
      return true;
  }
  mpl_spirv_in pointer = mpl_spirv_type_def(r, parameter->type_id, SpvOpTypePointer);
  return pointer && mpl_spirv_word(pointer, 2) == SpvStorageClassUniformConstant;
}

static void qualifiers(mpl_spirv r, uint32_t id, const char *kernel, unsigned index, char *name,
                       size_t room) {
  if (mpl_spirv_type_def(r, mpl_spirv_at(r, id)->type_id, SpvOpTypePipe)) {
    snprintf(name, room, "pipe");
    return;
  }
  if (from_string(r, "kernel_arg_type_qual", kernel, index, name, room)) return;
  snprintf(name, room, "%s%s%s",
           mpl_spirv_decoration(r, id, SpvDecorationRestrict) ? "restrict " : "",
           never_written(r, id) ? "const " : "",
           mpl_spirv_decoration(r, id, SpvDecorationVolatile) ? "volatile " : "");
}

static void describe_arguments(mpl_spirv r, const char *kernel_name, LLVMValueRef kernel,
                               uint32_t function) {
  enum { SPACES, ACCESS, TYPES, BASE_TYPES, QUALIFIERS, NAMES, KINDS };
  static const char *const kinds[KINDS] = {"kernel_arg_addr_space", "kernel_arg_access_qual",
                                           "kernel_arg_type",       "kernel_arg_base_type",
                                           "kernel_arg_type_qual",  "kernel_arg_name"};
  unsigned count = LLVMCountParams(kernel);
  LLVMMetadataRef *parts = mpl_spirv_allocate(KINDS * (count + 1), sizeof *parts);
  struct mpl_spirv_instruction in;
  size_t place = (size_t)(mpl_spirv_at(r, function)->def.words - r->binary.words);
  mpl_spirv_next(&r->binary, &place, &in);
  for (unsigned i = 0; i < count && mpl_spirv_next(&r->binary, &place, &in); i++) {
    char name[256];
    uint32_t id = mpl_spirv_word(&in, 2), type_id = mpl_spirv_word(&in, 1);
    LLVMTypeRef type = mpl_spirv_type(r, type_id);
    if (mpl_spirv_type_def(r, type_id, SpvOpTypeNamedBarrier))
      mpl_spirv_fail("the kernel '%s' has a named barrier as a parameter", kernel_name);
    bool pointer = mpl_spirv_type_def(r, type_id, SpvOpTypePointer) != NULL ||
                   mpl_spirv_type_def(r, type_id, SpvOpTypeImage) != NULL ||
                   mpl_spirv_type_def(r, type_id, SpvOpTypePipe) != NULL;
    parts[SPACES * count + i] = number(r, pointer ? LLVMGetPointerAddressSpace(type) : 0);
    parts[ACCESS * count + i] = text(r, access_name(r, type_id));
    name_type(r, type_id, name, sizeof name);
    parts[BASE_TYPES * count + i] = text(r, name);
    from_string(r, "kernel_arg_type", kernel_name, i, name, sizeof name);
    parts[TYPES * count + i] = text(r, name);
    qualifiers(r, id, kernel_name, i, name, sizeof name);
    parts[QUALIFIERS * count + i] = text(r, name);
    parts[NAMES * count + i] = text(r, mpl_spirv_at(r, id)->name);
  }
  for (unsigned kind = 0; kind < KINDS; kind++)
    set(r, kernel, kinds[kind], parts + kind * count, count);
  free(parts);
}

void mpl_spirv_describe_kernel(mpl_spirv r, uint32_t function, const char *name,
                               LLVMValueRef kernel) {
  set_common_size(r, kernel);
  set_size(r, function, kernel, "reqd_work_group_size", SpvExecutionModeLocalSize,
           SpvExecutionModeLocalSizeId);
  set_size(r, function, kernel, "work_group_size_hint", SpvExecutionModeLocalSizeHint,
           SpvExecutionModeLocalSizeHintId);
  set_vector_hint(r, function, kernel);
  mpl_spirv_in lanes = mpl_spirv_mode(r, function, SpvExecutionModeSubgroupSize);
  if (lanes) {
    LLVMMetadataRef size = number(r, mpl_spirv_word(lanes, 3));
    set(r, kernel, "intel_reqd_sub_group_size", &size, 1);
  }
  describe_arguments(r, name, kernel, function);
}
