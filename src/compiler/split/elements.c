/* Elements of private arrays that each work-item has in scratch memory: what is loaded from one in
 * front of a region, and not stored to any more, is loaded again behind, instead of being kept. */
#include <stdlib.h>

#include "split.h"

struct mpl_slot *mpl_element_slot(struct mpl_split *s, LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
  struct mpl_slot *slot = LLVMIsAAllocaInst(pointer) ? mpl_slot_of(s, pointer) : NULL;
  return slot && slot->kind == MPL_SLOT_ARRAY && slot->varying && slot->unit ? slot : NULL;
}

/* Which blocks of its region follow the block. */
static void find_behind(struct mpl_regions *r, unsigned block, bool *behind) {
  unsigned *stack = mpl_allocate(r->cfg.count + 1, sizeof *stack), depth = 0;
  unsigned region = r->of_block[block], head = r->list[region].head;
  stack[depth++] = block;
  while (depth) {
    const struct mpl_edges *succs = &r->cfg.succs[stack[--depth]];
    for (unsigned e = 0; e < succs->count; e++) {
      unsigned to = succs->to[e];
      if (r->of_block[to] != region || to == head || behind[to]) continue;
      behind[to] = true;
      stack[depth++] = to;
    }
  }
  free(stack);
}

/* Is the array as the load has found it where its region ends? */
static bool is_last(struct mpl_split *s, LLVMValueRef load, const struct mpl_slot *slot) {
  struct mpl_regions *r = &s->regions;
  unsigned block = mpl_cfg_block_of(&r->cfg, load);
  const struct mpl_region *region = &r->list[r->of_block[block]];
  bool *behind = mpl_allocate(r->cfg.count, sizeof *behind), last = true;
  find_behind(r, block, behind);
  for (unsigned n = 0; n < region->num_blocks && last; n++) {
    unsigned b = region->blocks[n];
    bool passed = behind[b];
    if (!passed && b != block) continue;
    MPL_EACH_INSTRUCTION(i, r->cfg.blocks[b]) {
      passed |= i == load;
      bool stores = LLVMIsAStoreInst(i) && mpl_element_slot(s, LLVMGetOperand(i, 1)) == slot;
      last &= !(passed && stores);
    }
  }
  free(behind);
  return last;
}

bool mpl_is_element_kept(struct mpl_split *s, LLVMValueRef load, unsigned region) {
  const struct mpl_edges *preds = &s->regions.list[region].preds;
  struct mpl_slot *slot = mpl_element_slot(s, LLVMGetOperand(load, 0));
  return slot && preds->count == 1 && mpl_region_of(&s->regions, load) == preds->to[0] &&
         is_last(s, load, slot);
}

/* At a place that all share: what is not shared is what arrays.c has made of it. */
static unsigned price(struct mpl_split *s, LLVMValueRef value) {
  if (LLVMIsAAllocaInst(value)) return 0;
  return mpl_map_has(&s->regions.shapes.index, value) ? UINT32_MAX : 1;
}

bool mpl_can_reload(struct mpl_split *s, LLVMValueRef value, unsigned region) {
  enum { MOST = 8 };
  unsigned left = MOST;
  if (s->lanes || s->regions.masked || !LLVMIsALoadInst(value) || mpl_is_shared(s, value))
    return false;
  return mpl_is_element_kept(s, value, region) &&
         mpl_affords(s, LLVMGetOperand(value, 0), price, &left);
}
