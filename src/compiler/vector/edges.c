/* The masks of the lanes that take an edge, and what phis get over such edges. */
#include "flow.h"

LLVMTypeRef mpl_mask_type(struct mpl_widen *w) {
  return mpl_vector_type(w, w->ir->i1);
}

LLVMValueRef mpl_full_mask(struct mpl_widen *w, LLVMValueRef mask) {
  return mask ? mask : LLVMConstAllOnes(mpl_mask_type(w));
}

/* Null, which is all lanes, is neutral for `and` and absorbs `or`.  A lane that is not there may
 * have a poisoned condition: select does not look at it. */
static LLVMValueRef and_masks(struct mpl_widen *w, LLVMValueRef mask, LLVMValueRef condition) {
  if (!mask) return condition;
  return LLVMBuildSelect(w->b, mask, condition, LLVMConstNull(mpl_mask_type(w)), "");
}

/* At a loop's top nothing is to be tested: it goes on only where a lane stays. */
LLVMValueRef mpl_any_lane(struct mpl_widen *w, LLVMValueRef mask) {
  for (unsigned l = 0; l < w->num_loops; l++)
    if (w->loops[l].active == mask && w->loops[l].some) return w->loops[l].some;
  LLVMTypeRef bits = LLVMIntTypeInContext(w->ir->context, w->width);
  return LLVMBuildICmp(w->b, LLVMIntNE, LLVMBuildBitCast(w->b, mask, bits, ""), LLVMConstNull(bits),
                       "");
}

LLVMValueRef mpl_all_lanes(struct mpl_widen *w, LLVMValueRef mask) {
  LLVMTypeRef bits = LLVMIntTypeInContext(w->ir->context, w->width);
  return LLVMBuildICmp(w->b, LLVMIntEQ, LLVMBuildBitCast(w->b, mask, bits, ""),
                       LLVMConstAllOnes(bits), "");
}

void mpl_add_edge_mask(struct mpl_widen *w, unsigned from, unsigned to, LLVMValueRef mask) {
  uintptr_t *at = mpl_map_at(&w->edges, w->cfg->blocks[from], to + 1, true);
  mask = mpl_full_mask(w, mask);
  *at = (uintptr_t)(*at ? LLVMBuildOr(w->b, (LLVMValueRef)*at, mask, "") : mask);
}

LLVMValueRef mpl_edge_mask(struct mpl_widen *w, unsigned from, unsigned to) {
  uintptr_t *at = mpl_map_at(&w->edges, w->cfg->blocks[from], to + 1, false);
  return at ? (LLVMValueRef)*at : NULL;
}

void mpl_set_edge_mask(struct mpl_widen *w, unsigned from, unsigned to, LLVMValueRef mask) {
  *mpl_map_at(&w->edges, w->cfg->blocks[from], to + 1, true) = (uintptr_t)mask;
}

unsigned mpl_block_number(struct mpl_widen *w, LLVMBasicBlockRef block) {
  return (unsigned)mpl_map_get(&w->cfg->index, block, 0);
}

/* A loop that counts goes on for all lanes that come to the end of a turn, or for none. */
static bool ends_counted_turn(struct mpl_widen *w, unsigned block) {
  int l = w->inner[block];
  return l >= 0 && w->loops[l].masked && mpl_counted_at(w, &w->loops[l]) == (int)block;
}

/* The lanes at the end of `block` part by its branch. */
void mpl_mask_edges(struct mpl_widen *w, unsigned block, LLVMValueRef mask) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->cfg->blocks[block]);
  unsigned count = LLVMGetNumSuccessors(end);
  if (count == 1) {
    mpl_add_edge_mask(w, block, mpl_block_number(w, LLVMGetSuccessor(end, 0)), mask);
  } else if (ends_counted_turn(w, block)) {
    mpl_add_edge_mask(w, block, w->loops[w->inner[block]].header, mask);
  } else if (LLVMIsABranchInst(end)) {
    LLVMValueRef condition = mpl_vector(w, LLVMGetCondition(end));
    LLVMValueRef opposite = LLVMBuildNot(w->b, condition, "");
    mpl_add_edge_mask(w, block, mpl_block_number(w, LLVMGetSuccessor(end, 0)),
                      and_masks(w, mask, condition));
    mpl_add_edge_mask(w, block, mpl_block_number(w, LLVMGetSuccessor(end, 1)),
                      and_masks(w, mask, opposite));
  } else { /* a switch: operand 0, default, then values with their targets */
    LLVMValueRef on = mpl_vector(w, LLVMGetOperand(end, 0)), none = NULL;
    for (unsigned k = 1; k < count; k++) {
      LLVMValueRef is =
          LLVMBuildICmp(w->b, LLVMIntEQ, on, mpl_splat(w, LLVMGetOperand(end, 2 * k)), "");
      none = none ? LLVMBuildOr(w->b, none, is, "") : is;
      mpl_add_edge_mask(w, block, mpl_block_number(w, LLVMGetSuccessor(end, k)),
                        and_masks(w, mask, is));
    }
    none = none ? LLVMBuildNot(w->b, none, "") : NULL;
    mpl_add_edge_mask(w, block, mpl_block_number(w, LLVMGetSuccessor(end, 0)),
                      none ? and_masks(w, mask, none) : mask);
  }
}

/* --- phis --- */

bool mpl_is_vector(struct mpl_widen *w, LLVMValueRef phi) {
  return mpl_stride_of(w, phi) == MPL_ANY_STRIDE;
}

LLVMValueRef mpl_handed_over(struct mpl_widen *w, LLVMValueRef phi, bool back, int part) {
  unsigned block = mpl_cfg_block_of(w->cfg, phi);
  bool vector = mpl_is_vector(w, phi);
  LLVMValueRef chosen = NULL;
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    unsigned from = mpl_block_number(w, LLVMGetIncomingBlock(phi, k));
    if ((from >= block) != back) continue;
    if (part >= 0 && w->part_of[from] != part && from != w->parts[part].from) continue;
    LLVMValueRef mask = mpl_edge_mask(w, from, block), value = LLVMGetIncomingValue(phi, k);
    if (!mask) continue;
    value = vector ? mpl_vector(w, value) : mpl_scalar(w, value);
    if (chosen && chosen != value)
      value = vector ? mpl_choose(w, mask, value, chosen)
                     : LLVMBuildSelect(w->b, mpl_any_lane(w, mask), value, chosen, "");
    chosen = value;
  }
  return chosen;
}

void mpl_set_value(struct mpl_widen *w, LLVMValueRef value, LLVMValueRef now, bool vector) {
  mpl_map_set(vector ? &w->vectors : &w->scalars, value, (uintptr_t)now);
}
