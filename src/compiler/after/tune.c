/* What LLVM is told of kernels' functions before its own passes and its back end have them. */
#include "compiler/analysis/cost_table.h"
#include "compiler/analysis/report.h"
#include "compiler/analysis/target.h"
#include "compiler/passes.h"

/* Registers of results that a block makes. */
static uint64_t length_of(struct mpl_module_ir *ir, LLVMBasicBlockRef block) {
  enum { REGISTER = 64 };
  uint64_t sum = 0;
  MPL_EACH_INSTRUCTION(i, block) {
    LLVMTypeRef type = mpl_accessed_type(i);
    if (LLVMTypeIsSized(type)) sum += LLVMABISizeOfType(ir->layout, type) / REGISTER;
  }
  return sum;
}

/* LLVM's schedulers and its search for vectors in straight code take time that grows with the
 * square of a block's length: 10 of 11 s for a double16 that sub-groups of 64 broadcast, a quarter
 * for clFFT's transform of 2401 numbers.  What they gain in such blocks, 1 %, is not worth that. */
static void spare_long_blocks(struct mpl_module_ir *ir) {
  static const char *const options[] = {"-post-RA-scheduler=false", "-enable-misched=false",
                                        "-vectorize-slp=false"};
  static bool done;
  MPL_EACH_FUNCTION(f, ir->module) MPL_EACH_BLOCK(block, f) {
    if (done || length_of(ir, block) < MPL_GIVEN_LONG_BLOCK) continue;
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
      mpl_set_llvm_option(ir, options[k]);
    mpl_tell(ir, f, MPL_FACT_SAVED, "a block is long: instructions stay in their order, and no "
                                    "further vectors are looked for");
    done = true;
  }
}

/* In kernels' functions: those of a program's host are not ours. */
static bool avoid_gathers(struct mpl_module_ir *ir) {
  struct mpl_map gathers = {0};
  MPL_EACH_KERNEL(kernel, ir) {
    LLVMValueRef own[MPL_MOST_SPLIT];
    unsigned count = mpl_split_functions(kernel, own);
    for (unsigned f = 0; f < count; f++) mpl_target_tune(ir->target, own[f], &gathers);
    if (kernel->lone) mpl_target_tune(ir->target, kernel->lone, &gathers);
    for (unsigned f = 0; f < kernel->num_pieces; f++)
      mpl_target_tune(ir->target, kernel->pieces[f], &gathers);
  }
  bool any = gathers.count;
  mpl_map_free(&gathers);
  return any;
}

bool mpl_tune_functions(struct mpl_module_ir *ir) {
  spare_long_blocks(ir);
  return avoid_gathers(ir);
}
