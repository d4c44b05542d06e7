/* Vectors of the program become their components, of which lanes are made; or they stay, and one
 * work-item is done after another.
 *
 * Lanes need each component by itself: a float4 of each of W work-items is four vectors of W lanes,
 * taken from memory by shuffles, or by four gathers.  Where little else is done with it, or where
 * it has as many components as a register, the vectors of the program are the faster ones.  Both
 * ways cost what tables/costs.def says, for the whole kernel and a work-item: there are no loops
 * over work-items yet. */
#include <stdio.h>
#include <stdlib.h>

#include "compiler/analysis/cost_table.h"
#include "compiler/analysis/loops.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"
#include "runtime/options.h"

/* Parts of a sixteenth of a cycle; and loops inside one another that count. */
enum { PARTS = 64, DEEPEST = 4 };

struct estimate {
  struct mpl_module_ir *ir;
  struct mpl_flow flow;
  bool *inner;                    /* per block: in an innermost loop */
  uint64_t lanes, alone, vectors; /* of the kernel; what vectors are computed with */
};

struct cost {
  uint64_t lanes, alone;
};

static uint64_t size_of(struct estimate *e, LLVMTypeRef type) {
  return LLVMABISizeOfType(e->ir->layout, type);
}

/* Of one work-item's part of registers that are full of lanes. */
static uint64_t of_bytes(struct estimate *e, enum mpl_cost row, uint64_t bytes) {
  return PARTS * bytes * mpl_cost_of_lanes(e->ir->target, row) / e->ir->target->unit_bytes;
}

static uint64_t of_lane(struct estimate *e, enum mpl_cost row) {
  return PARTS * (uint64_t)mpl_cost_of_lanes(e->ir->target, row);
}

/* Of a scalar, or of a vector of the program, which has a register or more. */
static uint64_t of_item(struct estimate *e, enum mpl_cost row, LLVMTypeRef type) {
  uint64_t whole = of_bytes(e, row, size_of(e, type)), one = of_lane(e, row);
  if (mpl_count_of(type) == 1) return PARTS * (uint64_t)mpl_cost_table[row].item;
  return whole > one ? whole : one;
}

/* Elements of a vector of the program are neighbours, so several may be one gather. */
static uint64_t of_gather(struct estimate *e, LLVMTypeRef type, bool store) {
  uint64_t bytes = size_of(e, type);
  unsigned count = mpl_count_of(type);
  if (count > 1 && bytes <= MPL_LARGEST_VECTOR) return count * of_lane(e, MPL_COST_WORDS);
  return count * of_lane(e, store                      ? MPL_COST_SCATTER
                            : bytes / count < MPL_WORD ? MPL_COST_GATHER_SMALL
                                                       : MPL_COST_GATHER);
}

static struct cost of_access(struct estimate *e, LLVMValueRef i, LLVMTypeRef type) {
  LLVMValueRef pointer = mpl_accessed_place(i);
  struct mpl_shape shape = mpl_shape_of(&e->flow.shapes, pointer);
  int64_t bytes = (int64_t)size_of(e, type);
  bool store = LLVMIsAStoreInst(i) != NULL;
  enum mpl_cost row = store ? MPL_COST_STORE : MPL_COST_LOAD;
  unsigned count = mpl_count_of(type);
  uint64_t wide = of_bytes(e, row, (uint64_t)bytes),
           one = PARTS * (uint64_t)mpl_cost_table[row].item;
  struct cost cost = {wide, wide > one ? wide : one};
  if (shape.kind <= MPL_UNIFORM) return store ? cost : (struct cost){0, 0};
  while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
  if (LLVMIsAAllocaInst(pointer)) return cost;
  if (shape.kind != MPL_STRIDED || llabs(shape.stride) > bytes)
    cost.lanes = of_gather(e, type, store);
  else if (count > 1 && count <= e->ir->target->most_interleaved)
    cost.lanes = of_bytes(e, MPL_COST_INTERLEAVED, (uint64_t)bytes);
  else if (count > 1) /* as cost.c has it: two registers at a time */
    cost.lanes = of_bytes(e, MPL_COST_FIELD, (uint64_t)bytes) * ((count + 1) / 2);
  return cost;
}

static struct cost of_branch(struct estimate *e, LLVMValueRef i) {
  bool parts =
      LLVMGetNumSuccessors(i) > 1 && !mpl_is_uniform(&e->flow.shapes, LLVMGetOperand(i, 0));
  if (!parts) return (struct cost){0, 0};
  return (struct cost){of_lane(e, MPL_COST_PARTING) / MPL_GIVEN_ROW,
                       PARTS * (uint64_t)mpl_cost_table[MPL_COST_PARTING].item};
}

static struct cost cost_of(struct estimate *e, LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  LLVMTypeRef type = mpl_accessed_type(i);
  if (LLVMIsATerminatorInst(i)) return of_branch(e, i);
  if (!LLVMTypeIsSized(type)) return (struct cost){0, 0};
  if (mpl_accessed_place(i)) return of_access(e, i, type);
  if (mpl_is_uniform(&e->flow.shapes, i) || opcode == LLVMPHI || opcode == LLVMAlloca ||
      opcode == LLVMGetElementPtr || mpl_marker_of(i))
    return (struct cost){0, 0};
  if (opcode == LLVMExtractElement || opcode == LLVMInsertElement || opcode == LLVMShuffleVector)
    return (struct cost){0, of_lane(e, MPL_COST_INTEGER)};
  if (opcode == LLVMCall && !LLVMGetIntrinsicID(LLVMGetCalledValue(i)))
    return (struct cost){of_bytes(e, MPL_COST_CALL_EACH, MPL_GIVEN_CALL * size_of(e, type)),
                         PARTS * (uint64_t)mpl_cost_table[MPL_COST_CALL_EACH].item *
                             mpl_count_of(type)};
  enum mpl_cost row = mpl_operation_row(i);
  if (row == MPL_NUM_COSTS) return (struct cost){0, 0};
  return (struct cost){of_bytes(e, row, size_of(e, type)), of_item(e, row, type)};
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
      bool computes = LLVMIsABinaryOperator(i) || LLVMIsACallInst(i);
      enum mpl_cost row = computes ? mpl_operation_row(i) : MPL_NUM_COSTS;
      mpl_map_set(&ends, i, begin + (row == MPL_NUM_COSTS ? 0 : mpl_cost_table[row].item_latency));
    }
  MPL_EACH_PHI(phi, e->flow.cfg.blocks[loop->header])
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    uintptr_t end = mpl_map_get(&ends, LLVMGetIncomingValue(phi, k), 0);
    if (end > longest) longest = end;
  }
  mpl_map_free(&ends);
  return longest ? PARTS * (longest - 1) * MPL_GIVEN_ALONE_CHAIN / 100 : 0;
}

static struct cost cost_of_block(struct estimate *e, unsigned block) {
  struct cost sum = {0, 0};
  MPL_EACH_INSTRUCTION(i, e->flow.cfg.blocks[block]) {
    struct cost cost = cost_of(e, i);
    sum.lanes += cost.lanes;
    sum.alone += cost.alone;
    if (mpl_count_of(mpl_accessed_type(i)) > 1) e->vectors += cost.alone;
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

/* For bench/kernels/fit.py: what a work-item costs in lanes of components, and alone with the
 * vectors of the program. */
static void dump_costs(const struct mpl_module_ir *ir, LLVMValueRef function, uint64_t lanes,
                       uint64_t alone) {
  FILE *to = mpl_open_dump(ir, "costs.txt");
  if (!to) return;
  fprintf(to, "%s, vectors: components in lanes %llu, as they are %llu\n",
          LLVMGetValueName(function), (unsigned long long)lanes, (unsigned long long)alone);
  fclose(to);
}

static bool are_faster(struct mpl_module_ir *ir, LLVMValueRef function) {
  struct estimate e = {.ir = ir};
  if (mpl_option_number(MPL_OPTION_VECTOR_WIDTH) || ir->filters) return false;
  bool some = false;
  MPL_EACH_INSTRUCTION_OF(i, function) {
    enum mpl_marker marker = mpl_marker_of(i);
    if (mpl_is_sync(marker) && marker != MPL_MARK_BARRIER) return false; /* it takes lanes */
    some |= mpl_count_of(mpl_accessed_type(i)) > 1;
  }
  if (!some) return false;
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
  dump_costs(ir, function, e.lanes / PARTS, e.alone / PARTS);
  free(e.inner);
  mpl_flow_free(&e.flow);
  return e.vectors && e.lanes > e.alone;
}

/* So many components that lanes of them would be too much code.  One work-item after another is
 * vector code then as the program has it: hashcat's kernels of uint16 took minutes. */
static bool is_too_much(LLVMValueRef function) {
  uint64_t count = 0, components = 0;
  MPL_EACH_INSTRUCTION_OF(i, function) {
    components += mpl_count_of(mpl_accessed_type(i));
    count++;
  }
  if (mpl_option_number(MPL_OPTION_CODE_ECONOMY) == MPL_ONE_ITEM) return true;
  return components > MPL_GIVEN_COMPONENTS && components > MPL_GIVEN_COMPONENTS_EACH * count;
}

/* Why the vectors of the program are not to become their components, and the function is not
 * widened; null: they are. */
static const char *keeps_vectors(struct mpl_module_ir *ir, LLVMValueRef function) {
  if (is_too_much(function)) return "vectors of too many components to be widened";
  return are_faster(ir, function) ? "vectors as the program has them are faster than lanes" : NULL;
}

/* The places of components in a private array are each work-item's own, and what is in the setup is
 * made once for all. */
static void leave_setup(struct mpl_module_ir *ir, LLVMValueRef function) {
  MPL_BUILDER(b, ir->context);
  LLVMBasicBlockRef setup = LLVMGetEntryBasicBlock(function);
  LLVMBasicBlockRef first = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(setup), 0);
  LLVMPositionBuilderBefore(b, mpl_behind_phis(first));
  MPL_EACH_INSTRUCTION(i, setup) {
    LLVMValueRef of = i;
    while (LLVMIsAGetElementPtrInst(of)) of = LLVMGetOperand(of, 0);
    if (of == i || !LLVMIsAAllocaInst(of)) continue;
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilder(b, i);
  }
}

/* In front of `one-item`: behind it, what only one work-item has computed dominates what all do. */
bool mpl_split_vectors(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  kernel->keeps_vectors = kernel->uses_lanes ? NULL : keeps_vectors(ir, kernel->group);
  if (kernel->keeps_vectors || !mpl_ir_scalarize(kernel->group)) return false;
  leave_setup(ir, kernel->group);
  return true;
}
