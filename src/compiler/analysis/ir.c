#include "ir.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Support.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"
#include "runtime/options.h"

static LLVMTypeRef struct_type(struct mpl_module_ir *ir, const char *name, LLVMTypeRef *elements,
                               unsigned count) {
  LLVMTypeRef type = LLVMStructCreateNamed(ir->context, name);
  LLVMStructSetBody(type, elements, count, false);
  return type;
}

/* As abi/kernel.h has them: arrays of three, then pointers. */
#define STANDS(type, field, at)                                                                    \
  _Static_assert(offsetof(struct type, field) == (at), #type "." #field)
STANDS(mpl_launch, args, 2 * 4 + 24 * (MPL_LAUNCH_ARGS - MPL_LAUNCH_GLOBAL_OFFSET));
STANDS(mpl_launch, host, sizeof(struct mpl_launch) - 8 * (MPL_LAUNCH_FIELDS - MPL_LAUNCH_HOST));
STANDS(mpl_group, size, 24 * MPL_GROUP_SIZE);
STANDS(mpl_group, local_base, 24 * MPL_GROUP_LOCAL_BASE);
STANDS(mpl_group, scratch, sizeof(struct mpl_group) - 8 * (MPL_GROUP_FIELDS - MPL_GROUP_SCRATCH));

static void make_types(struct mpl_module_ir *ir) {
  ir->i1 = LLVMInt1TypeInContext(ir->context);
  ir->i8 = LLVMInt8TypeInContext(ir->context);
  ir->i32 = LLVMInt32TypeInContext(ir->context);
  ir->i64 = LLVMInt64TypeInContext(ir->context);
  ir->ptr = LLVMPointerTypeInContext(ir->context, 0);
  ir->void_type = LLVMVoidTypeInContext(ir->context);
  LLVMTypeRef three = LLVMArrayType2(ir->i64, 3);
  LLVMTypeRef launch[MPL_LAUNCH_FIELDS] = {ir->i32, ir->i32, three,   three,
                                           three,   three,   ir->ptr, ir->ptr};
  LLVMTypeRef group[MPL_GROUP_FIELDS] = {three, three, ir->ptr, ir->ptr, ir->ptr, ir->i64};
  ir->launch_type = struct_type(ir, "mpl_launch", launch, MPL_LAUNCH_FIELDS);
  ir->group_type = struct_type(ir, "mpl_group", group, MPL_GROUP_FIELDS);
  LLVMTypeRef unit[MPL_UNIT_FIELDS] = {ir->group_type, ir->i64, ir->i64, ir->i64, ir->i64,
                                       ir->i32,        ir->i32, ir->i32, ir->i64, ir->ptr};
  ir->unit_type = struct_type(ir, "mpl_unit", unit, MPL_UNIT_FIELDS);
}

void mpl_ir_begin(struct mpl_module_ir *ir, LLVMModuleRef module) {
  ir->module = module;
  ir->context = LLVMGetModuleContext(module);
  ir->layout = LLVMGetModuleDataLayout(module);
  make_types(ir);
}

void mpl_ir_end(struct mpl_module_ir *ir) {
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    free(ir->kernels[k].args);
    free(ir->kernels[k].pieces);
    free(ir->kernels[k].roots);
    free(ir->kernels[k].name);
    free(ir->kernels[k].attributes);
  }
  free(ir->kernels);
}

LLVMValueRef mpl_callee_of(LLVMValueRef i) {
  return LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
}

bool mpl_calls(LLVMValueRef i, const char *name) {
  LLVMValueRef callee = mpl_callee_of(i);
  return callee && !strncmp(LLVMGetValueName(callee), name, strlen(name));
}

bool mpl_is_prefetch(LLVMValueRef i) {
  return mpl_calls(i, "llvm.prefetch");
}

bool mpl_is_hint(LLVMValueRef call) {
  return mpl_calls(call, "llvm.assume") || mpl_calls(call, "llvm.lifetime") ||
         mpl_calls(call, "llvm.experimental.noalias") || mpl_is_prefetch(call) ||
         mpl_calls(call, "llvm.dbg");
}

struct mpl_extreme mpl_extreme_of(LLVMValueRef value) {
  static const struct {
    const char *name;
    struct mpl_extreme extreme;
  } all[] = {{"llvm.smin.", {true, false, true}},
             {"llvm.smax.", {true, true, true}},
             {"llvm.umin.", {true, false, false}},
             {"llvm.umax.", {true, true, false}}};
  for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
    if (mpl_calls(value, all[k].name)) return all[k].extreme;
  return (struct mpl_extreme){0};
}

bool mpl_is_rare(LLVMValueRef function, const char *what) {
  static const char prefix[] = "mpl_rare_"; /* of the built-in library's names of it */
  const char *name = function ? LLVMGetValueName(function) : "";
  return !strncmp(name, prefix, sizeof prefix - 1) &&
         !strncmp(name + sizeof prefix - 1, what, strlen(what));
}

bool mpl_is_called_pixel(LLVMValueRef function) {
  static const char prefix[] = "mpl_called_pixel_";
  return function && !strncmp(LLVMGetValueName(function), prefix, sizeof prefix - 1);
}

/* Functions of src/builtins/memory/pipe.cl, which are not inlined. */
bool mpl_looks_into_pipe(LLVMValueRef call) {
  return mpl_calls(call, "__mpl_pipe_claim_") || mpl_calls(call, "__mpl_pipe_count");
}

LLVMValueRef mpl_accessed_place(LLVMValueRef i) {
  bool store = LLVMIsAStoreInst(i) != NULL;
  return store || LLVMIsALoadInst(i) ? LLVMGetOperand(i, store) : NULL;
}

LLVMTypeRef mpl_accessed_type(LLVMValueRef i) {
  return LLVMTypeOf(LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i);
}

bool mpl_is_seen_by_others(LLVMValueRef access) {
  return LLVMGetVolatile(access) || LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic;
}

bool mpl_fits_memory(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind: {
    unsigned bits = LLVMGetIntTypeWidth(type);
    return bits >= 8 && bits <= 64 && !(bits & (bits - 1));
  }
  case LLVMHalfTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
  case LLVMPointerTypeKind:
    return true;
  default:
    return false;
  }
}

bool mpl_has_effect(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMStore:
  case LLVMFence:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg:
    return true;
  case LLVMLoad:
    return LLVMGetVolatile(i) || LLVMGetOrdering(i) > LLVMAtomicOrderingMonotonic;
  case LLVMCall:
    return !mpl_is_hint(i) && !mpl_ir_is_pure_call(i);
  default:
    return false;
  }
}

void mpl_say_fibres(LLVMValueRef where, const char *kernel, const char *why) {
  char text[2048];
  long how = mpl_option_number(MPL_OPTION_PASS_FIBRES);
  if (!how) return;
  snprintf(text, sizeof text, "kernel %s runs on fibres: %s [-W%smaniple-fibres]", kernel, why,
           how > 1 ? "error=" : "");
  mpl_ir_say(where, how > 1 ? "error" : "warning", text);
}

void mpl_report(struct mpl_module_ir *ir, LLVMValueRef where, const char *format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  if (!ir->why)
    mpl_ir_say(where, "error", message);
  else if (!ir->failed)
    strcpy(ir->why, message);
  if (ir->alone && !ir->failed) mpl_say_fibres(where, ir->alone, message);
  ir->failed = true;
}

/* "gray" of "mpl_group.gray" and of what was made of it. */
static void kernel_name(LLVMValueRef where, char *name, size_t room) {
  if (LLVMIsAInstruction(where)) where = LLVMGetBasicBlockParent(LLVMGetInstructionParent(where));
  const char *full = LLVMGetValueName(where);
  if (!strncmp(full, "mpl_", 4) && strchr(full, '.')) full = strchr(full, '.') + 1;
  snprintf(name, room, "%.*s", (int)strcspn(full, "."), full);
}

static void remark(struct mpl_module_ir *ir, LLVMValueRef where, const char *word,
                   const char *format, va_list arguments) {
  char pass[512], message[1024], kernel[256];
  vsnprintf(message, sizeof message, format, arguments);
  kernel_name(where, kernel, sizeof kernel);
  /* More than "maniple", which every compilation asks for (toolchain/clang/command_lines.c). */
  snprintf(pass, sizeof pass, "maniple-%s:%s%s%s", ir->pass, kernel, *word ? ":" : "", word);
  mpl_ir_remark(where, pass, false, message);
}

void mpl_remark(struct mpl_module_ir *ir, LLVMValueRef where, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  remark(ir, where, "", format, arguments);
  va_end(arguments);
}

void mpl_tell(struct mpl_module_ir *ir, LLVMValueRef where, enum mpl_fact fact, const char *format,
              ...) {
  static const char *const words[] = {
#define MPL_FACT(id, word, level, meaning) word,
#include "tables/facts.def"
  };
  va_list arguments;
  va_start(arguments, format);
  remark(ir, where, words[fact], format, arguments);
  va_end(arguments);
}

void mpl_set_llvm_option(const struct mpl_module_ir *ir, const char *option) {
  enum { MOST = 16 };
  static const char *given[MOST]; /* LLVM takes none twice */
  static size_t count;
  const char *const arguments[] = {"maniple", option};
  if (ir->records) return;
  for (size_t k = 0; k < count; k++)
    if (!strcmp(given[k], option)) return;
  if (count == MOST) abort();
  given[count++] = option;
  LLVMParseCommandLineOptions(2, arguments, NULL);
}

void mpl_run_llvm_passes(struct mpl_module_ir *ir, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(ir->module, passes, NULL, options);
  if (error) {
    char *message = LLVMGetErrorMessage(error);
    mpl_report(ir, ir->kernels[0].group, "internal error: %s", message);
    LLVMDisposeErrorMessage(message);
  }
  LLVMDisposePassBuilderOptions(options);
}

bool mpl_only_computes(LLVMValueRef instruction, unsigned kinds) {
  switch (LLVMGetInstructionOpcode(instruction)) {
#define MPL_OPCODE(opcode, kind)                                                                   \
  case LLVM##opcode:                                                                               \
    return kinds & MPL_##kind;
#include "tables/opcodes.def"
  default:
    return false;
  }
}

LLVMValueRef mpl_const32(struct mpl_module_ir *ir, uint32_t value) {
  return LLVMConstInt(ir->i32, value, false);
}

LLVMValueRef mpl_const64(struct mpl_module_ir *ir, uint64_t value) {
  return LLVMConstInt(ir->i64, value, false);
}

LLVMValueRef mpl_constant(struct mpl_module_ir *ir, LLVMValueRef value, const char *name) {
  LLVMValueRef global = LLVMAddGlobal(ir->module, LLVMTypeOf(value), name);
  LLVMSetInitializer(global, value);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(global, true);
  return global;
}

LLVMValueRef mpl_text(struct mpl_module_ir *ir, const char *text, size_t length, const char *name) {
  return mpl_constant(ir, LLVMConstStringInContext2(ir->context, text, length, false), name);
}

LLVMTypeRef mpl_type_for(LLVMTypeRef result, LLVMValueRef *args, unsigned count) {
  enum { MOST = 12 };
  LLVMTypeRef types[MOST];
  for (unsigned k = 0; k < count; k++) types[k] = LLVMTypeOf(args[k]);
  return LLVMFunctionType(result, types, count, false);
}

LLVMValueRef mpl_call(LLVMBuilderRef b, LLVMValueRef function, LLVMTypeRef result,
                      LLVMValueRef *args, unsigned count) {
  return LLVMBuildCall2(b, mpl_type_for(result, args, count), function, args, count, "");
}

LLVMValueRef mpl_call_intrinsic(struct mpl_module_ir *ir, LLVMBuilderRef b, const char *name,
                                LLVMTypeRef type, LLVMValueRef *args, unsigned count) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(ir->module, id, &type, type != NULL);
  return LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, args, count, "");
}

LLVMValueRef mpl_function_of(LLVMValueRef instruction) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

LLVMValueRef mpl_load_field(LLVMBuilderRef b, LLVMTypeRef type, LLVMValueRef pointer,
                            unsigned field, const char *name) {
  LLVMValueRef at = LLVMBuildStructGEP2(b, type, pointer, field, "");
  return LLVMBuildLoad2(b, LLVMStructGetTypeAtIndex(type, field), at, name);
}

LLVMValueRef mpl_base_of(struct mpl_module_ir *ir, LLVMValueRef pointer, int64_t *offset) {
  *offset = 0;
  while (LLVMIsAGetElementPtrInst(pointer)) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
    int64_t sum = 0;
    for (int k = 1; k < LLVMGetNumOperands(pointer); k++) {
      LLVMValueRef index = LLVMGetOperand(pointer, k);
      if (!LLVMIsAConstantInt(index)) return pointer;
      int64_t number = LLVMConstIntGetSExtValue(index);
      if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
        sum += (int64_t)LLVMOffsetOfElement(ir->layout, type, (unsigned)number);
        type = LLVMStructGetTypeAtIndex(type, (unsigned)number);
        continue;
      }
      if (k > 1) type = LLVMGetElementType(type);
      sum += number * (int64_t)LLVMABISizeOfType(ir->layout, type);
    }
    *offset += sum;
    pointer = LLVMGetOperand(pointer, 0);
  }
  return pointer;
}

LLVMValueRef mpl_offset(struct mpl_module_ir *ir, LLVMBuilderRef builder, LLVMValueRef base,
                        LLVMValueRef bytes) {
  return LLVMBuildInBoundsGEP2(builder, ir->i8, base, &bytes, 1, "");
}

unsigned mpl_enum_attribute(const char *name) {
  return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

bool mpl_has_attribute(LLVMValueRef function, const char *name) {
  return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                     mpl_enum_attribute(name)) != NULL;
}

void mpl_add_attribute(LLVMValueRef function, const char *name) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, mpl_enum_attribute(name), 0));
}

void mpl_drop_attribute(LLVMValueRef function, const char *name) {
  LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, mpl_enum_attribute(name));
}

static LLVMAttributeRef find_attribute(LLVMValueRef function, const char *name) {
  return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name,
                                       (unsigned)strlen(name));
}

const char *mpl_attribute_value(LLVMValueRef function, const char *name) {
  LLVMAttributeRef attribute = find_attribute(function, name);
  unsigned length;
  return attribute ? LLVMGetStringAttributeValue(attribute, &length) : "";
}

void mpl_set_attribute_value(LLVMValueRef function, const char *name, const char *value) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                          LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value,
                                                    (unsigned)strlen(value)));
}

bool mpl_is_group_function(LLVMValueRef function) {
  return find_attribute(function, MPL_GROUP_FUNCTION);
}

void mpl_set_metadata(struct mpl_module_ir *ir, LLVMValueRef instruction, const char *kind,
                      LLVMMetadataRef node) {
  LLVMSetMetadata(instruction, LLVMGetMDKindIDInContext(ir->context, kind, strlen(kind)),
                  LLVMMetadataAsValue(ir->context, node));
}

LLVMValueRef mpl_metadata_of(struct mpl_module_ir *ir, LLVMValueRef instruction, const char *kind) {
  return LLVMGetMetadata(instruction, LLVMGetMDKindIDInContext(ir->context, kind, strlen(kind)));
}

void mpl_mark(struct mpl_module_ir *ir, LLVMValueRef instruction, const char *kind) {
  mpl_set_metadata(ir, instruction, kind, LLVMMDNodeInContext2(ir->context, NULL, 0));
}

void mpl_set_weights(struct mpl_module_ir *ir, LLVMValueRef branch, unsigned first,
                     unsigned second) {
  LLVMMetadataRef weights[] = {LLVMMDStringInContext2(ir->context, "branch_weights", 14),
                               LLVMValueAsMetadata(mpl_const32(ir, first)),
                               LLVMValueAsMetadata(mpl_const32(ir, second))};
  mpl_set_metadata(ir, branch, "prof", LLVMMDNodeInContext2(ir->context, weights, 3));
}

static LLVMValueRef *operands_of(LLVMValueRef node, unsigned *count) {
  *count = node ? (unsigned)LLVMGetMDNodeNumOperands(node) : 0;
  LLVMValueRef *operands = mpl_allocate(*count + 1, sizeof *operands);
  if (node) LLVMGetMDNodeOperands(node, operands);
  return operands;
}

/* Is it a node that begins with a name which begins so? */
static bool is_property(LLVMValueRef node, const char *begin) {
  unsigned count, length = 0;
  if (!node || !LLVMIsAMDNode(node)) return false;
  LLVMValueRef *operands = operands_of(node, &count);
  const char *text = "";
  if (count && operands[0] && LLVMIsAMDString(operands[0]))
    text = LLVMGetMDString(operands[0], &length);
  free(operands);
  return length >= strlen(begin) && !memcmp(text, begin, strlen(begin));
}

bool mpl_has_loop_property(struct mpl_module_ir *ir, LLVMValueRef latch, const char *begin) {
  unsigned count;
  bool has = false;
  LLVMValueRef *operands = operands_of(mpl_metadata_of(ir, latch, "llvm.loop"), &count);
  for (unsigned k = 1; k < count; k++) has |= is_property(operands[k], begin);
  free(operands);
  return has;
}

/* The loop's properties, but those of that name, and `property`, if it is not null; the first operand is the
 * node itself, as LLVM wants it. */
static void set_property(struct mpl_module_ir *ir, LLVMValueRef latch, const char *name,
                         LLVMMetadataRef property) {
  LLVMContextRef c = ir->context;
  unsigned old, count = 1;
  LLVMValueRef *values = operands_of(mpl_metadata_of(ir, latch, "llvm.loop"), &old);
  LLVMMetadataRef *all = mpl_allocate(old + 2, sizeof *all), self = LLVMTemporaryMDNode(c, NULL, 0);
  all[0] = self;
  for (unsigned k = 1; k < old; k++)
    if (values[k] && !is_property(values[k], name)) all[count++] = LLVMValueAsMetadata(values[k]);
  if (property) all[count++] = property;
  LLVMMetadataRef loop = LLVMMDNodeInContext2(c, all, count);
  mpl_set_metadata(ir, latch, "llvm.loop", loop);
  LLVMMetadataReplaceAllUsesWith(self, loop);
  free(values);
  free(all);
}

void mpl_set_loop_property(struct mpl_module_ir *ir, LLVMValueRef latch, const char *name,
                           bool on) {
  LLVMMetadataRef text = LLVMMDStringInContext2(ir->context, name, strlen(name));
  if (!on && !mpl_has_loop_property(ir, latch, name)) return;
  set_property(ir, latch, name, on ? LLVMMDNodeInContext2(ir->context, &text, 1) : NULL);
}

void mpl_keep_from_vectorizer(struct mpl_module_ir *ir, LLVMValueRef latch) {
  static const char name[] = "llvm.loop.vectorize.enable";
  LLVMMetadataRef node[] = {LLVMMDStringInContext2(ir->context, name, sizeof name - 1),
                            LLVMValueAsMetadata(LLVMConstInt(ir->i1, 0, false))};
  set_property(ir, latch, name, LLVMMDNodeInContext2(ir->context, node, 2));
}
