/* Ids, and a module from its beginning to its end. */
#include "reader.h"

#include <llvm-c/Analysis.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read.h"

void mpl_spirv_fail(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fputs("maniple: SPIR-V: ", stderr);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
  exit(1);
}

void *mpl_spirv_allocate(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory) mpl_spirv_fail("out of memory");
  return memory;
}

uint32_t mpl_spirv_word(mpl_spirv_in in, unsigned index) {
  if (index >= in->count) mpl_spirv_fail("%s has too few operands", mpl_spirv_op_name(in->opcode));
  return in->words[index];
}

struct mpl_spirv_id *mpl_spirv_at(mpl_spirv r, uint32_t id) {
  if (id >= r->binary.bound) mpl_spirv_fail("id %u is above the module's bound", id);
  return &r->ids[id];
}

LLVMTypeRef mpl_spirv_type(mpl_spirv r, uint32_t id) {
  LLVMTypeRef type = mpl_spirv_at(r, id)->type;
  if (!type) mpl_spirv_fail("id %u is not a type", id);
  return type;
}

LLVMValueRef mpl_spirv_value(mpl_spirv r, uint32_t id) {
  struct mpl_spirv_id *of = mpl_spirv_at(r, id);
  if (of->def.words && of->def.opcode == SpvOpConstantSampler)
    return mpl_spirv_constant_sampler(r, &of->def);
  if (!of->value && of->def.words && of->def.opcode == SpvOpVariable && r->function)
    of->value = mpl_spirv_builtin_variable(r, id);
  if (!of->value) mpl_spirv_fail("id %u has no value where it is used", id);
  return of->value;
}

LLVMValueRef mpl_spirv_operand(mpl_spirv r, mpl_spirv_in in, unsigned index) {
  return mpl_spirv_value(r, mpl_spirv_word(in, index));
}

uint64_t mpl_spirv_constant(mpl_spirv r, uint32_t id) {
  LLVMValueRef value = mpl_spirv_value(r, id);
  if (LLVMIsNull(value)) return 0;
  if (!LLVMIsAConstantInt(value)) mpl_spirv_fail("id %u is not a constant integer", id);
  return LLVMConstIntGetZExtValue(value);
}

/* A literal string ends with a zero in its instruction: copies begin with the words as they stand.
 */
const char *mpl_spirv_text(mpl_spirv_in in, unsigned index) {
  mpl_spirv_word(in, index);
  const char *text = (const char *)(in->words + index);
  if (!memchr(text, 0, (in->count - index) * sizeof(uint32_t)))
    mpl_spirv_fail("a string in %s has no end", mpl_spirv_op_name(in->opcode));
  return text;
}

void mpl_spirv_result(mpl_spirv r, mpl_spirv_in in, LLVMValueRef value) {
  uint32_t type_id = mpl_spirv_word(in, 1);
  struct mpl_spirv_id *id = mpl_spirv_at(r, mpl_spirv_word(in, 2));
  bool sampler = in->opcode == SpvOpConstantSampler;
  if (!sampler && LLVMTypeOf(value) != mpl_spirv_type(r, type_id))
    mpl_spirv_fail("the result of %s is not of the type that it must have",
                   mpl_spirv_op_name(in->opcode));
  id->value = value;
  id->type_id = type_id;
  id->def = *in;
  if (LLVMIsAInstruction(value) && LLVMTypeOf(value) != r->void_type)
    LLVMSetValueName2(value, id->name, strlen(id->name));
}

static void check_memory_model(mpl_spirv_in in) {
  uint32_t addressing = mpl_spirv_word(in, 1), memory = mpl_spirv_word(in, 2);
  if (addressing == SpvAddressingModelPhysical32)
    mpl_spirv_fail("the module is for devices whose addresses have 32 bits; this one's have 64");
  if (addressing != SpvAddressingModelPhysical64 || memory != SpvMemoryModelOpenCL)
    mpl_spirv_fail("the module's memory model is not OpenCL's with 64-bit addresses");
}

/* Functions are declared first: a call may come before its function. */
static void declare_functions(mpl_spirv r, size_t place) {
  struct mpl_spirv_instruction in, next;
  while (mpl_spirv_next(&r->binary, &place, &in)) {
    if (in.opcode != SpvOpFunction) continue;
    unsigned count = LLVMCountParamTypes(mpl_spirv_type(r, mpl_spirv_word(&in, 4)));
    struct mpl_spirv_instruction *parameters = mpl_spirv_allocate(count, sizeof *parameters);
    for (unsigned i = 0; i < count; i++) {
      if (!mpl_spirv_next(&r->binary, &place, &next) || next.opcode != SpvOpFunctionParameter)
        mpl_spirv_fail("a function has fewer parameters than its type");
      parameters[i] = next;
    }
    mpl_spirv_declare_function(r, &in, parameters);
    free(parameters);
  }
}

/* A place for instructions that fold to constants. */
static LLVMValueRef begin_scratch(mpl_spirv r) {
  LLVMTypeRef type = LLVMFunctionType(r->void_type, NULL, 0, false);
  LLVMValueRef scratch = LLVMAddFunction(r->module, "", type);
  LLVMPositionBuilderAtEnd(r->b, LLVMAppendBasicBlockInContext(r->context, scratch, ""));
  return scratch;
}

static void read_globals(mpl_spirv r, size_t *place) {
  struct mpl_spirv_instruction in;
  LLVMValueRef scratch = begin_scratch(r);
  for (size_t next = *place; mpl_spirv_next(&r->binary, &next, &in) && in.opcode != SpvOpFunction;
       *place = next) {
    if (in.opcode == SpvOpMemoryModel)
      check_memory_model(&in);
    else if (in.opcode == SpvOpString)
      mpl_spirv_at(r, mpl_spirv_word(&in, 1))->def = in;
    else if (in.opcode == SpvOpVariable)
      mpl_spirv_read_variable(r, &in);
    else if (!mpl_spirv_read_type(r, &in))
      mpl_spirv_read_constant(r, &in);
  }
  LLVMDeleteFunction(scratch);
}

/* As clang marks programs in OpenCL C 3.0. */
static void set_module_flags(mpl_spirv r) {
  LLVMMetadataRef version[] = {LLVMValueAsMetadata(LLVMConstInt(r->i32, 3, false)),
                               LLVMValueAsMetadata(LLVMConstInt(r->i32, 0, false))};
  LLVMMetadataRef node = LLVMMDNodeInContext2(r->context, version, 2);
  LLVMAddNamedMetadataOperand(r->module, "opencl.ocl.version",
                              LLVMMetadataAsValue(r->context, node));
  LLVMMetadataRef four = LLVMValueAsMetadata(LLVMConstInt(r->i32, 4, false));
  LLVMMetadataRef two = LLVMValueAsMetadata(LLVMConstInt(r->i32, 2, false));
  LLVMAddModuleFlag(r->module, LLVMModuleFlagBehaviorError, "wchar_size", 10, four);
  LLVMAddModuleFlag(r->module, LLVMModuleFlagBehaviorOverride, "PIC Level", 9, two);
}

static void read_types_of(mpl_spirv r) {
  r->void_type = LLVMVoidTypeInContext(r->context);
  r->i1 = LLVMInt1TypeInContext(r->context);
  r->i8 = LLVMInt8TypeInContext(r->context);
  r->i16 = LLVMInt16TypeInContext(r->context);
  r->i32 = LLVMInt32TypeInContext(r->context);
  r->i64 = LLVMInt64TypeInContext(r->context);
  r->half = LLVMHalfTypeInContext(r->context);
  r->f32 = LLVMFloatTypeInContext(r->context);
  r->f64 = LLVMDoubleTypeInContext(r->context);
}

void mpl_spirv_read(mpl_spirv r) {
  struct mpl_spirv_instruction in;
  size_t place = MPL_SPIRV_HEADER;
  read_types_of(r);
  r->ids = mpl_spirv_allocate(r->binary.bound, sizeof *r->ids);
  for (uint32_t i = 0; i < r->binary.bound; i++) r->ids[i].name = "";
  r->b = LLVMCreateBuilderInContext(r->context);
  mpl_spirv_begin_lines(r);
  mpl_spirv_check_needs(r);
  mpl_spirv_read_annotations(r);
  read_globals(r, &place);
  declare_functions(r, place);
  while (mpl_spirv_next(&r->binary, &place, &in))
    if (in.opcode == SpvOpFunction) mpl_spirv_read_function(r, &place, &in);
  mpl_spirv_finish_functions(r);
  mpl_spirv_end_lines(r);
  set_module_flags(r);
  char *problem = NULL;
  if (LLVMVerifyModule(r->module, LLVMReturnStatusAction, &problem))
    mpl_spirv_fail("the code of the module is not valid: %s", problem);
  LLVMDisposeMessage(problem);
  LLVMDisposeBuilder(r->b);
}
