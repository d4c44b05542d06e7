#include "ir.h"

#include <llvm-c/Support.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"

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

void mpl_ir_free_kernel(struct mpl_ir_kernel *kernel) {
  free(kernel->args);
  free(kernel->pieces);
  free(kernel->roots);
  free(kernel->name);
  free(kernel->attributes);
}

void mpl_ir_end(struct mpl_module_ir *ir) {
  MPL_EACH_KERNEL(kernel, ir) mpl_ir_free_kernel(kernel);
  free(ir->kernels);
}

LLVMValueRef mpl_copy_group(const struct mpl_ir_kernel *kernel, const char *prefix) {
  char name[256];
  int length = snprintf(name, sizeof name, "%s%s", prefix, kernel->name);
  LLVMValueRef copy = mpl_ir_clone(kernel->group);
  LLVMSetValueName2(copy, name, length < (int)sizeof name ? (size_t)length : sizeof name - 1);
  return copy;
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

unsigned mpl_split_functions(const struct mpl_ir_kernel *kernel, LLVMValueRef functions[MPL_MOST_SPLIT]) {
  const LLVMValueRef all[MPL_MOST_SPLIT] = {kernel->group, kernel->along_x, kernel->few, kernel->unit};
  unsigned count = 0;
  for (unsigned k = 0; k < MPL_MOST_SPLIT; k++)
    if (all[k]) functions[count++] = all[k];
  return count;
}
