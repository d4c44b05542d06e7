/* What is the same for all lanes of a chunk, and where only some of them are. */
#include <stdlib.h>

#include "widen.h"

static const struct mpl_shape varying = {MPL_VARYING, .bits = 64};

static int stride_of(const struct mpl_shape *shape) {
  if (shape->kind == MPL_VARYING) return MPL_ANY_STRIDE;
  return shape->kind == MPL_STRIDED ? (int)shape->stride : 0;
}

int mpl_stride_of(struct mpl_widen *w, LLVMValueRef value) {
  uintptr_t *at = mpl_map_at(&w->index, value, 0, false);
  return at ? stride_of(&w->shapes[*at]) : 0;
}

static bool is_inside(struct mpl_widen *w, unsigned block) {
  return block < w->cfg->count && w->in[block];
}

/* As seen from `block`: what a masked loop computes varies behind it. */
static struct mpl_shape shape_at(struct mpl_widen *w, LLVMValueRef value, unsigned block) {
  unsigned own = LLVMIsAInstruction(value) ? mpl_cfg_block_of(w->cfg, value) : w->cfg->count;
  struct mpl_shape shape = mpl_uniform;
  if (!is_inside(w, own)) {
    uintptr_t *array = mpl_map_at(&w->index, value, 0, false);
    if (array) return w->shapes[*array];
    if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64) {
      uint64_t number = LLVMConstIntGetZExtValue(value);
      shape.bits = number ? 64 - (unsigned)__builtin_clzll(number) : 0;
    }
    return shape;
  }
  for (int l = w->inner[own]; l >= 0; l = w->loops[l].parent) {
    bool outside = block < w->loops[l].header || block > w->loops[l].last;
    if (outside && w->loops[l].masked) return varying;
  }
  return w->shapes[mpl_map_get(&w->index, value, 0)];
}

int mpl_stride_at(struct mpl_widen *w, LLVMValueRef value, unsigned block) {
  struct mpl_shape shape = shape_at(w, value, block);
  return stride_of(&shape);
}

/* --- loops --- */

static void add_loop(struct mpl_widen *w, unsigned header, unsigned last) {
  w->loops[w->num_loops] =
      (struct mpl_inner_loop){.header = header, .last = last, .parent = w->inner[header]};
  for (unsigned b = header; b <= last; b++)
    if (w->in[b]) w->inner[b] = (int)w->num_loops;
  w->num_loops++;
}

/* The order of blocks has each loop in one piece, its header first: outer loops are found first. */
static bool find_loops(struct mpl_widen *w) {
  for (unsigned b = w->first + 1; b <= w->last; b++) {
    if (!w->in[b]) continue;
    unsigned last = 0;
    for (unsigned p = 0; p < w->cfg->preds[b].count; p++) {
      unsigned from = w->cfg->preds[b].to[p];
      if (from >= b && from > last) last = from;
    }
    if (last) add_loop(w, b, last);
  }
  for (unsigned l = 0; l < w->num_loops; l++) /* entered at its header only */
    for (unsigned b = w->loops[l].header + 1; b <= w->loops[l].last; b++)
      for (unsigned p = 0; p < w->cfg->preds[b].count; p++) {
        unsigned from = w->cfg->preds[b].to[p];
        if (!w->in[b] || from < w->loops[l].header || from > w->loops[l].last) {
          w->why = "a loop that is entered at several places";
          return false;
        }
      }
  return true;
}

/* --- values --- */

struct looker {
  struct mpl_widen *w;
  unsigned block;
};

static bool operand_shape(const void *data, LLVMValueRef value, struct mpl_shape *shape) {
  const struct looker *looker = data;
  *shape = shape_at(looker->w, value, looker->block);
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

static bool is_known_before(struct mpl_widen *w, LLVMValueRef value, unsigned depth) {
  enum { DEEPEST = 8 };
  if (!LLVMIsAInstruction(value) || value == w->counter) return true;
  if (LLVMIsAAllocaInst(value)) return false; /* that of lane 0 is another one */
  if (mpl_map_has(&w->bounds, value)) return false; /* it is what it is taken for in this chunk */
  if (!is_inside(w, mpl_cfg_block_of(w->cfg, value))) return true;
  if (mpl_is_known_choice(w, value)) return is_known_before(w, LLVMGetOperand(value, 1), depth + 1);
  bool frozen = LLVMIsAFreezeInst(value) && mpl_stride_of(w, value) != MPL_ANY_STRIDE;
  bool computes = mpl_only_computes(value, MPL_INTEGER | MPL_ADDRESS) || divides(value);
  if (depth > DEEPEST || !(frozen || computes)) return false;
  for (int k = 0; k < LLVMGetNumOperands(value); k++)
    if (!is_known_before(w, LLVMGetOperand(value, k), depth + 1)) return false;
  return true;
}

bool mpl_is_known_before(struct mpl_widen *w, LLVMValueRef value) {
  return is_known_before(w, value, 0);
}

static bool assume_parts(struct mpl_widen *, LLVMValueRef value, unsigned block, unsigned depth,
                         bool set);

/* A sum that is promised not to wrap if its parts do not. */
static bool assume_operands(struct mpl_widen *w, LLVMValueRef value, unsigned block, unsigned depth,
                            bool set) {
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
    if (!LLVMGetNSW(value)) return false;
    for (int k = 0; k < 2; k++)
      if (!assume_parts(w, LLVMGetOperand(value, k), block, depth + 1, set)) return false;
    return true;
  default:
    return false;
  }
}

/* A sum that is promised not to wrap, but for parts that might and are known before: these are
 * assumed not to (if `set`).  They are as small as can be, and so are the same for several sums and
 * for all rows: there is less to ask. */
static bool assume_parts(struct mpl_widen *w, LLVMValueRef value, unsigned block, unsigned depth,
                         bool set) {
  enum { DEEPEST = 8 };
  struct mpl_shape shape = shape_at(w, value, block);
  if (shape.kind == MPL_VARYING || shape.wraps || depth > DEEPEST) return false;
  if (shape.kind <= MPL_UNIFORM || shape.nsw) return true;
  if (!LLVMIsAInstruction(value)) return false;
  if (assume_operands(w, value, block, depth, false))
    return !set || assume_operands(w, value, block, depth, true);
  if (!is_known_before(w, value, 0)) return false;
  if (set && !mpl_map_has(&w->assumed, value)) mpl_map_set(&w->assumed, value, 1);
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
static struct mpl_shape assumed(struct mpl_widen *w, LLVMValueRef i, unsigned block,
                                struct mpl_shape shape) {
  if (shape.kind != MPL_STRIDED || !shape.stride) return shape;
  enum { FEW = 32, BYTE = 8 };
  bool cut = LLVMIsATruncInst(i) && !(shape.nsw && shape.nuw) && bits_of(i) >= FEW;
  if (!cut && !shape.wraps) return shape;
  if (shape.wraps && shape.narrow && bits_of(shape.narrow) <= BYTE) return varying;
  LLVMValueRef narrow = LLVMIsASExtInst(i) && !w->exact ? LLVMGetOperand(i, 0) : NULL;
  if (narrow && assume_parts(w, narrow, block, 0, false)) {
    assume_parts(w, narrow, block, 0, true);
    shape.wraps = MPL_EXACT;
    shape.narrow = NULL;
    return shape;
  }
  bool counts = shape.wraps && !w->exact && mpl_counts_on(w, i);
  if (!counts && (w->exact || LLVMIsAFreezeInst(i) || !is_known_before(w, i, 0))) {
    if (shape.wraps) shape = varying;
    return shape;
  }
  if (!mpl_map_has(&w->assumed, i)) mpl_map_set(&w->assumed, i, 1 + counts);
  shape.wraps = MPL_EXACT;
  shape.narrow = NULL;
  shape.nsw = true;
  shape.nuw = shape.stride > 0;
  return shape;
}

static struct mpl_shape phi_shape(struct mpl_widen *w, LLVMValueRef phi, unsigned block) {
  struct mpl_shape shape = {.kind = MPL_UNSEEN};
  LLVMValueRef first = NULL;
  bool same = true;
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, k);
    struct mpl_shape other = value == phi ? (struct mpl_shape){0} : shape_at(w, value, block);
    if (other.kind == MPL_UNSEEN) continue;
    shape = first ? mpl_shape_join(shape, other) : other;
    if (!first) first = value;
    same &= value == first;
  }
  return w->joins[block] && !same ? varying : shape;
}

/* Poison for all lanes, or for none. */
static bool is_poison_alike(struct mpl_widen *w, LLVMValueRef value, unsigned block,
                            unsigned depth) {
  enum { DEEPEST = 8 };
  struct mpl_shape shape = shape_at(w, value, block);
  if (shape.kind <= MPL_UNIFORM || value == w->counter) return true;
  if (shape.kind == MPL_VARYING || depth > DEEPEST || !LLVMIsAInstruction(value)) return false;
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
    if (!is_poison_alike(w, LLVMGetOperand(value, k), block, depth + 1)) return false;
  return true;
}

static struct mpl_shape computed_shape(struct mpl_widen *w, LLVMValueRef i, unsigned block) {
  struct looker looker = {w, block};
  if (LLVMIsAFreezeInst(i) && is_poison_alike(w, LLVMGetOperand(i, 0), block, 0))
    return shape_at(w, LLVMGetOperand(i, 0), block);
  struct mpl_shape shape = mpl_shape_computed(w->ir->layout, i, operand_shape, &looker);
  if (shape.stride < -MPL_MOST_STRIDE || shape.stride > MPL_MOST_STRIDE) return varying;
  return assumed(w, i, block, shape);
}

/* A branch by two numbers that grow alike: none of them is poison where it is taken, and all lanes
 * are there.  That they do not wrap is tested if nobody promises it, where that can be. */
static bool asks_alike(struct mpl_widen *w, LLVMValueRef i, unsigned block) {
  LLVMUseRef use = LLVMGetFirstUse(i);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->cfg->blocks[block]);
  if (w->diverged[block] || !use || LLVMGetNextUse(use) || LLVMGetUser(use) != end) return false;
  struct mpl_shape a = shape_at(w, LLVMGetOperand(i, 0), block),
                   b = shape_at(w, LLVMGetOperand(i, 1), block);
  if (a.kind == MPL_VARYING || b.kind == MPL_VARYING || a.stride != b.stride) return false;
  LLVMIntPredicate by = LLVMGetICmpPredicate(i);
  if (by == LLVMIntEQ || by == LLVMIntNE) return true;
  if (by >= LLVMIntSGT ? a.nsw && b.nsw : a.nuw && b.nuw) return true;
  return w->clean && w->clean[block] && mpl_guess_order(w, i, a.stride);
}

static struct mpl_shape find_shape(struct mpl_widen *w, LLVMValueRef i, unsigned block) {
  if (mpl_is_lanes_call(i)) return mpl_is_in_place(mpl_marker_of(i)) ? varying : mpl_uniform;
  if (mpl_is_known_choice(w, i)) return shape_at(w, LLVMGetOperand(i, 1), block);
  struct mpl_shape shape;
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMPHI:
    return i == w->counter ? mpl_shape_of_count(MPL_ID_BITS) : phi_shape(w, i, block);
  case LLVMLoad: /* each lane's own, or at its own time */
    if (mpl_array_of(w, LLVMGetOperand(i, 0)) || mpl_is_sum(w->ir, LLVMGetOperand(i, 0))) break;
    if (mpl_is_seen_by_others(i)) break;
    return computed_shape(w, i, block);
  case LLVMCall:
    if (!mpl_ir_is_pure_call(i)) break;
    return computed_shape(w, i, block);
  case LLVMICmp:
    shape = computed_shape(w, i, block);
    return shape.kind == MPL_VARYING && asks_alike(w, i, block) ? mpl_uniform : shape;
  case LLVMAlloca:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg:
    break;
  default:
    return computed_shape(w, i, block);
  }
  return varying;
}

/* Goes up from what was known; false if that was all. */
static bool raise(struct mpl_widen *w, LLVMValueRef i, unsigned block) {
  struct mpl_shape *known = &w->shapes[mpl_map_get(&w->index, i, 0)], old = *known;
  if (old.kind == MPL_VARYING) return false;
  struct mpl_shape shape = find_shape(w, i, block);
  bool tests = w->clean && w->clean[block] && !w->diverged[block];
  if (shape.kind == MPL_VARYING && tests) mpl_guess_bound(w, i, block, &shape);
  *known = mpl_shape_join(old, shape);
  return known->kind != old.kind || known->bits != old.bits || known->nsw != old.nsw ||
         known->nuw != old.nuw;
}

/* --- where lanes part --- */

/* Blocks that lead from `block` on, to `meet` and no further; nor around a loop that `branch` is
 * in. The outermost loop whose header is come to so is noted. */
struct reach {
  struct mpl_widen *w;
  unsigned branch, meet;
  bool *reached;
  int around;
};

static void reach(struct reach *r, unsigned block) {
  struct mpl_widen *w = r->w;
  if (block == r->meet || block == w->latch || r->reached[block] || !w->in[block]) return;
  for (int l = w->inner[r->branch]; l >= 0; l = w->loops[l].parent)
    if (w->loops[l].header == block) {
      if (r->around < 0 || l < r->around) r->around = l;
      return;
    }
  r->reached[block] = true;
  for (unsigned s = 0; s < w->cfg->succs[block].count; s++) reach(r, w->cfg->succs[block].to[s]);
}

/* The outermost loop that the branch may leave for somewhere else than `meet` inside of it. */
static int left_loop(struct mpl_widen *w, unsigned block, unsigned meet) {
  int left = -1;
  for (int l = w->inner[block]; l >= 0; l = w->loops[l].parent)
    if (meet < w->loops[l].header || meet > w->loops[l].last) left = l;
  return left;
}

/* Lanes leave the loop, and those inside of it that are around `block`, at different iterations. */
static void mask_loop(struct mpl_widen *w, unsigned block, int left) {
  unsigned n = w->cfg->count, meet = w->cfg->ipdom[block];
  struct mpl_inner_loop *l = &w->loops[left];
  while (meet >= l->header && meet <= l->last) meet = w->cfg->ipdom[meet];
  struct reach r = {w, l->header, meet, mpl_allocate(n, sizeof *r.reached), -1};
  for (int in = w->inner[block]; in != l->parent; in = w->loops[in].parent)
    w->loops[in].masked = true;
  for (unsigned b = l->header; b <= l->last; b++) {
    if (!w->in[b]) continue;
    w->diverged[b] = true;
    for (unsigned s = 0; s < w->cfg->succs[b].count; s++) {
      unsigned to = w->cfg->succs[b].to[s];
      if (to < l->header || to > l->last) reach(&r, to);
    }
  }
  for (unsigned b = 0; b < n; b++)
    if (r.reached[b]) w->diverged[b] = w->joins[b] = true;
  if (meet < n) w->joins[meet] = true;
  free(r.reached);
  if (r.around >= 0) mask_loop(w, block, r.around);
}

static void part_at(struct mpl_widen *w, unsigned block) {
  struct mpl_cfg *cfg = w->cfg;
  unsigned n = cfg->count, meet = cfg->ipdom[block];
  int left = left_loop(w, block, meet);
  bool *seen = mpl_allocate(n, sizeof *seen);
  struct reach r = {w, block, meet, mpl_allocate(n, sizeof *r.reached), -1};
  for (unsigned s = 0; s < cfg->succs[block].count; s++) {
    for (unsigned b = 0; b < n; b++) r.reached[b] = false;
    reach(&r, cfg->succs[block].to[s]);
    for (unsigned b = 0; b < n; b++) {
      if (!r.reached[b]) continue;
      w->diverged[b] = true;
      w->joins[b] |= seen[b];
      seen[b] = true;
    }
  }
  if (r.around >= 0 && (left < 0 || r.around < left)) left = r.around;
  if (left >= 0) mask_loop(w, block, left);
  if (meet < n) w->joins[meet] = true;
  free(seen);
  free(r.reached);
}

/* A loop that only some lanes enter is masked, and all of it diverged. */
static void spread_to_loops(struct mpl_widen *w) {
  for (unsigned l = 0; l < w->num_loops; l++)
    if (w->diverged[w->loops[l].header]) {
      w->loops[l].masked = true;
      for (unsigned b = w->loops[l].header; b <= w->loops[l].last; b++) w->diverged[b] |= w->in[b];
    }
}

static void add_shape(struct mpl_widen *w, LLVMValueRef value, struct mpl_shape shape) {
  mpl_map_set(&w->index, value, w->num_shapes);
  w->shapes = mpl_grow(w->shapes, &w->shapes_capacity, w->num_shapes + 1, sizeof *w->shapes);
  w->shapes[w->num_shapes++] = shape;
}

/* Instructions, of which nothing is known yet, and arrays that there is one of for each lane. */
static void add_shapes(struct mpl_widen *w) {
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) {
      add_shape(w, i, (struct mpl_shape){0});
      for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef array = LLVMGetOperand(i, k);
        if (mpl_array_kind(w, array) != MPL_ITEMS_ARRAY || mpl_map_has(&w->index, array)) continue;
        int64_t size = (int64_t)mpl_array_size(w, array);
        add_shape(w, array, (struct mpl_shape){MPL_STRIDED, .stride = size, .bits = 64});
      }
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
static void find_clean(struct mpl_widen *w, bool *clean) {
  for (unsigned b = w->first; b <= w->last; b++)
    clean[b] = w->in[b] && !has_effect(w->cfg->blocks[b]);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned b = w->first; b <= w->last; b++)
      for (unsigned p = 0; p < w->cfg->preds[b].count && b != w->header && clean[b]; p++)
        changed |= !(clean[b] = clean[w->cfg->preds[b].to[p]]);
  }
}

static bool asks_for_ids(struct mpl_widen *w, LLVMValueRef condition, unsigned block,
                         unsigned depth) {
  enum { DEEPEST = 4 };
  if (mpl_stride_at(w, condition, block) != MPL_ANY_STRIDE) return true;
  if (depth > DEEPEST) return false;
  switch (LLVMGetInstructionOpcode(condition)) {
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMSelect:
  case LLVMFreeze:
  case LLVMICmp:
    for (int k = 0; k < LLVMGetNumOperands(condition); k++)
      if (!asks_for_ids(w, LLVMGetOperand(condition, k), block, depth + 1)) return false;
    return true;
  default:
    return false;
  }
}

bool mpl_asks_for_ids(struct mpl_widen *w, LLVMValueRef condition, unsigned block) {
  return asks_for_ids(w, condition, block, 0);
}

bool mpl_lanes_find(struct mpl_widen *w) {
  if (!find_loops(w)) return false;
  bool *clean = mpl_allocate(w->cfg->count, sizeof *clean);
  if (w->together) find_clean(w, clean);
  w->clean = clean;
  bool *parted = mpl_allocate(w->cfg->count, sizeof *parted);
  add_shapes(w);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned b = w->first; b <= w->last; b++) {
      if (!w->in[b]) continue;
      MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b])
      if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind) changed |= raise(w, i, b);
      changed |= mpl_arrays_part(w, b);
      LLVMValueRef end = LLVMGetBasicBlockTerminator(w->cfg->blocks[b]);
      if (b == w->latch || parted[b] || LLVMGetNumSuccessors(end) < 2) continue;
      if (!mpl_stride_at(w, LLVMGetOperand(end, 0), b)) continue;
      w->tested[b] = clean[b] && w->inner[b] < 0 && !w->diverged[b] && LLVMIsABranchInst(end) &&
                     mpl_asks_for_ids(w, LLVMGetCondition(end), b);
      if (w->tested[b]) continue;
      parted[b] = changed = true;
      part_at(w, b);
    }
    spread_to_loops(w);
    if (!changed) changed = mpl_parts_find(w);
  }
  free(parted);
  free(clean);
  w->clean = NULL;
  return true;
}

int mpl_left_together_at(struct mpl_widen *w, const struct mpl_inner_loop *loop) {
  int at = -1;
  for (unsigned b = loop->header; b <= loop->last; b++) {
    for (unsigned s = 0; w->in[b] && s < w->cfg->succs[b].count; s++) {
      unsigned to = w->cfg->succs[b].to[s];
      if (to > loop->header && to <= loop->last) continue;
      if (at >= 0 && at != (int)b) return -1;
      at = (int)b;
    }
  }
  LLVMValueRef end = at < 0 ? NULL : LLVMGetBasicBlockTerminator(w->cfg->blocks[at]);
  if (!end || !LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return -1;
  return mpl_stride_at(w, LLVMGetCondition(end), (unsigned)at) ? -1 : at;
}
