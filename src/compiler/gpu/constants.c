/* Constants in memory.  LLVM 19 writes those of NVPTX element after element, and leaves out what is
 * behind a vector of three up to the next element of its array or struct.  So the value of a
 * variable with such vectors in it becomes a packed struct of what it consists of and of explicit
 * zeros. */
#include <stdlib.h>
#include <string.h>

#include "compiler/analysis/ir.h"
#include "compiler/analysis/map.h"
#include "compiler/plugin.h"

struct parts {
  LLVMContextRef context;
  LLVMTargetDataRef layout;
  LLVMValueRef *list;
  size_t count;
  uint64_t end;
};

/* Has it places that no element has?  Elements of less than a byte lie in another way. */
static bool is_short_vector(LLVMTargetDataRef layout, LLVMTypeRef type) {
  if (!mpl_is_vector_type(type)) return false;
  LLVMTypeRef element = LLVMGetElementType(type);
  uint64_t size = LLVMABISizeOfType(layout, element);
  return LLVMSizeOfTypeInBits(layout, element) == 8 * size &&
         LLVMABISizeOfType(layout, type) != size * LLVMGetVectorSize(type);
}

static bool has_short_vector(LLVMTargetDataRef layout, LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMVectorTypeKind:
    return is_short_vector(layout, type);
  case LLVMArrayTypeKind:
    return has_short_vector(layout, LLVMGetElementType(type));
  case LLVMStructTypeKind:
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
      if (has_short_vector(layout, LLVMStructGetTypeAtIndex(type, i))) return true;
    return false;
  default:
    return false;
  }
}

static void append(struct parts *parts, LLVMValueRef value) {
  MPL_APPEND(parts->list, parts->count) = value;
}

static void fill_up(struct parts *parts, uint64_t to) {
  if (to == parts->end) return;
  append(parts,
         LLVMConstNull(LLVMArrayType2(LLVMInt8TypeInContext(parts->context), to - parts->end)));
  parts->end = to;
}

static void lay_out(struct parts *parts, LLVMValueRef value, uint64_t at) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (!has_short_vector(parts->layout, type)) {
    fill_up(parts, at);
    append(parts, value);
    parts->end = at + LLVMABISizeOfType(parts->layout, type);
    return;
  }
  uint64_t count = kind == LLVMStructTypeKind  ? LLVMCountStructElementTypes(type)
                   : kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(type)
                                               : LLVMGetVectorSize(type);
  for (unsigned i = 0; i < count; i++) {
    uint64_t offset = kind == LLVMStructTypeKind
                          ? LLVMOffsetOfElement(parts->layout, type, i)
                          : i * LLVMABISizeOfType(parts->layout, LLVMGetElementType(type));
    lay_out(parts, LLVMGetAggregateElement(value, i), at + offset);
  }
}

static void replace(LLVMModuleRef module, LLVMTargetDataRef layout, LLVMValueRef old) {
  LLVMTypeRef type = LLVMGlobalGetValueType(old);
  struct parts parts = {.context = LLVMGetModuleContext(module), .layout = layout};
  lay_out(&parts, LLVMGetInitializer(old), 0);
  fill_up(&parts, LLVMABISizeOfType(layout, type));
  LLVMValueRef value =
      LLVMConstStructInContext(parts.context, parts.list, (unsigned)parts.count, true);
  LLVMValueRef now = LLVMAddGlobalInAddressSpace(module, LLVMTypeOf(value), "", mpl_space_of(old));
  unsigned align = LLVMGetAlignment(old);
  size_t length;
  const char *name = LLVMGetValueName2(old, &length);
  char *kept = strndup(name, length);
  LLVMSetInitializer(now, value);
  LLVMSetAlignment(now, align ? align : LLVMABIAlignmentOfType(layout, type));
  LLVMSetLinkage(now, LLVMGetLinkage(old));
  LLVMSetVisibility(now, LLVMGetVisibility(old));
  LLVMSetGlobalConstant(now, LLVMIsGlobalConstant(old));
  LLVMReplaceAllUsesWith(old, now);
  LLVMDeleteGlobal(old);
  LLVMSetValueName2(now, kept, length);
  free(kept);
  free(parts.list);
}

void mpl_gpu_pad_constants(LLVMModuleRef module) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  LLVMValueRef next;
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = next) {
    next = LLVMGetNextGlobal(g);
    LLVMValueRef value = LLVMGetInitializer(g);
    if (value && !LLVMIsNull(value) && !LLVMIsUndef(value) &&
        has_short_vector(layout, LLVMGlobalGetValueType(g)))
      replace(module, layout, g);
  }
}
