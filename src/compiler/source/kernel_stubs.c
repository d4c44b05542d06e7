/* Since version 21 clang makes two functions of a kernel: NAME, which the host starts, and
 * __clang_ocl_kern_imp_NAME with the body, which NAME and other kernels call.  They become one here, as they
 * were before: the body would have another function's name in debuggers and profiles, and a debugger
 * would look there for local variables that belong to the kernel (local.c).  A kernel that others call stays
 * two: LLVM permits no calls of such functions since then. */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "abi/spir.h"
#include "compiler/passes.h"
#include "source.h"

static const char prefix[] = "__clang_ocl_kern_imp_";

enum { DBG_LINKAGE_NAME = 3 }; /* of DISubprogram's operands */

/* What a kernel is told of by metadata, such as its sub-group size. */
static void take_metadata(LLVMValueRef to, LLVMValueRef from) {
  size_t count;
  unsigned dbg = LLVMGetMDKindID("dbg", strlen("dbg"));
  LLVMValueMetadataEntry *list = LLVMGlobalCopyAllMetadata(from, &count);
  for (unsigned k = 0; k < count; k++) {
    unsigned kind = LLVMValueMetadataEntriesGetKind(list, k);
    if (kind != dbg) LLVMGlobalSetMetadata(to, kind, LLVMValueMetadataEntriesGetMetadata(list, k));
  }
  LLVMDisposeValueMetadataEntries(list);
}

static void name_for_debuggers(struct mpl_module_ir *ir, LLVMValueRef function) {
  LLVMMetadataRef program = LLVMGetSubprogram(function);
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  if (program)
    LLVMReplaceMDNodeOperandWith(LLVMMetadataAsValue(ir->context, program), DBG_LINKAGE_NAME,
                                 LLVMMDStringInContext2(ir->context, name, length));
}

static void unite(struct mpl_module_ir *ir, LLVMValueRef kernel, LLVMValueRef body) {
  LLVMSetLinkage(body, LLVMGetLinkage(kernel));
  LLVMReplaceAllUsesWith(kernel, body);
  mpl_ir_take_place(body, kernel);
  take_metadata(body, kernel);
  LLVMDeleteFunction(kernel);
  name_for_debuggers(ir, body);
}

/* Is the only call of it the kernel's? */
static bool is_called_by_kernel_alone(LLVMValueRef body, LLVMValueRef kernel) {
  LLVMValueRef user = mpl_only_user(body);
  return user && LLVMIsACallInst(user) && mpl_function_of(user) == kernel;
}

/* Since version 21 clang's kernels for NVIDIA, and their bodies, have the convention of PTX, not those of all other
 * targets. */
bool mpl_use_one_convention(LLVMValueRef function) {
  if (LLVMGetFunctionCallConv(function) != MPL_PTX_KERNEL) return false;
  unsigned convention = mpl_begins(LLVMGetValueName(function), prefix) ? LLVMCCallConv : MPL_SPIR_KERNEL;
  LLVMSetFunctionCallConv(function, convention);
  MPL_EACH_USER(user, function)
  if (LLVMIsACallInst(user)) LLVMSetInstructionCallConv(user, convention);
  return true;
}

bool mpl_unite_kernels(struct mpl_module_ir *ir) {
  bool changed = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(ir->module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    const char *name = LLVMGetValueName(f);
    if (LLVMIsDeclaration(f) || strncmp(name, prefix, strlen(prefix)) != 0) continue;
    LLVMValueRef kernel = LLVMGetNamedFunction(ir->module, name + strlen(prefix));
    if (!kernel || LLVMIsDeclaration(kernel) || LLVMGetFunctionCallConv(kernel) != MPL_SPIR_KERNEL ||
        LLVMGlobalGetValueType(kernel) != LLVMGlobalGetValueType(f) || !is_called_by_kernel_alone(f, kernel))
      continue;
    if (next == kernel) next = LLVMGetNextFunction(kernel);
    unite(ir, kernel, f);
    changed = true;
  }
  return changed;
}
