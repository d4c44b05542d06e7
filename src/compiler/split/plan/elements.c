/* Elements of private arrays that each work-item has in scratch memory: what is loaded from one in
 * front of a region, and not stored to any more, is loaded again behind, instead of being kept. */
#include <stdlib.h>

#include "contexts.h"

struct mpl_slot *mpl_element_slot(const struct mpl_split_plan *p, LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
  struct mpl_slot *slot = LLVMIsAAllocaInst(pointer) ? mpl_slot_of(p, pointer) : NULL;
  return slot && slot->unit ? slot : NULL;
}

/* Is the array as the load has found it where its region ends? */
static bool is_last(const struct mpl_split_plan *p, LLVMValueRef load, const struct mpl_slot *slot) {
  const struct mpl_regions *r = &p->unit->regions;
  unsigned block = mpl_cfg_block_of(&r->cfg, load);
  const struct mpl_region *region = &r->list[r->of_block[block]];
  MPL_ARRAY(bool, behind, r->cfg.count);
  for (unsigned b = 0; b < r->cfg.count; b++)
    behind[b] = r->of_block[b] != r->of_block[block] || b == region->head;
  mpl_cfg_reach(&r->cfg, block, behind);
  for (unsigned n = 0; n < region->num_blocks; n++) {
    unsigned b = region->blocks[n];
    bool passed = n && behind[b];
    if (!passed && b != block) continue;
    MPL_EACH_INSTRUCTION(i, r->cfg.blocks[b]) {
      passed |= i == load;
      bool stores = LLVMIsAStoreInst(i) && mpl_element_slot(p, LLVMGetOperand(i, 1)) == slot;
      if (passed && stores) return false;
    }
  }
  return true;
}

bool mpl_is_element_kept(const struct mpl_split_plan *p, LLVMValueRef load, unsigned region) {
  const struct mpl_regions *r = &p->unit->regions;
  const struct mpl_edges *preds = &r->list[region].preds;
  struct mpl_slot *slot = mpl_element_slot(p, LLVMGetOperand(load, 0));
  return slot && preds->count == 1 && mpl_region_of(r, load) == preds->to[0] &&
         is_last(p, load, slot);
}

/* A place that all share: what is not shared is what emit/arrays.c has made of shared indices. */
static bool is_shared_place(const struct mpl_split_plan *p, LLVMValueRef value) {
  if (mpl_is_shared(p, value) || LLVMIsAAllocaInst(value)) return true;
  bool is = !mpl_map_has(&p->unit->regions.shapes.index, value);
  for (int k = 0; is && k < LLVMGetNumOperands(value); k++)
    is = is_shared_place(p, LLVMGetOperand(value, k));
  return is;
}

/* Not if the address would be kept in its stead. */
bool mpl_can_reload(const struct mpl_split_plan *p, LLVMValueRef value, unsigned region) {
  if (p->unit->lanes || p->unit->regions.masked || !LLVMIsALoadInst(value)) return false;
  LLVMValueRef place = LLVMGetOperand(value, 0);
  return !mpl_is_shared(p, value) && mpl_is_element_kept(p, value, region) &&
         mpl_can_remat(p, place) && is_shared_place(p, place);
}
