/* The pass in front of `widen`, which plans and changes nothing that it does not widen. */
#include "expand.h"

#include "compiler/passes.h"
#include "runtime/options.h"

static bool expand(struct mpl_module_ir *ir, LLVMValueRef function) {
  bool changed = mpl_empty_dead_ends(ir, function);
  changed |= mpl_expand_copies(ir, function);
  changed |= mpl_expand_bits(ir, function);
  changed |= mpl_narrow(ir, function);
  return changed;
}

bool mpl_expand_kernels(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  bool changed = false;
  if (mpl_option_number(MPL_OPTION_VECTOR_WIDTH) == 1) return false; /* nothing will be widened */
  if (kernel->uses_lanes) return false; /* the splitter has asked for it */
  LLVMValueRef own[MPL_MOST_SPLIT];
  unsigned count = mpl_split_functions(kernel, own);
  for (unsigned f = 0; f < count; f++) changed |= expand(ir, own[f]);
  for (unsigned p = 0; p < kernel->num_pieces; p++) changed |= expand(ir, kernel->pieces[p]);
  return changed;
}

void mpl_expand_sub_group(struct mpl_module_ir *ir, LLVMValueRef function) {
  mpl_expand_copies(ir, function);
  mpl_expand_bits(ir, function);
  mpl_narrow(ir, function);
}
