/* What is the same for all lanes of a chunk, and where only some of them are. */
#include <stdlib.h>

#include "analysis.h"

static const struct mpl_shape varying = {MPL_VARYING, .bits = 64};

static int stride_of(const struct mpl_shape *shape) {
  if (shape->kind == MPL_VARYING) return MPL_ANY_STRIDE;
  return shape->kind == MPL_STRIDED ? (int)shape->stride : 0;
}

int mpl_stride_of(const struct mpl_lanes *lanes, LLVMValueRef value) {
  const uintptr_t *at = mpl_map_find(&lanes->index, value, 0);
  return at ? stride_of(&lanes->shapes[*at]) : 0;
}

/* From block to block, out of a loop that has masks? */
bool mpl_leaves_mask(const struct mpl_lanes *lanes, unsigned from, unsigned to) {
  const struct mpl_item_loop *items = lanes->items;
  for (int l = items->inner[from]; l >= 0; l = items->loops[l].parent)
    if (lanes->loops[l].masked && mpl_is_outside(&items->loops[l], to)) return true;
  return false;
}

/* As seen from `block`: what a masked loop computes varies behind it. */
static struct mpl_shape lane_shape_at(const struct mpl_lanes *lanes, LLVMValueRef value,
                                      unsigned block) {
  const struct mpl_item_loop *items = lanes->items;
  unsigned own = mpl_own_block(items, value);
  struct mpl_shape shape = mpl_uniform;
  if (own == items->cfg->count) {
    const uintptr_t *array = mpl_map_find(&lanes->index, value, 0);
    if (array) return lanes->shapes[*array];
    if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64) {
      uint64_t number = LLVMConstIntGetZExtValue(value);
      shape.bits = number ? 64 - (unsigned)__builtin_clzll(number) : 0;
    }
    return shape;
  }
  if (mpl_leaves_mask(lanes, own, block)) return varying;
  return lanes->shapes[mpl_map_get(&lanes->index, value, 0)];
}

int mpl_stride_at(const struct mpl_lanes *lanes, LLVMValueRef value, unsigned block) {
  struct mpl_shape shape = lane_shape_at(lanes, value, block);
  return stride_of(&shape);
}

/* --- values --- */

struct looker {
  const struct mpl_lanes *lanes;
  unsigned block;
};

static bool operand_shape(const void *data, LLVMValueRef value, struct mpl_shape *shape) {
  const struct looker *looker = data;
  *shape = lane_shape_at(looker->lanes, value, looker->block);
  return true;
}

/* By a positive number, which never traps. */
static bool divides(LLVMValueRef value) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  if (opcode < LLVMUDiv || opcode > LLVMSRem || opcode == LLVMFDiv) return false;
  LLVMValueRef by = LLVMGetOperand(value, 1);
  return LLVMIsAConstantInt(by) && LLVMGetIntTypeWidth(LLVMTypeOf(by)) <= 64 &&
         LLVMConstIntGetSExtValue(by) > 0;
}

static bool is_known_before(const struct mpl_lanes *lanes, LLVMValueRef value, unsigned depth) {
  const struct mpl_item_loop *items = lanes->items;
  if (!LLVMIsAInstruction(value) || value == items->counter) return true;
  if (LLVMIsAAllocaInst(value)) return false; /* that of lane 0 is another one */
  if (mpl_map_has(&lanes->bounds, value))
    return false; /* it is what it is taken for in this chunk */
  if (!mpl_is_made_inside(items, value)) return true;
  if (mpl_is_known_choice(lanes->items, value))
    return is_known_before(lanes, LLVMGetOperand(value, 1), depth + 1);
  bool frozen = LLVMIsAFreezeInst(value) && !mpl_varies(lanes, value);
  bool computes = mpl_only_computes(value, MPL_INTEGER | MPL_ADDRESS) || divides(value);
  if (depth > MPL_DEEPEST || !(frozen || computes)) return false;
  for (int k = 0; k < LLVMGetNumOperands(value); k++)
    if (!is_known_before(lanes, LLVMGetOperand(value, k), depth + 1)) return false;
  return true;
}

bool mpl_is_known_before(const struct mpl_lanes *lanes, LLVMValueRef value) {
  return is_known_before(lanes, value, 0);
}

static bool assume_parts(struct mpl_lanes *, LLVMValueRef value, unsigned block, unsigned depth,
                         bool set);

/* A sum that is promised not to wrap if its parts do not. */
static bool assume_operands(struct mpl_lanes *lanes, LLVMValueRef value, unsigned block,
                            unsigned depth, bool set) {
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
    if (!LLVMGetNSW(value)) return false;
    for (int k = 0; k < 2; k++)
      if (!assume_parts(lanes, LLVMGetOperand(value, k), block, depth + 1, set)) return false;
    return true;
  default:
    return false;
  }
}

/* A sum that is promised not to wrap, but for parts that might and are known before: these are
 * assumed not to (if `set`).  They are as small as can be, and so are the same for several sums and
 * for all rows: there is less to ask. */
static bool assume_parts(struct mpl_lanes *lanes, LLVMValueRef value, unsigned block,
                         unsigned depth, bool set) {
  struct mpl_shape shape = lane_shape_at(lanes, value, block);
  if (shape.kind == MPL_VARYING || shape.wraps || depth > MPL_DEEPEST) return false;
  if (shape.kind <= MPL_UNIFORM || shape.nsw) return true;
  if (!LLVMIsAInstruction(value)) return false;
  if (assume_operands(lanes, value, block, depth, false))
    return !set || assume_operands(lanes, value, block, depth, true);
  if (!is_known_before(lanes, value, 0)) return false;
  if (set && !mpl_map_has(&lanes->assumed, value)) mpl_map_set(&lanes->assumed, value, 1);
  return true;
}

static unsigned bits_of(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 64;
}

/* A number that is cut off, or extended, grows by its stride unless it wraps between two lanes.
 * That is assumed, and asked for in front of the loop; what is computed from it is exact then.  Few
 * bits wrap soon: of these it is assumed only where something has to be extended, and of a byte
 * never. */
static struct mpl_shape assumed(struct mpl_lanes *lanes, LLVMValueRef i, unsigned block,
                                struct mpl_shape shape) {
  const struct mpl_item_loop *items = lanes->items;
  if (shape.kind != MPL_STRIDED || !shape.stride) return shape;
  enum { FEW = 32, BYTE = 8 };
  bool cut = LLVMIsATruncInst(i) && !(shape.nsw && shape.nuw) && bits_of(i) >= FEW;
  if (!cut && !shape.wraps) return shape;
  if (shape.wraps && shape.narrow && bits_of(shape.narrow) <= BYTE) return varying;
  LLVMValueRef narrow = LLVMIsASExtInst(i) && !items->exact ? LLVMGetOperand(i, 0) : NULL;
  if (narrow && assume_parts(lanes, narrow, block, 0, false)) {
    assume_parts(lanes, narrow, block, 0, true);
    shape.wraps = MPL_EXACT;
    shape.narrow = NULL;
    return shape;
  }
  bool counts = shape.wraps && !items->exact && mpl_counter_of(lanes, i, &(struct mpl_counter){0});
  if (!counts && (items->exact || LLVMIsAFreezeInst(i) || !is_known_before(lanes, i, 0))) {
    if (shape.wraps) shape = varying;
    return shape;
  }
  if (!mpl_map_has(&lanes->assumed, i)) mpl_map_set(&lanes->assumed, i, 1 + counts);
  shape.wraps = MPL_EXACT;
  shape.narrow = NULL;
  shape.nsw = true;
  shape.nuw = shape.stride > 0;
  return shape;
}

static struct mpl_shape phi_shape(const struct mpl_lanes *lanes, LLVMValueRef phi, unsigned block) {
  struct mpl_shape shape = {.kind = MPL_UNSEEN};
  LLVMValueRef first = NULL;
  bool same = true;
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, k);
    struct mpl_shape other =
        value == phi ? (struct mpl_shape){0} : lane_shape_at(lanes, value, block);
    if (other.kind == MPL_UNSEEN) continue;
    shape = first ? mpl_shape_join(shape, other) : other;
    if (!first) first = value;
    same &= value == first;
  }
  return lanes->blocks[block].joins && !same ? varying : shape;
}

/* Poison for all lanes, or for none. */
static bool is_poison_alike(const struct mpl_lanes *lanes, LLVMValueRef value, unsigned block,
                            unsigned depth) {
  struct mpl_shape shape = lane_shape_at(lanes, value, block);
  if (shape.kind <= MPL_UNIFORM || value == lanes->items->counter) return true;
  if (shape.kind == MPL_VARYING || depth > MPL_DEEPEST || !LLVMIsAInstruction(value)) return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  switch (opcode) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
    if (LLVMGetNSW(value) || LLVMGetNUW(value)) return false;
    break;
  case LLVMFreeze:
    return true;
  case LLVMTrunc:
  case LLVMSExt:
    break;
  default:
    return false;
  }
  for (int k = 0; k < LLVMGetNumOperands(value); k++)
    if (!is_poison_alike(lanes, LLVMGetOperand(value, k), block, depth + 1)) return false;
  return true;
}

static struct mpl_shape computed_shape(struct mpl_lanes *lanes, LLVMValueRef i, unsigned block) {
  struct looker looker = {lanes, block};
  if (LLVMIsAFreezeInst(i) && is_poison_alike(lanes, LLVMGetOperand(i, 0), block, 0))
    return lane_shape_at(lanes, LLVMGetOperand(i, 0), block);
  struct mpl_shape shape = mpl_shape_computed(lanes->items->ir->layout, i, operand_shape, &looker);
  if (shape.stride < -MPL_MOST_STRIDE || shape.stride > MPL_MOST_STRIDE) return varying;
  return assumed(lanes, i, block, shape);
}

/* A branch by two numbers that grow alike: none of them is poison where it is taken, and all lanes
 * are there.  That they do not wrap is tested if nobody promises it, where that can be. */
static bool asks_alike(struct mpl_lanes *lanes, LLVMValueRef i, unsigned block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(lanes->items->cfg->blocks[block]);
  if (lanes->blocks[block].diverged || mpl_only_user(i) != end) return false;
  struct mpl_shape a = lane_shape_at(lanes, LLVMGetOperand(i, 0), block),
                   b = lane_shape_at(lanes, LLVMGetOperand(i, 1), block);
  if (a.kind == MPL_VARYING || b.kind == MPL_VARYING || a.stride != b.stride) return false;
  LLVMIntPredicate by = LLVMGetICmpPredicate(i);
  if (by == LLVMIntEQ || by == LLVMIntNE) return true;
  if (by >= LLVMIntSGT ? a.nsw && b.nsw : a.nuw && b.nuw) return true;
  return lanes->blocks[block].clean && mpl_guess_order(lanes, i, a.stride);
}

static struct mpl_shape find_shape(struct mpl_lanes *lanes, LLVMValueRef i, unsigned block) {
  const struct mpl_item_loop *items = lanes->items;
  if (mpl_is_lanes_call(i)) return mpl_is_in_place(mpl_marker_of(i)) ? varying : mpl_uniform;
  if (mpl_is_known_choice(lanes->items, i))
    return lane_shape_at(lanes, LLVMGetOperand(i, 1), block);
  struct mpl_shape shape;
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMPHI:
    return i == items->counter ? mpl_by_ones : phi_shape(lanes, i, block);
  case LLVMLoad: /* each lane's own, or at its own time */
    if (mpl_array_of(lanes, LLVMGetOperand(i, 0)) || mpl_is_sum(items->ir, LLVMGetOperand(i, 0)))
      break;
    if (mpl_is_seen_by_others(i)) break;
    return computed_shape(lanes, i, block);
  case LLVMCall:
    if (!mpl_ir_is_pure_call(i)) break;
    return computed_shape(lanes, i, block);
  case LLVMICmp:
    shape = computed_shape(lanes, i, block);
    return shape.kind == MPL_VARYING && asks_alike(lanes, i, block) ? mpl_uniform : shape;
  case LLVMAlloca:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg:
    break;
  default:
    return computed_shape(lanes, i, block);
  }
  return varying;
}

/* Goes up from what was known; false if that was all. */
static bool raise(struct mpl_lanes *lanes, LLVMValueRef i, unsigned block) {
  struct mpl_shape *known = &lanes->shapes[mpl_map_get(&lanes->index, i, 0)], old = *known;
  if (old.kind == MPL_VARYING) return false;
  struct mpl_shape shape = find_shape(lanes, i, block);
  bool tests = lanes->blocks[block].clean && !lanes->blocks[block].diverged;
  if (shape.kind == MPL_VARYING && tests) mpl_guess_bound(lanes, i, block, &shape);
  *known = mpl_shape_join(old, shape);
  return known->kind != old.kind || known->bits != old.bits || known->nsw != old.nsw ||
         known->nuw != old.nuw;
}

static void add_shape(struct mpl_lanes *lanes, LLVMValueRef value, struct mpl_shape shape) {
  mpl_map_set(&lanes->index, value, lanes->num_shapes);
  MPL_APPEND(lanes->shapes, lanes->num_shapes) = shape;
}

/* Instructions, of which nothing is known yet, and arrays that there is one of for each lane. */
static void add_shapes(struct mpl_lanes *lanes) {
  const struct mpl_item_loop *items = lanes->items;
  MPL_EACH_ITEM_INSTRUCTION(i, items) {
    add_shape(lanes, i, (struct mpl_shape){0});
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
      LLVMValueRef array = LLVMGetOperand(i, k);
      if (mpl_array_kind(lanes, array) != MPL_ITEMS_ARRAY || mpl_map_has(&lanes->index, array))
        continue;
      int64_t size = (int64_t)mpl_array_size(lanes, array);
      add_shape(lanes, array, (struct mpl_shape){MPL_STRIDED, .stride = size, .bits = 64});
    }
  }
}

/* --- branches on ids --- */

static bool has_effect(LLVMBasicBlockRef block) {
  MPL_EACH_INSTRUCTION(i, block)
  if (mpl_has_effect(i)) return true;
  return false;
}

/* Blocks at whose end a chunk has changed nothing yet: it may begin again in another way. */
static void find_clean(struct mpl_lanes *lanes) {
  const struct mpl_item_loop *items = lanes->items;
  struct mpl_lane_block *blocks = lanes->blocks;
  MPL_EACH_ITEM_BLOCK(b, items) blocks[b].clean = !has_effect(items->cfg->blocks[b]);
  for (bool changed = true; changed;) {
    changed = false;
    MPL_EACH_ITEM_BLOCK(b, items) MPL_EACH_EDGE(from, &items->cfg->preds[b]) {
      if (b == items->header || !blocks[b].clean || blocks[from].clean) continue;
      blocks[b].clean = false;
      changed = true;
    }
  }
}

static bool asks_for_ids(const struct mpl_lanes *lanes, LLVMValueRef condition, unsigned block,
                         unsigned depth) {
  enum { DEEPEST = 4 };
  if (mpl_stride_at(lanes, condition, block) != MPL_ANY_STRIDE) return true;
  if (depth > DEEPEST) return false;
  switch (LLVMGetInstructionOpcode(condition)) {
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMSelect:
  case LLVMFreeze:
  case LLVMICmp:
    for (int k = 0; k < LLVMGetNumOperands(condition); k++)
      if (!asks_for_ids(lanes, LLVMGetOperand(condition, k), block, depth + 1)) return false;
    return true;
  default:
    return false;
  }
}

bool mpl_asks_for_ids(const struct mpl_lanes *lanes, LLVMValueRef condition, unsigned block) {
  return asks_for_ids(lanes, condition, block, 0);
}

static void find_lanes(struct mpl_lanes *lanes) {
  const struct mpl_item_loop *items = lanes->items;
  bool *parted = mpl_allocate(items->cfg->count, sizeof *parted);
  add_shapes(lanes);
  for (bool changed = true; changed;) {
    changed = false;
    MPL_EACH_ITEM_BLOCK(b, items) {
      MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b])
      if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind) changed |= raise(lanes, i, b);
      changed |= mpl_arrays_part(lanes, b);
      LLVMValueRef end = LLVMGetBasicBlockTerminator(items->cfg->blocks[b]);
      if (parted[b] || !mpl_branch_varies(lanes, b)) continue;
      lanes->blocks[b].tested = lanes->blocks[b].clean && items->inner[b] < 0 && !lanes->blocks[b].diverged &&
                         LLVMIsABranchInst(end) &&
                         mpl_asks_for_ids(lanes, LLVMGetCondition(end), b);
      if (lanes->blocks[b].tested) continue;
      parted[b] = changed = true;
      mpl_part_at(lanes, b);
    }
    mpl_spread_to_loops(lanes);
    if (!changed) changed = mpl_parts_find(lanes);
  }
  free(parted);
}

/* --- the analyses of a loop --- */

static struct mpl_lanes *make(const struct mpl_item_loop *items, unsigned width, bool together) {
  unsigned count = items->cfg->count;
  struct mpl_lanes *lanes = mpl_allocate(1, sizeof *lanes);
  *lanes = (struct mpl_lanes){.items = items, .width = width, .together = together};
  lanes->blocks = mpl_allocate(count, sizeof *lanes->blocks);
  lanes->loops = mpl_allocate(items->num_loops + 1, sizeof *lanes->loops);
  lanes->parts = mpl_allocate(count, sizeof *lanes->parts);
  if (together) find_clean(lanes);
  find_lanes(lanes);
  mpl_exits_find(lanes);
  mpl_fields_find(lanes);
  return lanes;
}

static void end(struct mpl_lanes *lanes) {
  mpl_map_free(&lanes->index);
  mpl_map_free(&lanes->assumed);
  mpl_map_free(&lanes->bounds);
  mpl_map_free(&lanes->differing);
  mpl_fields_free(lanes);
  free(lanes->shapes);
  free(lanes->apart.list);
  free(lanes->blocks);
  free(lanes->loops);
  free(lanes->parts);
  free(lanes);
}

const struct mpl_lanes *mpl_lanes_for(struct mpl_analyses *known, unsigned width, bool together) {
  for (unsigned k = 0; k < known->count; k++)
    if (known->list[k]->width == width && known->list[k]->together == together)
      return known->list[k];
  if (known->count == MPL_MOST_ANALYSES) abort(); /* a loop has a few widths */
  return known->list[known->count++] = make(known->items, width, together);
}

void mpl_analyses_free(struct mpl_analyses *known) {
  for (unsigned k = 0; k < known->count; k++) end(known->list[k]);
  *known = (struct mpl_analyses){0};
}
