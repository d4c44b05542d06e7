/* For sycl_ext_oneapi_device_global: a module that uses such variables tells which of its variables
 * kernels reach, when it is loaded (mpl_tell_kernel_variables).  Functions that kernels of other
 * files call, which SYCL_EXTERNAL marks, count as kernels. */
#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/analysis/ir.h"
#include "compiler/analysis/shim.h"
#include "extract.h"
#include "record.h"

static const char external[] = "maniple.external"; /* include/sycl/khr/version.hpp */

struct variables {
  LLVMValueRef *list;
  size_t count;
};

/* The records, and for each function with the mark one that has nothing but that. */
static struct mpl_records find_roots(LLVMModuleRef module, const struct mpl_records *records) {
  unsigned count;
  LLVMValueRef annotations = mpl_annotations(module, &count);
  struct mpl_records roots = {mpl_allocate(records->count + count, sizeof *roots.list),
                              records->count};
  if (roots.count) memcpy(roots.list, records->list, roots.count * sizeof *roots.list);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef entry = LLVMGetAggregateElement(annotations, i), of = mpl_annotated(entry);
    if (mpl_annotation_is(entry, external) && LLVMIsAFunction(of) && !LLVMIsDeclaration(of))
      roots.list[roots.count++] = (struct mpl_record){.item = of};
  }
  return roots;
}

static struct variables find_variables(LLVMModuleRef module, const struct mpl_records *roots) {
  struct variables found = {0};
  struct mpl_extract part;
  mpl_extract_find(&part, module, roots, false);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    if (!mpl_map_has(&part.visited, g) || LLVMIsGlobalConstant(g) || LLVMIsThreadLocal(g)) continue;
    MPL_APPEND(found.list, found.count) = g;
  }
  mpl_extract_free(&part);
  return found;
}

static LLVMValueRef add_variable(LLVMModuleRef module, LLVMValueRef value, bool is_constant) {
  return mpl_add_global(module, value, "mpl_kernel_variables", LLVMInternalLinkage, is_constant);
}

/* struct mpl_kernel_variables */
static LLVMValueRef add_list(LLVMModuleRef module, const struct variables *variables) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef size = LLVMIntPtrTypeInContext(context, LLVMGetModuleDataLayout(module));
  LLVMValueRef array = LLVMConstArray2(pointer, variables->list, variables->count);
  LLVMValueRef parts[] = {LLVMConstNull(pointer), LLVMConstInt(size, variables->count, false),
                          add_variable(module, array, true)};
  return add_variable(module, LLVMConstStructInContext(context, parts, 3, false), false);
}

/* void f(void) { NAME(list); } */
static LLVMValueRef add_caller(LLVMModuleRef module, const char *name, LLVMValueRef list) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef nothing = LLVMVoidTypeInContext(context);
  MPL_BUILDER(b, context);
  LLVMValueRef made = mpl_begin_function(module, b, "mpl_kernel_variables", nothing, NULL, 0);
  LLVMSetLinkage(made, LLVMInternalLinkage);
  mpl_call_named(module, b, name, nothing, &list, 1);
  LLVMBuildRetVoid(b);
  return made;
}

void mpl_records_tell_variables(LLVMModuleRef module, const struct mpl_records *records) {
  if (!LLVMGetNamedFunction(module, "mpl_instance")) return;
  struct mpl_records roots = find_roots(module, records);
  struct variables variables = find_variables(module, &roots);
  free(roots.list);
  if (variables.count) {
    LLVMValueRef list = add_list(module, &variables);
    LLVMValueRef begin = add_caller(module, "mpl_tell_kernel_variables", list);
    LLVMValueRef end = add_caller(module, "mpl_forget_kernel_variables", list);
    mpl_ir_at_load(module, begin, end);
  }
  free(variables.list);
}
