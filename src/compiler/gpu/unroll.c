/* Loops with group functions, four iterations in a row.
 *
 * A chain of collectives waits for each of them, and what a loop adds to that chain counts in full:
 * its test, its branch, which half of the scratch memory is next.  LLVM leaves loops with
 * convergent calls alone unless it knows how often they run: in the iterations that are left over,
 * other work-items would be asked.  Where all run the loop equally often they are the same. */
#include "compiler/analysis/loops.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"

/* Of a body with a collective of any local size in it, before LLVM has looked at it; and what a
 * kernel may grow by.  A loop that runs a few times, or that the program wants unrolled, is no loop
 * then. */
enum { COPIES = 4, FEW = 8, MOST_INSTRUCTIONS = 800, MOST_GROWTH = 8192 };

static bool is_convergent(LLVMValueRef call, unsigned kind) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind) ||
         (LLVMIsAFunction(callee) && mpl_has_attribute(callee, "convergent"));
}

/* Clang calls every function of OpenCL C convergent, those too that only tell a place. */
static bool tells_place(LLVMValueRef call) {
  enum mpl_marker marker = mpl_marker_of(call);
  return mpl_is_id(marker) || mpl_markers[marker].kind == MPL_KIND_PARAMETER;
}

/* Instructions that work-items do together: markers, assembly, the processor's own. */
static unsigned operations_in(const struct mpl_flow *flow, const struct mpl_loop *loop) {
  unsigned kind = mpl_enum_attribute("convergent"), found = 0;
  MPL_EACH_INSTRUCTION_IN(i, loop, &flow->cfg)
  found += LLVMIsACallInst(i) && is_convergent(i, kind) && !tells_place(i);
  return found;
}

/* Is there a loop in it that is unrolled instead? */
static bool has_inner(const struct mpl_flow *flow, const struct mpl_loop *loop) {
  for (unsigned k = 0; k < flow->loops.count; k++) {
    const struct mpl_loop *other = &flow->loops.list[k];
    if (other != loop && loop->in[other->header] && operations_in(flow, other)) return true;
  }
  return false;
}

static bool is_wanted(struct mpl_flow *flow, const struct mpl_loop *loop) {
  return operations_in(flow, loop) && !has_inner(flow, loop) && mpl_loop_is_uniform(flow, loop);
}

static bool unroll(struct mpl_module_ir *ir, const struct mpl_flow *flow,
                   const struct mpl_loop *loop, unsigned most) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->cfg.blocks[loop->latch]);
  unsigned size = mpl_loop_size(flow, loop), all = FEW;
  if (size > MOST_INSTRUCTIONS || COPIES * size > most ||
      mpl_has_loop_property(ir, end, "llvm.loop.unroll.disable"))
    return false;
  if (mpl_has_loop_property(ir, end, "llvm.loop.unroll")) all = most / size;
  return mpl_ir_unroll(flow->cfg.blocks[loop->header], COPIES, all);
}

/* One, each once; what is known of the others is out of date then. */
static bool unroll_one(struct mpl_module_ir *ir, struct mpl_flow *flow, struct mpl_map *seen,
                       unsigned most) {
  for (unsigned k = 0; k < flow->loops.count; k++) {
    const struct mpl_loop *loop = &flow->loops.list[k];
    LLVMBasicBlockRef header = flow->cfg.blocks[loop->header];
    if (!is_wanted(flow, loop) || !mpl_map_add(seen, header)) continue;
    if (unroll(ir, flow, loop, most)) return true;
  }
  return false;
}

static bool unroll_in(struct mpl_module_ir *ir, LLVMValueRef kernel) {
  MPL_FLOW(flow, kernel);
  MPL_MAP(seen);
  unsigned now = mpl_length_of(kernel), largest = now + MOST_GROWTH;
  bool changed = false;
  while (now < largest && unroll_one(ir, &flow, &seen, largest - now)) {
    mpl_flow_find_again(&flow);
    now = mpl_length_of(kernel);
    changed = true;
  }
  return changed;
}

bool mpl_unroll_collectives(struct mpl_module_ir *ir) {
  bool changed = false;
  MPL_EACH_KERNEL(kernel, ir) changed |= unroll_in(ir, kernel->group);
  /* Tests of copies whose answer is known, and ways that nobody takes. */
  if (changed) mpl_run_llvm_passes(ir, "function(early-cse,simplifycfg,loop-simplify,lcssa)");
  return changed;
}
