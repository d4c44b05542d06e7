/* Loops with several entries get one.  LLVM's fix-irreducible does that, but only for blocks that
 * end in branches: others it takes for branches, and makes wrong code of them or crashes.  So
 * switches become branches first, and only where there are such loops: elsewhere a switch says more
 * than they do. */
#include "compiler/analysis/loops.h"
#include "source.h"

static bool has_switch(LLVMValueRef function) {
  MPL_EACH_BLOCK(b, function)
    if (LLVMIsASwitchInst(LLVMGetBasicBlockTerminator(b))) return true;
  return false;
}

/* A way from the function's entry into a loop beside its header: walked backwards from the latch,
 * it is a part of the loop. */
static bool is_irreducible(LLVMValueRef function) {
  MPL_CFG(cfg, function);
  MPL_LOOPS(loops, &cfg);
  for (unsigned k = 0; k < loops.count; k++)
    if (loops.list[k].in[0]) return true;
  return false;
}

void mpl_fix_irreducible(struct mpl_module_ir *ir) {
  bool lowers = false, fixes = false;
  MPL_EACH_FUNCTION(f, ir->module) {
    if (LLVMIsDeclaration(f) || !is_irreducible(f)) continue;
    fixes = true;
    lowers |= has_switch(f);
  }
  if (lowers) mpl_run_llvm_passes(ir, "function(lower-switch)");
  if (fixes) mpl_run_llvm_passes(ir, "function(fix-irreducible)");
}
