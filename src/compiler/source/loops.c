/* What LLVM's loop passes shall do in front of widening; their own limits are for scalars.
 *
 * Private arrays become registers where every index is a constant or made of the counters of loops
 * that run a few times: those loops are unrolled.  Tables of constants may stand between, which are
 * loads that go: more code is allowed then.  So are loops that divide what only their counters
 * decide: the quotients are numbers then, whatever the number of lanes.  What a loop adds up in one
 * place in memory is kept in a register until it is left, and so is what a work-item reads there
 * again and again. */
#include <stdlib.h>

#include "compiler/analysis/turns.h"
#include "source.h"

enum { MOST_TRIPS = 64 };
enum { MOST_CODE = 600, MOST_BY_TABLE = 2400 }; /* instructions of a function that it may become */

#define NOT_HOISTED "llvm.licm.disable"

struct unroll {
  struct mpl_flow flow;
  unsigned *trips; /* per loop; 0: not constant */
  bool *wanted;    /* per loop */
  bool by_table;   /* what is wanted needs the elements of a table to be numbers */
  bool *chosen;
};

static bool is_fixed(const struct unroll *u, const struct mpl_loop *l, LLVMValueRef value) {
  return mpl_loop_fixes(&u->flow.cfg, l, value, MPL_INTEGER | MPL_ADDRESS);
}

/* The value written there may be able to stay in a register until the loop is left. */
static bool writes_one_place(struct unroll *u, const struct mpl_loop *l) {
  MPL_EACH_INSTRUCTION_IN(i, l, &u->flow.cfg)
  if (LLVMIsAStoreInst(i) && is_fixed(u, l, LLVMGetOperand(i, 1))) return true;
  return false;
}

/* A load of what no iteration changes is not hoisted later on if work-items leave the loop one
 * after another: each iteration's is of those that are left. */
static bool reads_one_place(struct unroll *u, const struct mpl_loop *l) {
  bool apart = false, reads = false;
  for (unsigned k = 0; k < l->num_blocks; k++) {
    unsigned b = l->blocks[k];
    apart |= u->flow.shapes.varying_branch[b] && mpl_loop_leaves(&u->flow.cfg, l, b);
    MPL_EACH_INSTRUCTION(i, u->flow.cfg.blocks[b]) {
      LLVMValueRef place = LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : NULL;
      reads |= place && !mpl_is_uniform(&u->flow.shapes, place) && is_fixed(u, l, place);
    }
  }
  return apart && reads;
}

/* If that is a constant; or 0. */
static unsigned trips_of(const struct unroll *u, const struct mpl_loop *l) {
  struct mpl_turns turns;
  if (!mpl_turns_find(&turns, &u->flow.cfg, l)) return 0;
  uint64_t number = turns.first;
  for (unsigned trips = 1; trips <= MOST_TRIPS; trips++)
    if (!mpl_turns_next(&turns, &number)) return trips;
  return 0;
}

static bool is_counted(struct unroll *, LLVMValueRef index, unsigned depth);

/* An element of a table of constants, at such an index. */
static bool is_of_table(struct unroll *u, LLVMValueRef load, unsigned depth) {
  LLVMValueRef at = LLVMIsALoadInst(load) ? LLVMGetOperand(load, 0) : NULL;
  while (at && LLVMIsAGetElementPtrInst(at)) {
    for (int k = 1; k < LLVMGetNumOperands(at); k++)
      if (!is_counted(u, LLVMGetOperand(at, k), depth + 1)) return false;
    at = LLVMGetOperand(at, 0);
  }
  bool is = at && LLVMIsAGlobalVariable(at) && LLVMIsGlobalConstant(at) && LLVMGetInitializer(at);
  u->by_table |= is;
  return is && !LLVMGetVolatile(load);
}

static bool is_quotient(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem: /* others are products */
    return !LLVMIsAConstantInt(LLVMGetOperand(i, 1));
  case LLVMFDiv:
  case LLVMFRem:
    return true;
  default:
    return false;
  }
}

/* Is the value a number in each iteration of loops that can be unrolled?  These are wanted. */
static bool is_counted(struct unroll *u, LLVMValueRef index, unsigned depth) {
  enum { COMPUTES = MPL_INTEGER | MPL_FROM_INTEGER | MPL_FLOATING };
  struct mpl_turns turns;
  if (LLVMIsAConstantInt(index) || LLVMIsAConstantFP(index)) return true;
  if (!LLVMIsAInstruction(index) || depth > MPL_DEEPEST) return false;
  if (LLVMIsAPHINode(index)) {
    for (unsigned l = 0; l < u->flow.loops.count; l++)
      if (u->trips[l] && mpl_turns_find_counter(&turns, &u->flow.cfg, &u->flow.loops.list[l], index))
        return u->wanted[l] = true;
    return false;
  }
  if (!mpl_only_computes(index, COMPUTES) && !is_quotient(index))
    return is_of_table(u, index, depth);
  for (int k = 0; k < LLVMGetNumOperands(index); k++)
    if (!is_counted(u, LLVMGetOperand(index, k), depth + 1)) return false;
  return true;
}

static bool are_counted(struct unroll *u, LLVMValueRef pointer) {
  MPL_EACH_USER(user, pointer) {
    if (LLVMIsALoadInst(user) || (LLVMIsACallInst(user) && mpl_is_hint(user))) continue;
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer) continue;
    if (LLVMIsAMemIntrinsic(user)) continue;
    if (!LLVMIsAGetElementPtrInst(user) || LLVMGetOperand(user, 0) != pointer) return false;
    for (int k = 1; k < LLVMGetNumOperands(user); k++)
      if (!is_counted(u, LLVMGetOperand(user, k), 0)) return false;
    if (!are_counted(u, user)) return false;
  }
  return true;
}

/* Of the function, if what is wanted were unrolled besides what is chosen. */
static uint64_t code(const struct unroll *u) {
  uint64_t sum = 0;
  for (unsigned b = 0; b < u->flow.cfg.count; b++) {
    uint64_t copies = 1;
    for (unsigned l = 0; l < u->flow.loops.count; l++)
      if (u->flow.loops.list[l].in[b] && (u->wanted[l] || u->chosen[l])) copies *= u->trips[l];
    if (copies == 1) continue;
    MPL_EACH_INSTRUCTION(i, u->flow.cfg.blocks[b]) sum += copies;
  }
  return sum;
}

static void choose(struct unroll *u, LLVMValueRef i) {
  bool array = LLVMIsAAllocaInst(i), quotient = is_quotient(i);
  if (!array && !quotient) return;
  for (unsigned l = 0; l < u->flow.loops.count; l++) u->wanted[l] = false;
  u->by_table = false;
  if (!(array ? are_counted(u, i) : is_counted(u, i, 0))) return;
  if (code(u) > (array && u->by_table ? MOST_BY_TABLE : MOST_CODE)) return;
  for (unsigned l = 0; l < u->flow.loops.count; l++) u->chosen[l] |= u->wanted[l];
}

/* Vector types become their components: a loop that LLVM takes for small may be long then. */
static bool is_long(const struct unroll *u, const struct mpl_loop *l) {
  enum { LONG = 128 };
  unsigned sum = 0, count = 0;
  MPL_EACH_INSTRUCTION_IN(i, l, &u->flow.cfg) {
    sum += mpl_count_of(LLVMTypeOf(i));
    count++;
  }
  return sum >= LONG && sum > 2 * count;
}

static void mark(struct mpl_module_ir *ir, LLVMValueRef function) {
  struct unroll u = {0};
  mpl_flow_find(&u.flow, function);
  u.trips = mpl_allocate(u.flow.loops.count + 1, sizeof *u.trips);
  u.wanted = mpl_allocate(u.flow.loops.count + 1, sizeof *u.wanted);
  u.chosen = mpl_allocate(u.flow.loops.count + 1, sizeof *u.chosen);
  for (unsigned l = 0; l < u.flow.loops.count; l++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(u.flow.cfg.blocks[u.flow.loops.list[l].latch]);
    bool syncs = mpl_loop_syncs(&u.flow.cfg, &u.flow.loops.list[l]);
    /* What is hoisted past sync points is kept in contexts; and addresses lose their form. */
    bool one_place = writes_one_place(&u, &u.flow.loops.list[l]) ||
                     reads_one_place(&u, &u.flow.loops.list[l]);
    if (syncs || !one_place)
      mpl_set_loop_property(ir, end, NOT_HOISTED, true);
    u.trips[l] = syncs ? 0 : trips_of(&u, &u.flow.loops.list[l]);
  }
  MPL_EACH_INSTRUCTION_OF(i, function) choose(&u, i);
  for (unsigned l = 0; l < u.flow.loops.count; l++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(u.flow.cfg.blocks[u.flow.loops.list[l].latch]);
    if (u.chosen[l])
      mpl_set_loop_property(ir, end, "llvm.loop.unroll.full", true);
    else if (is_long(&u, &u.flow.loops.list[l]) &&
             !mpl_has_loop_property(ir, end, "llvm.loop.unroll"))
      mpl_set_loop_property(ir, end, "llvm.loop.unroll.disable", true);
  }
  mpl_flow_free(&u.flow);
  free(u.trips);
  free(u.wanted);
  free(u.chosen);
}

void mpl_mark_loops(struct mpl_module_ir *ir) {
  MPL_EACH_KERNEL(kernel, ir) mark(ir, kernel->group);
}

void mpl_unmark_loops(struct mpl_module_ir *ir) {
  MPL_EACH_KERNEL(kernel, ir) MPL_EACH_BLOCK(block, kernel->group) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (end) mpl_set_loop_property(ir, end, NOT_HOISTED, false);
  }
}
