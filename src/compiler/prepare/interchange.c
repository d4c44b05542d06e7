/* Loops that all work-items run the same number of times, without a sync point in them: the
 * vectoriser only takes innermost loops, so such a loop inside the work-item loop keeps it scalar.
 * A sync point put into its header makes the work-item loop the inner one; what the loop carries
 * from one iteration to the next lives in contexts then.
 *
 *   for each work-item: for k: sum += in[k * n + id]   ->   for k: for each work-item: sum[id] +=
 * ...
 *
 * Done only where it lets the vectoriser work on consecutive work-items: memory that they access
 * side by side, or much arithmetic on values that vary.  A loop that walks memory along its own
 * counter stays as it is: it vectorises along that. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "compiler/analysis/markers.h"
#include "compiler/passes.h"
#include "grid_stride.h"

enum { UNKNOWN = INT32_MIN, DEEPEST = 12 };

struct loop {
  struct mpl_cfg *cfg;
  struct mpl_uniformity *uniformity;
  LLVMTargetDataRef layout;
  unsigned header, latch;
  bool *in;             /* per block */
  LLVMValueRef counter; /* steps over work-items' elements, one beside the other; or null */
  unsigned side_by_side, elsewhere, arithmetic, carried;
};

static int stride(struct loop *l, LLVMValueRef value, unsigned depth);

/* Bytes between neighbouring elements of a GEP's index, times the index's stride. */
static int gep_stride(struct loop *l, LLVMValueRef gep, unsigned depth) {
  int64_t sum = stride(l, LLVMGetOperand(gep, 0), depth + 1);
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  if (sum == UNKNOWN) return UNKNOWN;
  for (int k = 1; k < LLVMGetNumOperands(gep); k++) {
    int of_index = stride(l, LLVMGetOperand(gep, k), depth + 1);
    if (of_index == UNKNOWN) return UNKNOWN;
    if (k > 1) {
      if (LLVMGetTypeKind(type) != LLVMArrayTypeKind) {
        if (of_index) return UNKNOWN; /* a field is chosen by a constant */
        if (LLVMGetTypeKind(type) != LLVMStructTypeKind) return UNKNOWN;
        type = LLVMStructGetTypeAtIndex(type, LLVMConstIntGetZExtValue(LLVMGetOperand(gep, k)));
        continue;
      }
      type = LLVMGetElementType(type);
    }
    sum += (int64_t)of_index * (int64_t)LLVMABISizeOfType(l->layout, type);
  }
  return sum > INT32_MIN && sum <= INT32_MAX ? (int)sum : UNKNOWN;
}

/* The stride of an operation on values with strides a and b, of which the second is `second`. */
static int combined(LLVMOpcode opcode, int a, int b, LLVMValueRef second) {
  enum { MOST = 1 << 14, MOST_FACTOR = 1 << 16, MOST_BITS = 15 };
  if (a == UNKNOWN || b == UNKNOWN || abs(a) > MOST || abs(b) > MOST) return UNKNOWN;
  bool is_constant = LLVMIsAConstantInt(second);
  int64_t factor = is_constant ? LLVMConstIntGetSExtValue(second) : 0;
  switch (opcode) {
  case LLVMAdd:
    return a + b;
  case LLVMSub:
    return a - b;
  case LLVMOr:
    return b == 0 ? a : UNKNOWN; /* an addition of low bits, after InstCombine */
  case LLVMMul:
    if (!a && !b) return 0;
    if (!is_constant || factor <= -MOST_FACTOR || factor >= MOST_FACTOR) return UNKNOWN;
    return a * (int)factor;
  case LLVMShl:
    return is_constant && factor >= 0 && factor <= MOST_BITS ? a * (1 << factor) : UNKNOWN;
  default:
    return UNKNOWN;
  }
}

/* How much a value grows from one work-item to the next in x; UNKNOWN if not by a constant. */
static int stride(struct loop *l, LLVMValueRef value, unsigned depth) {
  if (!mpl_is_varying(l->uniformity, value)) return 0;
  if (value == l->counter) return 1;
  if (depth > DEEPEST || !LLVMIsAInstruction(value)) return UNKNOWN;
  int a, b;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMCall:
    switch (mpl_marker_of(value)) {
    case MPL_MARK_LOCAL_ID_0:
    case MPL_MARK_LOCAL_LINEAR_ID:
      return 1;
    case MPL_MARK_LOCAL_ID_1:
    case MPL_MARK_LOCAL_ID_2:
      return 0;
    default:
      return UNKNOWN;
    }
  case LLVMGetElementPtr:
    return gep_stride(l, value, depth);
  case LLVMZExt:
  case LLVMSExt:
  case LLVMTrunc:
  case LLVMAddrSpaceCast:
  case LLVMBitCast:
  case LLVMFreeze:
    return stride(l, LLVMGetOperand(value, 0), depth + 1);
  case LLVMAnd: /* of a number of 32 bits, kept in 64 */
    if (!LLVMIsAConstantInt(LLVMGetOperand(value, 1)) ||
        LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1)) != UINT32_MAX)
      return UNKNOWN;
    return stride(l, LLVMGetOperand(value, 0), depth + 1);
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
  case LLVMOr:
    a = stride(l, LLVMGetOperand(value, 0), depth + 1);
    b = stride(l, LLVMGetOperand(value, 1), depth + 1);
    break;
  default:
    return UNKNOWN;
  }
  return combined(LLVMGetInstructionOpcode(value), a, b, LLVMGetOperand(value, 1));
}

static void weigh_access(struct loop *l, LLVMValueRef pointer, LLVMTypeRef type, bool store) {
  int step = stride(l, pointer, 0), size = (int)LLVMABISizeOfType(l->layout, type);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool scalar = kind == LLVMIntegerTypeKind || kind == LLVMHalfTypeKind ||
                kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
  if (step != UNKNOWN && abs(step) == size && scalar)
    l->side_by_side++;
  else if (step || store || !scalar)
    l->elsewhere++;
}

/* False if the instruction forbids the change. */
static bool weigh(struct loop *l, LLVMValueRef i) {
  bool varying = mpl_is_varying(l->uniformity, i);
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
  if (l->uniformity->influenced[l->header]) return false;
  for (unsigned b = 0; b < cfg->count; b++) {
    if (!l->in[b]) continue;
    for (unsigned s = 0; s < cfg->succs[b].count; s++)
      if (!l->in[cfg->succs[b].to[s]] && l->uniformity->varying_branch[b]) return false;
    MPL_EACH_INSTRUCTION(i, cfg->blocks[b]) if (!weigh(l, i)) return false;
  }
  if (l->elsewhere) return false;
  return l->side_by_side || l->arithmetic >= 4 * (l->carried + 1);
}

/* A barrier of the kernel's unit. */
static void add_barrier(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMBasicBlockRef header,
                        bool uses_lanes) {
  LLVMValueRef first = LLVMGetFirstInstruction(header);
  while (LLVMIsAPHINode(first)) first = LLVMGetNextInstruction(first);
  LLVMPositionBuilderBefore(b, first);
  mpl_build_marker(ir, b, uses_lanes ? MPL_MARK_LANES_BARRIER : MPL_MARK_BARRIER, NULL);
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
  return true;
}

/* Finds the loops to turn; cuts them, or first has them unrolled.  True if any is to be unrolled.
 */
static bool interchange(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel, bool unroll) {
  bool asked = false;
  struct mpl_cfg cfg;
  struct mpl_uniformity uniformity;
  mpl_cfg_build(&cfg, kernel->group);
  mpl_uniformity_find(&uniformity, &cfg, kernel->group);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ir->context);
  for (unsigned header = 1; header < cfg.count; header++) {
    struct loop l = {.cfg = &cfg,
                     .uniformity = &uniformity,
                     .layout = ir->layout,
                     .header = header,
                     .in = mpl_allocate(cfg.count, sizeof *l.in)};
    l.latch = mpl_cfg_find_loop(&cfg, header, l.in);
    if (l.latch < cfg.count && worth_it(&l)) {
      if (unroll)
        asked |= ask_to_unroll(ir, &l);
      else
        add_barrier(ir, b, cfg.blocks[header], kernel->uses_lanes);
    }
    free(l.in);
  }
  LLVMDisposeBuilder(b);
  mpl_uniformity_free(&uniformity);
  mpl_cfg_free(&cfg);
  return asked;
}

/* Peels one loop to turn that carries something round: else that is written once for all work-items
 * in front of the loop, only to be read in its first turn.  Small loops only, since the turn is
 * compiled twice. */
static bool peel_one(struct mpl_module_ir *ir, LLVMValueRef function, struct mpl_map *seen) {
  enum { SMALL = 32 };
  struct mpl_cfg cfg;
  struct mpl_uniformity uniformity;
  bool found = false;
  mpl_cfg_build(&cfg, function);
  mpl_uniformity_find(&uniformity, &cfg, function);
  for (unsigned header = 1; header < cfg.count && !found; header++) {
    struct loop l = {.cfg = &cfg,
                     .uniformity = &uniformity,
                     .layout = ir->layout,
                     .header = header,
                     .in = mpl_allocate(cfg.count, sizeof *l.in)};
    l.latch = mpl_cfg_find_loop(&cfg, header, l.in);
    if (l.latch < cfg.count && !mpl_map_has(seen, cfg.blocks[header]) && worth_it(&l) &&
        l.carried && l.side_by_side && size_of(&l) <= SMALL) {
      mpl_map_set(seen, cfg.blocks[header], 1);
      found = mpl_ir_peel(cfg.blocks[header]);
    }
    free(l.in);
  }
  mpl_uniformity_free(&uniformity);
  mpl_cfg_free(&cfg);
  return found;
}

/* Splits one loop that steps from a work-item's id, if that lets its first part be turned. */
static bool split_steps(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  struct mpl_cfg cfg;
  struct mpl_uniformity uniformity;
  bool found = false;
  mpl_cfg_build(&cfg, kernel->group);
  mpl_uniformity_find(&uniformity, &cfg, kernel->group);
  for (unsigned b = 1; b < cfg.count && !found; b++) {
    struct mpl_grid_stride steps = {.ir = ir, .cfg = &cfg, .uniformity = &uniformity};
    if (!mpl_match_grid_stride(&steps, b)) continue;
    struct loop l = {.cfg = &cfg, .uniformity = &uniformity, .layout = ir->layout, .header = b};
    l.counter = steps.counter;
    found = true;
    MPL_EACH_INSTRUCTION(i, cfg.blocks[b]) found &= weigh(&l, i);
    found &= !l.elsewhere && l.side_by_side;
    if (found) mpl_split_grid_stride(&steps);
  }
  mpl_uniformity_free(&uniformity);
  mpl_cfg_free(&cfg);
  return found;
}

void mpl_interchange_loops(struct mpl_module_ir *ir) {
  /* Not simplifycfg: it would merge the set-up block with what follows. */
  static const char unroll[] =
      "function(loop-unroll<no-partial;no-runtime;no-peeling;no-upperbound;full-unroll-max=0>,"
      "early-cse,loop-simplify,lcssa)";
  bool asked = false;
  for (unsigned k = 0; k < ir->num_kernels; k++)
    if (!ir->kernels[k].uses_lanes)
      while (split_steps(ir, &ir->kernels[k])) continue;
  for (unsigned k = 0; k < ir->num_kernels; k++) asked |= interchange(ir, &ir->kernels[k], true);
  if (asked) mpl_run_llvm_passes(ir, unroll);
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    struct mpl_map seen = {0};
    if (!ir->kernels[k].uses_lanes)
      while (peel_one(ir, ir->kernels[k].group, &seen)) continue;
    mpl_map_free(&seen);
  }
  for (unsigned k = 0; k < ir->num_kernels; k++) interchange(ir, &ir->kernels[k], false);
}
