#include "gpu_part.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/gpu.h"
#include "compiler/analysis/ir.h"
#include "compiler/source/source.h"
#include "extract.h"
#include "maniple/kernel.h"

enum { ARGS_ALIGN = 16 }; /* of MPL_GPU_ARGS */

static const char features[] = "+" MPL_NVPTX_PTX ",+" MPL_NVPTX_CHIP;
static const char layout[] =
    "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"; /* LLVM's for the triple */

/* --- Functions of the host's processor become the GPU's --- */

static void drop_texts(LLVMValueRef function) {
  unsigned count = LLVMGetAttributeCountAtIndex(function, LLVMAttributeFunctionIndex), length;
  MPL_ARRAY(LLVMAttributeRef, list, count);
  LLVMGetAttributesAtIndex(function, LLVMAttributeFunctionIndex, list);
  for (unsigned i = 0; i < count; i++) {
    if (!LLVMIsStringAttribute(list[i])) continue;
    const char *kind = LLVMGetStringAttributeKind(list[i], &length);
    LLVMRemoveStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind, length);
  }
}

static void move_function(LLVMValueRef function) {
  static const char *const dropped[] = {"ssp",   "sspstrong", "sspreq",      "uwtable",
                                        "naked", "safestack", "nonlazybind", "strictfp"};
  drop_texts(function);
  for (unsigned i = 0; i < sizeof dropped / sizeof *dropped; i++)
    mpl_drop_attribute(function, dropped[i]);
  if (LLVMIsDeclaration(function)) return;
  mpl_set_attribute_value(function, "target-cpu", MPL_NVPTX_CHIP);
  mpl_set_attribute_value(function, "target-features", features);
}

/* What only keeps the host's compiler from moving accesses does so here. */
static void move_assembly(LLVMValueRef call) {
  static const char memory[] = "~{memory}";
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length;
  if (LLVMGetNumArgOperands(call) || !LLVMIsAInlineAsm(callee)) return;
  LLVMGetInlineAsmAsmString(callee, &length);
  LLVMTypeRef type = LLVMGetCalledFunctionType(call);
  if (length || LLVMGetTypeKind(LLVMGetReturnType(type)) != LLVMVoidTypeKind) return;
  LLVMValueRef made = LLVMGetInlineAsm(type, "", 0, memory, sizeof memory - 1, true, false,
                                       LLVMInlineAsmDialectATT, false);
  LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, made);
}

static void move_module(LLVMModuleRef module) {
  LLVMStripModuleDebugInfo(module);
  LLVMSetTarget(module, MPL_NVPTX_TRIPLE);
  LLVMSetDataLayout(module, layout);
  MPL_EACH_FUNCTION(f, module) {
    move_function(f);
    mpl_gpu_end_by_fault(f);
    MPL_EACH_INSTRUCTION_OF(i, f) {
      if (LLVMIsACallInst(i)) move_assembly(i);
    }
  }
}

/* --- Kernels --- */

static LLVMValueRef number(LLVMContextRef context, unsigned value) {
  return LLVMConstInt(LLVMInt32TypeInContext(context), value, false);
}

static LLVMMetadataRef numbers(LLVMContextRef context, const uint32_t *values, unsigned count) {
  LLVMMetadataRef list[3];
  for (unsigned i = 0; i < count; i++) list[i] = LLVMValueAsMetadata(number(context, values[i]));
  return LLVMMDNodeInContext2(context, list, count);
}

/* What an OpenCL kernel says of its sizes. */
static void require(LLVMContextRef context, LLVMValueRef kernel, const struct mpl_record *record) {
  static const char size[] = "reqd_work_group_size", lanes[] = "intel_reqd_sub_group_size";
  unsigned kind = LLVMGetMDKindIDInContext(context, size, sizeof size - 1);
  if (record->reqd_local[0] && !(record->flags & MPL_RECORD_NO_GROUPS))
    LLVMGlobalSetMetadata(kernel, kind, numbers(context, record->reqd_local, 3));
  kind = LLVMGetMDKindIDInContext(context, lanes, sizeof lanes - 1);
  if (record->reqd_sub_group)
    LLVMGlobalSetMetadata(kernel, kind, numbers(context, &record->reqd_sub_group, 1));
  if (record->flags & MPL_RECORD_EVEN)
    mpl_set_attribute_value(kernel, "uniform-work-group-size", "true");
}

/* kernel_N(the argument block, by value) { item(its address); } */
static void add_kernel(LLVMModuleRef module, const struct mpl_record *record, unsigned index) {
  char name[32];
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef ptr = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef block = LLVMArrayType2(LLVMInt8TypeInContext(context), record->args_size);
  LLVMValueRef item = LLVMGetNamedFunction(module, LLVMGetValueName(record->item));
  snprintf(name, sizeof name, MPL_GPU_KERNEL, index);
  MPL_BUILDER(b, context);
  LLVMValueRef kernel = mpl_begin_function(module, b, name, LLVMVoidTypeInContext(context), &ptr, 1);
  LLVMSetFunctionCallConv(kernel, MPL_SPIR_KERNEL);
  move_function(kernel);
  require(context, kernel, record);
  mpl_add_attribute(kernel, "nounwind");
  mpl_pass_by_value(kernel, 1, block, ARGS_ALIGN);
  LLVMValueRef args = LLVMGetParam(kernel, 0);
  LLVMBuildCall2(b, LLVMGlobalGetValueType(item), item, &args, 1, "");
  LLVMBuildRetVoid(b);
  mpl_set_attribute_value(kernel, "target-cpu", MPL_NVPTX_CHIP);
  mpl_set_attribute_value(kernel, "target-features", features);
}

/* It is a module of OpenCL's to the passes, with one difference. */
static void name_language(LLVMModuleRef module) {
  static const char version[] = "opencl.ocl.version";
  static const uint32_t three[] = {3, 0};
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMValueRef node = LLVMMetadataAsValue(context, numbers(context, three, 2));
  LLVMAddNamedMetadataOperand(module, version, node);
  LLVMAddNamedMetadataOperand(module, MPL_GPU_PART, node);
}

LLVMMemoryBufferRef mpl_gpu_part(LLVMModuleRef host, const struct mpl_records *records) {
  struct mpl_extract part;
  mpl_extract_find(&part, host, records, true);
  LLVMModuleRef module = mpl_extract_copy(&part, true);
  move_module(module);
  for (unsigned i = 0; i < records->count; i++) add_kernel(module, &records->list[i], i);
  name_language(module);
  mpl_extract_free(&part);
  LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
  LLVMDisposeModule(module);
  return bitcode;
}
