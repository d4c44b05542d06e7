/* Data in shared memory may be aligned to its elements only: clang takes a float4 for aligned to 16
 * bytes, but programs keep them at any multiple of 4, since other drivers let them (and a buffer
 * may use the host's memory).  Moves that need more alignment would fault; those that do not cost
 * the same.  Private memory is where we have put it. */
#include "compiler/passes.h"
#include "source.h"

static bool is_shared(LLVMValueRef pointer) {
  LLVMTypeRef type = LLVMTypeOf(pointer);
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) != 0;
}

/* Bytes of the smallest thing in the type. */
static unsigned element_size(struct mpl_module_ir *ir, LLVMTypeRef type) {
  unsigned least = 16;
  switch (LLVMGetTypeKind(type)) {
  case LLVMVectorTypeKind:
  case LLVMArrayTypeKind:
    return element_size(ir, LLVMGetElementType(type));
  case LLVMStructTypeKind:
    for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++) {
      unsigned size = element_size(ir, LLVMStructGetTypeAtIndex(type, k));
      if (size < least) least = size;
    }
    return least;
  default:
    return (unsigned)LLVMABISizeOfType(ir->layout, type);
  }
}

static bool lower_access(struct mpl_module_ir *ir, LLVMValueRef i) {
  if (!is_shared(mpl_accessed_place(i))) return false;
  if (LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) return false;
  unsigned size = element_size(ir, mpl_accessed_type(i));
  if (!size || (size & (size - 1)) || LLVMGetAlignment(i) <= size) return false;
  LLVMSetAlignment(i, size);
  return true;
}

/* What is said of pointers that are handed over; of a copy's too. */
static bool lower_call(LLVMValueRef call) {
  unsigned kind = mpl_enum_attribute("align");
  bool changed = false;
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    if (!is_shared(LLVMGetOperand(call, k)) || !LLVMGetCallSiteEnumAttribute(call, k + 1, kind))
      continue;
    LLVMRemoveCallSiteEnumAttribute(call, k + 1, kind);
    changed = true;
  }
  return changed;
}

static bool lower_parameters(LLVMValueRef function) {
  unsigned kind = mpl_enum_attribute("align");
  bool changed = false;
  for (unsigned k = 0; k < LLVMCountParams(function); k++) {
    if (!is_shared(LLVMGetParam(function, k)) ||
        !LLVMGetEnumAttributeAtIndex(function, k + 1, kind))
      continue;
    LLVMRemoveEnumAttributeAtIndex(function, k + 1, kind);
    changed = true;
  }
  return changed;
}

bool mpl_lower_alignment(struct mpl_module_ir *ir) {
  bool changed = false;
  MPL_EACH_FUNCTION(f, ir->module) {
    changed |= lower_parameters(f);
    MPL_EACH_INSTRUCTION_OF(i, f) {
      if (mpl_accessed_place(i))
        changed |= lower_access(ir, i);
      else if (LLVMIsACallInst(i))
        changed |= lower_call(i);
    }
  }
  return changed;
}
