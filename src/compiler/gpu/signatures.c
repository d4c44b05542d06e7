/* What LLVM 19's back end for NVPTX cannot pass to a function or return: of vectors of two bytes
 * with another part right behind them, in a struct or array, it makes one register of the wrong
 * width and gives up. */
#include "compiler/analysis/ir.h"
#include "compiler/passes.h"

/* Counts the type's parts up to two, and finds such a vector among them. */
struct parts {
  unsigned count;
  bool short_pair;
};

static bool is_pair_of_bytes(LLVMTypeRef type) {
  LLVMTypeRef element = LLVMGetElementType(type);
  return LLVMGetVectorSize(type) == 2 && mpl_integer_bits(element) == 8;
}

static struct parts parts_of(LLVMTypeRef type) {
  struct parts all = {0};
  switch (LLVMGetTypeKind(type)) {
  case LLVMVectorTypeKind:
    return (struct parts){1, is_pair_of_bytes(type)};
  case LLVMArrayTypeKind:
    all = parts_of(LLVMGetElementType(type));
    if (LLVMGetArrayLength2(type) > 1 && all.count) all.count = 2;
    return all;
  case LLVMStructTypeKind:
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
      struct parts one = parts_of(LLVMStructGetTypeAtIndex(type, i));
      all.count = all.count + one.count > 1 ? 2 : all.count + one.count;
      all.short_pair |= one.short_pair;
    }
    return all;
  default:
    return (struct parts){1, false};
  }
}

static bool is_lost(LLVMTypeRef type) {
  struct parts parts = parts_of(type);
  return parts.count > 1 && parts.short_pair;
}

bool mpl_gpu_must_inline(LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  unsigned count = LLVMCountParams(function);
  if (is_lost(LLVMGetReturnType(type))) return true;
  for (unsigned i = 0; i < count; i++) {
    LLVMAttributeRef by_value =
        LLVMGetEnumAttributeAtIndex(function, i + 1, mpl_enum_attribute("byval"));
    LLVMTypeRef passed =
        by_value ? LLVMGetTypeAttributeValue(by_value) : LLVMTypeOf(LLVMGetParam(function, i));
    if (is_lost(passed)) return true;
  }
  return false;
}
