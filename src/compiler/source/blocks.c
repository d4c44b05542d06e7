/* Blocks (OpenCL C 3.0, 6.15.17).  clang makes of a block a function that works on a literal, in
 * which the function's address stands too, and, if it is enqueued, a kernel that calls the
 * function.  The kernel's address is what enqueue_kernel gets.
 *
 * Both functions are inlined where they are called, so nothing is left to have an address: the host
 * is given the kernel's entry in the table instead (table.c), and the literals, of which nobody
 * asks for the function, hold null. */
#include <stdio.h>
#include <string.h>

#include "compiler/passes.h"
#include "source.h"

static LLVMValueRef next_address(LLVMValueRef function) {
  MPL_EACH_USER(user, function)
  if (mpl_callee_of(user) != function) return user;
  return NULL;
}

/* Puts `value`, a pointer of the function's own kind, or null if that is null, where its address
 * stands; false for a use that clang does not make. */
static bool replace_address(LLVMValueRef function, LLVMValueRef value) {
  for (LLVMValueRef user; (user = next_address(function));) {
    if (!LLVMIsAConstantExpr(user) || LLVMGetConstOpcode(user) != LLVMAddrSpaceCast) return false;
    LLVMTypeRef type = LLVMTypeOf(user);
    LLVMReplaceAllUsesWith(user, value ? LLVMConstAddrSpaceCast(value, type) : LLVMConstNull(type));
    mpl_ir_drop_dead_constants(function);
  }
  return true;
}

LLVMValueRef mpl_block_place(struct mpl_module_ir *ir, const char *kernel) {
  char name[512];
  snprintf(name, sizeof name, "mpl.block.%s", kernel);
  return LLVMGetNamedGlobal(ir->module, name);
}

static void name_kernel(struct mpl_module_ir *ir, LLVMValueRef kernel) {
  char name[512];
  if (!next_address(kernel)) return;
  snprintf(name, sizeof name, "mpl.block.%s", LLVMGetValueName(kernel));
  LLVMValueRef place = LLVMAddGlobal(ir->module, ir->i8, name);
  if (!replace_address(kernel, place))
    mpl_report(ir, kernel, "the address of the kernel '%s' is taken", LLVMGetValueName(kernel));
}

void mpl_find_blocks(struct mpl_module_ir *ir) {
  MPL_EACH_FUNCTION(f, ir->module) {
    if (LLVMIsDeclaration(f)) continue;
    if (LLVMGetFunctionCallConv(f) == MPL_SPIR_KERNEL)
      name_kernel(ir, f);
    else if (strstr(LLVMGetValueName(f), "_block_invoke"))
      replace_address(f, NULL);
  }
}
