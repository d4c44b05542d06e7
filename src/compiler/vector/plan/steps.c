#include "steps.h"

#include <stdlib.h>

#include "compiler/analysis/cost_table.h"

enum {
  WAYS = 8, /* of rows an eighth of MPL_ALIAS apart the cache holds enough */
};

/* --- steps of a loop --- */

static bool step_shape(const void *data, LLVMValueRef value, struct mpl_shape *shape) {
  struct mpl_steps *s = *(struct mpl_steps *const *)data;
  int64_t by = mpl_step_of(s, value, s->loop);
  *shape = mpl_uniform;
  if (by) *shape = (struct mpl_shape){MPL_STRIDED, .stride = by, .bits = 64};
  if (by == MPL_ANY_STEP) shape->kind = MPL_VARYING;
  return true;
}

/* What the phi of a loop's header is added in each iteration. */
static int64_t counts_by(LLVMValueRef phi) {
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    LLVMValueRef next = LLVMGetIncomingValue(phi, k);
    if (!mpl_is_op(next, LLVMAdd)) continue;
    LLVMValueRef by = LLVMGetOperand(next, 1);
    if (LLVMGetOperand(next, 0) == phi && LLVMIsAConstantInt(by))
      return LLVMConstIntGetSExtValue(by);
  }
  return MPL_ANY_STEP;
}

static int64_t find_step(struct mpl_steps *s, LLVMValueRef value, unsigned block) {
  const struct mpl_item_loop *items = s->lanes->items;
  struct mpl_shape shape;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMPHI:
    return block == items->loops[s->loop].header ? counts_by(value) : MPL_ANY_STEP;
  case LLVMSExt:
  case LLVMZExt:
  case LLVMTrunc: /* it will not wrap */
    return mpl_step_of(s, LLVMGetOperand(value, 0), s->loop);
  default:
    if (!mpl_only_computes(value, MPL_INTEGER | MPL_ADDRESS)) return MPL_ANY_STEP;
    shape = mpl_shape_computed(items->ir->layout, value, step_shape, &s);
    return shape.kind == MPL_VARYING ? MPL_ANY_STEP : shape.kind == MPL_STRIDED ? shape.stride : 0;
  }
}

int64_t mpl_step_of(struct mpl_steps *s, LLVMValueRef value, int loop) {
  const struct mpl_lanes *lanes = s->lanes;
  const struct mpl_item_loop *items = lanes->items;
  unsigned own = mpl_own_block(items, value);
  if (mpl_is_outside(&items->loops[loop], own)) return 0;
  uintptr_t *known = mpl_map_at(&s->of, value, 1 + (uintptr_t)loop, false);
  if (known) return (int64_t)*known;
  s->loop = loop;
  int64_t by = find_step(s, value, own);
  *mpl_map_at(&s->of, value, 1 + (uintptr_t)loop, true) = (uintptr_t)by;
  return by;
}

void mpl_steps_free(struct mpl_steps *s) {
  mpl_map_free(&s->of);
}

enum { LINE = 64 };

/* Of the access's place from one iteration of its loop to the next; 0: it is in none. */
static int64_t step_at(struct mpl_steps *s, const struct mpl_lane_access *a) {
  int loop = s->lanes->items->inner[a->block];
  return loop < 0 ? 0 : mpl_step_of(s, a->place, loop);
}

bool mpl_walks(struct mpl_steps *s, const struct mpl_lane_access *a) {
  int64_t by = step_at(s, a);
  return by && by != MPL_ANY_STEP && llabs(by) < LINE;
}

bool mpl_leaps(struct mpl_steps *s, const struct mpl_lane_access *a) {
  int64_t by = step_at(s, a);
  return by == MPL_ANY_STEP || llabs(by) >= LINE;
}

uint64_t mpl_trip_count(const struct mpl_item_loop *items, const struct mpl_inner_loop *l) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(items->cfg->blocks[l->last]);
  bool ends = LLVMIsABranchInst(end) && LLVMIsConditional(end);
  LLVMValueRef asks = ends ? LLVMIsAICmpInst(LLVMGetCondition(end)) : NULL;
  if (!asks || !LLVMIsAConstantInt(LLVMGetOperand(asks, 1))) return 0;
  LLVMValueRef counter = LLVMGetOperand(asks, 0), from = NULL, by = NULL;
  if (LLVMIsABinaryOperator(counter)) counter = LLVMGetOperand(counter, 0);
  if (!LLVMIsAPHINode(counter) || mpl_cfg_block_of(items->cfg, counter) != l->header) return 0;
  for (unsigned k = 0; k < LLVMCountIncoming(counter); k++) {
    LLVMValueRef value = LLVMGetIncomingValue(counter, k);
    if (LLVMIsAConstantInt(value))
      from = value;
    else if (mpl_is_op(value, LLVMAdd) && LLVMGetOperand(value, 0) == counter)
      by = LLVMIsAConstantInt(LLVMGetOperand(value, 1));
  }
  int64_t step = by ? LLVMConstIntGetSExtValue(by) : 0, length;
  if (!from || !step) return 0;
  length = LLVMConstIntGetSExtValue(LLVMGetOperand(asks, 1)) - LLVMConstIntGetSExtValue(from);
  return (uint64_t)llabs(length / step) + 1;
}

/* --- loops --- */

/* Is it the phi, with other operands of `opcode`, which LLVM may take in any order? */
static bool adds_to(LLVMValueRef value, LLVMValueRef phi, LLVMOpcode opcode, unsigned depth) {
  if (value == phi) return true;
  if (depth == MPL_DEEPEST || !LLVMIsABinaryOperator(value) ||
      LLVMGetInstructionOpcode(value) != opcode)
    return false;
  return adds_to(LLVMGetOperand(value, 0), phi, opcode, depth + 1) ||
         adds_to(LLVMGetOperand(value, 1), phi, opcode, depth + 1);
}

/* A sum, or the like, of integers. */
static bool is_reduction(LLVMValueRef phi) {
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    LLVMValueRef next = LLVMGetIncomingValue(phi, k);
    if (!LLVMIsAInstruction(next) || LLVMGetTypeKind(LLVMTypeOf(next)) != LLVMIntegerTypeKind)
      continue;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(next);
    if (opcode != LLVMAdd && (opcode < LLVMAnd || opcode > LLVMXor)) continue;
    if (adds_to(next, phi, opcode, 0)) return true;
  }
  return false;
}

bool mpl_is_simple(struct mpl_steps *s, int loop) {
  const struct mpl_lanes *lanes = s->lanes;
  const struct mpl_item_loop *items = lanes->items;
  unsigned block = items->loops[loop].header;
  if (items->loops[loop].last != block) return false;
  MPL_EACH_INSTRUCTION(i, items->cfg->blocks[block]) {
    bool store = LLVMIsAStoreInst(i) != NULL;
    int64_t by, size;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
      if (mpl_step_of(s, i, loop) == MPL_ANY_STEP && !is_reduction(i)) return false;
      break;
    case LLVMLoad:
    case LLVMStore:
      size = (int64_t)LLVMABISizeOfType(items->ir->layout, mpl_accessed_type(i));
      by = mpl_step_of(s, mpl_accessed_place(i), loop);
      if (by == size || by == -size || (!by && !store)) break;
      if (!store && by > 0 && by <= MPL_GIVEN_FIELDS * size) break; /* one of a structure's fields */
      return false;
    case LLVMCall:
      if (!mpl_is_hint(i) && !LLVMGetIntrinsicID(LLVMGetCalledValue(i))) return false;
      break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
      return false;
    default:
      break;
    }
  }
  return true;
}

bool mpl_is_ragged(const struct mpl_lanes *lanes, int loop) {
  const struct mpl_item_loop *items = lanes->items;
  const struct mpl_inner_loop *l = &items->loops[loop];
  MPL_EACH_LOOP_BLOCK(b, items, l) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(items->cfg->blocks[b]);
    for (unsigned s = 0; s < items->cfg->succs[b].count && LLVMGetNumSuccessors(end) > 1; s++) {
      bool leaves = mpl_is_outside(l, items->cfg->succs[b].to[s]);
      if (leaves && !mpl_asks_for_ids(lanes, LLVMGetOperand(end, 0), b)) return true;
    }
  }
  return false;
}

/* --- rows --- */

struct counted {
  struct mpl_steps *steps;
  int loop;
};

/* An id, what all lanes share, or what the loop counts. */
static bool is_id_or_counted(const void *data, LLVMValueRef value) {
  const struct counted *c = data;
  const struct mpl_item_loop *items = c->steps->lanes->items;
  unsigned own = mpl_own_block(items, value);
  if (own == items->cfg->count || !mpl_varies(c->steps->lanes, value)) return true;
  return LLVMIsAPHINode(value) && items->inner[own] == c->loop &&
         mpl_step_of(c->steps, value, c->loop) != MPL_ANY_STEP;
}

/* Does each lane walk along a row of its own, and are the rows as far apart as one another?  Those
 * that lie in many sets of the cache do not matter. */
bool mpl_walks_rows(struct mpl_steps *s, const struct mpl_lane_access *a) {
  const struct mpl_lanes *lanes = s->lanes;
  if (mpl_array_of(lanes, a->place) || !mpl_walks(s, a) ||
      llabs(step_at(s, a)) < MPL_WORD) /* a line lasts long */
    return false;
  if (a->stride != MPL_ANY_STRIDE) return (a->stride & -a->stride) * WAYS > MPL_ALIAS;
  return mpl_guessed_stride(lanes, a->at) == MPL_ANY_STRIDE &&
         mpl_is_made_of(a->place, MPL_INTEGER | MPL_ADDRESS, is_id_or_counted,
                        &(struct counted){s, lanes->items->inner[a->block]});
}

/* Of one loop, without those inside. */
static unsigned count_rows(struct mpl_steps *s, int loop) {
  enum { MOST = 8 };
  const struct mpl_item_loop *items = s->lanes->items;
  LLVMValueRef bases[MOST];
  unsigned count = 0;
  MPL_EACH_ACCESS(a, s->lanes) {
    if (items->inner[a.block] != loop || !mpl_walks_rows(s, &a)) continue;
    int64_t offset;
    LLVMValueRef base = mpl_base_of(items->ir, a.place, &offset);
    unsigned known = 0;
    while (known < count && bases[known] != base) known++;
    if (known == count && count < MOST) bases[count++] = base;
  }
  return count;
}

unsigned mpl_count_rows(struct mpl_steps *s) {
  const struct mpl_item_loop *items = s->lanes->items;
  unsigned most = 0, deepest = 0;
  for (unsigned l = 0; l < items->num_loops; l++) {
    unsigned depth = mpl_loop_depth(items, (int)l), count = depth < deepest ? 0 : count_rows(s, (int)l);
    if (depth > deepest || count > most) most = count;
    if (depth > deepest) deepest = depth;
  }
  return most;
}
