#include "shape.h"

#include <stdlib.h>

#include "markers.h"

static const struct mpl_shape varying = {MPL_VARYING, .bits = 64};

static struct mpl_shape phi_shape(struct mpl_shapes *s, LLVMValueRef phi, unsigned block) {
  unsigned count = LLVMCountIncoming(phi), width = mpl_shape_width(s, LLVMTypeOf(phi));
  struct mpl_shape shape = {.kind = MPL_UNSEEN};
  bool same = true;
  for (unsigned k = 0; k < count; k++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, k);
    shape = mpl_shape_join(shape, mpl_shape_of(s, value));
    same &= value == LLVMGetIncomingValue(phi, 0);
  }
  if (same) return shape;
  if (s->influenced[block]) return varying;
  if (shape.wraps) shape.wraps = MPL_WRAPS_SEVERAL; /* it was the last iteration's that might */
  shape.narrow = NULL;
  shape.bits = width ? width : 64;
  return shape;
}

/* The result of a collective is the same for all work-items that reach the call together. */
static struct mpl_shape call_shape(struct mpl_shapes *s, LLVMValueRef call, unsigned block) {
  enum mpl_marker marker = mpl_marker_of(call);
  struct mpl_shape id = mpl_by_ones;
  if (!marker) /* one of no operands: a register of a GPU's, each work-item's own perhaps */
    return mpl_ir_is_pure_call(call) && LLVMGetNumArgOperands(call)
               ? mpl_shape_of_operation(s, call)
               : varying;
  id.stride = !mpl_is_local_id(marker) || marker == MPL_MARK_LOCAL_ID_0;
  if (mpl_is_id(marker)) return id;
  switch (mpl_markers[marker].result) {
  case MPL_RESULT_UNIFORM:
    return mpl_uniform;
  case MPL_RESULT_TOGETHER:
    return s->diverged[block] ? varying : mpl_uniform;
  default:
    return varying;
  }
}

static struct mpl_shape shape_at(struct mpl_shapes *s, LLVMValueRef i, unsigned block) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMAlloca:
    return mpl_is_uniform_array(s->arrays, i) ? mpl_uniform : varying;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg:
    return varying;
  case LLVMPHI:
    return phi_shape(s, i, block);
  case LLVMCall:
    return call_shape(s, i, block);
  case LLVMLoad:
    return mpl_is_seen_by_others(i) ? varying : mpl_shape_of_operation(s, i);
  default:
    return mpl_shape_of_operation(s, i);
  }
}

static struct mpl_shape *place_of(struct mpl_shapes *s, LLVMValueRef i) {
  return &s->list[mpl_map_get(&s->index, i, 0)];
}

/* Marks the blocks between a varying branch and where its sides meet: a phi there has taken a value
 * by a path that varies.  If the branch leaves a loop, work-items leave it in different iterations:
 * what the loop computes varies to those behind it. */
static void spread(struct mpl_shapes *u, unsigned branch) {
  struct mpl_cfg *cfg = u->cfg;
  unsigned meet = cfg->ipdom[branch], depth = 0;
  MPL_ARRAY(bool, in, cfg->count + 1);
  MPL_ARRAY(unsigned, stack, cfg->count + 1);
  in[meet] = true;
  if (meet < cfg->count) u->influenced[meet] = true;
  stack[depth++] = branch;
  bool again = false; /* the branch is reached from itself: a loop */
  while (depth) {
    unsigned b = stack[--depth];
    MPL_EACH_EDGE(to, &cfg->succs[b]) {
      again |= to == branch;
      if (in[to]) continue;
      in[to] = u->influenced[to] = u->diverged[to] = true;
      stack[depth++] = to;
    }
  }
  in[meet] = false;
  in[branch] |= again;
  u->diverged[branch] |= again;
  for (unsigned b = 0; again && b < cfg->count; b++) {
    if (!in[b]) continue;
    MPL_EACH_INSTRUCTION(i, cfg->blocks[b]) {
      MPL_EACH_USER(user, i) {
        unsigned at = mpl_cfg_block_of(cfg, user);
        if (at < cfg->count && !in[at]) {
          *place_of(u, i) = varying;
          break;
        }
      }
    }
  }
}

/* Goes up from what was known; false if that was all. */
static bool raise(struct mpl_shapes *s, LLVMValueRef i, unsigned block) {
  struct mpl_shape *known = place_of(s, i), old = *known;
  if (old.kind == MPL_VARYING) return false;
  *known = mpl_shape_join(old, shape_at(s, i, block));
  return known->kind != old.kind || known->bits != old.bits || known->nsw != old.nsw ||
         known->nuw != old.nuw || known->wraps != old.wraps;
}

static bool branch_varies(struct mpl_shapes *s, LLVMValueRef end) {
  for (int k = 0; k < LLVMGetNumOperands(end); k++)
    if (!mpl_is_uniform(s, LLVMGetOperand(end, k))) return true;
  return false;
}

void mpl_shapes_find(struct mpl_shapes *s, struct mpl_cfg *cfg, LLVMValueRef function,
                     struct mpl_uniform_arrays *arrays) {
  *s = (struct mpl_shapes){.cfg = cfg, .arrays = arrays};
  s->layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
  s->influenced = mpl_allocate(cfg->count, sizeof *s->influenced);
  s->diverged = mpl_allocate(cfg->count, sizeof *s->diverged);
  s->varying_branch = mpl_allocate(cfg->count, sizeof *s->varying_branch);
  for (unsigned b = 0; b < cfg->count; b++) {
    MPL_EACH_INSTRUCTION(i, cfg->blocks[b]) {
      mpl_map_set(&s->index, i, s->count);
      MPL_APPEND(s->list, s->count) = (struct mpl_shape){0};
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned b = 0; b < cfg->count; b++) {
      MPL_EACH_INSTRUCTION(i, cfg->blocks[b]) {
        changed |= raise(s, i, b);
        changed |= mpl_uniform_array_differs(arrays, s, i, b);
      }
      LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg->blocks[b]);
      if (s->varying_branch[b] || LLVMGetNumSuccessors(end) < 2 || !branch_varies(s, end)) continue;
      s->varying_branch[b] = changed = true;
      spread(s, b);
    }
  }
}

void mpl_shapes_free(struct mpl_shapes *s) {
  mpl_map_free(&s->index);
  free(s->list);
  free(s->diverged);
  free(s->influenced);
  free(s->varying_branch);
}
