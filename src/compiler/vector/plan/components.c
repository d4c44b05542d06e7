/* Vectors of the program become their components, of which lanes are made; or they stay, and one
 * work-item is done after another.
 *
 * Lanes need each component by itself: a float4 of each of W work-items is four vectors of W lanes,
 * taken from memory by shuffles, or by four gathers.  Where little else is done with it, or where
 * it has as many components as a register, the vectors of the program are the faster ones.  Both
 * ways are estimated for the whole kernel, in 16ths of operations of a work-item. */
#include <stdlib.h>

#include "compiler/analysis/loops.h"
#include "runtime/options.h"
#include "plan.h"


enum { ONE = 16, DEEPEST = 4 };

/* In operations.  A component is moved in so many steps to where its lane is, log2(n) times; and
 * what the next iteration waits for takes as long as so many operations of others. */
enum { MOVED = 6, GATHERED = 4, GATHERED_BY_MASKS = 1, DIVIDED = 4, CALLED = 20, MISTAKEN = 6 };
enum { WORD = 4 /* bytes */ };
enum { WAIT_FLOATING = 12, WAIT_INTEGER = 3 };

struct estimate {
  struct mpl_module_ir *ir;
  struct mpl_flow flow;
  unsigned unit;                  /* bytes that an operation computes */
  unsigned gathered;
  bool *inner;                    /* per block: in an innermost loop */
  uint64_t lanes, alone, vectors; /* of the kernel; what vectors are computed with */
};

struct cost { uint64_t lanes, alone; };

static unsigned count_of(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

static uint64_t at_least_one(uint64_t sixteenths) {
  return sixteenths > ONE ? sixteenths : ONE;
}

static struct cost of_access(struct estimate *e, LLVMValueRef i, LLVMTypeRef type) {
  LLVMValueRef pointer = mpl_accessed_place(i);
  struct mpl_shape shape = mpl_shape_of(&e->flow.shapes, pointer);
  int64_t bytes = (int64_t)LLVMABISizeOfType(e->ir->layout, type);
  unsigned count = count_of(type), steps = 0;
  uint64_t wide = ONE * (uint64_t)bytes / e->unit;
  struct cost cost = {wide, at_least_one(wide)};
  if (shape.kind <= MPL_UNIFORM) return LLVMIsAStoreInst(i) ? cost : (struct cost){0, 0};
  while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
  if (LLVMIsAAllocaInst(pointer)) return cost;
  if (bytes <= WORD && count > 1) { /* taken apart by shifts */
    cost.lanes = ONE * WORD * count / e->unit;
    count = 1;
  }
  if (shape.kind != MPL_STRIDED || llabs(shape.stride) > bytes) {
    cost.lanes += ONE * count * e->gathered;
  } else {
    while (1u << steps < count) steps++;
    cost.lanes += wide * MOVED * steps;
  }
  return cost;
}

static struct cost cost_of(struct estimate *e, LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  LLVMTypeRef type = mpl_accessed_type(i);
  bool varies = !mpl_is_uniform(&e->flow.shapes, i);
  if (LLVMIsATerminatorInst(i)) {
    bool parts = LLVMGetNumSuccessors(i) > 1 &&
                 !mpl_is_uniform(&e->flow.shapes, LLVMGetOperand(i, 0));
    return (struct cost){0, parts ? MISTAKEN * ONE : 0};
  }
  if (!LLVMTypeIsSized(type)) return (struct cost){0, 0};
  if (mpl_accessed_place(i)) return of_access(e, i, type);
  if (!varies || opcode == LLVMPHI || opcode == LLVMAlloca || opcode == LLVMGetElementPtr ||
      mpl_marker_of(i))
    return (struct cost){0, 0};
  if (opcode == LLVMExtractElement || opcode == LLVMInsertElement || opcode == LLVMShuffleVector)
    return (struct cost){0, ONE};
  uint64_t wide = ONE * LLVMABISizeOfType(e->ir->layout, type) / e->unit, times = 1, apart = 1;
  if (opcode == LLVMCall && !LLVMGetIntrinsicID(LLVMGetCalledValue(i))) {
    times = CALLED;
    apart = count_of(type);
  }
  if (opcode >= LLVMUDiv && opcode <= LLVMFRem) times = DIVIDED;
  return (struct cost){wide * times, (apart > 1 ? ONE * apart : at_least_one(wide)) * times};
}

/* How long what comes into the loop's header waits for what it was in the iteration before. */
static uint64_t wait_of(struct estimate *e, const struct mpl_loop *loop) {
  struct mpl_map ends = {0}; /* value -> 1 + when it is there */
  uintptr_t longest = 0;
  for (unsigned k = 0; k < loop->num_blocks; k++)
    MPL_EACH_INSTRUCTION(i, e->flow.cfg.blocks[loop->blocks[k]]) {
      uintptr_t begin = 0;
      if (mpl_is_uniform(&e->flow.shapes, i)) continue;
      if (!k && LLVMIsAPHINode(i)) {
        mpl_map_set(&ends, i, 1);
        continue;
      }
      for (int o = 0; o < LLVMGetNumOperands(i); o++) {
        uintptr_t at = mpl_map_get(&ends, LLVMGetOperand(i, o), 0);
        if (at > begin) begin = at;
      }
      if (!begin) continue;
      LLVMTypeRef type = mpl_accessed_type(i);
      LLVMTypeKind kind = LLVMGetTypeKind(count_of(type) > 1 ? LLVMGetElementType(type) : type);
      bool floats = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
      bool computes = LLVMIsABinaryOperator(i) || LLVMIsACallInst(i);
      mpl_map_set(&ends, i, begin + (!computes ? 0 : floats ? WAIT_FLOATING : WAIT_INTEGER));
    }
  MPL_EACH_INSTRUCTION(phi, e->flow.cfg.blocks[loop->header])
  for (unsigned k = 0; LLVMIsAPHINode(phi) && k < LLVMCountIncoming(phi); k++) {
    uintptr_t end = mpl_map_get(&ends, LLVMGetIncomingValue(phi, k), 0);
    if (end > longest) longest = end;
  }
  mpl_map_free(&ends);
  return longest ? ONE * (longest - 1) : 0;
}

static struct cost cost_of_block(struct estimate *e, unsigned block) {
  struct cost sum = {0, 0};
  MPL_EACH_INSTRUCTION(i, e->flow.cfg.blocks[block]) {
    struct cost cost = cost_of(e, i);
    sum.lanes += cost.lanes;
    sum.alone += cost.alone;
    if (count_of(mpl_accessed_type(i)) > 1) e->vectors += cost.alone;
  }
  return sum;
}

static unsigned depth_of(struct estimate *e, unsigned block) {
  unsigned depth = 0;
  for (unsigned l = 0; l < e->flow.loops.count; l++)
    depth += depth < DEEPEST && e->flow.loops.list[l].in[block];
  return depth;
}

static void add_inner_loop(struct estimate *e, const struct mpl_loop *loop) {
  struct cost sum = {0, 0};
  for (unsigned k = 0; k < loop->num_blocks; k++) {
    struct cost cost = cost_of_block(e, loop->blocks[k]);
    e->inner[loop->blocks[k]] = true;
    sum.lanes += cost.lanes;
    sum.alone += cost.alone;
  }
  uint64_t wait = wait_of(e, loop);
  unsigned depth = depth_of(e, loop->header);
  e->lanes += sum.lanes << 3 * depth;
  e->alone += (sum.alone > wait ? sum.alone : wait) << 3 * depth;
}

/* The vectors of the program are estimated to be faster than lanes of their components: so it is
 * for all but a few of 100 kernels that were measured both ways on a Zen 1. */
static bool are_faster(struct mpl_module_ir *ir, LLVMValueRef function) {
  struct estimate e = {.ir = ir};
  if (mpl_option_number(MPL_OPTION_VECTOR_WIDTH) || ir->filters) return false;
  bool some = false;
  MPL_EACH_INSTRUCTION_OF(i, function) {
    enum mpl_marker marker = mpl_marker_of(i);
    if (mpl_is_sync(marker) && marker != MPL_MARK_BARRIER) return false; /* it takes lanes */
    some |= count_of(mpl_accessed_type(i)) > 1;
  }
  if (!some) return false;
  e.unit = ir->target->unit_bytes;
  e.gathered = ir->target->mask_bits ? GATHERED_BY_MASKS : GATHERED;
  mpl_flow_find(&e.flow, function);
  e.inner = mpl_allocate(e.flow.cfg.count, sizeof *e.inner);
  for (unsigned l = 0; l < e.flow.loops.count; l++)
    if (e.flow.loops.list[l].innermost) add_inner_loop(&e, &e.flow.loops.list[l]);
  for (unsigned b = 0; b < e.flow.cfg.count; b++) {
    if (e.inner[b]) continue;
    struct cost cost = cost_of_block(&e, b);
    e.lanes += cost.lanes << 3 * depth_of(&e, b);
    e.alone += cost.alone << 3 * depth_of(&e, b);
  }
  free(e.inner);
  mpl_flow_free(&e.flow);
  return e.vectors && e.lanes > e.alone;
}

/* So many components that lanes of them would be too much code.  One work-item after another is
 * vector code then as the program has it: hashcat's kernels of uint16 took minutes. */
static bool is_too_much(LLVMValueRef function) {
  enum { MOST_COMPONENTS = 8000, LEAST_EACH = 2 };
  uint64_t count = 0, components = 0;
  MPL_EACH_INSTRUCTION_OF(i, function) {
    components += count_of(mpl_accessed_type(i));
    count++;
  }
  if (mpl_option_number(MPL_OPTION_CODE_ECONOMY) == MPL_ONE_ITEM) return true;
  return components > MOST_COMPONENTS && components > LEAST_EACH * count;
}

const char *mpl_keeps_vectors(struct mpl_module_ir *ir, LLVMValueRef function) {
  if (is_too_much(function)) return "vectors of too many components to be widened";
  return are_faster(ir, function) ? "vectors as the program has them are faster than lanes" : NULL;
}
