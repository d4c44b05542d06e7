/* Images and samplers (SPIR-V specification, 3.49.10): OpenCL C's functions by the names that clang
 * gives them.  There are no mipmaps, so a level of detail says nothing. */
#include <stdio.h>
#include <string.h>

#include "call.h"
#include "reader.h"

/* The image behind an operand, and its type's instruction. */
struct image {
  LLVMValueRef value, sampler; /* sampler: of a sampled image, else null */
  mpl_spirv_in type;
  char name[CALL_TYPE]; /* as it is mangled */
};

static void name_image(struct image *image) {
  static const char *const accesses[] = {"ro", "wo", "rw"};
  char name[48];
  mpl_spirv_in type = image->type;
  uint32_t access = type->count > 9 ? type->words[9] : SpvAccessQualifierReadOnly;
  uint32_t dim = mpl_spirv_word(type, 3);
  snprintf(name, sizeof name, "ocl_image%s%s%s%s_%s",
           dim == SpvDim1D       ? "1d"
           : dim == SpvDim3D     ? "3d"
           : dim == SpvDimBuffer ? "1d_buffer"
                                 : "2d",
           mpl_spirv_word(type, 5) ? "_array" : "", mpl_spirv_word(type, 6) ? "_msaa" : "",
           mpl_spirv_word(type, 4) == 1 ? "_depth" : "", accesses[access < 3 ? access : 0]);
  snprintf(image->name, sizeof image->name, "%zu%.36s", strlen(name), name);
}

static struct image read_image(mpl_spirv r, mpl_spirv_in in, unsigned word) {
  struct image image = {.value = mpl_spirv_operand(r, in, word)};
  uint32_t type_id = mpl_spirv_at(r, in->words[word])->type_id;
  mpl_spirv_in sampled = mpl_spirv_type_def(r, type_id, SpvOpTypeSampledImage);
  if (sampled) {
    type_id = mpl_spirv_word(sampled, 2);
    image.sampler = LLVMBuildExtractValue(r->b, image.value, 1, "");
    image.value = LLVMBuildExtractValue(r->b, image.value, 0, "");
  }
  image.type = mpl_spirv_type_def(r, type_id, SpvOpTypeImage);
  if (!image.type) mpl_spirv_fail("%s needs an image", mpl_spirv_op_name(in->opcode));
  name_image(&image);
  return image;
}

static void add_image(struct mpl_spirv_call *call, const struct image *image) {
  mpl_spirv_call_add_named(call, image->value, -1, image->name);
  if (image->sampler) mpl_spirv_call_add_named(call, image->sampler, -1, "11ocl_sampler");
}

/* The end of the function's name, by what a texel is.  Integers are signed unless the operands of
 * the instruction, in that word, say otherwise (SPIR-V 1.4). */
static const char *suffix(mpl_spirv_in in, unsigned word, LLVMTypeRef texel, bool *is_signed) {
  uint32_t operands = word < in->count ? in->words[word] : 0;
  LLVMTypeRef scalar = mpl_spirv_scalar(texel);
  *is_signed = !(operands & SpvImageOperandsZeroExtendMask);
  if (LLVMGetTypeKind(scalar) == LLVMHalfTypeKind) return "h";
  if (LLVMGetTypeKind(scalar) != LLVMIntegerTypeKind) return "f";
  return *is_signed ? "i" : "ui";
}

static LLVMValueRef fetch(mpl_spirv r, mpl_spirv_in in) {
  bool is_signed;
  struct image image = read_image(r, in, 3);
  struct mpl_spirv_call call;
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  mpl_spirv_call_begin(&call, "read_image%s", suffix(in, 5, type, &is_signed));
  add_image(&call, &image);
  mpl_spirv_call_add(&call, mpl_spirv_operand(r, in, 4), true);
  return mpl_spirv_call_end(r, &call, type, is_signed, CALL_WRITES);
}

static void write(mpl_spirv r, mpl_spirv_in in) {
  bool is_signed;
  struct image image = read_image(r, in, 1);
  struct mpl_spirv_call call;
  LLVMValueRef texel = mpl_spirv_operand(r, in, 3);
  const char *end = suffix(in, 4, LLVMTypeOf(texel), &is_signed);
  mpl_spirv_call_begin(&call, "write_image%s", end);
  add_image(&call, &image);
  mpl_spirv_call_add(&call, mpl_spirv_operand(r, in, 2), true);
  mpl_spirv_call_add(&call, texel, is_signed);
  mpl_spirv_call_end(r, &call, r->void_type, false, CALL_WRITES);
}

/* SPV_INTEL_subgroups: rows of bytes for a sub-group. */
static LLVMValueRef read_block(mpl_spirv r, mpl_spirv_in in) {
  struct image image = read_image(r, in, 3);
  struct mpl_spirv_call call;
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1));
  mpl_spirv_block_begin(&call, "read", type);
  add_image(&call, &image);
  mpl_spirv_call_add(&call, mpl_spirv_operand(r, in, 4), true);
  return mpl_spirv_call_end(r, &call, type, false, CALL_CONVERGENT);
}

static void write_block(mpl_spirv r, mpl_spirv_in in) {
  struct image image = read_image(r, in, 1);
  struct mpl_spirv_call call;
  LLVMValueRef value = mpl_spirv_operand(r, in, 3);
  mpl_spirv_block_begin(&call, "write", LLVMTypeOf(value));
  add_image(&call, &image);
  mpl_spirv_call_add(&call, mpl_spirv_operand(r, in, 2), true);
  mpl_spirv_call_add(&call, value, false);
  mpl_spirv_call_end(r, &call, r->void_type, false, CALL_CONVERGENT);
}

static LLVMValueRef ask(mpl_spirv r, const struct image *image, const char *function,
                        LLVMTypeRef result) {
  struct mpl_spirv_call call;
  mpl_spirv_call_begin(&call, "%s", function);
  mpl_spirv_call_add_named(&call, image->value, -1, image->name);
  return mpl_spirv_call_end(r, &call, result, true, CALL_WRITES);
}

/* Width, height, depth, and how many there are, as far as the image has them. */
static LLVMValueRef size(mpl_spirv r, mpl_spirv_in in) {
  struct image image = read_image(r, in, 3);
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 1)), scalar = mpl_spirv_scalar(type);
  uint32_t dim = mpl_spirv_word(image.type, 3);
  const char *functions[4] = {"get_image_width"};
  unsigned count = 1;
  if (dim == SpvDim2D || dim == SpvDim3D) functions[count++] = "get_image_height";
  if (dim == SpvDim3D) functions[count++] = "get_image_depth";
  bool array = mpl_spirv_word(image.type, 5);
  if (array) functions[count++] = "get_image_array_size";
  LLVMValueRef whole = LLVMGetPoison(type), part = NULL;
  if (mpl_spirv_lanes(type) != count) mpl_spirv_fail("an image's size has %u parts", count);
  for (unsigned i = 0; i < count; i++) {
    bool is_count = array && i + 1 == count;
    part = ask(r, &image, functions[i], is_count ? r->i64 : r->i32);
    part = LLVMBuildIntCast2(r->b, part, scalar, false, "");
    if (count > 1)
      whole = LLVMBuildInsertElement(r->b, whole, part, LLVMConstInt(r->i32, i, false), "");
  }
  return count > 1 ? whole : part;
}

/* SPIR-V counts formats and orders from zero, OpenCL from a number. */
static LLVMValueRef format(mpl_spirv r, mpl_spirv_in in) {
  enum { FIRST_DATA_TYPE = 0x10D0, FIRST_ORDER = 0x10B0 };
  bool order = in->opcode == SpvOpImageQueryOrder;
  struct image image = read_image(r, in, 3);
  LLVMValueRef value =
      ask(r, &image, order ? "get_image_channel_order" : "get_image_channel_data_type", r->i32);
  unsigned first = order ? FIRST_ORDER : FIRST_DATA_TYPE;
  return LLVMBuildSub(r->b, value, LLVMConstInt(r->i32, first, false), "");
}

static LLVMValueRef sampled_image(mpl_spirv r, mpl_spirv_in in) {
  LLVMValueRef both = LLVMGetPoison(mpl_spirv_type(r, mpl_spirv_word(in, 1)));
  both = LLVMBuildInsertValue(r->b, both, mpl_spirv_operand(r, in, 3), 0, "");
  return LLVMBuildInsertValue(r->b, both, mpl_spirv_operand(r, in, 4), 1, "");
}

static LLVMValueRef read(mpl_spirv r, mpl_spirv_in in) {
  switch ((SpvOp)in->opcode) {
  case SpvOpSampledImage:
    return sampled_image(r, in);
  case SpvOpImage:
    return LLVMBuildExtractValue(r->b, mpl_spirv_operand(r, in, 3), 0, "");
  case SpvOpImageSampleExplicitLod:
  case SpvOpImageFetch:
  case SpvOpImageRead:
    return fetch(r, in);
  case SpvOpSubgroupImageBlockReadINTEL:
    return read_block(r, in);
  case SpvOpImageQuerySize:
  case SpvOpImageQuerySizeLod:
    return size(r, in);
  case SpvOpImageQueryFormat:
  case SpvOpImageQueryOrder:
    return format(r, in);
  default:
    return NULL;
  }
}

bool mpl_spirv_image(mpl_spirv r, mpl_spirv_in in) {
  if (in->opcode == SpvOpImageWrite) {
    write(r, in);
    return true;
  }
  if (in->opcode == SpvOpSubgroupImageBlockWriteINTEL) {
    write_block(r, in);
    return true;
  }
  LLVMValueRef value = read(r, in);
  if (value) mpl_spirv_result(r, in, value);
  return value != NULL;
}

LLVMValueRef mpl_spirv_constant_sampler(mpl_spirv r, mpl_spirv_in in) {
  enum { NORMALIZED = 1, LINEAR = 0x20, NEAREST = 0x10 }; /* as clang encodes them */
  uint32_t bits = mpl_spirv_word(in, 3) << 1 | (mpl_spirv_word(in, 4) ? NORMALIZED : 0) |
                  (mpl_spirv_word(in, 5) == SpvSamplerFilterModeLinear ? LINEAR : NEAREST);
  LLVMTypeRef type = mpl_spirv_pointer(r, SPACE_CONSTANT);
  LLVMTypeRef number = r->i32;
  LLVMValueRef value = LLVMConstInt(r->i32, bits, false);
  LLVMValueRef function =
      mpl_spirv_c_function(r, "__translate_sampler_initializer", type, &number, 1);
  return mpl_spirv_c_call(r, function, type, &value, 1);
}
