/* Functions, their parameters and their control flow (SPIR-V specification, 3.49.9 and 3.49.17). */
#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "abi/spir.h"
#include "call.h"
#include "reader.h"

/* Phis wait for the values of blocks that come later. */
struct waiting {
  struct mpl_spirv_instruction in;
  LLVMValueRef phi;
};
static struct waiting *waiting;
static unsigned num_waiting;

bool mpl_spirv_is_kernel(mpl_spirv r, uint32_t function) {
  for (unsigned i = 0; i < r->num_entries; i++)
    if (r->entries[i].function == function) return true;
  return false;
}

static const struct mpl_spirv_decoration *linkage_of(mpl_spirv r, uint32_t function) {
  if (mpl_spirv_is_kernel(r, function)) return NULL;
  return mpl_spirv_decoration(r, function, SpvDecorationLinkageAttributes);
}

static bool is_imported(const struct mpl_spirv_decoration *linkage) {
  return linkage && linkage->words[linkage->count - 1] == SpvLinkageTypeImport;
}

static bool is_aggregate(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind || LLVMGetTypeKind(type) == LLVMArrayTypeKind;
}

/* FuncParamAttr of a parameter. */
static bool has(mpl_spirv r, uint32_t parameter, SpvFunctionParameterAttribute wanted) {
  const struct mpl_spirv_id *id = mpl_spirv_at(r, parameter);
  for (uint32_t i = 0; i < id->num_decorations; i++) {
    const struct mpl_spirv_decoration *decoration = &r->decorations[id->first_decoration + i];
    if (decoration->kind == SpvDecorationFuncParamAttr && decoration->count &&
        decoration->words[0] == wanted)
      return true;
  }
  return false;
}

void mpl_spirv_add_attribute(mpl_spirv r, LLVMValueRef function, unsigned index, const char *name,
                             uint64_t value) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, index, LLVMCreateEnumAttribute(r->context, kind, value));
}

static void add_text(mpl_spirv r, LLVMValueRef function, const char *name, const char *value) {
  LLVMAddAttributeAtIndex(
      function, LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(r->context, name, strlen(name), value, strlen(value)));
}

void mpl_spirv_describe_function(mpl_spirv r, LLVMValueRef function) {
  static const char *const facts[] = {"nounwind", "convergent"};
  for (unsigned i = 0; i < sizeof facts / sizeof *facts; i++)
    mpl_spirv_add_attribute(r, function, LLVMAttributeFunctionIndex, facts[i], 0);
  add_text(r, function, "no-trapping-math", "true");
  add_text(r, function, "stack-protector-buffer-size", "8");
  add_text(r, function, "target-cpu", r->cpu);
  add_text(r, function, "target-features", r->features);
}

static void add_type_attribute(mpl_spirv r, LLVMValueRef to, unsigned index, const char *name,
                               LLVMTypeRef type) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAttributeRef attribute = LLVMCreateTypeAttribute(r->context, kind, type);
  if (LLVMIsAFunction(to))
    LLVMAddAttributeAtIndex(to, index, attribute);
  else
    LLVMAddCallSiteAttribute(to, index, attribute);
}

static void describe_parameter(mpl_spirv r, LLVMValueRef function, unsigned index, uint32_t id,
                               bool in_kernel) {
  uint32_t type_id = mpl_spirv_at(r, id)->type_id;
  LLVMTypeRef type = mpl_spirv_type(r, type_id);
  if (in_kernel && is_aggregate(type)) {
    add_type_attribute(r, function, index, "byval", type);
    mpl_spirv_add_attribute(r, function, index, "align", LLVMABIAlignmentOfType(r->layout, type));
  }
  if (!mpl_spirv_type_def(r, type_id, SpvOpTypePointer)) return;
  LLVMTypeRef pointee = mpl_spirv_type(r, mpl_spirv_pointee(r, type_id));
  const struct mpl_spirv_decoration *alignment =
      mpl_spirv_decoration(r, id, SpvDecorationAlignment);
  bool sized = LLVMTypeIsSized(pointee);
  if (has(r, id, SpvFunctionParameterAttributeByVal) && sized)
    add_type_attribute(r, function, index, "byval", pointee);
  if (has(r, id, SpvFunctionParameterAttributeSret) && sized)
    add_type_attribute(r, function, index, "sret", pointee);
  if (has(r, id, SpvFunctionParameterAttributeNoAlias) ||
      mpl_spirv_decoration(r, id, SpvDecorationRestrict))
    mpl_spirv_add_attribute(r, function, index, "noalias", 0);
  unsigned bytes = sized ? LLVMABIAlignmentOfType(r->layout, pointee) : 1;
  if (alignment && alignment->count) bytes = alignment->words[0];
  if (in_kernel && bytes && !(bytes & (bytes - 1)))
    mpl_spirv_add_attribute(r, function, index, "align", bytes);
}

static void apply_control(mpl_spirv r, LLVMValueRef function, uint32_t control, bool in_kernel) {
  enum { NO_MEMORY = 0, READS_MEMORY = 1 | 1 << 2 | 1 << 4 }; /* llvm::MemoryEffects */
  unsigned whole = (unsigned)LLVMAttributeFunctionIndex;
  if (in_kernel) return;
  if (control & SpvFunctionControlInlineMask)
    mpl_spirv_add_attribute(r, function, whole, "alwaysinline", 0);
  if (control & SpvFunctionControlDontInlineMask)
    mpl_spirv_add_attribute(r, function, whole, "noinline", 0);
  if (control & SpvFunctionControlConstMask)
    mpl_spirv_add_attribute(r, function, whole, "memory", NO_MEMORY);
  else if (control & SpvFunctionControlPureMask)
    mpl_spirv_add_attribute(r, function, whole, "memory", READS_MEMORY);
}

/* Aggregates come to kernels in memory. */
static LLVMTypeRef kernel_type(mpl_spirv r, LLVMTypeRef type) {
  unsigned count = LLVMCountParamTypes(type);
  LLVMTypeRef *types = mpl_spirv_allocate(count + 1, sizeof *types);
  LLVMGetParamTypes(type, types);
  for (unsigned i = 0; i < count; i++)
    if (is_aggregate(types[i])) types[i] = mpl_spirv_pointer(r, SPACE_PRIVATE);
  LLVMTypeRef changed = LLVMFunctionType(r->void_type, types, count, false);
  free(types);
  return changed;
}

static void declare_imported(mpl_spirv r, mpl_spirv_in in, const char *name, LLVMTypeRef type) {
  unsigned count = LLVMCountParamTypes(type);
  LLVMTypeRef *types = mpl_spirv_allocate(count + 1, sizeof *types);
  LLVMGetParamTypes(type, types);
  LLVMValueRef f = mpl_spirv_c_function(r, name, LLVMGetReturnType(type), types, count);
  free(types);
  mpl_spirv_at(r, mpl_spirv_word(in, 2))->value = f;
}

void mpl_spirv_declare_function(mpl_spirv r, mpl_spirv_in in, mpl_spirv_in parameters) {
  uint32_t id = mpl_spirv_word(in, 2);
  LLVMTypeRef type = mpl_spirv_type(r, mpl_spirv_word(in, 4));
  const struct mpl_spirv_decoration *linkage = linkage_of(r, id);
  bool in_kernel = mpl_spirv_is_kernel(r, id);
  struct mpl_spirv_id *of = mpl_spirv_at(r, id);
  of->def = *in;
  of->type_id = mpl_spirv_word(in, 1);
  unsigned count = LLVMCountParamTypes(type);
  for (unsigned i = 0; i < count; i++) {
    struct mpl_spirv_id *parameter = mpl_spirv_at(r, mpl_spirv_word(&parameters[i], 2));
    parameter->def = parameters[i];
    parameter->type_id = mpl_spirv_word(&parameters[i], 1);
  }
  if (is_imported(linkage)) {
    declare_imported(r, in, (const char *)linkage->words, type);
    return;
  }
  LLVMValueRef f = LLVMAddFunction(r->module, of->name, in_kernel ? kernel_type(r, type) : type);
  LLVMSetLinkage(f, LLVMInternalLinkage);
  mpl_spirv_describe_function(r, f);
  apply_control(r, f, mpl_spirv_word(in, 3), in_kernel);
  for (unsigned i = 0; i < count; i++)
    describe_parameter(r, f, i + 1, mpl_spirv_word(&parameters[i], 2), in_kernel);
  of->value = f;
}

static LLVMBasicBlockRef block(mpl_spirv r, uint32_t label) {
  LLVMValueRef value = mpl_spirv_at(r, label)->value;
  if (!value || !LLVMValueIsBasicBlock(value)) mpl_spirv_fail("id %u is not a block", label);
  return LLVMValueAsBasicBlock(value);
}

static void add_blocks(mpl_spirv r, size_t place) {
  struct mpl_spirv_instruction in;
  while (mpl_spirv_next(&r->binary, &place, &in) && in.opcode != SpvOpFunctionEnd)
    if (in.opcode == SpvOpLabel)
      mpl_spirv_at(r, mpl_spirv_word(&in, 1))->value =
          LLVMBasicBlockAsValue(LLVMAppendBasicBlockInContext(r->context, r->function, ""));
}

static void end_phis(mpl_spirv r) {
  for (unsigned i = 0; i < num_waiting; i++) {
    mpl_spirv_in in = &waiting[i].in;
    for (unsigned word = 3; word + 1 < in->count; word += 2) {
      LLVMBasicBlockRef from = block(r, in->words[word + 1]);
      LLVMPositionBuilderBefore(r->b, LLVMGetBasicBlockTerminator(from));
      LLVMValueRef value = mpl_spirv_operand(r, in, word);
      LLVMAddIncoming(waiting[i].phi, &value, &from, 1);
    }
  }
  num_waiting = 0;
}

static LLVMMetadataRef hint(mpl_spirv r, const char *name, int64_t value) {
  LLVMMetadataRef parts[2] = {LLVMMDStringInContext2(r->context, name, strlen(name))};
  if (value >= 0) parts[1] = LLVMValueAsMetadata(LLVMConstInt(r->i32, (uint64_t)value, false));
  return LLVMMDNodeInContext2(r->context, parts, value >= 0 ? 2 : 1);
}

/* The loop's latches are where its unrolling is asked for. */
static void hint_loop(mpl_spirv r, const struct mpl_spirv_loop *loop) {
  LLVMMetadataRef parts[3] = {LLVMTemporaryMDNode(r->context, NULL, 0)}, temporary = parts[0];
  if (loop->control & SpvLoopControlUnrollMask)
    parts[1] = hint(r, "llvm.loop.unroll.enable", -1);
  else if (loop->control & SpvLoopControlDontUnrollMask)
    parts[1] = hint(r, "llvm.loop.unroll.disable", -1);
  else
    return;
  LLVMValueRef node = LLVMMetadataAsValue(r->context, LLVMMDNodeInContext2(r->context, parts, 2));
  LLVMReplaceMDNodeOperandWith(node, 0, LLVMValueAsMetadata(node));
  LLVMDisposeTemporaryMDNode(temporary);
  unsigned kind = LLVMGetMDKindIDInContext(r->context, "llvm.loop", 9);
  for (LLVMBasicBlockRef from = loop->header; from; from = LLVMGetNextBasicBlock(from)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(from);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
      if (LLVMGetSuccessor(last, i) == loop->header) LLVMSetMetadata(last, kind, node);
  }
}

static void add_parameters(mpl_spirv r, size_t *place) {
  struct mpl_spirv_instruction in;
  size_t next = *place;
  for (unsigned i = 0;
       mpl_spirv_next(&r->binary, &next, &in) && in.opcode == SpvOpFunctionParameter; i++) {
    LLVMValueRef value = LLVMGetParam(r->function, i);
    struct mpl_spirv_id *id = mpl_spirv_at(r, mpl_spirv_word(&in, 2));
    LLVMTypeRef type = mpl_spirv_type(r, id->type_id);
    if (LLVMTypeOf(value) != type) value = LLVMBuildLoad2(r->b, type, value, "");
    LLVMSetValueName2(value, id->name, strlen(id->name));
    id->value = value;
    *place = next;
  }
}

static void end_function(mpl_spirv r) {
  LLVMBasicBlockRef second = LLVMGetNextBasicBlock(r->entry);
  LLVMPositionBuilderAtEnd(r->b, r->entry);
  LLVMBuildBr(r->b, second);
  for (LLVMBasicBlockRef at = second; at; at = LLVMGetNextBasicBlock(at))
    if (!LLVMGetBasicBlockTerminator(at)) mpl_spirv_fail("a block does not end in a branch");
  end_phis(r);
  for (unsigned i = 0; i < r->num_loops; i++) hint_loop(r, &r->loops[i]);
  r->num_loops = 0;
  /* Built-in variables are read once for each function. */
  for (uint32_t id = 0; id < r->binary.bound; id++)
    if (r->ids[id].def.words && r->ids[id].def.opcode == SpvOpVariable &&
        mpl_spirv_decoration(r, id, SpvDecorationBuiltIn))
      r->ids[id].value = NULL;
}

void mpl_spirv_read_function(mpl_spirv r, size_t *place, mpl_spirv_in function) {
  struct mpl_spirv_instruction in;
  r->function_id = mpl_spirv_word(function, 2);
  r->function = mpl_spirv_value(r, r->function_id);
  bool imported = is_imported(linkage_of(r, r->function_id));
  if (imported) {
    while (mpl_spirv_next(&r->binary, place, &in) && in.opcode != SpvOpFunctionEnd)
      if (in.opcode != SpvOpFunctionParameter) mpl_spirv_fail("an imported function has a body");
    return;
  }
  r->entry = LLVMAppendBasicBlockInContext(r->context, r->function, "entry");
  LLVMPositionBuilderAtEnd(r->b, r->entry);
  mpl_spirv_begin_function_lines(r);
  add_parameters(r, place);
  add_blocks(r, *place);
  if (!LLVMGetNextBasicBlock(r->entry))
    mpl_spirv_fail("a function that is not imported has no body");
  while (mpl_spirv_next(&r->binary, place, &in) && in.opcode != SpvOpFunctionEnd) {
    mpl_spirv_at_line(r, &in);
    if (!mpl_spirv_flow(r, &in)) mpl_spirv_instruction(r, &in);
  }
  end_function(r);
}

static void build_switch(mpl_spirv r, mpl_spirv_in in) {
  LLVMValueRef on = mpl_spirv_operand(r, in, 1);
  LLVMTypeRef type = LLVMTypeOf(on);
  unsigned words = LLVMGetIntTypeWidth(type) > 32 ? 2 : 1, step = words + 1;
  LLVMValueRef made = LLVMBuildSwitch(r->b, on, block(r, mpl_spirv_word(in, 2)), in->count / step);
  for (unsigned at = 3; at + words < in->count; at += step) {
    uint64_t bits = in->words[at];
    if (words == 2) bits |= (uint64_t)in->words[at + 1] << 32;
    LLVMAddCase(made, LLVMConstInt(type, bits, false), block(r, in->words[at + words]));
  }
}

static void remember_loop(mpl_spirv r, mpl_spirv_in in) {
  r->loops = realloc(r->loops, (r->num_loops + 1) * sizeof *r->loops);
  if (!r->loops) mpl_spirv_fail("out of memory");
  r->loops[r->num_loops++] = (struct mpl_spirv_loop){
      LLVMGetInsertBlock(r->b), mpl_spirv_word(in, 3), in->words + 4, in->count - 4};
}

static void build_phi(mpl_spirv r, mpl_spirv_in in) {
  LLVMValueRef phi = LLVMBuildPhi(r->b, mpl_spirv_type(r, mpl_spirv_word(in, 1)), "");
  waiting = realloc(waiting, (num_waiting + 1) * sizeof *waiting);
  if (!waiting) mpl_spirv_fail("out of memory");
  waiting[num_waiting++] = (struct waiting){*in, phi};
  mpl_spirv_result(r, in, phi);
}

/* Calls of functions of this module, and of imported ones as C does. */
static void build_call(mpl_spirv r, mpl_spirv_in in) {
  uint32_t id = mpl_spirv_word(in, 3);
  LLVMValueRef function = mpl_spirv_value(r, id), value;
  if (!LLVMIsAFunction(function)) mpl_spirv_fail("id %u is not a function", id);
  unsigned count = in->count - 4;
  LLVMValueRef *values = mpl_spirv_allocate(count + 1, sizeof *values);
  for (unsigned i = 0; i < count; i++) values[i] = mpl_spirv_operand(r, in, 4 + i);
  if (is_imported(linkage_of(r, id)))
    value = mpl_spirv_c_call(r, function, mpl_spirv_type(r, mpl_spirv_word(in, 1)), values, count);
  else {
    value = LLVMBuildCall2(r->b, LLVMGlobalGetValueType(function), function, values, count, "");
    LLVMSetInstructionCallConv(value, LLVMGetFunctionCallConv(function));
    for (unsigned i = 0; i < count; i++) {
      unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
      LLVMAttributeRef by_value = LLVMGetEnumAttributeAtIndex(function, i + 1, kind);
      if (by_value) LLVMAddCallSiteAttribute(value, i + 1, by_value);
      if (by_value && LLVMGetTypeKind(LLVMTypeOf(values[i])) != LLVMPointerTypeKind)
        mpl_spirv_fail("a kernel that takes an aggregate by value is called as a function");
    }
  }
  free(values);
  mpl_spirv_result(r, in, value);
}

bool mpl_spirv_flow(mpl_spirv r, mpl_spirv_in in) {
  switch ((SpvOp)in->opcode) {
  case SpvOpLabel:
    LLVMPositionBuilderAtEnd(r->b, block(r, mpl_spirv_word(in, 1)));
    return true;
  case SpvOpPhi:
    build_phi(r, in);
    return true;
  case SpvOpLoopMerge:
    remember_loop(r, in);
    return true;
  case SpvOpSelectionMerge:
    return true;
  case SpvOpBranch:
    LLVMBuildBr(r->b, block(r, mpl_spirv_word(in, 1)));
    return true;
  case SpvOpBranchConditional:
    LLVMBuildCondBr(r->b, mpl_spirv_operand(r, in, 1), block(r, mpl_spirv_word(in, 2)),
                    block(r, mpl_spirv_word(in, 3)));
    return true;
  case SpvOpSwitch:
    build_switch(r, in);
    return true;
  case SpvOpReturn:
    LLVMBuildRetVoid(r->b);
    return true;
  case SpvOpReturnValue:
    LLVMBuildRet(r->b, mpl_spirv_operand(r, in, 1));
    return true;
  case SpvOpUnreachable:
    LLVMBuildUnreachable(r->b);
    return true;
  case SpvOpFunctionCall:
    build_call(r, in);
    return true;
  default:
    return false;
  }
}

/* Under each name of an entry point stands a kernel: the function itself, or one that calls it. */
static void add_kernel(mpl_spirv r, const struct mpl_spirv_entry *entry) {
  LLVMValueRef f = mpl_spirv_value(r, entry->function), kernel = f;
  bool taken = LLVMGetFunctionCallConv(f) == MPL_SPIR_KERNEL;
  if (taken) {
    unsigned count = LLVMCountParams(f);
    LLVMValueRef *values = mpl_spirv_allocate(count + 1, sizeof *values);
    kernel = LLVMAddFunction(r->module, entry->name, LLVMGlobalGetValueType(f));
    mpl_spirv_describe_function(r, kernel);
    LLVMPositionBuilderAtEnd(r->b, LLVMAppendBasicBlockInContext(r->context, kernel, "entry"));
    LLVMGetParams(kernel, values);
    LLVMValueRef call = LLVMBuildCall2(r->b, LLVMGlobalGetValueType(f), f, values, count, "");
    LLVMSetInstructionCallConv(call, MPL_SPIR_KERNEL);
    LLVMBuildRetVoid(r->b);
    free(values);
  }
  LLVMSetFunctionCallConv(kernel, MPL_SPIR_KERNEL);
  LLVMSetLinkage(kernel, LLVMExternalLinkage);
  LLVMSetVisibility(kernel, LLVMHiddenVisibility);
  mpl_spirv_add_attribute(r, kernel, LLVMAttributeFunctionIndex, "norecurse", 0);
  LLVMValueRef other = LLVMGetNamedFunction(r->module, entry->name);
  if (other && other != kernel) LLVMSetValueName2(other, "", 0);
  LLVMSetValueName2(kernel, entry->name, strlen(entry->name));
  for (LLVMUseRef use = LLVMGetFirstUse(kernel); use; use = LLVMGetNextUse(use))
    if (LLVMIsACallInst(LLVMGetUser(use)))
      LLVMSetInstructionCallConv(LLVMGetUser(use), MPL_SPIR_KERNEL);
  mpl_spirv_describe_kernel(r, entry->function, entry->name, kernel);
}

void mpl_spirv_finish_functions(mpl_spirv r) {
  for (uint32_t id = 0; id < r->binary.bound; id++) {
    mpl_spirv_in def = &r->ids[id].def;
    const struct mpl_spirv_decoration *linkage =
        def->words && def->opcode == SpvOpFunction ? linkage_of(r, id) : NULL;
    if (!linkage || is_imported(linkage)) continue;
    bool once = linkage->words[linkage->count - 1] == SpvLinkageTypeLinkOnceODR;
    LLVMValueRef named = LLVMGetNamedFunction(r->module, (const char *)linkage->words);
    if (named) LLVMSetValueName2(named, "", 0);
    mpl_spirv_c_export(r, (const char *)linkage->words, r->ids[id].value,
                       once ? LLVMLinkOnceODRLinkage : LLVMExternalLinkage);
    LLVMValueRef outer = LLVMGetNamedFunction(r->module, (const char *)linkage->words);
    mpl_spirv_describe_function(r, outer);
    LLVMSetVisibility(outer, LLVMHiddenVisibility);
  }
  for (unsigned i = 0; i < r->num_entries; i++) add_kernel(r, &r->entries[i]);
}
