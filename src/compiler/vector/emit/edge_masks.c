/* The masks of the lanes that take an edge, and what phis get over such edges. */
#include "flow.h"

void mpl_add_edge_mask(struct mpl_emit *e, unsigned from, unsigned to, LLVMValueRef mask) {
  LLVMValueRef known = mpl_edge_mask(e, from, to);
  mask = mpl_full_mask(e, mask);
  mpl_set_edge_mask(e, from, to, known ? LLVMBuildOr(e->b, known, mask, "") : mask);
}

LLVMValueRef mpl_edge_mask(struct mpl_emit *e, unsigned from, unsigned to) {
  uintptr_t *at = mpl_map_at(&e->edges, e->items->cfg->blocks[from], to + 1, false);
  return at ? (LLVMValueRef)*at : NULL;
}

void mpl_set_edge_mask(struct mpl_emit *e, unsigned from, unsigned to, LLVMValueRef mask) {
  *mpl_map_at(&e->edges, e->items->cfg->blocks[from], to + 1, true) = (uintptr_t)mask;
}

/* A loop that counts goes on for all lanes that come to the end of a turn, or for none. */
static bool ends_counted_turn(const struct mpl_lanes *lanes, unsigned block) {
  int l = lanes->items->inner[block];
  return l >= 0 && lanes->loops[l].masked && lanes->loops[l].counted == (int)block;
}

/* The lanes at the end of `block` part by its branch. */
void mpl_mask_edges(struct mpl_emit *e, unsigned block, LLVMValueRef mask) {
  const struct mpl_item_loop *items = e->items;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(items->cfg->blocks[block]);
  const unsigned *to = items->cfg->succs[block].to;
  unsigned count = LLVMGetNumSuccessors(end);
  if (count == 1) {
    mpl_add_edge_mask(e, block, to[0], mask);
  } else if (ends_counted_turn(e->lanes, block)) {
    mpl_add_edge_mask(e, block, items->loops[items->inner[block]].header, mask);
  } else if (LLVMIsABranchInst(end)) {
    LLVMValueRef condition = mpl_vector(e, LLVMGetCondition(end));
    LLVMValueRef opposite = LLVMBuildNot(e->b, condition, "");
    mpl_add_edge_mask(e, block, to[0], mpl_lanes_of_both(e, mask, condition));
    mpl_add_edge_mask(e, block, to[1], mpl_lanes_of_both(e, mask, opposite));
  } else { /* a switch: operand 0, default, then values with their targets */
    LLVMValueRef on = mpl_vector(e, LLVMGetOperand(end, 0)), none = NULL;
    for (unsigned k = 1; k < count; k++) {
      LLVMValueRef is =
          LLVMBuildICmp(e->b, LLVMIntEQ, on, mpl_splat(e, LLVMGetOperand(end, 2 * k)), "");
      none = none ? LLVMBuildOr(e->b, none, is, "") : is;
      mpl_add_edge_mask(e, block, to[k], mpl_lanes_of_both(e, mask, is));
    }
    none = none ? LLVMBuildNot(e->b, none, "") : NULL;
    mpl_add_edge_mask(e, block, to[0], none ? mpl_lanes_of_both(e, mask, none) : mask);
  }
}

/* --- phis --- */

LLVMValueRef mpl_handed_over(struct mpl_emit *e, LLVMValueRef phi, bool back, int part) {
  unsigned block = mpl_cfg_block_of(e->items->cfg, phi);
  bool vector = mpl_varies(e->lanes, phi);
  LLVMValueRef chosen = NULL;
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    unsigned from = mpl_block_number(e->items, LLVMGetIncomingBlock(phi, k));
    if ((from >= block) != back) continue;
    if (part >= 0 && e->lanes->blocks[from].part != part && from != e->lanes->parts[part].from)
      continue;
    LLVMValueRef mask = mpl_edge_mask(e, from, block), value = LLVMGetIncomingValue(phi, k);
    if (!mask) continue;
    value = mpl_value(e, value, vector);
    if (chosen && chosen != value)
      value = vector ? mpl_choose(e, mask, value, chosen)
                     : LLVMBuildSelect(e->b, mpl_any_lane(e, mask), value, chosen, "");
    chosen = value;
  }
  return chosen;
}
