/* Volatile accesses of a program in C or C++ that tells of its accesses (-fsanitize=thread).
 *
 * What ThreadSanitizer's pass tells of them does not say whether a loop waits with what was read. A
 * volatile access with which none does orders nothing between work-items: around each of these the
 * engine is told so.  This is done in front of that pass, behind all others. */

#include "compiler/analysis/cfg.h"
#include "compiler/passes.h"
#include "compiler/plugin.h"

struct telling {
  struct mpl_module_ir ir;
  LLVMBuilderRef b;
};

static void tell_at(struct telling *t, LLVMValueRef before, bool begins) {
  LLVMValueRef value = mpl_const32(&t->ir, begins);
  LLVMPositionBuilderBefore(t->b, before);
  LLVMValueRef call = mpl_call_named(t->ir.module, t->b, "mpl_told_volatile", t->ir.void_type, &value, 1);
  mpl_add_attribute(LLVMGetCalledValue(call), "nounwind");
}

static bool is_volatile(LLVMValueRef i) {
  return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && LLVMGetVolatile(i) &&
         LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

static void look_at(struct telling *t, LLVMValueRef function) {
  MPL_MAP(waits);
  MPL_CFG(cfg, function);
  mpl_find_waiting_reads(&cfg, &waits);
  for (unsigned k = 0; k < cfg.count; k++) {
    MPL_EACH_INSTRUCTION(i, cfg.blocks[k]) {
      if (!is_volatile(i) || mpl_map_has(&waits, i)) continue;
      tell_at(t, i, true);
      tell_at(t, LLVMGetNextInstruction(i), false);
    }
  }
}

void mpl_tell_volatile(LLVMModuleRef module) {
  struct telling t = {0};
  if (mpl_is_opencl(module)) return;
  mpl_ir_begin(&t.ir, module);
  t.b = LLVMCreateBuilderInContext(t.ir.context);
  MPL_EACH_FUNCTION(f, module) {
    if (!LLVMIsDeclaration(f) && mpl_has_attribute(f, "sanitize_thread")) look_at(&t, f);
  }
  LLVMDisposeBuilder(t.b);
  mpl_ir_end(&t.ir);
}
