/* How C passes vectors, as clang does it for OpenCL C: small ones as a number of their size, large
 * ones in memory (System V ABI for x86-64, 3.2.3; AAPCS64, 6.4); for GPUs all as they are.  All
 * else goes as it is. */
#include <stdlib.h>
#include <string.h>

#include "builtins/archive.h"
#include "call.h"

/* The type in whose place a vector is passed; null: in memory. */
static LLVMTypeRef passed_as(mpl_spirv r, LLVMTypeRef type) {
  unsigned lanes = mpl_spirv_lanes(type);
  if (lanes == 1 || r->vector_abi == MPL_ARCHIVE_NVPTX) return type;
  uint64_t bits = 8 * LLVMABISizeOfType(r->layout, type);
#if defined(__x86_64__)
  if (bits <= 16) return r->i16;
  if (bits <= 32) return r->i32;
  if (bits <= 64) return r->f64;
  uint64_t most = r->vector_abi == MPL_ARCHIVE_512   ? 512
                  : r->vector_abi == MPL_ARCHIVE_256 ? 256
                                                     : 128;
  return bits <= most ? type : NULL;
#else
  if (bits <= 32) return r->i32;
  if (bits > 128) return NULL;
  return lanes == 3 ? LLVMVectorType(r->i32, (unsigned)bits / 32) : type;
#endif
}

/* The same of a result.  On x86-64 clang leaves large ones to LLVM, whose own way is through memory. */
static LLVMTypeRef returned_as(mpl_spirv r, LLVMTypeRef type) {
  LLVMTypeRef passed = passed_as(r, type);
#if defined(__x86_64__)
  if (!passed) return type;
#endif
  return passed;
}

LLVMValueRef mpl_spirv_scratch(mpl_spirv r, LLVMTypeRef type) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(r->b);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here));
  LLVMValueRef first = LLVMGetFirstInstruction(entry);
  if (first)
    LLVMPositionBuilderBefore(r->b, first);
  else
    LLVMPositionBuilderAtEnd(r->b, entry);
  LLVMValueRef place = LLVMBuildAlloca(r->b, type, "");
  LLVMPositionBuilderAtEnd(r->b, here);
  return place;
}

/* Through memory, where three components have room for four. */
static LLVMValueRef reinterpret(mpl_spirv r, LLVMValueRef value, LLVMTypeRef to) {
  LLVMTypeRef from = LLVMTypeOf(value);
  if (from == to) return value;
  unsigned lanes = mpl_spirv_lanes(from);
  if (lanes == 3) {
    LLVMValueRef four[4];
    for (unsigned i = 0; i < 3; i++) four[i] = LLVMConstInt(r->i32, i, false);
    four[3] = LLVMGetPoison(r->i32);
    value = LLVMBuildShuffleVector(r->b, value, LLVMGetPoison(from), LLVMConstVector(four, 4), "");
    return LLVMBuildBitCast(r->b, value, to, "");
  }
  if (mpl_spirv_lanes(to) != 3) return LLVMBuildBitCast(r->b, value, to, "");
  value = LLVMBuildBitCast(r->b, value, LLVMVectorType(LLVMGetElementType(to), 4), "");
  LLVMValueRef three[3];
  for (unsigned i = 0; i < 3; i++) three[i] = LLVMConstInt(r->i32, i, false);
  return LLVMBuildShuffleVector(r->b, value, LLVMGetPoison(LLVMTypeOf(value)),
                                LLVMConstVector(three, 3), "");
}

static void add_type_attribute(mpl_spirv r, LLVMValueRef function, unsigned index, const char *name,
                               LLVMTypeRef type) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAttributeRef attribute = LLVMCreateTypeAttribute(r->context, kind, type);
  if (LLVMIsAFunction(function))
    LLVMAddAttributeAtIndex(function, index, attribute);
  else
    LLVMAddCallSiteAttribute(function, index, attribute);
}

/* On a function and on its calls. */
static void add_attributes(mpl_spirv r, LLVMValueRef function, LLVMTypeRef result,
                           const LLVMTypeRef *types, unsigned count) {
  bool returns_in_memory = !returned_as(r, result);
  if (returns_in_memory) add_type_attribute(r, function, 1, "sret", result);
#if defined(__x86_64__)
  for (unsigned i = 0; i < count; i++)
    if (!passed_as(r, types[i]))
      add_type_attribute(r, function, i + 1 + returns_in_memory, "byval", types[i]);
#endif
  if (!LLVMIsAFunction(function)) return;
  for (unsigned i = 0; i < count; i++)
    if (!passed_as(r, types[i]))
      mpl_spirv_add_attribute(r, function, i + 1 + returns_in_memory, "align",
                              LLVMABIAlignmentOfType(r->layout, types[i]));
  if (returns_in_memory)
    mpl_spirv_add_attribute(r, function, 1, "align", LLVMABIAlignmentOfType(r->layout, result));
}

static LLVMTypeRef c_type(mpl_spirv r, LLVMTypeRef result, const LLVMTypeRef *types,
                          unsigned count) {
  LLVMTypeRef *passed = mpl_spirv_allocate(count + 1, sizeof *passed), value = returned_as(r, result);
  LLVMTypeRef in_memory = mpl_spirv_pointer(r, SPACE_PRIVATE);
  unsigned n = 0;
  if (!value) passed[n++] = in_memory;
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef type = passed_as(r, types[i]);
    passed[n++] = type ? type : in_memory;
  }
  LLVMTypeRef type = LLVMFunctionType(value ? value : r->void_type, passed, n, false);
  free(passed);
  return type;
}

LLVMValueRef mpl_spirv_c_function(mpl_spirv r, const char *name, LLVMTypeRef result,
                                  const LLVMTypeRef *types, unsigned count) {
  LLVMValueRef function = LLVMGetNamedFunction(r->module, name);
  LLVMTypeRef type = c_type(r, result, types, count);
  if (function && LLVMGlobalGetValueType(function) != type)
    mpl_spirv_fail("the function '%s' is used with two different types", name);
  if (function) return function;
  function = LLVMAddFunction(r->module, name, type);
  add_attributes(r, function, result, types, count);
  return function;
}

LLVMValueRef mpl_spirv_c_call(mpl_spirv r, LLVMValueRef function, LLVMTypeRef result,
                              LLVMValueRef *values, unsigned count) {
  LLVMTypeRef *types = mpl_spirv_allocate(count + 1, sizeof *types),
              value_type = returned_as(r, result);
  LLVMValueRef *passed = mpl_spirv_allocate(count + 1, sizeof *passed), place = NULL;
  unsigned n = 0;
  if (!value_type) passed[n++] = place = mpl_spirv_scratch(r, result);
  for (unsigned i = 0; i < count; i++) {
    types[i] = LLVMTypeOf(values[i]);
    LLVMTypeRef type = passed_as(r, types[i]);
    if (!type) {
      passed[n] = mpl_spirv_scratch(r, types[i]);
      LLVMBuildStore(r->b, values[i], passed[n++]);
    } else
      passed[n++] = type == types[i] ? values[i] : reinterpret(r, values[i], type);
  }
  LLVMValueRef call =
      LLVMBuildCall2(r->b, LLVMGlobalGetValueType(function), function, passed, n, "");
  add_attributes(r, call, result, types, count);
  free(types);
  free(passed);
  if (place) return LLVMBuildLoad2(r->b, result, place, "");
  return result == r->void_type ? call : reinterpret(r, call, result);
}

void mpl_spirv_c_export(mpl_spirv r, const char *name, LLVMValueRef function, LLVMLinkage linkage) {
  unsigned count = LLVMCountParams(function);
  LLVMTypeRef type = LLVMGlobalGetValueType(function), result = LLVMGetReturnType(type);
  LLVMTypeRef *types = mpl_spirv_allocate(count + 1, sizeof *types);
  LLVMValueRef *values = mpl_spirv_allocate(count + 1, sizeof *values);
  LLVMGetParamTypes(type, types);
  LLVMValueRef outer = mpl_spirv_c_function(r, name, result, types, count);
  LLVMSetLinkage(outer, linkage);
  LLVMPositionBuilderAtEnd(r->b, LLVMAppendBasicBlockInContext(r->context, outer, "entry"));
  bool in_memory = !returned_as(r, result);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef passed = LLVMGetParam(outer, i + in_memory);
    values[i] = passed_as(r, types[i]) ? reinterpret(r, passed, types[i])
                                       : LLVMBuildLoad2(r->b, types[i], passed, "");
  }
  LLVMValueRef value = LLVMBuildCall2(r->b, type, function, values, count, "");
  if (in_memory) LLVMBuildStore(r->b, value, LLVMGetParam(outer, 0));
  if (in_memory || result == r->void_type)
    LLVMBuildRetVoid(r->b);
  else
    LLVMBuildRet(r->b, reinterpret(r, value, returned_as(r, result)));
  free(types);
  free(values);
}
