/* Broadcasts of what is arithmetic on values that have a slot anyway: it is computed for the one
 * work-item that is asked for, instead of for all of them, and nothing has to be kept for that.
 *
 *   x = work_group_broadcast(f(x, get_local_id(0)), k);
 *
 * The region in front then has one loop less.  What f reads must be in a slot at the sync point
 * whether or not the broadcast is done so: else this would cost a store for each work-item.  That
 * may be an element of a private array, if the region in front does not store to it any more. */
#include "contexts.h"

enum { MOST = 16 }; /* instructions */

bool mpl_is_kept_anyway(const struct mpl_split_plan *p, LLVMValueRef value) {
  const struct mpl_regions *r = &p->unit->regions;
  unsigned block = LLVMIsAPHINode(value) ? mpl_cfg_block_of(&r->cfg, value) : UINT32_MAX;
  bool is_head_phi = block < r->cfg.count && r->list[r->of_block[block]].head == block;
  return is_head_phi || mpl_is_in_place(mpl_marker_of(value));
}

static unsigned price(const struct mpl_split_plan *p, LLVMValueRef value) {
  if (mpl_counts_units(value)) return 1;
  if (LLVMIsAAllocaInst(value) && mpl_element_slot(p, value)) return 0;
  if (LLVMIsALoadInst(value) && mpl_element_slot(p, LLVMGetOperand(value, 0))) return 1;
  if (LLVMIsAGetElementPtrInst(value) && mpl_element_slot(p, value)) return 1;
  enum mpl_marker marker = mpl_marker_of(value);
  if (marker == MPL_MARK_LOCAL_LINEAR_ID || mpl_is_kept_anyway(p, value)) return 0;
  if (mpl_is_local_id(marker)) return 2; /* it may need a division */
  bool cheap = mpl_only_computes(value, MPL_INTEGER | MPL_SELECT | MPL_FROM_INTEGER | MPL_FLOATING);
  return cheap ? 1 : UINT32_MAX;
}

/* Elements of private arrays are what they are in front of the region. */
static bool are_elements_kept(const struct mpl_split_plan *p, LLVMValueRef value, unsigned region) {
  if (mpl_is_shared(p, value) || mpl_is_kept_anyway(p, value)) return true;
  if (LLVMIsALoadInst(value)) return mpl_is_element_kept(p, value, region);
  for (int k = 0; k < LLVMGetNumOperands(value); k++)
    if (!are_elements_kept(p, LLVMGetOperand(value, k), region)) return false;
  return true;
}

bool mpl_can_broadcast_one(const struct mpl_split_plan *p, LLVMValueRef value, unsigned region) {
  unsigned left = MOST;
  if (p->unit->lanes || p->unit->regions.masked) return false;
  if (!LLVMIsAInstruction(value) || mpl_is_kept_anyway(p, value))
    return false; /* which is read there */
  return mpl_affords(p, value, price, &left) && are_elements_kept(p, value, region);
}
