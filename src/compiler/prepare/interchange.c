/* Loops that all work-items run the same number of times, without a sync point in them: the
 * vectoriser only takes innermost loops, so such a loop inside the work-item loop keeps it scalar.
 * A sync point put into its header makes the work-item loop the inner one; what the loop carries
 * from one iteration to the next lives in contexts then.
 *
 *   for each work-item: for k: sum += in[k * n + id]
 *   for k: for each work-item: sum[id] += in[k * n + id]
 *
 * Done only where it lets the vectoriser work on consecutive work-items: memory that they access
 * side by side, or much arithmetic on values that vary.  A loop that walks memory along its own
 * counter stays as it is: it vectorises along that. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "compiler/analysis/markers.h"
#include "compiler/passes.h"
#include "grid_stride.h"
#include "peel.h"

struct weights {
  struct mpl_flow *flow;
  struct mpl_loop *loop;
  LLVMValueRef counter; /* steps over work-items' elements, one beside the other; or null */
  unsigned side_by_side, elsewhere, arithmetic, carried;
};

/* The counter's steps lie beside one another as work-items do. */
static bool is_counted(const void *data, LLVMValueRef value, struct mpl_shape *shape) {
  const struct weights *w = data;
  *shape = value == w->counter ? mpl_shape_of_count(64) : mpl_shape_of(&w->flow->shapes, value);
  return shape->kind != MPL_VARYING;
}

static void weigh_access(struct weights *w, LLVMValueRef pointer, LLVMTypeRef type, bool store) {
  struct mpl_shape shape = mpl_shape_by(&w->flow->shapes, pointer, is_counted, w);
  int64_t size = LLVMABISizeOfType(w->flow->shapes.layout, type);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool scalar = kind == LLVMIntegerTypeKind || kind == LLVMHalfTypeKind ||
                kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
  if (shape.kind == MPL_STRIDED && llabs(shape.stride) == size && scalar)
    w->side_by_side++;
  else if (shape.kind == MPL_VARYING || shape.stride || store || !scalar)
    w->elsewhere++;
}

/* False if the instruction forbids the change. */
static bool weigh(struct weights *w, LLVMValueRef i) {
  bool varying = !mpl_is_uniform(&w->flow->shapes, i);
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMLoad:
    if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) return false;
    weigh_access(w, LLVMGetOperand(i, 0), LLVMTypeOf(i), false);
    return true;
  case LLVMStore:
    if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) return false;
    weigh_access(w, LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)), true);
    return true;
  case LLVMCall: /* a pure function of the math library vectorises too */
    if (mpl_marker_of(i) && !mpl_is_sync(mpl_marker_of(i))) return true;
    w->arithmetic += varying;
    return mpl_ir_is_pure_call(i);
  case LLVMFence:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg:
  case LLVMAlloca:
    return false;
  case LLVMPHI:
    w->carried += varying && mpl_cfg_block_of(&w->flow->cfg, i) == w->loop->header;
    return true;
  case LLVMGetElementPtr:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMTrunc:
  case LLVMBr:
    return true;
  default:
    w->arithmetic += varying;
    return LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVectorTypeKind;
  }
}

static struct weights weigh_loop(struct mpl_flow *flow, struct mpl_loop *loop,
                                 LLVMValueRef counter) {
  struct weights w = {.flow = flow, .loop = loop, .counter = counter};
  for (unsigned n = 0; n < loop->num_blocks; n++)
    MPL_EACH_INSTRUCTION(i, flow->cfg.blocks[loop->blocks[n]]) if (!weigh(&w, i)) w.elsewhere++;
  return w;
}

static bool worth_it(struct mpl_flow *flow, struct mpl_loop *loop, struct weights *w) {
  if (!loop->innermost || !mpl_loop_is_uniform(flow, loop)) return false;
  *w = weigh_loop(flow, loop, NULL);
  return !w->elsewhere && (w->side_by_side || w->arithmetic >= 4 * (w->carried + 1));
}

/* A barrier of the kernel's unit. */
static bool add_barrier(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMBasicBlockRef header,
                        bool uses_lanes) {
  LLVMValueRef first = LLVMGetFirstInstruction(header);
  while (LLVMIsAPHINode(first)) first = LLVMGetNextInstruction(first);
  LLVMPositionBuilderBefore(b, first);
  mpl_build_marker(ir, b, uses_lanes ? MPL_MARK_LANES_BARRIER : MPL_MARK_BARRIER, ir->void_type,
                   NULL, 0);
  mpl_remark(ir, LLVMGetBasicBlockTerminator(header), "loop goes around the work-item loop");
  return true;
}

/* Asks LLVM's unroller for a few iterations at a time: what is carried then goes through its
 * context once for all of them.  Not where memory is walked: a few rows at a time are as many
 * streams, and the processor's prefetcher follows one much better (measured: 9 GB/s against 25). */
static bool ask_to_unroll(struct mpl_module_ir *ir, const struct weights *w) {
  enum { AT_A_TIME = 4, SMALL = 24 };
  static const char name[] = "llvm.loop.unroll.count";
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->flow->cfg.blocks[w->loop->latch]);
  unsigned kind = LLVMGetMDKindIDInContext(ir->context, "llvm.loop", 9);
  if (!w->carried || w->side_by_side || mpl_loop_size(w->flow, w->loop) > SMALL) return false;
  LLVMMetadataRef count[] = {LLVMMDStringInContext2(ir->context, name, sizeof name - 1),
                             LLVMValueAsMetadata(LLVMConstInt(ir->i32, AT_A_TIME, false))};
  LLVMMetadataRef self = LLVMTemporaryMDNode(ir->context, NULL, 0);
  LLVMMetadataRef operands[] = {self, LLVMMDNodeInContext2(ir->context, count, 2)};
  LLVMMetadataRef loop = LLVMMDNodeInContext2(ir->context, operands, 2);
  LLVMSetMetadata(end, kind, LLVMMetadataAsValue(ir->context, loop));
  LLVMMetadataReplaceAllUsesWith(self, loop);
  mpl_remark(ir, end, "loop unrolled by %d", AT_A_TIME);
  return true;
}

/* Finds the loops to interchange; cuts them, or first has them unrolled.  True if there are any. */
static bool interchange(struct mpl_module_ir *ir, struct mpl_flow *flow, bool uses_lanes,
                        bool unroll) {
  bool found = false;
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ir->context);
  for (unsigned k = 0; k < flow->loops.count; k++) {
    struct mpl_loop *loop = &flow->loops.list[k];
    struct weights w;
    if (!worth_it(flow, loop, &w)) continue;
    found |= unroll ? ask_to_unroll(ir, &w)
                    : add_barrier(ir, b, flow->cfg.blocks[loop->header], uses_lanes);
  }
  LLVMDisposeBuilder(b);
  return found;
}

/* A loop to interchange that carries something is peeled: else that is stored for all work-items in
 * front of the loop, only to be read in its first iteration.  Small loops only, since the iteration
 * is compiled twice. */
static bool wants_peeling(struct mpl_flow *flow, struct mpl_loop *loop) {
  enum { SMALL = 32 };
  struct weights w;
  return worth_it(flow, loop, &w) && w.carried && w.side_by_side &&
         mpl_loop_size(flow, loop) <= SMALL;
}

/* Splits one loop that steps from a work-item's id, if its first part can be interchanged then. */
static bool split_grid_stride(struct mpl_module_ir *ir, struct mpl_flow *flow) {
  for (unsigned k = 0; k < flow->loops.count; k++) {
    struct mpl_loop *loop = &flow->loops.list[k];
    struct mpl_grid_stride steps = {.ir = ir, .cfg = &flow->cfg, .shapes = &flow->shapes};
    if (loop->num_blocks > 1 || !mpl_match_grid_stride(&steps, loop->header)) continue;
    struct weights w = weigh_loop(flow, loop, steps.counter);
    if (w.elsewhere || !w.side_by_side) continue;
    mpl_remark(ir, LLVMGetBasicBlockTerminator(steps.body), "grid-stride loop split");
    mpl_split_grid_stride(&steps);
    return true;
  }
  return false;
}

/* Widened, loops stay where they are, and what they carry in registers. */
bool mpl_interchange_loops(struct mpl_module_ir *ir) {
  /* Not simplifycfg: it would merge the set-up block with what follows. */
  static const char unroll[] =
      "function(loop-unroll<no-partial;no-runtime;no-peeling;no-upperbound;full-unroll-max=0>,"
      "early-cse,loop-simplify,lcssa)";
  struct mpl_flow *flows = mpl_allocate(ir->num_kernels, sizeof *flows);
  bool asked = false, changed = false;
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    mpl_flow_find(&flows[k], ir->kernels[k].group);
    for (; !ir->kernels[k].uses_lanes && split_grid_stride(ir, &flows[k]); changed = true)
      mpl_flow_find_again(&flows[k]);
    asked |= !mpl_widens(ir) && interchange(ir, &flows[k], ir->kernels[k].uses_lanes, true);
  }
  if (asked) mpl_run_llvm_passes(ir, unroll);
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    bool uses_lanes = ir->kernels[k].uses_lanes;
    if (asked) mpl_flow_find_again(&flows[k]);
    if (!uses_lanes && !mpl_widens(ir))
      changed |= mpl_peel_wanted(ir, &flows[k], wants_peeling, "not written before it");
    if (!mpl_widens(ir)) changed |= interchange(ir, &flows[k], uses_lanes, false);
    mpl_flow_free(&flows[k]);
  }
  free(flows);
  return asked || changed;
}
