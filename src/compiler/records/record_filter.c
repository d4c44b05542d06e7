/* The run time's description of a record's filter: struct mpl_record_filter of abi/filter.h. */
#include <stdlib.h>

#include "abi/filter.h"
#include "abi/kernel.h"
#include "compiler/analysis/ir.h"
#include "maniple/kernel.h"
#include "record.h"

static LLVMValueRef root_entry(struct mpl_module_ir *ir, const struct mpl_ir_root *root) {
  LLVMValueRef fields[] = {mpl_const32(ir, root->kind), mpl_const32(ir, root->from),
                           mpl_const64(ir, root->offset), mpl_const64(ir, root->size),
                           root->variable ? root->variable : LLVMConstNull(ir->ptr)};
  return LLVMConstStructInContext(ir->context, fields, sizeof fields / sizeof *fields, false);
}

static LLVMValueRef list_roots(struct mpl_module_ir *ir, const struct mpl_ir_kernel *kernel) {
  LLVMTypeRef each[] = {ir->i32, ir->i32, ir->i64, ir->i64, ir->ptr};
  LLVMTypeRef type = LLVMStructTypeInContext(ir->context, each, sizeof each / sizeof *each, false);
  MPL_ARRAY(LLVMValueRef, list, kernel->num_args + 1);
  for (unsigned k = 0; k < kernel->num_args; k++) list[k] = root_entry(ir, &kernel->roots[k]);
  return mpl_constant(ir, LLVMConstArray2(type, list, kernel->num_args), "mpl.roots");
}

void mpl_record_filter_make(struct mpl_module_ir *ir, const struct mpl_ir_kernel *kernel,
                            uint32_t level, const char *name) {
  uint32_t flags = kernel->flags | kernel->widest << MPL_KERNEL_LANES_SHIFT;
  LLVMValueRef fields[] = {mpl_const32(ir, MPL_RECORD_FILTER_VERSION),
                           mpl_const32(ir, kernel->num_args),
                           list_roots(ir, kernel),
                           kernel->group,
                           mpl_const64(ir, kernel->local_size),
                           mpl_const32(ir, kernel->scratch_per_item),
                           mpl_const32(ir, kernel->scratch_fixed),
                           mpl_const32(ir, flags),
                           mpl_const32(ir, kernel->uses_lanes ? kernel->sub_group : 0),
                           mpl_const32(ir, level),
                           mpl_const32(ir, 0)};
  LLVMValueRef filter = LLVMConstStructInContext(ir->context, fields, 11, false);
  mpl_add_global(ir->module, filter, name, LLVMExternalLinkage, true);
  LLVMSetLinkage(kernel->group, LLVMInternalLinkage);
}
