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

struct loop {
  struct mpl_cfg *cfg;
  struct mpl_shapes *shapes;
  LLVMTargetDataRef layout;
  unsigned header, latch;
  bool *in;             /* per block */
  LLVMValueRef counter; /* steps over work-items' elements, one beside the other; or null */
  unsigned side_by_side, elsewhere, arithmetic, carried;
};

/* The counter's steps lie beside one another as work-items do. */
static bool is_counted(const void *data, LLVMValueRef value, struct mpl_shape *shape) {
  const struct loop *l = data;
  *shape = value == l->counter ? mpl_shape_of_count(64) : mpl_shape_of(l->shapes, value);
  return shape->kind != MPL_VARYING;
}

static void weigh_access(struct loop *l, LLVMValueRef pointer, LLVMTypeRef type, bool store) {
  struct mpl_shape shape = mpl_shape_by(l->shapes, pointer, is_counted, l);
  int64_t size = LLVMABISizeOfType(l->layout, type);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool scalar = kind == LLVMIntegerTypeKind || kind == LLVMHalfTypeKind ||
                kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
  if (shape.kind == MPL_STRIDED && llabs(shape.stride) == size && scalar)
    l->side_by_side++;
  else if (shape.kind == MPL_VARYING || shape.stride || store || !scalar)
    l->elsewhere++;
}

/* False if the instruction forbids the change. */
static bool weigh(struct loop *l, LLVMValueRef i) {
  bool varying = !mpl_is_uniform(l->shapes, i);
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMLoad:
    if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) return false;
    weigh_access(l, LLVMGetOperand(i, 0), LLVMTypeOf(i), false);
    return true;
  case LLVMStore:
    if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) return false;
    weigh_access(l, LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)), true);
    return true;
  case LLVMCall: /* a pure function of the math library vectorises too */
    if (mpl_marker_of(i) && !mpl_is_sync(mpl_marker_of(i))) return true;
    l->arithmetic += varying;
    return mpl_ir_is_pure_call(i);
  case LLVMFence:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg:
  case LLVMAlloca:
    return false;
  case LLVMPHI:
    l->carried += varying && mpl_cfg_block_of(l->cfg, i) == l->header;
    return true;
  case LLVMGetElementPtr:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMTrunc:
  case LLVMBr:
    return true;
  default:
    l->arithmetic += varying;
    return LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVectorTypeKind;
  }
}

static bool worth_it(struct loop *l) {
  struct mpl_cfg *cfg = l->cfg;
  if (l->shapes->influenced[l->header]) return false;
  for (unsigned b = 0; b < cfg->count; b++) {
    if (!l->in[b]) continue;
    for (unsigned s = 0; s < cfg->succs[b].count; s++)
      if (!l->in[cfg->succs[b].to[s]] && l->shapes->varying_branch[b]) return false;
    MPL_EACH_INSTRUCTION(i, cfg->blocks[b]) if (!weigh(l, i)) return false;
  }
  if (l->elsewhere) return false;
  return l->side_by_side || l->arithmetic >= 4 * (l->carried + 1);
}

/* A barrier of the kernel's unit. */
static bool add_barrier(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMBasicBlockRef header,
                        bool uses_lanes) {
  LLVMValueRef first = LLVMGetFirstInstruction(header);
  while (LLVMIsAPHINode(first)) first = LLVMGetNextInstruction(first);
  LLVMPositionBuilderBefore(b, first);
  mpl_build_marker(ir, b, uses_lanes ? MPL_MARK_LANES_BARRIER : MPL_MARK_BARRIER, NULL);
  mpl_remark(ir, LLVMGetBasicBlockTerminator(header), "loop goes around the work-item loop");
  return true;
}

static unsigned size_of(struct loop *l) {
  unsigned size = 0;
  for (unsigned b = 0; b < l->cfg->count; b++)
    if (l->in[b]) MPL_EACH_INSTRUCTION(i, l->cfg->blocks[b]) size++;
  return size;
}

/* Asks LLVM's unroller for a few iterations at a time: what is carried then goes through its
 * context once for all of them.  Not where memory is walked: a few rows at a time are as many
 * streams, and the processor's prefetcher follows one much better (measured: 9 GB/s against 25). */
static bool ask_to_unroll(struct mpl_module_ir *ir, struct loop *l) {
  enum { AT_A_TIME = 4, SMALL = 24 };
  static const char name[] = "llvm.loop.unroll.count";
  LLVMValueRef end = LLVMGetBasicBlockTerminator(l->cfg->blocks[l->latch]);
  unsigned kind = LLVMGetMDKindIDInContext(ir->context, "llvm.loop", 9);
  if (!l->carried || l->side_by_side || size_of(l) > SMALL) return false;
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
static bool interchange(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel, bool unroll) {
  bool found = false;
  struct mpl_cfg cfg;
  struct mpl_shapes shapes;
  mpl_cfg_build(&cfg, kernel->group);
  mpl_shapes_find(&shapes, &cfg, kernel->group);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ir->context);
  for (unsigned header = 1; header < cfg.count; header++) {
    struct loop l = {.cfg = &cfg,
                     .shapes = &shapes,
                     .layout = ir->layout,
                     .header = header,
                     .in = mpl_allocate(cfg.count, sizeof *l.in)};
    l.latch = mpl_cfg_find_loop(&cfg, header, l.in);
    if (l.latch < cfg.count && worth_it(&l)) {
      found |= unroll ? ask_to_unroll(ir, &l)
                      : add_barrier(ir, b, cfg.blocks[header], kernel->uses_lanes);
    }
    free(l.in);
  }
  LLVMDisposeBuilder(b);
  mpl_shapes_free(&shapes);
  mpl_cfg_free(&cfg);
  return found;
}

/* Peels one loop to interchange that carries something: else that is stored for all work-items in
 * front of the loop, only to be read in its first iteration.  Small loops only, since the iteration
 * is compiled twice. */
static bool peel_one(struct mpl_module_ir *ir, LLVMValueRef function, struct mpl_map *seen) {
  enum { SMALL = 32 };
  struct mpl_cfg cfg;
  struct mpl_shapes shapes;
  bool found = false;
  mpl_cfg_build(&cfg, function);
  mpl_shapes_find(&shapes, &cfg, function);
  for (unsigned header = 1; header < cfg.count && !found; header++) {
    struct loop l = {.cfg = &cfg,
                     .shapes = &shapes,
                     .layout = ir->layout,
                     .header = header,
                     .in = mpl_allocate(cfg.count, sizeof *l.in)};
    l.latch = mpl_cfg_find_loop(&cfg, header, l.in);
    if (l.latch < cfg.count && !mpl_map_has(seen, cfg.blocks[header]) && worth_it(&l) &&
        l.carried && l.side_by_side && size_of(&l) <= SMALL) {
      mpl_map_set(seen, cfg.blocks[header], 1);
      found = mpl_ir_peel(cfg.blocks[header]);
      if (found)
        mpl_remark(ir, LLVMGetBasicBlockTerminator(cfg.blocks[l.latch]),
                   "first iteration peeled: what the loop carries is not written before it");
    }
    free(l.in);
  }
  mpl_shapes_free(&shapes);
  mpl_cfg_free(&cfg);
  return found;
}

/* Splits one loop that steps from a work-item's id, if its first part can be interchanged then. */
static bool split_grid_stride(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  struct mpl_cfg cfg;
  struct mpl_shapes shapes;
  bool found = false;
  mpl_cfg_build(&cfg, kernel->group);
  mpl_shapes_find(&shapes, &cfg, kernel->group);
  for (unsigned b = 1; b < cfg.count && !found; b++) {
    struct mpl_grid_stride steps = {.ir = ir, .cfg = &cfg, .shapes = &shapes};
    if (!mpl_match_grid_stride(&steps, b)) continue;
    struct loop l = {.cfg = &cfg, .shapes = &shapes, .layout = ir->layout, .header = b};
    l.counter = steps.counter;
    found = true;
    MPL_EACH_INSTRUCTION(i, cfg.blocks[b]) found &= weigh(&l, i);
    found &= !l.elsewhere && l.side_by_side;
    if (!found) continue;
    mpl_remark(ir, LLVMGetBasicBlockTerminator(cfg.blocks[b]), "grid-stride loop split");
    mpl_split_grid_stride(&steps);
  }
  mpl_shapes_free(&shapes);
  mpl_cfg_free(&cfg);
  return found;
}

bool mpl_interchange_loops(struct mpl_module_ir *ir) {
  /* Not simplifycfg: it would merge the set-up block with what follows. */
  static const char unroll[] =
      "function(loop-unroll<no-partial;no-runtime;no-peeling;no-upperbound;full-unroll-max=0>,"
      "early-cse,loop-simplify,lcssa)";
  bool asked = false, changed = false;
  for (unsigned k = 0; k < ir->num_kernels; k++)
    if (!ir->kernels[k].uses_lanes)
      while (split_grid_stride(ir, &ir->kernels[k])) changed = true;
  for (unsigned k = 0; k < ir->num_kernels; k++) asked |= interchange(ir, &ir->kernels[k], true);
  if (asked) mpl_run_llvm_passes(ir, unroll);
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    struct mpl_map seen = {0};
    if (!ir->kernels[k].uses_lanes)
      while (peel_one(ir, ir->kernels[k].group, &seen)) changed = true;
    mpl_map_free(&seen);
  }
  for (unsigned k = 0; k < ir->num_kernels; k++) changed |= interchange(ir, &ir->kernels[k], false);
  return asked || changed;
}
