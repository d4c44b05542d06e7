/* Local variables: the front end makes them globals in address space 3; each kernel that uses one
 * gets a place for it in the group's local memory. */
#include <stdlib.h>
#include <string.h>

#include "passes.h"

enum { LOCAL_SPACE = 3 };

/* OpenCL C++'s local variables of program scope: clang takes none, so the translation of the source
 * (clang_cxx.c) declares them in global memory, in this section. */
static const char program_section[] = "maniple.local";

static LLVMValueRef local_base(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef group) {
  LLVMValueRef field = LLVMBuildStructGEP2(b, ir->group_type, LLVMGetParam(group, 1), 2, "");
  return LLVMBuildLoad2(b, ir->ptr, field, "local_base");
}

static uint64_t allocate(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel,
                         LLVMValueRef variable) {
  LLVMTypeRef type = LLVMGlobalGetValueType(variable);
  uint64_t align = LLVMGetAlignment(variable), natural = LLVMABIAlignmentOfType(ir->layout, type);
  if (align < natural) align = natural;
  uint64_t offset = (kernel->local_size + align - 1) / align * align;
  kernel->local_size = offset + LLVMABISizeOfType(ir->layout, type);
  return offset;
}

/* Replaces a kernel's uses of a variable. */
static void place(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel, LLVMValueRef variable) {
  LLVMValueRef pointer = NULL;
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ir->context);
  for (LLVMUseRef use = LLVMGetFirstUse(variable), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) != kernel->group) continue;
    if (!pointer) {
      LLVMBasicBlockRef setup = LLVMGetEntryBasicBlock(kernel->group);
      LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(setup));
      LLVMValueRef offset = mpl_const64(ir, allocate(ir, kernel, variable));
      LLVMValueRef at = mpl_offset(ir, b, local_base(ir, b, kernel->group), offset);
      pointer = LLVMBuildAddrSpaceCast(b, at, LLVMTypeOf(variable), LLVMGetValueName(variable));
    }
    for (int k = 0; k < LLVMGetNumOperands(user); k++)
      if (LLVMGetOperand(user, k) == variable) LLVMSetOperand(user, k, pointer);
    next = LLVMGetFirstUse(variable); /* the list changed: begin again, past other kernels' uses */
    while (next &&
           LLVMGetBasicBlockParent(LLVMGetInstructionParent(LLVMGetUser(next))) != kernel->group)
      next = LLVMGetNextUse(next);
  }
  LLVMDisposeBuilder(b);
}

static LLVMValueRef into_local_space(struct mpl_module_ir *ir, LLVMValueRef variable) {
  LLVMTypeRef type = LLVMGlobalGetValueType(variable);
  LLVMValueRef local = LLVMAddGlobalInAddressSpace(ir->module, type, "program.local", LOCAL_SPACE);
  LLVMSetAlignment(local, LLVMGetAlignment(variable));
  LLVMReplaceAllUsesWith(variable, LLVMConstAddrSpaceCast(local, LLVMTypeOf(variable)));
  LLVMDeleteGlobal(variable);
  return local;
}

void mpl_place_local_memory(struct mpl_module_ir *ir) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(ir->module), next; g; g = next) {
    next = LLVMGetNextGlobal(g);
    const char *section = LLVMGetSection(g);
    if (section && !strcmp(section, program_section)) g = into_local_space(ir, g);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) != LOCAL_SPACE) continue;
    mpl_ir_expand_constants(g);
    for (unsigned k = 0; k < ir->num_kernels; k++) place(ir, &ir->kernels[k], g);
    LLVMUseRef use = LLVMGetFirstUse(g);
    if (use)
      mpl_report(ir, LLVMGetUser(use), "local variable '%s' is used outside a kernel",
                 LLVMGetValueName(g));
    else
      LLVMDeleteGlobal(g);
  }
}
